"""What the tests of pages share: opening an exhibit, and waiting until the page shows what the server has done.

A page may be seconds behind, and two sockets lead to it: frames and what the timeline tells come in order through one,
the panel through the other. So nothing here looks once and takes it for the last word; what a frame has to be newer
than is told by its number.
"""

import io
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import ConsoleMessage, Error, Locator, Page, expect

VIEW = "document.querySelector('.viewport').view"
REEL = f"{VIEW}.timeline.reel"
HEIGHT = f"{VIEW}.skins.particles.reduce((sum, x, i, p) => sum + (i % 4 == 1 ? (4 * x) / p.length : 0), 0)"
PATIENCE = 180_000  # milliseconds: drawing without a graphics card is slow, and other work may make it slower
FAILED = pytest.StashKey[bool]()  # of a test, once it was called
SIZE = {"width": 900, "height": 600}


@pytest.fixture(autouse=True)
def no_complaints(page: Page, request: pytest.FixtureRequest) -> Iterator[None]:
    """Nothing may be said on the browser's console. What a page says that has failed already counts for nothing more:
    it would hide why."""
    said: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    def note(error: Error) -> None:
        said.append(str(error))

    page.on("console", listen)
    page.on("pageerror", note)
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    page.set_viewport_size(SIZE)  # type: ignore[arg-type]
    yield
    page.remove_listener("console", listen)
    page.remove_listener("pageerror", note)
    if request.node.stash.get(FAILED, False):
        return
    # Drivers without a card complain about their own speed, and Quasar when a menu is taken away while it fades.
    harmless = ("GPU stall", "software WebGL", "reading 'dispatchEvent')\n    at k")
    wrong = [each for each in said if not any(words in each for words in harmless)]
    assert not wrong, f"the page said {wrong}"


# ---- coming to a page ----------------------------------------------------------------------------------------------

# There is a frame, and the panel beside it is built and can be used: it comes later, and moves what is below it.
READY = """() => {
    const view = document.querySelector('.viewport')?.view;
    return view?.shown && view.timeline.reel && window.did_handshake && document.querySelector('[data-field=gravity]');
}"""
# The view has the shape that the window has by now.
FITS = f"Math.abs({VIEW}.rig.camera.aspect - {VIEW}.$el.clientWidth / {VIEW}.$el.clientHeight) < 1e-6"
# What a test may have left: a focus, a panel scrolled down, a view that was turned and may be turning still.
TIDY = f"""() => {{
    const view = {VIEW}, {{ rig, grab, skins }} = view;
    document.activeElement?.blur();
    document.querySelector('.panel').scrollTop = 0;
    rig.controls.enableDamping = false;
    rig.controls.update();
    rig.controls.enableDamping = true;
    rig.placed = false;
    rig.place(skins.setup.camera);
    rig.camera.updateMatrixWorld();
    grab.fingers.tapped = {{ time: -Infinity, x: 0, y: 0 }};
    view.dirty = true;
}}"""


def open_exhibit(page: Page, address: str, name: str, *, anew: bool = False) -> None:
    """Go to an exhibit. A page that a test has left there will do, unless it has to be loaded `anew`."""
    if page.url == f"{address}/exhibit/{name}" and not anew:
        drawn(page)  # a click on a card may have led here only now
        page.mouse.move(0, 0)
        page.evaluate(TIDY)
        return
    page.goto(f"{address}/exhibit/{name}")
    drawn(page)


def drawn(page: Page) -> None:
    """Wait for the first frame, and for the panel. The server may have begun only now."""
    page.wait_for_function(READY, timeout=3 * PATIENCE)
    page.wait_for_function(FITS)


def another(page: Page) -> Page:
    """A second page of the same browser, as patient as the first."""
    other = page.context.new_page()
    other.set_default_timeout(PATIENCE)
    return other


# ---- time ----------------------------------------------------------------------------------------------------------


