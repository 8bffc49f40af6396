"""`pliant.show` where people use it: a real JupyterLab and a real marimo, in a real browser."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from notebook_servers import end_kernels
from viewer.pages import wait_until
from viewer.player.players import Player, differ

pytestmark = pytest.mark.browser
NOTHING_FOUND = "document.body.textContent.split('Error displaying widget').length - 1"
HEIGHT = "view.skins.particles.reduce((sum, x, i, p) => sum + (i % 4 == 1 ? (4 * x) / p.length : 0), 0)"


def played_pulled_and_watched_again(page: Page) -> None:
    """A world that lives in the kernel."""
    world = Player(page, 0)
    world.until("view.shown.time > 0.5")  # the kernel steps it
    assert world.ask("view.reel.live && view.reel.playing")
    assert len(world.weights()) == 2
    # A hand takes it by its middle and lifts it.
    world.until("view.shown.time > 1.2")
    x, y = world.middle()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=3)
    page.mouse.move(x, y - 90, steps=3)
    world.until(f"{HEIGHT} > 1.35")  # at rest it is 1 m above the floor
    page.mouse.up()
    world.until(f"{HEIGHT} < 1.1")
    # What has been is watched again, and stands still; the present goes on from there.
    before = world.photograph()
    world.tell(do="seek", time=0.1)
    world.until("!view.reel.live && Math.abs(view.shown.time - 0.1) < 0.01 && !view.dirty && !view.stale")
    assert world.ask(HEIGHT) > 2.0 and differ(world.photograph(), before) > 0.01
    last = world.ask("view.reel.last")
    world.find(".timeline-live").click()
    world.until(f"view.reel.live && view.shown.time > {last} + 0.1")
    world.find(".timeline-button").click()
    world.until("!view.reel.playing")
    # From the beginning.
    world.find(".timeline-button[title^=Begin]").click()
    world.until("view.shown.time < 0.5")
    world.tell(do="play", on=False)
    assert not world.ask("view.note.textContent")


def a_body_in_its_poses(page: Page) -> None:
    """A recording, which needs no kernel."""
    body = Player(page, 1)
    assert body.time == 0.0 and not body.ask("view.reel.playing")
    rest = body.photograph()
    body.seek(0.6)
    np.testing.assert_allclose(body.weights(), [0.0, 1.0], atol=0.01)
    assert differ(body.photograph(), rest) > 0.02
    body.find(".timeline-button").click()
    body.until("view.reel.playing && view.shown.time > 0.7")
    body.tell(do="play", on=False)


def test_jupyterlab(lab: tuple[Page, str, Path]) -> None:
    page, address, folder = lab
    played_pulled_and_watched_again(page)
    a_body_in_its_poses(page)
    assert not any(each.is_visible() for each in page.locator(".jp-OutputArea-output img").all())  # it plays
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")  # as a dark theme says it
    Player(page, 0).until("view.root.classList.contains('dark')")

    # Saved, and opened by somebody else: it is a picture.
    page.locator(".jp-NotebookPanel-toolbar [data-command='docmanager:save']").first.click()
    file = folder / "tried.ipynb"

    def saved() -> list[str]:
        try:
            cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        except ValueError:  # it is just being written
            return []
        outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
        return [data["image/png"] for data in outputs if "image/png" in data]

    wait_until(lambda: len(saved()) == 2, "a saved notebook")
    pictures = [*map(base64.b64decode, saved())]
    assert all(picture.startswith(b"\x89PNG") and len(picture) < 100_000 for picture in pictures)
    assert file.stat().st_size < 200_000
    strange = json.loads(file.read_text(encoding="utf-8"))
    strange["metadata"]["title"] = "from somebody else"  # so it is not signed here, and not trusted
    strange["cells"][0]["source"] += "\n# mine"
    (folder / "strange.ipynb").write_text(json.dumps(strange), encoding="utf-8")
    page.goto(address % "strange.ipynb")
    page.wait_for_selector(".jp-OutputArea-output img")
    assert page.locator(".jp-OutputArea-output img").count() == 2
    assert page.locator(".pliant-player").count() == 0

    # Opened again by who ran it, and trusted, when its kernel is gone: also the pictures, and no word of an error.
    end_kernels(address)
    page.goto(address % "tried.ipynb")
    page.wait_for_function(f"() => {NOTHING_FOUND} === 2")
    assert all(each.is_visible() for each in page.locator(".jp-OutputArea-output img").all())
    assert page.locator(".jp-OutputArea-output img").count() == 2
    assert not any(each.is_visible() for each in page.locator(".jp-OutputArea .jupyter-widgets").all())


def test_marimo(marimo: Page) -> None:
    played_pulled_and_watched_again(marimo)
    a_body_in_its_poses(marimo)
