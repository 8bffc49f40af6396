"""Pictures of the pages, for the README and the documentation: `python -m pliant.viewer.screenshots FOLDER [NAME…]`.

Writes gallery-light.png and gallery-dark.png, and NAME-light.png and NAME-dark.png of each exhibit at a moment when
there is something to be seen. Needs Playwright and Chromium, which `make test` installs.
"""

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.runtime.errors import PliantError

if TYPE_CHECKING:
    from pliant.gallery.exhibit import Exhibit

PAGE_WIDTH, PAGE_HEIGHT = 1280, 800  # pixels
DRAWING_PATIENCE = 300_000  # milliseconds: drawing without a graphics card is slow
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
START = "from pliant.viewer.app import run; run(port=0, open_browser=False)"
VIEW = "document.querySelector('.viewport')?.view"
GALLERY = "gallery"


def screenshots(folder: Path, names: Sequence[str] = ()) -> Iterator[Path]:
    """Takes the named pages (all, if none is named) and gives each file as it is written."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise PliantError("screenshots need Playwright; install it with pip install pliant[dev,render]") from None
    from pliant.gallery.listing import list_exhibits

    exhibits = list_exhibits()
    known = [GALLERY, *(exhibit.name for exhibit in exhibits)]
    for name in names:
        if name not in known:
            raise PliantError(f"{name}: there is no such page; there are {', '.join(known)}")
    folder.mkdir(parents=True, exist_ok=True)
    installed = next(filter(None, map(shutil.which, BROWSERS)), None)
    with _serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": PAGE_WIDTH, "height": PAGE_HEIGHT}, color_scheme=scheme)
            page.set_default_timeout(DRAWING_PATIENCE)
            if not names or GALLERY in names:
                yield _gallery(page, address, folder / f"{GALLERY}-{scheme}.png")
            for exhibit in exhibits:
                if not names or exhibit.name in names:
                    yield _exhibit(page, address, exhibit, folder / f"{exhibit.name}-{scheme}.png")
            page.close()
        browser.close()


def _gallery(page: Any, address: str, path: Path) -> Path:
    page.goto(address)
    page.wait_for_function("document.querySelectorAll('.card').length > 0")
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    page.wait_for_timeout(500)  # cards come in softly
    _write(page.screenshot(), path)
    return path


def _exhibit(page: Any, address: str, exhibit: "Exhibit", path: Path) -> Path:
    """The still in the middle of the story, as the thumbnails have it. It is gone to step by step, so that the picture
    is the same on any computer."""
    moments = tuple(exhibit.stills) or (0.5 * exhibit.seconds,)
    steps = round(60 * moments[len(moments) // 2])
    page.goto(f"{address}/exhibit/{exhibit.name}")
    page.wait_for_function(f"{VIEW}?.shown")
    commands = [{"do": "play", "on": False}, {"do": "reset"}, *steps * [{"do": "step"}]]
    page.evaluate(f"(commands) => commands.forEach((each) => {VIEW}.stream.send(each))", commands)
    page.wait_for_function(f"Math.abs({VIEW}?.shown?.time - {steps} / 60) < 0.005")
    page.wait_for_function("document.querySelector('.play i')?.textContent === 'play_arrow'")
    page.wait_for_function(f"document.querySelector('.time')?.textContent.startsWith('{steps / 60:.2f}')")
    page.mouse.move(PAGE_WIDTH - 5, PAGE_HEIGHT - 5)
    page.wait_for_timeout(3000)  # pictures of the poses have come, notices have gone
    _write(page.screenshot(), path)
    page.evaluate(f"{VIEW}.stream.send({{ do: 'play', on: true }})")
    return path


def _write(png: bytes, path: Path) -> None:
    """In 256 colours, which is hardly seen and takes about half the room."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    colours = picture.quantize(256)
    picture.quantize(palette=colours, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)


@contextmanager
def _serving() -> Iterator[str]:
    """A server of its own, that ends with the block."""
    process = subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        if found is None:
            raise PliantError("the viewer did not start; try `pliant view` to see why")
        yield found.group()
    finally:
        process.terminate()
        process.wait(20)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m pliant.viewer.screenshots FOLDER [NAME…]")
    try:
        for written in screenshots(Path(sys.argv[1]), sys.argv[2:]):
            print(written, flush=True)
    except PliantError as error:
        sys.exit(str(error))
