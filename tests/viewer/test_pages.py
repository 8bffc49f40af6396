"""The pages in a real browser."""

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import ConsoleMessage, Error, Page, expect

from pliant.viewer.notice import COMPILING
from viewer import exhibits

pytestmark = pytest.mark.browser

VIEW = "document.querySelector('.viewport').view"
PATIENCE = 60_000  # milliseconds: drawing without a graphics card is slow


@pytest.fixture(autouse=True)
def no_complaints(page: Page) -> Iterator[None]:
    """Nothing may be said on the browser's console."""
    said: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    def note(error: Error) -> None:
        said.append(str(error))

    page.on("console", listen)
    page.on("pageerror", note)
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE / 3)
    page.set_viewport_size({"width": 900, "height": 600})
    yield
    page.remove_listener("console", listen)
    page.remove_listener("pageerror", note)
    # Drivers without a card complain about their own speed.
    assert not [each for each in said if "GPU stall" not in each and "software WebGL" not in each]


# What a test may have left: a focus, a panel scrolled down, a view that was turned and may be turning still.
TIDY = f"""() => {{
    const view = {VIEW}, {{ rig, grab, skins }} = view;
    document.activeElement?.blur();
    document.querySelector('.panel').scrollTop = 0;
    rig.controls.enableDamping = false;
    rig.controls.update();
    rig.controls.enableDamping = true;
    rig.placed = false;
    rig.place(skins.cast.camera);
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
    """Wait for the first frame. The server may have begun only now."""
    page.locator(".viewport").wait_for(state="attached")
    page.wait_for_function(f"{VIEW}?.shown", timeout=3 * PATIENCE)


def photograph(page: Page) -> np.ndarray:
    """What the canvas shows, and what shines through it (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(page.locator(".viewport canvas").screenshot())).convert("RGB"), np.int64)


def shown_time(page: Page) -> float:
    return page.evaluate(f"{VIEW}.shown.time")


def stands_still(page: Page) -> None:
    """Wait until time does, and the page shows the last moment: no more frames are on their way."""
    expect(page.locator(".play i")).to_have_text("play_arrow")
    page.wait_for_function(f"document.querySelector('.time').textContent === {VIEW}.shown.time.toFixed(2) + ' s'")


def tell(page: Page, *commands: dict[str, Any]) -> None:
    """Say something to the server, as keys and pulls do."""
    page.evaluate(f"(commands) => commands.forEach((each) => {VIEW}.stream.send(each))", list(commands))


def reset(page: Page) -> None:
    """As a first visitor finds it: playing, from the beginning. No frame from before comes after this."""
    tell(page, {"do": "live"}, {"do": "play", "on": False}, {"do": "reset"})
    page.wait_for_function(f"{VIEW}.shown.time === 0")  # as time stands still, so does this frame
    tell(page, {"do": "play", "on": True})
    expect(page.locator(".play i")).to_have_text("pause")


HEIGHT = f"{VIEW}.skins.particles.reduce((sum, x, i, p) => sum + (i % 4 == 1 ? (4 * x) / p.length : 0), 0)"


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


def test_gallery_has_a_card_for_each_exhibit(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".card")).to_have_count(len(exhibits.EXHIBITS))
    expect(page.locator(".card-title")).to_have_text(["A bar", "Three kinds", "Rings", "A bomb"])
    page.locator(".card", has_text="It would rather twist").click()
    page.wait_for_url("**/exhibit/bar")
    expect(page.locator(".panel .title")).to_have_text("A bar")


