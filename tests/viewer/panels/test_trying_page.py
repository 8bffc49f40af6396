"""Try eight in a real browser: eight small films around the present settings, played and drawn by a process of their
own; one is chosen."""

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from viewer.pages import PATIENCE, no_complaints, open_exhibit, reset

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses


def test_one_of_eight_is_chosen(page: Page, address: str) -> None:
    open_exhibit(page, address, "bar")
    reset(page)
    button = page.get_by_role("button", name="Try eight")
    button.click()
    films = page.locator(".trial")
    expect(films).to_have_count(9)
    # Closed before the end it stops, and can be tried again as soon as its process has ended.
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".trials")).not_to_be_visible()
    expect(button).to_be_enabled()
    button.click()
    expect(films).to_have_count(9)
    expect(page.locator(".trial.drawn")).to_have_count(9, timeout=2 * PATIENCE)
    expect(page.locator(".trials-note")).to_contain_text("Click the one that you want")
    # The bar of this exhibit has a stiffness of 0.5 and a strength of 0.9: half and twice of each, in a square.
    labels = [film.get_attribute("aria-label") for film in films.all()]
    assert labels[0] == "stiffness 0.25, example strength 0.95" and labels[8] == "stiffness 1, example strength 0.8"
    assert labels[4] == "as it is now" and len(set(labels)) == 9
    seen = np.asarray(Image.open(io.BytesIO(films.nth(0).screenshot())).convert("RGB"), float)
    assert seen.std() > 5  # there is something to be seen
    films.nth(8).click()
    expect(page.locator(".trials")).not_to_be_visible()
    settings = page.locator(".control")
    expect(settings.filter(has_text="Stiffness").first).to_contain_text("1")
    expect(settings.filter(has_text="Example strength").first).to_contain_text("0.8")
    page.get_by_role("button", name="Defaults").click()
    expect(settings.filter(has_text="Example strength").first).to_contain_text("0.9")
    reset(page)
