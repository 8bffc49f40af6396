"""The pages in a real browser."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pliant.viewer.panels.notice import COMPILING
from viewer import exhibits
from viewer.conftest import Slow
from viewer.pages import (
    HEIGHT,
    VIEW,
    another,
    no_complaints,
    on_page,
    open_exhibit,
    photograph,
    reset,
    shown_time,
    slide,
    stands_still,
    wait_until,
)

pytestmark = pytest.mark.browser

__all__ = ["no_complaints"]  # a fixture that every test here uses


def test_gallery_has_a_card_for_each_exhibit(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".card")).to_have_count(len(exhibits.EXHIBITS))
    expect(page.locator(".card .card-title")).to_have_text(["A bar", "Three kinds", "Rings", "A bomb"])
    page.locator(".card", has_text="It would rather twist").click()
    page.wait_for_url("**/exhibit/bar")
    expect(page.locator(".panel .title")).to_have_text("A bar")


def test_exhibit_is_drawn(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    reset(page)
    page.wait_for_function(f"{VIEW}.shown.time > 0.2")

    def orange() -> np.ndarray:
        picture = photograph(page)
        return picture[..., 0] - picture[..., 2] > 80

    wait_until(lambda: 0.01 < orange().mean() < 0.6, "a body on the canvas")
    assert not orange()[:20].any()  # the sky is empty


def test_all_kinds_of_bodies_are_drawn(page: Page, address: str) -> None:
    open_exhibit(page, address, "kinds")
    reset(page)
    page.wait_for_function(f"{VIEW}.shown.time > 0.5")
    wait_until(lambda: len(np.unique(photograph(page).reshape(-1, 3) // 32, axis=0)) > 20, "bodies of many colours")
    cart = page.evaluate(f"{VIEW}.stage.moving[0].matrix.elements[12]")
    assert cart > 0.4  # it has moved with its path
    expect(page.locator(".section", has=page.locator("#weights"))).to_be_hidden()  # no body has poses here


@pytest.mark.parametrize("name", ["kinds", "turning"])
def test_the_browser_bends_skins_as_python_does(page: Page, address: str, name: str) -> None:
    """What is drawn and what picking uses, the shader's deformation and the script's, against Skin.deform."""
    open_exhibit(page, address, name)
    page.locator(".play").click()
    stands_still(page)
    for number, actor in enumerate(getattr(exhibits, name)().actors):
        got = page.evaluate(
            f"""async (number) => {{
                const {{ surface }} = await import("/viewport/deform.js");
                const view = {VIEW}, actor = view.skins.setup.actors[number];
                const {{ places }} = view.skins.group.children[actor.skin].userData;
                const drawn = new Float32Array(4 * places.target.width * places.target.height);
                view.stage.renderer.readRenderTargetPixels(
                    places.target, 0, 0, places.target.width, places.target.height, drawn);
                const peers = view.skins.setup.actors.filter((each) => each.skin === actor.skin);
                const rows = view.skins.particles.slice(4 * actor.first, 4 * (actor.first + actor.count));
                const turns = view.skins.particles.slice(4 * actor.rotations, 4 * (actor.rotations + actor.count));
                const skin = view.skins.setup.skins[actor.skin];
                const base = peers.indexOf(actor) * skin.vertices.length / 3;
                const mine = drawn.slice(4 * base, 4 * base + 4 * skin.vertices.length / 3);
                return [rows, turns, surface(skin, actor, view.skins.particles), mine].map((each) => Array.from(each));
            }}""",
            number,
        )
        particles, rotations, vertices, drawn = (np.array(each) for each in got)
        oriented = actor.rotations is not None
        wanted = actor.body.skin.deform(particles.reshape(-1, 4)[:, :3], rotations.reshape(-1, 4) if oriented else None)
        np.testing.assert_allclose(vertices.reshape(-1, 3), wanted, atol=1e-5)
        np.testing.assert_allclose(drawn.reshape(-1, 4)[:, :3], wanted, atol=1e-5)


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
    expect(value).to_have_text("0.9")
    slide(page.get_by_label("Example strength", exact=True), 0.5)
    expect(value).to_have_text(re.compile(r"^0\.[45]\d*$"))
    page.get_by_role("button", name="Defaults").click()
    expect(value).to_have_text("0.9")


def test_weights_are_shown(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    rows = page.locator("#weights .bar")
    expect(rows.locator(".pose")).to_have_text(["rest", "twist"])
    shown = "[...document.querySelectorAll('#weights .bar .number')].map((each) => +each.textContent)"
    page.wait_for_function(f"Math.abs({shown}.reduce((sum, each) => sum + each, 0) - 1) < 0.02")


def test_the_distance_to_a_pose_is_shown(page: Page, address: str) -> None:
    """Beside the weight; it falls when the pose is held."""
    open_exhibit(page, address, "bar")
    off = page.locator("#weights .bar .off")
    expect(off).to_have_text([re.compile(r"^\d+\.\d % off$")] * 2)
    distance = "+document.querySelectorAll('#weights .bar')[1].dataset.distance"
    page.wait_for_function(f"{distance} > 0.1")
    page.get_by_label("twist: hold").click()
    page.wait_for_function(f"{distance} < 0.09")
    page.get_by_label("twist: hold").click()
    page.wait_for_function(f"{distance} > 0.1")


def test_two_pages_share_a_session(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    other = another(page)
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


def test_compilation_is_told(page: Page, slow: Slow) -> None:
    page.goto(f"{slow.address}/exhibit/bar")
    expect(page.locator(".notice-text")).to_have_text(COMPILING)
    expect(page.locator(".notice-detail")).to_contain_text("of 4: solve")
    slow.finish()
    page.wait_for_function(f"{VIEW}?.shown")
    expect(page.locator(".notice")).to_be_hidden()
    page.goto("about:blank")  # before the server ends
