"""Groups on the page, in a real browser: painted, boxed, with weights of their own, and saved with the scene."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from pliant.scene import show_of
from viewer.pages import (
    PATIENCE,
    VIEW,
    another,
    begin,
    drawn,
    is_marked,
    mark,
    no_complaints,
    on_page,
    open_exhibit,
    photograph,
    reset,
    tell,
    wait_until,
)

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses

BLUE = np.array([63, 143, 210])  # of the first group; the bar itself is orange


@pytest.fixture
def bar(page: Page, address: str) -> Iterator[Page]:
    """The bar with its two halves as groups, standing still; left as a first visitor finds it."""
    open_exhibit(page, address, "bar")
    begin(page)
    section = page.locator("[data-section=Groups]")
    if section.get_attribute("open") is None:
        section.locator("summary").click()
    page.get_by_role("button", name="All as one").wait_for()
    page.get_by_role("button", name="Groups", exact=True).click()
    page.get_by_role("button", name="Split left | right").click()  # whatever was painted before
    page.get_by_role("button", name="Step", exact=True).click()
    page.wait_for_function(f"{VIEW}.shown.time > 0")  # what was clicked before is done: strokes go by another socket
    begin(page)
    expect(page_titles(page)).to_have_text(["bar · left", "bar · right"])  # the viewport knows it, too
    yield page
    leave(page)


def leave(page: Page) -> None:
    """As a first visitor finds it."""
    page.keyboard.press("Escape")
    page.wait_for_function(f"!{VIEW}.painting")
    page.get_by_role("button", name="Defaults").click()
    expect(page.locator(".group-list")).to_be_hidden()
    reset(page)


def count(page: Page, group: str) -> Locator:
    return page.locator(f"[data-group='{group}'] .group-count")


def agree(page: Page, group: str, number: int) -> None:
    """Wait until the panel and the view say the same of how many particles are in a group."""
    said = f"+document.querySelector(`[data-group='{group}'] .group-count`).textContent"
    page.wait_for_function(f"{said} === [...{VIEW}.brushes.labels].filter((label) => label === {number}).length")


def labels(page: Page) -> list[int]:
    return page.evaluate(f"[...{VIEW}.brushes.labels]")


def take(page: Page, tool: str) -> None:
    page.get_by_role("button", name=tool.capitalize(), exact=True).click()
    page.wait_for_function(f"{VIEW}.painting?.tool === '{tool}'")


def choose(page: Page, group: str, number: str) -> None:
    page.locator(f"[data-group='{group}'] .group-name").click()
    page.wait_for_function(f"{VIEW}.painting?.group === {number}")


def add(page: Page, name: str) -> None:
    page.get_by_role("button", name="Add a group").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="OK").click()
    expect(page.locator(f"[data-group='{name}']")).to_be_visible()


def share(picture: np.ndarray, colour: np.ndarray) -> float:
    """How much of the picture is of the hue of a colour."""
    hue = (picture - picture.mean(axis=2, keepdims=True)) / np.maximum(np.ptp(picture, axis=2), 40)[..., None]
    wanted = (colour - colour.mean()) / np.ptp(colour)
    return float((np.abs(hue - wanted).max(axis=2) < 0.25).mean())


def test_the_skin_shows_the_groups_while_one_paints(bar: Page) -> None:
    expect(page_titles(bar)).to_have_text(["bar · left", "bar · right"])
    everything = {"do": "enclose", "actor": "bar", "view": [0] * 15 + [1], "low": [-1, -1], "high": [1, 1], "group": 0}
    tell(bar, everything)
    expect(page_titles(bar)).to_have_count(0)  # there is only one group left, which needs no name
    plain = share(photograph(bar), BLUE)
    take(bar, "brush")
    wait_until(lambda: share(photograph(bar), BLUE) > plain + 0.02, "the colour of the group")
    painted = share(photograph(bar), BLUE)
    bar.keyboard.press("Escape")
    bar.wait_for_function(f"!{VIEW}.painting")
    wait_until(lambda: share(photograph(bar), BLUE) < 0.2 * painted, "the colour of the body")


def page_titles(page: Page) -> Locator:
    return page.locator("#weights .bars-title")


def test_a_stroke_changes_groups_and_weights_follow(bar: Page) -> None:
    known = ("[data-group=right] button", ".group-tools button", ".groups-mode button")
    for each in known:
        mark(bar, each)
    add(bar, "mine")
    expect(count(bar, "mine")).to_have_text("empty")
    expect(bar.locator(".finding")).to_contain_text("“mine” is empty")
    expect(page_titles(bar)).to_have_count(2)
    take(bar, "brush")
    bar.wait_for_function(f"{VIEW}.painting.group === 2")  # what was just added is painted
    eye = bar.evaluate(f"{VIEW}.rig.camera.position.toArray()")
    x, y = on_page(bar)
    bar.mouse.move(x - 20, y)
    bar.mouse.down()
    bar.mouse.move(x + 20, y + 5, steps=4)
    bar.wait_for_function(f"[...{VIEW}.brushes.labels].includes(2)")  # seen before the stroke has ended
    bar.mouse.up()
    expect(page_titles(bar)).to_have_text(["bar · left", "bar · right", "bar · mine"])
    assert bar.locator("#weights .curve").count() == 3
    seen = bar.evaluate(f"{VIEW}.rig.camera.position.toArray()")
    assert seen == pytest.approx(eye, abs=1e-6)  # the view stood still
    agree(bar, "mine", 2)
    choose(bar, "no group", "null")
    bar.mouse.move(x, y)
    bar.mouse.down()
    bar.mouse.up()
    bar.wait_for_function(f"[...{VIEW}.brushes.labels].includes(255)")
    bar.keyboard.press("z")
    bar.wait_for_function(f"![...{VIEW}.brushes.labels].includes(255)")
    bar.get_by_role("button", name="mine: delete").click()
    expect(page_titles(bar)).to_have_text(["bar · left", "bar · right"])
    bar.wait_for_function(f"[...{VIEW}.brushes.labels].includes(255)")
    assert all(is_marked(bar, each) for each in known)  # a group that came and went took no click from the others


def test_beside_the_body_the_view_turns(bar: Page) -> None:
    take(bar, "brush")
    before = labels(bar)
    for button, (x, y) in (("left", (60, 500)), ("right", on_page(bar))):
        eye = bar.evaluate(f"{VIEW}.rig.camera.position.x")
        bar.mouse.move(x, y)
        bar.mouse.down(button=button)  # type: ignore[arg-type]
        bar.mouse.move(x + 80, y, steps=4)
        bar.mouse.up(button=button)  # type: ignore[arg-type]
        bar.wait_for_function(f"Math.abs({VIEW}.rig.camera.position.x - {eye}) > 0.05")
    assert labels(bar) == before
    assert not bar.evaluate(f"{VIEW}.grab.pins.length")  # nothing was pinned by the second button


def test_a_box_takes_all_that_is_in_it(bar: Page) -> None:
    bar.keyboard.press("x")
    bar.wait_for_function(f"{VIEW}.painting?.tool === 'box'")
    choose(bar, "left", "0")
    x, y = on_page(bar)
    bar.mouse.move(x, y - 200)
    bar.mouse.down()
    bar.mouse.move(x + 260, y + 200, steps=3)
    expect(bar.locator(".rubber-band")).to_be_visible()
    bar.mouse.up()
    expect(bar.locator(".rubber-band")).to_have_count(0)
    inside = f"""() => {{
        const view = {VIEW}, p = view.skins.particles, area = view.$el.getBoundingClientRect(), found = [];
        for (let i = 0; i < p.length; i += 4) {{
            const seen = view.rig.camera.position.clone().set(p[i], p[i + 1], p[i + 2]).project(view.rig.camera);
            found.push(area.left + (0.5 + seen.x / 2) * area.width > {x});
        }}
        return found;
    }}"""
    expected = bar.evaluate(inside)
    bar.wait_for_function(
        f"(expected) => [...{VIEW}.brushes.labels].every((label, i) => !expected[i] || label === 0)", arg=expected
    )
    assert 0 < sum(expected) < len(expected)


def test_keys_and_the_size_of_the_brush(bar: Page) -> None:
    bar.keyboard.press("b")
    bar.wait_for_function(f"{VIEW}.painting?.tool === 'brush'")
    radius = bar.evaluate(f"{VIEW}.painting.radius")
    bar.keyboard.press("]")
    bar.wait_for_function(f"{VIEW}.painting.radius > {1.1 * radius}")
    bar.mouse.move(*on_page(bar))
    bar.wait_for_function(f"{VIEW}.brushes.brush.ring.visible")
    bar.keyboard.press("[")  # the pointer rests, and the ring round it becomes smaller
    ring = f"{VIEW}.brushes.brush.ring"
    bar.wait_for_function(f"{VIEW}.painting.radius < {1.1 * radius} && {ring}.visible")
    bar.wait_for_function(f"{ring}.userData.drawn.radius === {VIEW}.painting.radius")
    expect(bar.locator(".hint")).to_contain_text("Paint on the body")
    bar.keyboard.press("b")
    bar.wait_for_function(f"!{VIEW}.painting && !{VIEW}.grab.off")
    expect(bar.locator(".hint")).to_contain_text("pull it")


def test_other_pages_see_the_groups(bar: Page, address: str) -> None:
    other = another(bar)
    open_exhibit(other, address, "bar")
    other.wait_for_function(f"{VIEW}.brushes.labels?.includes(1)")
    bar.get_by_role("button", name="left: rename").click()
    bar.get_by_label("Name", exact=True).fill("port")
    bar.get_by_role("button", name="OK").click()
    expect(page_titles(other)).to_have_text(["bar · port", "bar · right"])
    other.close()


def test_a_finger_paints(page: Page, address: str) -> None:
    """Pointers of a finger, as a tablet sends them; the second finger is the camera's."""
    open_exhibit(page, address, "bar")
    page.keyboard.press("b")
    page.wait_for_function(f"{VIEW}.painting?.tool === 'brush'")
    x, y = on_page(page)
    touch = """([kind, id, x, y]) => document.querySelector('.viewport canvas').dispatchEvent(new PointerEvent(kind, {
        pointerId: id, pointerType: "touch", isPrimary: id === 5, clientX: x, clientY: y, button: 0, buttons: 1,
        bubbles: true, cancelable: true }))"""
    # There are no such pointers that could be captured; so on this canvas none is.
    page.evaluate(
        """() => {
            const canvas = document.querySelector('.viewport canvas');
            canvas.setPointerCapture = canvas.releasePointerCapture = () => {};
        }"""
    )
    page.evaluate(touch, ["pointerdown", 5, x, y])
    page.wait_for_function(f"{VIEW}.brushes.brush.stroke")
    page.evaluate(touch, ["pointerdown", 6, x + 50, y])
    page.wait_for_function(f"!{VIEW}.brushes.brush.stroke")
    for finger in (5, 6):
        page.evaluate(touch, ["pointerup", finger, x, y])
    page.evaluate(
        """() => {
            const canvas = document.querySelector('.viewport canvas');
            delete canvas.setPointerCapture, delete canvas.releasePointerCapture;
        }"""
    )
    leave(page)