def tell(page: Page, *commands: dict[str, Any]) -> None:
    """Say something to the server, as keys and pulls do; at once, or when a lost connection is back."""
    page.wait_for_function(
        f"""(commands) => {{
            const {{ stream }} = {VIEW}, open = stream.socket.readyState === WebSocket.OPEN;
            if (open) commands.forEach((each) => stream.send(each));
            return open;
        }}""",
        arg=list(commands),
    )


def newest(page: Page) -> int:
    """The number of the last frame that has come, drawn or not."""
    return page.evaluate(f"({VIEW}.frame ?? {VIEW}.shown).number")


def begin(page: Page) -> None:
    """Go back to the beginning, and stand still. No frame from before comes after this."""
    before = newest(page)
    tell(page, {"do": "live"}, {"do": "play", "on": False}, {"do": "reset"})
    stopped = f"{REEL}.live && !{REEL}.playing"
    page.wait_for_function(f"{VIEW}.shown.number > {before} && {VIEW}.shown.time === 0 && {stopped}")


def reset(page: Page) -> None:
    """As a first visitor finds it: playing, from the beginning. No frame from before comes after this."""
    begin(page)
    tell(page, {"do": "play", "on": True})
    page.wait_for_function(f"{REEL}.playing")
    expect(page.locator(".play i")).to_have_text("pause")


def stands_still(page: Page) -> None:
    """Wait until time does, and the page shows the last moment: no more frames are on their way."""
    page.wait_for_function(f"!{REEL}.playing")
    before = newest(page)
    tell(page, {"do": "follow"})  # for one more frame
    page.wait_for_function(f"{VIEW}.shown.number > {before}")
    expect(page.locator(".play i")).to_have_text("play_arrow")
    page.wait_for_function(f"document.querySelector('.time').textContent === {VIEW}.shown.time.toFixed(2) + ' s'")


def shown_time(page: Page) -> float:
    return page.evaluate(f"{VIEW}.shown.time")


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """For what only Python can tell, such as what a picture shows."""
    end = time.monotonic() + PATIENCE / 1000
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited in vain for {what}")


# ---- places on it --------------------------------------------------------------------------------------------------


def photograph(page: Page) -> np.ndarray:
    """What the canvas shows, and what shines through it (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(page.locator(".viewport canvas").screenshot())).convert("RGB"), np.int64)


def on_page(page: Page, above: float = 0.0) -> tuple[float, float]:
    """Where the mean of all particles is on the page, or a point so many metres above it."""
    x, y = page.evaluate(
        f"""(above) => {{
            const view = {VIEW}, p = view.skins.particles, mean = [0, above, 0];
            for (let i = 0; i < p.length; i++) if (i % 4 < 3) mean[i % 4] += (4 * p[i]) / p.length;
            const seen = view.rig.camera.position.clone().set(...mean).project(view.rig.camera);
            const area = view.$el.getBoundingClientRect();
            return [area.left + (0.5 + seen.x / 2) * area.width, area.top + (0.5 - seen.y / 2) * area.height];
        }}""",
        above,
    )
    return x, y


def pin_on_page(page: Page) -> tuple[float, float]:
    """Where the tip of the only pin is."""
    x, y = page.evaluate(
        f"""() => {{
            const view = {VIEW}, seen = view.grab.pins[0].point.clone().project(view.rig.camera);
            const area = view.$el.getBoundingClientRect();
            return [area.left + (0.5 + seen.x / 2) * area.width, area.top + (0.5 - seen.y / 2) * area.height];
        }}"""
    )
    return x, y


def mark(page: Page, selector: str) -> None:
    """Make an element known: one that is built anew loses the clicks that are on their way to the old one."""
    page.locator(selector).first.evaluate("(element) => (element.marked = true)")


def is_marked(page: Page, selector: str) -> bool:
    """Whether it is the same one."""
    return page.locator(selector).first.evaluate("(element) => element.marked === true")


def slide(slider: Locator, share: float) -> None:
    """Click on a slider, so far along it."""
    slider.scroll_into_view_if_needed()
    track = slider.bounding_box()
    assert track is not None
    x = min(max(share * track["width"], 1), track["width"] - 1)
    slider.click(position={"x": x, "y": track["height"] / 2})  # wherever it may have moved meanwhile
