"""The site: it builds without a warning, needs no network, has every public name, and a newcomer finds the way."""

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import Page, Request
from typer.main import get_command

import pliant
from docs.commands import ROOT
from pliant import cli
from pliant.gallery.listing import list_exhibits
from pliant.scene.reference import tables

LONGEST = 300  # seconds that a worker waits for the one that builds
QUESTION = "Make my own character squash when it lands"
LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "link": "href",
    "object": "data",
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Built once, by the first of the workers that asks for it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "site"
    try:
        folder.mkdir()
    except FileExistsError:
        return awaited(folder)
    built = build(folder / "html", folder / "doctrees")
    (folder / "said").write_text(built.stderr + built.stdout)
    (folder / "done").write_text(str(built.returncode))
    return awaited(folder)


def build(html: Path, doctrees: Path) -> "subprocess.CompletedProcess[str]":
    """As `make docs` does."""
    (line,) = re.findall(r"-m sphinx (.*?)--doctree-dir", (ROOT / "Makefile").read_text("utf-8"), re.DOTALL)
    words = line.replace("\\\n", " ").split()
    assert "--fail-on-warning" in words
    call = [sys.executable, "-m", "sphinx", *words, "--doctree-dir", str(doctrees), "docs", str(html)]
    return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST)


def awaited(folder: Path) -> Path:
    end = monotonic() + LONGEST
    while not (folder / "done").exists():
        assert monotonic() < end, "the site was not built in time"
        sleep(0.2)
    assert (folder / "done").read_text() == "0", (folder / "said").read_text()
    return folder / "html"


class Loads(HTMLParser):
    """What a page loads by itself; links that are there to be clicked are no such thing."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "link" and given.get("rel") in ("search", "next", "prev", "index", "author", "canonical"):
            return
        self.addresses.append(given.get(LOADED.get(tag, "")) or "")


def loaded(page: str) -> list[str]:
    parser = Loads()
    parser.feed(page)
    return [address for address in parser.addresses if address]


def foreign(addresses: list[str]) -> list[str]:
    return [address for address in addresses if re.match(r"(https?:)?//", address)]


def test_what_comes_from_the_network_would_be_seen() -> None:
    script, style = (
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//cdn.example/y.css">',
    )
    assert foreign(loaded(script + style + '<img src="a.png">')) == ["https://cdn.example/x.js", "//cdn.example/y.css"]
    assert foreign(loaded('<a href="https://example.com">read</a>')) == []


def pages_of(site: Path) -> list[Path]:
    """Without the templates that the theme leaves among its files."""
    return sorted(path for path in site.rglob("*.html") if "_static" not in path.parts)


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    pages = pages_of(site)
    assert len(pages) > 50
    found = {page.name: foreign(loaded(page.read_text(encoding="utf-8"))) for page in pages}
    assert not {name: addresses for name, addresses in found.items() if addresses}
    for style in site.rglob("*.css"):
        assert not re.search(r"(url\(\s*['\"]?|@import\s+['\"])(https?:)?//", style.read_text(encoding="utf-8")), style


def test_what_pages_load_is_there(site: Path) -> None:
    for page in pages_of(site):
        for address in loaded(page.read_text(encoding="utf-8")):
            path = re.split(r"[?#]", address)[0]
            assert address.startswith("data:") or not path or (page.parent / path).exists(), f"{page.name}: {address}"


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    names = [name for name in pliant.__all__ if name not in ("shapes", "poses")]
    names += [f"{folder}.{name}" for folder in ("shapes", "poses") for name in getattr(pliant, folder).__all__]
    assert [name for name in names if f'id="pliant.{name}"' not in page] == []


def test_every_command_key_and_exhibit_is_in_the_reference(site: Path) -> None:
    commands = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    for name, command in get_command(cli.app).commands.items():
        assert f'id="pliant-{name}"' in commands
        options = [each for parameter in command.params for each in parameter.opts if each.startswith("-")]
        assert [each for each in options if f">{each}<" not in commands] == []
    keys = set(re.findall(r"`(\w+)`", "".join(tables().values())))
    page = (site / "reference" / "scene-file.html").read_text(encoding="utf-8")
    assert len(keys) > 100 and not [key for key in keys if f">{key}<" not in page]
    gallery = (site / "gallery.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>", "", gallery)
    for exhibit in list_exhibits():
        assert f'id="{exhibit.name}"' in gallery and f"_images/{exhibit.name}.png" in gallery
        assert f"pliant gallery --check {exhibit.name}\n" in text


@pytest.fixture
def visitor(page: Page, site: Path) -> Iterator[Page]:
    """On the first page, from the disk; nothing that it asks for may be elsewhere."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    page.goto((site / "index.html").as_uri())
    yield page
    assert asked and [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.browser
def test_how_do_i_make_my_own_character_squash_when_it_lands(visitor: Page, site: Path) -> None:
    """Three ways, each within three clicks: the card on the first page, the how-to pages, the search."""
    start = visitor.url

    def arrived() -> None:
        visitor.get_by_role("heading", name=QUESTION).wait_for()
        assert "pliant bake squash.toml" in visitor.inner_text("article")

    visitor.get_by_role("link", name="My own character squashes").click()
    arrived()
    visitor.goto(start)
    visitor.get_by_role("navigation").get_by_role("link", name="How-to", exact=True).first.click()
    visitor.get_by_role("article").get_by_role("link", name=QUESTION).click()
    arrived()
    visitor.goto((site / "search.html").as_uri() + "?q=character+squash+lands")
    visitor.locator("#search-results a", has_text=QUESTION).first.click()
    arrived()


@pytest.mark.browser
def test_pages_stand_without_the_network(visitor: Page, site: Path) -> None:
    """Each kind of page, with its pictures, in light and dark."""
    for scheme, name in (("light", "gallery.html"), ("dark", "concepts/weights.html"), ("light", "benchmarks.html")):
        visitor.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        visitor.goto((site / name).as_uri())
        broken = visitor.evaluate(
            "[...document.images].filter(i => i.loading != 'lazy' && i.complete && !i.naturalWidth).map(i => i.src)"
        )
        assert broken == []
        # nothing is wider than the window
        assert visitor.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
