"""Other models and two copies side by side, in a real browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from viewer.conftest import serving
from viewer.pages import VIEW, is_marked, mark, no_complaints, open_exhibit, reset, slide

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses

SIDES = f"{VIEW}.skins.setup.sides.length"
TIME = f"{VIEW}.shown.time"
# Two copies are there, and the first frame of them: the setup comes before it.
BOTH = f"{SIDES} === 2 && {VIEW}.skins.particles.length === 4 * {VIEW}.skins.setup.particles"


def mean(side: int) -> str:
    """The mean height of the particles of a side."""
    return f"""(() => {{
        const {{ setup, particles: p }} = {VIEW}.skins, actor = setup.actors.find((each) => each.side === {side});
        let sum = 0;
        for (let i = actor.first; i < actor.first + actor.count; i++) sum += p[4 * i + 1] / actor.count;
        return sum;
    }})()"""


@pytest.fixture(scope="module")
def two_models() -> Iterator[str]:
    """A server that has a second model."""
    with serving("--two-models", "--forgetful") as address:
        yield address


@pytest.fixture
def bar(page: Page, two_models: str) -> Iterator[Page]:
    open_exhibit(page, two_models, "bar")
    reset(page)
    yield page
    page.get_by_role("button", name="Defaults").click()
    reset(page)


@pytest.fixture
def pair(bar: Page) -> Iterator[Page]:
    bar.get_by_role("button", name="Compare side by side").click()
    bar.wait_for_function(BOTH)
    expect(bar.get_by_role("button", name="Swap A and B")).to_be_visible()
    yield bar
    bar.mouse.up()
    bar.get_by_role("button", name="End the comparison").click()
    bar.wait_for_function(f"{SIDES} === 1")


def choose_model(page: Page, title: str) -> None:
    page.get_by_label("Model", exact=True).click()
    page.get_by_role("option", name=title).click()


def tune(page: Page, title: str, place: float) -> None:
    slide(page.get_by_label(title, exact=True), place)


def test_another_model_has_another_panel(bar: Page) -> None:
    in_common = "[aria-label='Example strength']"
    mark(bar, in_common)
    expect(bar.get_by_label("Wobble", exact=True)).to_have_count(0)
    choose_model(bar, "Jelly matching")
    expect(bar.get_by_label("Wobble", exact=True)).to_be_visible()
    tune(bar, "Wobble", 0.75)
    expect(bar.locator("[data-field=wobble]")).to_have_text(re.compile(r"1\.[45]"))
    bar.keyboard.press("r")
    begun = bar.evaluate(TIME)
    bar.wait_for_function(f"{TIME} !== {begun}")
    expect(bar.locator("[data-field=wobble]")).to_have_text(re.compile(r"1\.[45]"))
    bar.get_by_role("button", name="Model: default").click()
    expect(bar.get_by_label("Wobble", exact=True)).to_have_count(0)
    expect(bar.get_by_role("button", name="Model: default")).to_be_hidden()
    assert is_marked(bar, in_common)


def test_two_copies_have_captions_and_bars(pair: Page) -> None:
    expect(pair.locator(".caption")).to_have_text(["A", "B"])
    expect(pair.locator("#weights .bars-title")).to_have_text(["A · bar", "B · bar"])
    tune(pair, "Example strength", 0.001)  # the panel is about B at first
    expect(pair.locator(".caption").nth(0)).to_have_text("A · example strength 0.9")
    expect(pair.locator(".caption").nth(1)).to_have_text(re.compile(r"B · example strength 0(\.0\d*)?$"))
    pair.get_by_role("button", name="A", exact=True).click()
    expect(pair.locator("[data-field=example_strength]")).to_have_text("0.9")
    pair.get_by_role("button", name="Swap A and B").click()
    expect(pair.locator("[data-field=example_strength]")).not_to_have_text("0.9")
    expect(pair.locator(".caption").nth(1)).to_have_text("B · example strength 0.9")
    pair.get_by_role("button", name="Copy A to B").click()
    expect(pair.locator(".caption")).to_have_text(["A", "B"])


def test_different_models_side_by_side(pair: Page) -> None:
    choose_model(pair, "Jelly matching")
    expect(pair.locator(".caption").nth(0)).to_contain_text("A · Shape matching")
    expect(pair.locator(".caption").nth(1)).to_contain_text("B · Jelly matching")
    pair.get_by_role("button", name="A", exact=True).click()
    expect(pair.get_by_label("Wobble", exact=True)).to_have_count(0)
    pair.get_by_role("button", name="B", exact=True).click()
    expect(pair.get_by_label("Wobble", exact=True)).to_be_visible()
    pair.get_by_role("button", name="Defaults").click()
    expect(pair.locator(".caption")).to_have_text(["A", "B"])


def test_a_pull_at_one_pulls_both(pair: Page) -> None:
    pair.wait_for_function(f"{TIME} > 0.3")
    lying = [pair.evaluate(mean(side)) for side in (0, 1)]
    x, y, up = pair.evaluate(
        f"""() => {{
            const view = {VIEW}, actor = view.skins.setup.actors[1], p = view.skins.particles, mean = [0, 0, 0];
            for (let i = actor.first; i < actor.first + actor.count; i++)
                for (let j = 0; j < 3; j++) mean[j] += p[4 * i + j] / actor.count;
            const area = view.$el.getBoundingClientRect(), at = view.rig.camera.position.clone();
            const seen = (y) => at.set(mean[0], mean[1] + y, mean[2]).project(view.rig.camera).clone();
            const row = (y) => area.top + (0.5 - seen(y).y / 2) * area.height;
            return [area.left + (0.5 + seen(0).x / 2) * area.width, row(0), row(0.8)];
        }}"""
    )
    pair.mouse.move(x, y)
    pair.mouse.down()
    assert pair.evaluate(f"{VIEW}.grab.pulls.size") == 1
    pair.mouse.move(x, up, steps=5)
    for side in (0, 1):
        pair.wait_for_function(f"{mean(side)} > {lying[side] + 0.3}")
    marks = pair.evaluate(f"[...{VIEW}.grab.pulls.values()][0].marks.filter((mark) => mark.group.visible).length")
    assert marks == 2
    pair.mouse.up()


def test_the_view_steps_back_and_returns(bar: Page) -> None:
    eye = f"{VIEW}.rig.camera.position.toArray()"
    before = bar.evaluate(eye)
    bar.get_by_role("button", name="Compare side by side").click()
    bar.wait_for_function(f"{BOTH} && {VIEW}.rig.alone !== null")
    for side in (0, 1):
        inside = f"""(() => {{
            const view = {VIEW}, actor = view.skins.setup.actors[{side}], p = view.skins.particles;
            const at = view.rig.camera.position.clone().set(...p.slice(4 * actor.first, 4 * actor.first + 3));
            const seen = at.project(view.rig.camera);
            return Math.abs(seen.x) < 1 && Math.abs(seen.y) < 1;
        }})()"""
        bar.wait_for_function(inside)
    bar.get_by_role("button", name="End the comparison").click()
    bar.wait_for_function(f"{SIDES} === 1")
    assert bar.evaluate(eye) == pytest.approx(before, abs=1e-3)
