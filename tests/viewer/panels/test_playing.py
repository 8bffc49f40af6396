"""Playing with a body in a real browser: pins, settings, poses, files."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

import khronos
from viewer.pages import (
    HEIGHT,
    PATIENCE,
    VIEW,
    is_marked,
    mark,
    no_complaints,
    on_page,
    open_exhibit,
    pin_on_page,
    reset,
    slide,
    tell,
)

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses


@pytest.fixture
def bar(page: Page, address: str) -> Iterator[Page]:
    """The bar as a first visitor finds it, and left so."""
    open_exhibit(page, address, "bar")
    reset(page)
    yield page
    tell(page, {"do": "unpin"})
    page.get_by_role("button", name="Defaults").click()
    reset(page)


def weight_of(page: Page, pose: str) -> str:
    """As a condition of the page."""
    rows = "[...document.querySelectorAll('#weights .bar')]"
    return f"+{rows}.find((row) => row.querySelector('.pose').textContent === {json.dumps(pose)}).dataset.weight"


def test_pin_and_unpin(bar: Page) -> None:
    bar.wait_for_function(f"{VIEW}.shown.time > 0.5")
    lying = bar.evaluate(HEIGHT)
    x, y = on_page(bar)
    higher = on_page(bar, above=0.9)
    bar.mouse.move(x, y)
    bar.keyboard.down("Shift")
    bar.mouse.down()
    bar.mouse.move(*higher, steps=5)
    bar.mouse.up()
    bar.wait_for_function(f"{VIEW}.grab.pins.length === 1")
    held = "grab.where(grab.holders(grab.pins[0].actor, grab.pins[0].vertex)[0])"
    away = f"((grab) => {held}.distanceTo(grab.pins[0].point))({VIEW}.grab)"
    bar.wait_for_function(f"{away} < 0.15")
    begun = bar.evaluate(f"{VIEW}.shown.time")
    bar.wait_for_function(f"{VIEW}.shown.time > {begun + 1}")
    assert bar.evaluate(away) < 0.2  # it hangs there
    assert bar.evaluate(HEIGHT) > lying + 0.1
    bar.mouse.move(*pin_on_page(bar))
    bar.mouse.down()
    bar.mouse.up()
    bar.keyboard.up("Shift")
    bar.wait_for_function(f"{VIEW}.grab.pins.length === 0")
    bar.wait_for_function(f"{HEIGHT} < {lying + 0.33}")


def test_right_button_pins_and_a_key_frees_all(bar: Page) -> None:
    bar.mouse.move(*on_page(bar))
    bar.mouse.down(button="right")
    bar.mouse.up(button="right")
    bar.wait_for_function(f"{VIEW}.grab.pins.length === 1")
    bar.keyboard.press("u")
    bar.wait_for_function(f"{VIEW}.grab.pins.length === 0")


def test_keys(bar: Page) -> None:
    bar.wait_for_function(f"{VIEW}.shown.time > 0.3")
    bar.keyboard.press("Space")
    expect(bar.locator(".play i")).to_have_text("play_arrow")
    bar.keyboard.press("r")
    bar.wait_for_function(f"{VIEW}.shown.time === 0")
    bar.keyboard.press("s")
    bar.wait_for_function(f"{VIEW}.shown.time > 0")
    bar.keyboard.press("h")
    expect(bar.locator(".help")).to_be_visible()
    expect(bar.locator(".help")).to_contain_text("pin it there")
    bar.keyboard.press("Escape")
    expect(bar.locator(".help")).to_be_hidden()
    bar.evaluate(f"{VIEW}.rig.camera.position.multiplyScalar(2)")
    far = bar.evaluate(f"{VIEW}.rig.camera.position.length()")
    bar.keyboard.press("f")
    bar.wait_for_function(f"{VIEW}.rig.camera.position.length() < {0.9 * far}")


def test_gravity_changes_what_happens(bar: Page) -> None:
    slider = bar.get_by_label("Gravity", exact=True)
    slide(slider, 0.0)
    for _ in range(3):  # what a click cannot hit
        slider.press("PageDown")
    expect(bar.locator("[data-field=gravity]")).to_have_text("0 m/s²")
    reset(bar)
    bar.wait_for_function(f"{VIEW}.shown.time > 1")
    assert abs(bar.evaluate(HEIGHT) - 0.31) < 1e-3  # it floats where it was put, a centimetre above the floor
    bar.get_by_role("button", name="Gravity: default").click()
    expect(bar.locator("[data-field=gravity]")).to_have_text("9.81 m/s²")
    bar.wait_for_function(f"{HEIGHT} < 0.3")


def test_a_select_changes_the_model(bar: Page) -> None:
    bar.get_by_label("Weights", exact=True).click()
    bar.get_by_role("option", name="paper").click()
    expect(bar.get_by_role("button", name="Weights: default")).to_be_visible()
    bar.get_by_role("button", name="Weights: default").click()
    expect(bar.get_by_role("button", name="Weights: default")).to_be_hidden()


def test_hold_and_switch_off(bar: Page) -> None:
    card = bar.locator("[data-pose=twist]")
    card.get_by_label("twist: hold").click()
    bar.wait_for_function(f"{weight_of(bar, 'twist')} > 0.99")
    expect(card).to_have_class("pose-card held")
    curve = f"{VIEW}.weights.curves[0].curve.moments.map((moment) => moment[2])"
    bar.wait_for_function(f"{curve}.at(-1) > 0.99")
    spread = f"{VIEW}.skins.particles.reduce((most, x, i) => (i % 4 == 1 ? Math.max(most, x) : most), 0)"
    bar.wait_for_function(f"{spread} > 0.595")  # its corners stand up
    card.get_by_label("twist: on or off").click()
    remembers = f"Math.max(...{curve}) > 0.99"  # the curve, for some seconds
    bar.wait_for_function(f"{weight_of(bar, 'twist')} === 0 && {remembers}")
    expect(card).to_have_class("pose-card off")
    bar.wait_for_function(f"{spread} < 0.59")
    ink = bar.evaluate(
        """() => {
            const canvas = document.querySelector('canvas.curve');
            return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((x) => x > 0);
        }"""
    )
    assert ink


def test_no_click_on_a_card_is_lost(bar: Page) -> None:
    """A reset brings another body. Clicks come while the page hears of it, early and late."""
    area = bar.get_by_label("twist: hold").bounding_box()
    assert area is not None
    card = bar.locator("[data-pose=twist]")
    for number in range(12):
        tell(bar, {"do": "reset"})
        bar.wait_for_timeout(20 * number)
        bar.mouse.click(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
        expect(card).to_have_class("pose-card" if number % 2 else "pose-card held")
    for _ in range(4):  # faster than the session answers: held, free, held, free
        bar.mouse.click(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    bar.get_by_role("button", name="Play or pause").click()
    expect(bar.locator(".play i")).to_have_text("play_arrow")  # all that was asked before it is done
    expect(card).to_have_class("pose-card")


def test_a_moment_becomes_a_pose(bar: Page) -> None:
    mark(bar, "[data-pose=twist] button")
    lying = bar.evaluate(HEIGHT)
    bar.mouse.move(*on_page(bar))
    bar.mouse.down()
    bar.mouse.move(*on_page(bar, above=1.0), steps=4)
    bar.wait_for_function(f"{HEIGHT} > {lying + 0.1}")
    bar.keyboard.press("Space")
    expect(bar.locator(".play i")).to_have_text("play_arrow")
    bar.mouse.up()
    bar.get_by_role("button", name="Add this moment as a pose").click()
    bar.get_by_label("Name", exact=True).fill("lifted")
    bar.get_by_role("button", name="OK").click()
    expect(bar.locator("[data-pose=lifted]")).to_be_visible()
    expect(bar.locator("#weights .pose")).to_have_text(["rest", "twist", "lifted"])
    bar.get_by_label("lifted: more").click()
    bar.get_by_text("Rename", exact=True).click()
    bar.get_by_label("Name", exact=True).fill("up")
    bar.keyboard.press("Enter")
    expect(bar.locator("[data-pose=up]")).to_be_visible()
    bar.get_by_label("up: more").click()
    bar.get_by_text("Delete", exact=True).click()
    expect(bar.locator("[data-pose=up]")).to_have_count(0)
    expect(bar.locator("#weights .pose")).to_have_text(["rest", "twist"])
    assert is_marked(bar, "[data-pose=twist] button")  # the other card was there all the time


def test_files(bar: Page, tmp_path: Path) -> None:
    bar.wait_for_function(f"{VIEW}.shown.time > 1")
    for label, ending in (("GLB", ".glb"), ("NPZ", ".npz"), ("PNG", ".png")):
        expect(bar.locator(".saving .q-spinner")).to_have_count(0)  # buttons do nothing while a file is made
        with bar.expect_download(timeout=3 * PATIENCE) as started:
            bar.get_by_role("button", name=f"Save {label}").click()
        assert started.value.suggested_filename == f"bar{ending}"
        started.value.save_as(tmp_path / f"bar{ending}")
    khronos.assert_valid(tmp_path / "bar.glb")
    assert np.load(tmp_path / "bar.npz").files
    picture = np.asarray(Image.open(tmp_path / "bar.png").convert("RGB"), int)
    orange = picture[..., 0] - picture[..., 2] > 80
    assert 0.01 < orange.mean() < 0.6
    assert picture[2, 2].min() > 150  # the light backdrop, not transparent black
