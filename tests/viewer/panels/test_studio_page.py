"""Poses as a person makes them on the page: drawn in the studio, judged, forced, taken back, and found again later."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from viewer.assets import write_box
from viewer.conftest import serving
from viewer.pages import REEL, VIEW, drawn, no_complaints, on_page, open_exhibit, reset

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses
MOVED = f"Math.max(...{VIEW}.skins.particles.map((x, i) => Math.abs(x - (window.before?.[i] ?? 0))))"
REMEMBER = f"window.before = {VIEW}.skins.particles.slice()"


def test_a_pose_is_drawn_judged_forced_and_taken_back(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    reset(page)
    page.get_by_role("button", name="Make a pose").click()
    expect(page.locator(".studio")).to_be_visible()
    page.wait_for_function(f"!{REEL}.playing && {VIEW}.studio && {VIEW}.posing.group.children.length")  # with its ghost
    page.evaluate(REMEMBER)
    page.get_by_role("radio", name="Bend").click()
    page.wait_for_function(f"{MOVED} > 0.1")
    page.evaluate(REMEMBER)
    typed = page.get_by_label("Bend, typed")
    typed.fill("20")
    typed.press("Enter")
    page.wait_for_function(f"{MOVED} > 0.05")
    page.get_by_label("Called").fill("arch")
    page.get_by_role("button", name="Keep as a pose").click()
    card = page.locator('[data-pose="arch"]')
    expect(card.locator(".verdict.good")).to_be_visible()
    page.evaluate(REMEMBER)
    page.get_by_role("button", name="Brush", exact=True).click()  # the ring follows, and a stroke moves the skin
    x, y = on_page(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y - 30, steps=4)
    page.mouse.up()
    page.wait_for_function(f"{MOVED} > 0.02")
    page.get_by_role("button", name="Leave the studio").click()
    expect(page.locator(".studio")).to_be_hidden()
    page.locator(".play").click()
    page.wait_for_function(f"{REEL}.playing")
    force = page.get_by_label("arch: force, typed")
    force.fill("0.5")
    force.press("Enter")
    page.wait_for_function("Math.abs(+document.querySelector('[data-pose=\"arch\"]').dataset.weight - 0.5) < 0.02")
    expect(card).to_have_class("pose-card held")
    page.locator(".viewport canvas").click(position={"x": 30, "y": 30})
    page.keyboard.press("Control+z")
    expect(card).to_have_class("pose-card")
    page.keyboard.press("Control+Shift+Z")
    expect(card).to_have_class("pose-card held")
    page.locator("[data-section=History] summary").click()
    for step, there in (("Draw a bend", 0), ("Keep “arch”", 1), ("As it began", 0)):
        page.locator(".history-row", has_text=step).first.click()
        expect(card).to_have_count(there)
    page.locator("[data-section=History] summary").click()


def test_what_is_wrong_is_told_in_its_place(page: Page, address: str) -> None:
    """And can be dismissed; time goes on meanwhile, and so it does after the recording was watched."""
    open_exhibit(page, address, "bar")
    reset(page)
    page.get_by_role("button", name="Settle").click()
    note = page.locator(".poses .refusal")
    expect(note).to_contain_text("Nothing holds")
    page.locator(".timeline-track").click(position={"x": 5, "y": 10})
    page.wait_for_function(f"!{REEL}.live")
    page.keyboard.press("l")
    page.wait_for_function(f"{REEL}.live && {REEL}.playing")
    note.get_by_role("button", name="Dismiss").click()
    expect(note).to_be_hidden()
    page.get_by_label("twist: more").click()
    page.get_by_text("Rename", exact=True).click()
    page.get_by_label("Name").fill("rest")
    page.get_by_role("button", name="OK").click()
    expect(page.get_by_text("there is a “rest” already")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()


def test_a_mesh_opens_in_the_studio_and_what_is_made_of_it_stays(page: Page, tmp_path: Path) -> None:
    """The server may end at any moment: the next one has it among "your files"."""
    box = write_box(tmp_path / "box.glb")
    with serving(str(box), data=tmp_path / "data") as address:
        page.goto(f"{address}/exhibit/box.glb")
        drawn(page)
        expect(page.locator(".studio")).to_be_visible()
        page.get_by_role("radio", name="Squash").click()
        expect(page.get_by_role("button", name="Keep as a pose")).to_be_enabled()
        page.get_by_role("button", name="Keep as a pose").click()
        expect(page.locator('[data-pose="squash"]')).to_be_visible()
        page.locator("[data-section=History] summary").click()
        expect(page.locator(".history-kept")).to_have_text("Kept in your files, which stand in the gallery.")
        page.goto("about:blank")
    with serving(data=tmp_path / "data") as address:
        page.goto(address)
        work = page.locator(".work-card", has_text="1 pose")
        work.locator("a").click()
        drawn(page)
        expect(page.locator(".studio")).to_be_hidden()
        expect(page.locator('[data-pose="squash"]')).to_be_visible()
        page.goto("about:blank")
