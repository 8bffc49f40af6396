"""Seeing inside, in a real browser."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pliant.viewer.protocol import heat
from viewer import exhibits
from viewer.pages import VIEW, begin, no_complaints, on_page, open_exhibit, slide, tell

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses

# The canvas drawn anew, as rows of red, green, blue and cover (0 to 255), the uppermost first.
PIXELS = f"""() => {{
    const view = {VIEW};
    view.insight.update();
    view.stage.draw(view.rig.camera);
    const gl = view.stage.renderer.getContext(), {{ width, height }} = gl.canvas;
    const data = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
    let text = "";
    for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
    return [width, height, btoa(text)];
}}"""


def pixels(page: Page) -> np.ndarray:
    import base64

    width, height, text = page.evaluate(PIXELS)
    return np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)[::-1].astype(np.int64)


def changed(before: np.ndarray, after: np.ndarray) -> float:
    """Which part of the picture looks different."""
    return float((np.abs(before - after).max(axis=2) > 24).mean())


def orange(picture: np.ndarray) -> np.ndarray:
    return (picture[..., 0] - picture[..., 2] > 60) & (picture[..., 3] > 128)


def press(page: Page, key: str, condition: str) -> None:
    """A key, and what it must do to the view."""
    page.keyboard.press(key)
    page.wait_for_function(f"((inside) => {condition})({VIEW}.insight)")


def still(page: Page, address: str, name: str, *, anew: bool = False) -> None:
    """An exhibit half a second after its beginning, paused, and nothing of its inside shown."""
    open_exhibit(page, address, name, anew=anew)
    page.keyboard.press("0")
    begin(page)
    tell(page, *30 * [{"do": "step"}])
    page.wait_for_function(f"Math.abs({VIEW}.shown.time - 0.5) < 0.005")
    page.wait_for_function(f"JSON.stringify({VIEW}.insight.wish) === '{{\"skin\":\"solid\"}}'")
    page.wait_for_function(f"!Object.keys({VIEW}.shown.layers).length")


@pytest.fixture
def bar(page: Page, address: str) -> Page:
    still(page, address, "bar")
    return page


VIEWS = [
    ("1", "particles", "inside.parts.particles?.[0].visible"),
    ("2", "links", "inside.parts.links?.[0].visible"),
    ("4", "elements", "inside.parts.elements?.[0].visible"),
    ("5", "wireframe", "inside.parts.wireframe?.[0].visible"),
    ("6", "contacts", "inside.contacts.count > 3"),
]


def test_each_view_changes_the_picture_and_leaves_no_trace(page: Page, address: str) -> None:
    bar = page
    still(bar, address, "bar", anew=True)
    before = pixels(bar)
    assert bar.evaluate(f"{VIEW}.insight.asked") is None  # nothing yet
    for key, name, ready in VIEWS:
        press(bar, key, ready)
        expect(bar.get_by_role("button", name=name if name != "elements" else "Tets")).to_have_attribute(
            "aria-pressed", "true"
        )
        assert changed(before, pixels(bar)) > 0.003, name
        press(bar, key, f"!inside.wish.{name}")
        assert changed(before, pixels(bar)) < 1e-3, name


def test_all_kinds_of_bodies_have_an_inside(page: Page, address: str) -> None:
    still(page, address, "kinds")
    page.keyboard.press("f")
    press(page, "1", "inside.parts.particles?.[0].visible")
    page.keyboard.press("g")
    page.wait_for_function(f"{VIEW}.insight.wish.skin === 'hidden'")
    particles = pixels(page)
    press(page, "4", "inside.parts.elements?.length === 3")
    assert changed(particles, pixels(page)) > 1e-3
    press(page, "c", "inside.clip.on")
    pixels(page)
    press(page, "0", "!inside.clip.on && inside.wish.skin === 'solid'")


def test_the_region_under_the_pointer(bar: Page) -> None:
    bar.keyboard.press("3")
    bar.wait_for_function(f"{VIEW}.insight.region.on && {VIEW}.insight.bodies")
    x, y = on_page(bar)
    bar.mouse.move(x, y - 4)
    bar.mouse.move(x, y)
    region = f"{VIEW}.insight.region"
    bar.wait_for_function(f"{region}.shown && {region}.pointer === undefined")  # it has seen where the pointer is
    expect(bar.locator(".legend-note")).to_have_text(re.compile(r"^bar: particle \d+, \d+ neighbours$"))
    which, ring = bar.evaluate(f"[{VIEW}.insight.region.shown.which, {VIEW}.insight.region.shown.ring]")
    body = exhibits.bar()["bar"].body
    mine = body.elements[(body.elements == which).any(axis=1)]
    assert ring == len(np.unique(mine)) - 1
    bar.mouse.down()
    bar.mouse.up()
    bar.wait_for_function(f"{VIEW}.insight.region.chosen")
    bar.mouse.move(5, 5)
    bar.wait_for_timeout(200)
    assert bar.evaluate(f"{VIEW}.insight.region.shown?.which") == which  # it is kept
    press(bar, "3", "!inside.region.on && !inside.region.group.children.length")


def test_heat_maps_are_those_of_python(bar: Page) -> None:
    before = pixels(bar)
    body = exhibits.bar()["bar"].body
    press(bar, "m", "inside.wish.heat === 'stretch' && inside.heat.values")
    expect(bar.locator(".legend-title")).to_have_text("Stretch of regions")
    expect(bar.locator(".legend-ticks span")).to_have_count(3)
    expect(bar.locator(".legend-ticks span").last).to_have_text(re.compile(r"^(≥ )?[\d.]+ %$"))
    got = np.array(bar.evaluate(f"Array.from({VIEW}.insight.heat.values)"))
    rows = np.array(bar.evaluate(f"Array.from({VIEW}.skins.particles)")).reshape(-1, 4)
    np.testing.assert_allclose(got, heat.stretch(body, rows[:, :3]), atol=1e-5)
    hot = pixels(bar)
    assert changed(before, hot) > 0.02
    assert (orange(before) & ~orange(hot)).mean() > 0.01
    press(bar, "m", "inside.wish.heat === 'weights' && inside.heat.values")
    expect(bar.locator(".legend-title")).to_have_text("Weight of “twist”")
    press(bar, "m", "inside.wish.heat === 'groups' && inside.heat.values")
    expect(bar.locator(".legend-class")).to_have_text(["all"])
    press(bar, "m", "inside.wish.heat === 'distance' && inside.heat.values")
    expect(bar.locator(".legend-title")).to_have_text("Distance to the nearest example")
    got = np.array(bar.evaluate(f"Array.from({VIEW}.insight.heat.values)"))
    np.testing.assert_allclose(got, heat.distance(body, rows[:, :3]), atol=1e-4)
    press(bar, "m", "!inside.wish.heat")
    expect(bar.locator(".legend")).to_be_hidden()
    assert changed(before, pixels(bar)) < 1e-3


def test_the_list_of_maps_and_poses(bar: Page) -> None:
    bar.get_by_label("Heat map", exact=True).click()
    bar.get_by_role("option", name="Distance to an example").click()
    expect(bar.get_by_role("option")).to_have_count(0)
    expect(bar.locator(".legend-title")).to_have_text("Distance to the nearest example")
    bar.get_by_label("Pose of the heat map").click()
    bar.get_by_role("option", name="rest", exact=True).click()
    expect(bar.locator(".legend-title")).to_have_text("Distance to “rest”")
    bar.wait_for_function(f"{VIEW}.insight.heat.values")
    assert bar.evaluate(f"{VIEW}.insight.heat.top") < 0.2


def test_the_clipping_plane_takes_pixels_away(bar: Page) -> None:
    whole = orange(pixels(bar)).sum()
    press(bar, "c", "inside.clip.on && inside.clip.wish.axis === 'x'")
    half = pixels(bar)
    assert 0 < orange(half).sum() < 0.9 * whole
    press(bar, "v", "inside.wish.clip.flip")
    assert changed(half, pixels(bar)) > 0.01  # the other half
    for axis in ("y", "z", "view"):
        press(bar, "c", f"inside.clip.on && inside.clip.wish.axis === '{axis}'")
        assert orange(pixels(bar)).sum() < 0.97 * whole
    slide(bar.get_by_label("Clipping plane"), 1.0)
    bar.wait_for_function(f"{VIEW}.insight.wish.clip.place > 0.97")
    assert orange(pixels(bar)).sum() < 0.05 * whole  # nothing is left
    x, y = on_page(bar)
    bar.mouse.move(x, y)
    bar.mouse.down()
    assert bar.evaluate(f"{VIEW}.grab.pulls.size") == 0  # what is cut away cannot be taken
    bar.mouse.up()


def test_ellipsoids_are_offered_only_where_there_are_some(bar: Page) -> None:
    expect(bar.get_by_role("button", name="Ellipsoids")).to_be_hidden()
    bar.keyboard.press("7")
    press(bar, "1", "inside.wish.particles")  # keys are obeyed in turn
    assert bar.evaluate(f"{VIEW}.insight.wish.ellipsoids") is None


def test_ellipsoids_of_a_cast_made_by_hand(bar: Page) -> None:
    """No exhibit has any yet: the browser is given what layers.py would send."""
    press(bar, "1", "inside.parts.particles?.[0].visible")
    bar.keyboard.press("g")
    bar.wait_for_function(f"{VIEW}.insight.wish.skin === 'hidden'")
    without = pixels(bar)
    bar.evaluate(
        f"""() => {{
            const inside = {VIEW}.insight, [{{ body }}] = inside.bodies.all, count = inside.view.skins.setup.particles;
            body.rotations = Float32Array.from({{ length: 4 * count }}, (_, i) => (i % 4 === 3 ? 1 : 0));
            body.radii = Float32Array.from({{ length: 3 * count }}, (_, i) => [0.02, 0.12, 0.02][i % 3]);
            inside.set({{ ...inside.wish, ellipsoids: true }});
        }}"""
    )
    upright = pixels(bar)
    assert changed(without, upright) > 0.005
    bar.evaluate(
        f"""() => {{
            const inside = {VIEW}.insight, count = inside.view.skins.setup.particles, half = Math.SQRT1_2;
            const rotations = Float32Array.from({{ length: 4 * count }}, (_, i) => [0, 0, half, half][i % 4]);
            inside.take({{ layers: {{ 9: rotations }} }});
        }}"""
    )
    assert changed(upright, pixels(bar)) > 0.005  # they lie down
    bar.goto("about:blank")  # no other test wants a page that was told lies


def test_nothing_is_asked_for_again_after_all_is_off(bar: Page) -> None:
    press(bar, "m", "inside.heat.values")
    press(bar, "0", "!inside.wish.heat")
    bar.keyboard.press("s")
    bar.wait_for_function(f"!Object.keys({VIEW}.shown.layers).length")


def test_keys_are_in_the_help(bar: Page) -> None:
    bar.keyboard.press("h")
    expect(bar.locator(".help")).to_contain_text("the next heat map")
    bar.keyboard.press("Escape")
    expect(bar.locator(".help")).to_be_hidden()
