"""The pose designer in a real browser: pin, settle, keep."""

import pytest
from playwright.sync_api import Page, expect

from viewer.pages import VIEW, no_complaints, open_exhibit, reset, tell

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses
PATIENCE = 240_000  # milliseconds: the solver may have to be compiled first


def test_a_pinned_body_settles_and_becomes_a_pose(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    reset(page)
    page.get_by_role("button", name="Settle").click()
    expect(page.get_by_text("nothing holds")).to_be_visible(timeout=PATIENCE)
    page.evaluate(
        f"""() => {{
            const view = {VIEW}, ends = [0, 4];
            for (const [handle, vertex] of ends.entries()) {{
                const [x, y, z] = view.skins.particles.slice(4 * vertex, 4 * vertex + 3);
                view.stream.send({{ do: "grab", handle, actor: "bar", vertex, target: [x, y + 0.4, z] }});
                view.stream.send({{ do: "keep", handle }});
            }}
        }}"""
    )
    page.wait_for_function(f"{VIEW}.grab.pins.length === 2")
    page.get_by_role("button", name="Settle").click()
    expect(page.locator(".play i")).to_have_text("play_arrow", timeout=PATIENCE)
    page.get_by_role("button", name="Add this moment as a pose").click()
    page.get_by_label("Name").fill("designed")
    page.get_by_role("button", name="OK").click()
    expect(page.locator('[data-pose="designed"]')).to_be_visible()
    page.get_by_label("designed: more").click()
    page.get_by_text("Delete", exact=True).click()
    expect(page.locator('[data-pose="designed"]')).to_have_count(0)
    tell(page, {"do": "unpin"})
    page.get_by_role("button", name="Defaults").click()
    reset(page)