def test_the_scene_is_saved_and_opens_again(bar: Page, tmp_path: Path) -> None:
    add(bar, "mine")
    take(bar, "brush")
    bar.wait_for_function(f"{VIEW}.painting.group === 2")
    bar.mouse.move(*on_page(bar))
    bar.mouse.down()
    bar.mouse.up()
    expect(page_titles(bar)).to_have_count(3)
    agree(bar, "mine", 2)
    painted = labels(bar)
    with bar.expect_download(timeout=3 * PATIENCE) as download:
        bar.get_by_role("button", name="Save scene").click()
    assert download.value.suggested_filename == "bar-scene.zip"
    content = Path(download.value.path()).read_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(tmp_path)
    show = show_of(tmp_path / "scene.toml")
    assert show.world["bar"].group_names == ("left", "right", "mine") and show.camera is not None
    groups = show.world["bar"].body.groups
    assert [int(np.isin(i, groups["mine"])) for i in range(len(painted))] == [int(label == 2) for label in painted]
    (tmp_path / "bar-scene.zip").write_bytes(content)
    again = another(bar)
    again.goto(bar.url)
    again.locator(".drop input").set_input_files(tmp_path / "bar-scene.zip")
    again.wait_for_url("**/exhibit/scene*.toml")
    drawn(again)
    expect(again.locator(".panel .title").first).to_have_text("A bar")
    expect(page_titles(again)).to_have_text(["bar · left", "bar · right", "bar · mine"])
    again.wait_for_function(f"(painted) => JSON.stringify([...{VIEW}.brushes.labels]) === painted",
                            arg=str(painted).replace(" ", ""))  # fmt: skip
    again.close()
