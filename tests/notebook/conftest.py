"""A real JupyterLab and a real marimo, each started once, with a page of the shared browser in it."""

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import notebook_servers as servers
from viewer.conftest import CALM, COARSE
from viewer.pages import PATIENCE, wait_until

WORLD = """import pliant

bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=(2, 4, 2))
bar = bar.with_pose("twist", pliant.poses.twist(bar, degrees=90, axis="y", shorten=0.3))
world = pliant.World(colliders=[pliant.Plane()])
actor = world.add(bar, pliant.ShapeMatching(stiffness=4), name="bar", position=(0, 2.5, 0))
pliant.show(world, height=300)"""
BODY = "pliant.show(bar, height=300, playing=False)"
TALL = {"width": 1100, "height": 1000}  # so that both are on the screen


@pytest.fixture(scope="session")
def tall_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=TALL, device_scale_factor=COARSE)  # type: ignore[arg-type]
    context.add_init_script(CALM)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def insisting(page: Page, done: str, act: Callable[[], object]) -> None:
    """Do something until it has an effect."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(done):
        assert time.monotonic() < end, f"waited in vain for {done}"
        act()
        page.wait_for_timeout(1500)


def kernel_is_ready(address: str) -> bool:
    """Whether the kernel waits, and the page is connected to it: what it is told before is passed over."""
    site, _, token = address.partition("/lab/")
    try:
        with closing(urllib.request.urlopen(f"{site}/api/kernels?{token.partition('&')[2]}")) as answer:
            kernels = json.load(answer)
    except OSError:  # it is just being made
        return False
    return any(each["execution_state"] == "idle" and each["connections"] for each in kernels)


@pytest.fixture(scope="session")
def lab(tall_page: Page, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, str, Path]]:
    """A page on which the cells of a new notebook were run, the address of any notebook, and the folder of them."""
    import nbformat  # takes seconds, which only this page has to wait

    folder = tmp_path_factory.mktemp("lab")
    cells = [nbformat.v4.new_code_cell(source) for source in (WORLD, BODY)]
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": spec}), folder / "tried.ipynb")
    with servers.jupyter(folder) as address:
        tall_page.goto(address % "tried.ipynb")
        tall_page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]")
        wait_until(lambda: kernel_is_ready(address), "a kernel")
        tall_page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
        for _ in cells:
            tall_page.keyboard.press("Shift+Enter")
        yield tall_page, address, folder
        tall_page.goto("about:blank")


@pytest.fixture(scope="session")
def marimo(tall_page: Page, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page on which a notebook of marimo has run."""
    notebook = tmp_path_factory.mktemp("marimo") / "tried.py"
    cells = "".join(
        f"@app.cell\ndef _({needs}):\n    " + source.replace("\n", "\n    ") + f"\n    return {gives}\n\n\n"
        for needs, source, gives in (("", WORLD, "bar, pliant"), ("bar, pliant", BODY, ""))
    )
    notebook.write_text(f"import marimo\n\napp = marimo.App()\n\n\n{cells}", encoding="utf-8")
    with servers.marimo(notebook) as address:
        tall_page.goto(address)
        tall_page.wait_for_selector(".cm-content")
        begun = "!!document.querySelector('.output-area')"
        insisting(tall_page, begun, lambda: tall_page.keyboard.press("Control+Shift+r"))
        yield tall_page
        tall_page.goto("about:blank")