def test_exhibit_is_drawn(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    reset(page)
    page.wait_for_function(f"{VIEW}.shown.time > 0.2")
    picture = photograph(page)
    orange = picture[..., 0] - picture[..., 2] > 80
    assert 0.01 < orange.mean() < 0.6
    assert not orange[:20].any()  # the sky is empty


def test_all_kinds_of_bodies_are_drawn(page: Page, address: str) -> None:
    open_exhibit(page, address, "kinds")
    reset(page)
    page.wait_for_function(f"{VIEW}.shown.time > 0.5")
    picture = photograph(page)
    assert len(np.unique(picture.reshape(-1, 3) // 32, axis=0)) > 20
    cart = page.evaluate(f"{VIEW}.stage.moving[0].matrix.elements[12]")
    assert cart > 0.4  # it has moved with its path
    expect(page.locator(".section", has=page.locator("#weights"))).to_be_hidden()  # nobody has poses here


@pytest.mark.parametrize("name", ["kinds", "turning"])
def test_the_browser_bends_skins_as_python_does(page: Page, address: str, name: str) -> None:
    """The browser's own deformation, which picking uses, against Skin.deform."""
    open_exhibit(page, address, name)
    page.locator(".play").click()
    for number, actor in enumerate(getattr(exhibits, name)().actors):
        got = page.evaluate(
            f"""async (number) => {{
                const {{ surface }} = await import("/viewport/deform.js");
                const view = {VIEW}, actor = view.skins.cast.actors[number];
                const rows = view.skins.particles.slice(4 * actor.first, 4 * (actor.first + actor.count));
                const turns = view.skins.particles.slice(4 * actor.turns, 4 * (actor.turns + actor.count));
                const skin = view.skins.cast.skins[actor.skin];
                return [rows, turns, surface(skin, actor, view.skins.particles)].map((each) => Array.from(each));
            }}""",
            number,
        )
        particles, turns, vertices = (np.array(each) for each in got)
        oriented = actor.rotations is not None
        wanted = actor.body.skin.deform(particles.reshape(-1, 4)[:, :3], turns.reshape(-1, 4) if oriented else None)
        np.testing.assert_allclose(vertices.reshape(-1, 3), wanted, atol=1e-5)


def test_a_pull_lifts_the_body_and_ends(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    reset(page)
    page.wait_for_function(f"{VIEW}.shown.time > 0.5")
    lying = page.evaluate(HEIGHT)
    x, y = on_page(page)
    higher = on_page(page, above=1.0)
    page.mouse.move(x, y)
    page.mouse.down()
    assert page.evaluate(f"{VIEW}.grab.pulls.size") == 1
    page.mouse.move(*higher, steps=6)
    page.wait_for_function(f"{HEIGHT} > {lying + 0.36}")
    page.mouse.up()
    assert page.evaluate(f"{VIEW}.grab.pulls.size") == 0
    page.wait_for_function(f"{HEIGHT} < {lying + 0.32}")  # it may stand on its end


def test_a_drag_beside_the_body_turns_the_view(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    eye = page.evaluate(f"{VIEW}.rig.camera.position.toArray()")
    page.mouse.move(30, 30)
    page.mouse.down()
    page.mouse.move(150, 60, steps=4)
    assert page.evaluate(f"{VIEW}.grab.pulls.size") == 0
    page.mouse.up()
    page.wait_for_function(
        f"(eye) => {VIEW}.rig.camera.position.toArray().some((x, i) => Math.abs(x - eye[i]) > 0.05)", arg=eye
    )


def test_pause_step_and_keys(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    reset(page)
    page.wait_for_function(f"{VIEW}.shown.time > 0.1")
    page.locator(".play").click()
    stands_still(page)
    stopped = shown_time(page)
    page.wait_for_timeout(300)
    assert shown_time(page) == stopped
    page.keyboard.press("s")
    page.wait_for_function(f"{VIEW}.shown.time > {stopped}")
    assert shown_time(page) == pytest.approx(stopped + 1 / 60)
    page.keyboard.press("Space")
    page.wait_for_function(f"{VIEW}.shown.time > {stopped + 0.3}")
    page.keyboard.press("?")
    expect(page.locator(".help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".help")).to_be_hidden()


def test_slow_motion(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    reset(page)
    page.get_by_role("button", name="¼×").click()
    page.wait_for_function(
        f"""() => {{
            const now = [{VIEW}.shown.time, performance.now()], seen = (window.seen ??= []);
            seen.push(now);
            const then = seen.findLast(([time]) => time < now[0] - 0.2);
            return then && (now[0] - then[0]) / (now[1] - then[1]) < 0.5e-3; // seconds of the world a millisecond
        }}"""
    )
    page.get_by_role("button", name="1×").click()


def test_slider_tunes_the_body(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    value = page.locator("[data-field=example_strength]")  # what the session says, not the slider
    expect(value).to_have_text("0.995")
    slider = page.get_by_label("Example strength", exact=True)
    slider.scroll_into_view_if_needed()
    track = slider.bounding_box()
    assert track is not None
    page.mouse.click(track["x"] + 0.5 * track["width"], track["y"] + track["height"] / 2)
    expect(value).not_to_have_text("0.995")
    assert 0.4 < float(value.inner_text()) < 0.6
    page.get_by_role("button", name="Defaults").click()
    expect(value).to_have_text("0.995")


def test_weights_are_shown(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    rows = page.locator("#weights .bar")
    expect(rows.locator(".pose")).to_have_text(["rest", "twist"])
    weights = [float(each) for each in rows.locator(".number").all_inner_texts()]
    assert sum(weights) == pytest.approx(1.0, abs=0.02)


def test_two_pages_share_a_session(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    other = page.context.new_page()
    other.set_default_timeout(PATIENCE)
    open_exhibit(other, address, "bar")
    reset(page)
    other.locator(".play").click()
    for each in (page, other):
        stands_still(each)
    assert page.locator(".time").inner_text() == other.locator(".time").inner_text()
    other.close()
    page.locator(".play").click()


def test_divergence_is_told_and_reset_helps(page: Page, address: str) -> None:
    open_exhibit(page, address, "bomb")
    expect(page.locator(".problem-text")).to_contain_text("diverged")
    stopped = page.evaluate(f"{VIEW}.shown.number")
    page.locator(".problem").get_by_role("button", name="Reset").click()
    page.wait_for_function(f"{VIEW}.shown.number > {stopped}")  # it moves again, if only for a moment


def test_unknown_exhibit_leads_to_the_gallery(page: Page, address: str) -> None:
    page.goto(f"{address}/exhibit/nothing")
    expect(page.locator(".card")).to_have_count(len(exhibits.EXHIBITS))


def test_compilation_is_told(page: Page, slow_address: str) -> None:
    page.goto(f"{slow_address}/exhibit/bar")
    expect(page.locator(".notice-text")).to_have_text(COMPILING)
    expect(page.locator(".notice-detail")).to_contain_text("of 4: solve")
    page.wait_for_function(f"{VIEW}?.shown")
    expect(page.locator(".notice")).to_be_hidden()
    page.goto("about:blank")  # before the server ends
