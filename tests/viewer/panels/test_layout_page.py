"""The pages on screens of all sizes, light and dark: nothing is cut off, hidden behind something or unreadable."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from viewer.pages import drawn, no_complaints, open_exhibit, reset

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "laptop": (1280, 800)}

# Things that stick out of the page sideways; what scrolls by itself, such as the strip of poses, may be wide.
TOO_WIDE = """() => [...document.querySelectorAll('main *')].filter((each) => {
    const box = each.getBoundingClientRect();
    const out = box.width && (box.right > innerWidth + 1 || box.left < -1);
    return out && !each.closest('.strip, canvas, .viewport, .q-slider');
}).map((each) => each.className || each.tagName)"""

# The contrast of text with what is behind it (WCAG), smallest first; pictures and what is switched off do not count.
PALE = """() => {
    const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => {
        const part = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const behind = (each) => {
        for (; each; each = each.parentElement) {
            const found = parse(getComputedStyle(each).backgroundColor);
            if ((found[3] ?? 1) > 0.5) return found;
        }
        return parse(getComputedStyle(document.body).backgroundColor);
    };
    const pale = [];
    for (const each of document.querySelectorAll('.panel *, .gallery *')) {
        const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        const meant = each.getClientRects().length && !each.closest('.disabled, .picture, [aria-disabled=true]');
        if (!own || !meant) continue;
        const [a, b] = [light(parse(getComputedStyle(each).color)), light(behind(each))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 3) pale.push([each.textContent.trim().slice(0, 30), contrast]);
    }
    return pale;
}"""


@pytest.fixture(params=SIZES)
def sized(request: pytest.FixtureRequest, page: Page) -> Page:
    width, height = SIZES[request.param]
    page.set_viewport_size({"width": width, "height": height})
    return page


@pytest.fixture
def bar(page: Page, address: str) -> Iterator[Page]:
    open_exhibit(page, address, "bar")
    yield page
    reset(page)


def test_gallery_fits(sized: Page, address: str) -> None:
    sized.goto(address)
    expect(sized.locator(".card")).to_have_count(4)
    assert sized.evaluate(TOO_WIDE) == []
    assert sized.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_exhibit_fits(sized: Page, address: str) -> None:
    open_exhibit(sized, address, "bar", anew=True)
    expect(sized.locator("[data-pose=twist]")).to_be_attached()
    assert sized.evaluate(TOO_WIDE) == []
    assert sized.evaluate("document.documentElement.scrollWidth <= innerWidth")
    stage = sized.locator(".stage").bounding_box()
    assert stage is not None and stage["width"] > 300 and stage["height"] > 300


def test_on_a_phone_the_body_stays_in_sight(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_exhibit(page, address, "bar", anew=True)
    expect(page.locator("[data-pose=twist]")).to_be_attached()  # nothing comes that would push it down again
    save = page.locator("[data-section=Save]")
    save.scroll_into_view_if_needed()
    expect(save.locator(".section-title")).to_be_in_viewport()
    expect(page.locator(".viewport canvas")).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(page: Page, address: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(address)
    expect(page.locator(".card")).to_have_count(4)
    assert page.evaluate(PALE) == []
    open_exhibit(page, address, "bar")
    expect(page.locator("[data-field=gravity]")).to_have_text("9.81 m/s²")
    assert page.evaluate(PALE) == []


def test_sections_stay_as_they_were_left(bar: Page) -> None:
    titles = bar.locator(".section-title span").all_inner_texts()
    wanted = ["Poses", "Weights", "Model & settings", "Groups", "See inside", "World", "Save", "History"]
    assert [title.lower() for title in titles] == [title.lower() for title in wanted]
    slider = bar.get_by_label("Gravity", exact=True)
    expect(slider).to_be_visible()
    bar.locator("[data-section=World] .section-title").click()
    expect(slider).to_be_hidden()
    bar.reload()
    drawn(bar)
    expect(bar.get_by_label("Gravity", exact=True)).to_be_hidden()
    expect(bar.get_by_label("Stiffness", exact=True)).to_be_visible()
    bar.locator("[data-section=World] .section-title").click()
    expect(bar.get_by_label("Gravity", exact=True)).to_be_visible()
