"""The recording in a real browser: it scrubs, plays back and is saved."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import films
from viewer.pages import (
    PATIENCE,
    REEL,
    VIEW,
    another,
    no_complaints,
    on_page,
    open_exhibit,
    reset,
    stands_still,
    tell,
)

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses

# Keeps what the page is sent as it is played, by its time, since the last beginning.
KEEP = f"""(() => {{
    const view = {VIEW}, take = view.take;
    let last = 0;
    view.seen = {{}};
    view.take = function (frame) {{
        if (this.timeline.reel?.live) {{
            if (frame.time < last) view.seen = {{}};
            last = frame.time;
            view.seen[frame.time] ??= [frame.particles, frame.weights, frame.places].map((each) => Array.from(each));
        }}
        take.call(this, frame);
    }};
}})()"""


@pytest.fixture
def bar(page: Page, address: str) -> Iterator[Page]:
    open_exhibit(page, address, "bar")
    recorded(page)
    yield page
    tell(page, {"do": "loop", "on": False}, {"do": "mark", "start": None, "end": None})
    reset(page)


def recorded(page: Page, seconds: float = 1.5) -> None:
    """Begin anew, and wait until that much is recorded."""
    reset(page)
    page.wait_for_function(f"{VIEW}.shown.time > {seconds}")


def scrub(page: Page, share: float) -> None:
    """Drag the playhead to a part of the track."""
    track = page.locator(".timeline-track").bounding_box()
    assert track is not None
    y = track["y"] + 10
    page.mouse.move(track["x"] + 1, y)
    page.mouse.down()
    page.mouse.move(track["x"] + share * track["width"], y, steps=4)
    page.mouse.up()
    page.wait_for_function(f"!{REEL}.live")


def test_scrubbing_shows_what_was(page: Page, address: str) -> None:
    """Particles, weights and a cart that moves, exactly as they were sent before."""
    open_exhibit(page, address, "kinds")
    page.evaluate(KEEP)
    recorded(page)
    tell(page, {"do": "play", "on": False})
    stands_still(page)  # where the playhead is depends on how much there is by now
    scrub(page, 0.1)
    first, last = page.evaluate(f"[{REEL}.first, {REEL}.last]")
    assert first == 0 and last > 1.5
    wanted = 0.1 * max(last, 5.0)
    page.wait_for_function(f"Math.abs({VIEW}.shown.time - {wanted}) < 0.2")
    times = page.evaluate(f"Object.keys({VIEW}.seen).map(Number)")
    for time in (times[len(times) // 4], times[-1], times[len(times) // 2]):
        tell(page, {"do": "seek", "time": time})
        page.wait_for_function(f"Math.abs({VIEW}.shown.time - {time}) < 1e-9")
        now, then = page.evaluate(
            f"""(time) => [["particles", "weights", "places"].map((part) => Array.from({VIEW}.shown[part])),
                {VIEW}.seen[time]]""",
            time,
        )
        for got, wanted_numbers in zip(now, then, strict=True):
            np.testing.assert_array_equal(got, wanted_numbers)
    expect(page.locator(".hint")).to_contain_text("recording")
    expect(page.locator(".timeline-clock")).to_have_text(f"{time:.2f} s")
    cart = page.evaluate(f"{VIEW}.stage.moving[0].matrix.elements[12]")
    assert cart == pytest.approx(time, abs=1e-3)  # it goes a metre a second
    tell(page, {"do": "live"})
    page.wait_for_function(f"{VIEW}.shown.time > {last}")


def test_playing_back_and_live(bar: Page) -> None:
    scrub(bar, 0.02)
    last = bar.evaluate(f"{REEL}.last")
    bar.wait_for_function(f"{VIEW}.shown.time < {0.5 * last}")  # the last live frame may come after the first other
    begun = bar.evaluate(f"{VIEW}.shown.time")
    expect(bar.locator(".play i")).to_have_text("play_arrow")
    bar.keyboard.press("Space")
    expect(bar.locator(".play i")).to_have_text("pause")
    bar.wait_for_function(f"{VIEW}.shown.time > {begun + 0.3}")
    # It has come to its end, and stays there.
    bar.wait_for_function(f"!{REEL}.playing && Math.abs({VIEW}.shown.time - {last}) < 1e-6")
    bar.get_by_role("button", name="Play again and again").click()
    bar.wait_for_function(f"{REEL}.loop")
    bar.keyboard.press("Space")
    bar.wait_for_function(f"{VIEW}.shown.time > {0.7 * last}")
    bar.wait_for_function(f"{VIEW}.shown.time < {0.3 * last}")
    bar.keyboard.press("Space")
    bar.wait_for_function(f"!{REEL}.playing")
    bar.keyboard.press("l")
    bar.wait_for_function(f"{REEL}.live && {VIEW}.shown.time > {last + 0.1}")
    expect(bar.locator(".hint")).to_contain_text("pull")


def test_arrows_go_by_moments(bar: Page) -> None:
    bar.keyboard.press("ArrowLeft")
    bar.wait_for_function(f"!{REEL}.live")
    last = bar.evaluate(f"{REEL}.last")
    bar.wait_for_function(f"Math.abs({VIEW}.shown.time - {last - 1 / 60}) < 1e-6")
    bar.keyboard.press("Shift+ArrowLeft")
    bar.wait_for_function(f"Math.abs({VIEW}.shown.time - {last - 31 / 60}) < 1e-6")
    bar.keyboard.press("ArrowRight")
    bar.keyboard.press("s")
    bar.wait_for_function(f"Math.abs({VIEW}.shown.time - {last - 29 / 60}) < 1e-6")
    bar.keyboard.press("Home")
    bar.wait_for_function(f"{VIEW}.shown.time === 0")
    bar.keyboard.press("End")
    bar.wait_for_function(f"{REEL}.live && {VIEW}.shown.time > {last}")


def test_the_past_cannot_be_pulled(bar: Page) -> None:
    scrub(bar, 0.1)
    bar.mouse.move(*on_page(bar))
    bar.mouse.down()
    assert bar.evaluate(f"{VIEW}.grab.pulls.size") == 0
    bar.mouse.up()
    expect(bar.locator(".timeline-live.look-here")).to_be_visible()
    bar.get_by_role("button", name="Live").click()
    bar.wait_for_function(f"{REEL}.live")
    bar.mouse.move(*on_page(bar))
    bar.mouse.down()
    assert bar.evaluate(f"{VIEW}.grab.pulls.size") == 1
    bar.mouse.up()


def test_the_curve_shows_what_was_before(bar: Page) -> None:
    bar.locator("[data-pose=twist]").get_by_label("twist: hold").click()
    held = f"{VIEW}.weights.curves[0].curve"
    bar.wait_for_function(f"{held}.moments.at(-1)[2] > 0.99")
    on = bar.evaluate(f"{VIEW}.shown.time")
    bar.wait_for_function(f"{VIEW}.shown.time > {on + 0.5}")
    tell(bar, {"do": "seek", "time": 0.5})
    bar.wait_for_function(f"!{REEL}.live && Math.abs({VIEW}.shown.time - 0.5) < 1e-6")
    assert max(bar.evaluate(f"{held}.past.map((moment) => moment[2])")) < 0.9
    assert bar.evaluate(f"{held}.past.at(-1)[0]") == pytest.approx(0.5)
    tell(bar, {"do": "seek", "time": on + 0.3})
    bar.wait_for_function(f"{held}.past.at(-1)[2] > 0.99")
    assert min(bar.evaluate(f"{held}.past.map((moment) => moment[2])")) < 0.9
    tell(bar, {"do": "live"})
    bar.wait_for_function(f"{held}.past === null")
    bar.locator("[data-pose=twist]").get_by_label("twist: hold").click()


def test_two_pages_watch_the_same_moment(bar: Page, address: str) -> None:
    other = another(bar)
    open_exhibit(other, address, "bar")
    other.wait_for_function(f"{REEL}?.live")
    bar.bring_to_front()
    scrub(bar, 0.1)
    replayed = f"!{REEL}.live && Math.abs({VIEW}.shown.time - {VIEW}.timeline.now) < 1e-9"
    bar.wait_for_function(replayed)
    other.bring_to_front()
    other.wait_for_function(replayed)
    expect(other.locator(".timeline")).to_have_class("timeline replaying")
    other.keyboard.press("l")
    other.wait_for_function(f"{REEL}.live")
    bar.bring_to_front()
    bar.wait_for_function(f"{REEL}.live")
    other.close()


def marked(page: Page, start: float, end: float) -> None:
    tell(page, {"do": "mark", "start": start, "end": end})
    expect(page.locator(".saving-head")).to_contain_text(f"marked {end - start:.1f} s")


def test_keys_and_drags_mark_what_is_saved(bar: Page, tmp_path: Path) -> None:
    for time, key in ((0.5, "i"), (1.0, "o")):
        tell(bar, {"do": "seek", "time": time})
        bar.wait_for_function(f"Math.abs({VIEW}.timeline.now - {time}) < 1e-6")
        bar.keyboard.press(key)
    expect(bar.locator(".saving-head")).to_contain_text("marked 0.5 s")
    with bar.expect_download(timeout=3 * PATIENCE) as started:
        bar.get_by_role("button", name="Save USD").click()
    assert started.value.suggested_filename == "bar.usdc"
    started.value.save_as(tmp_path / "bar.usdc")
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(tmp_path / "bar.usdc"))
    (mesh,) = [UsdGeom.Mesh(each) for each in stage.Traverse() if each.IsA(UsdGeom.Mesh)]
    assert len(mesh.GetPointsAttr().GetTimeSamples()) == 31
    track = bar.locator(".timeline-track").bounding_box()
    edge = bar.locator(".timeline-mark.end").bounding_box()
    assert track is not None and edge is not None
    y = track["y"] + 10
    bar.mouse.move(edge["x"] + edge["width"] - 2, y)
    bar.mouse.down()
    bar.mouse.move(edge["x"] + 20, y, steps=3)
    bar.mouse.up()
    bar.wait_for_function(f"{REEL}.marks[1] > 1.05 && Math.abs({REEL}.marks[0] - 0.5) < 1e-6")
    bar.get_by_role("button", name="Take the marks away").click()
    bar.wait_for_function(f"{REEL}.marks.every((mark) => mark === null)")
    expect(bar.locator(".saving-head")).to_contain_text("last 10 s")


def test_a_film(bar: Page, tmp_path: Path) -> None:
    marked(bar, 0.2, 0.4)
    tell(bar, {"do": "play", "on": False})
    with bar.expect_download(timeout=5 * PATIENCE) as started:
        bar.get_by_role("button", name="Save MP4").click()
        # Looked for in each picture: a film may be made fast.
        bar.wait_for_function("document.querySelector('.filming')?.offsetParent")
    assert started.value.suggested_filename == "bar.mp4"
    started.value.save_as(tmp_path / "bar.mp4")
    facts = films.probe(tmp_path / "bar.mp4")
    assert (facts.size, facts.fps, facts.frames) == ((1280, 720), 30, 7)
    expect(bar.locator(".filming")).to_be_hidden()


def test_a_film_can_be_cancelled(bar: Page) -> None:
    tell(bar, {"do": "play", "on": False})
    button = bar.get_by_role("button", name="Save MP4")
    button.click()
    # At once, however fast a film is made here.
    bar.wait_for_function(
        """() => {
            const cancel = document.querySelector("[aria-label='Cancel the film']");
            cancel?.offsetParent && cancel.click();
            return !!cancel?.offsetParent;
        }"""
    )
    expect(bar.locator(".filming")).to_be_hidden()
    expect(button).to_be_enabled()
