"""Files on the pages, in a real browser."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from viewer.assets import FILE, RISING, SHAPE, write_box
from viewer.conftest import serving
from viewer.pages import VIEW, no_complaints, photograph, wait_until

pytestmark = pytest.mark.browser

__all__ = ["no_complaints"]  # a fixture that every test here uses

# As a person's file manager does it: over the page, and then dropped.
DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const kind of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
HOVER = """() => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "x.glb"));
    document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_box(tmp_path_factory.mktemp("assets") / "box.glb")


def wait_until_shown(page: Page) -> None:
    page.wait_for_function("document.querySelector('.viewport')?.view?.shown")


def colours(page: Page, *wanted: str) -> dict[str, np.ndarray]:
    """Which pixels of the canvas are strongly of a colour (height, width), when there are enough of those wanted: what
    is painted on a body comes a little later than the body."""
    seen: dict[str, np.ndarray] = {}

    def enough() -> bool:
        seen.update(look(page))
        return all(seen[name].sum() > 500 for name in wanted)

    wait_until(enough, f"enough of {' and '.join(wanted)}")
    return seen


def look(page: Page) -> dict[str, np.ndarray]:
    picture = photograph(page)
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    return {
        "green": (green > red + 50) & (green > blue + 50),
        "blue": (blue > red + 50) & (blue > green + 50),
        "magenta": (red > green + 50) & (blue > green + 50),
    }


def test_an_asset_is_shown_with_its_picture(page: Page, box: Path) -> None:
    with serving(str(box)) as address:
        page.goto(f"{address}/exhibit/box.glb")
        wait_until_shown(page)
        expect(page.locator(".panel .title").first).to_have_text("box")
        seen = colours(page, "magenta", "green", "blue")
        page.goto("about:blank")  # before the server ends
    rows = {name: np.nonzero(mask)[0] for name, mask in seen.items()}
    # Magenta is the top, green the upper half of the sides: a picture that stood on its head would turn them round.
    assert rows["magenta"].mean() < rows["green"].mean() < rows["blue"].mean()


def test_a_scene_is_played(page: Page, tmp_path: Path) -> None:
    (tmp_path / "up.toml").write_text(RISING)
    with serving(str(tmp_path / "up.toml")) as address:
        page.goto(f"{address}/exhibit/up.toml")
        wait_until_shown(page)
        expect(page.locator(".panel .title").first).to_have_text("Up and away")
        page.wait_for_function(f"{VIEW}.shown.time > 1.2")
        assert page.evaluate(f"{VIEW}.skins.particles[1]") > 0.6  # its gravity has turned round
        page.keyboard.press("r")
        page.wait_for_function(f"{VIEW}.shown.time < 1")
        page.goto("about:blank")


def test_a_file_is_dropped_on_the_gallery(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".card")).to_have_count(4)
    page.evaluate(HOVER)
    expect(page.locator(".drop-sign")).to_be_visible()
    page.evaluate(DROP, ["cube.toml", SHAPE])
    page.wait_for_url("**/exhibit/cube.toml")
    wait_until_shown(page)
    assert colours(page, "blue")


def test_files_are_chosen_on_the_page_of_an_exhibit(page: Page, address: str, box: Path, tmp_path: Path) -> None:
    (tmp_path / "chosen.toml").write_text(FILE.replace("colour", "# colour"))
    page.goto(f"{address}/exhibit/bar")
    wait_until_shown(page)
    page.locator(".drop input").set_input_files([tmp_path / "chosen.toml", box])
    page.wait_for_url("**/exhibit/chosen.toml")
    wait_until_shown(page)
    assert colours(page, "magenta", "green", "blue")


def test_the_button_opens_the_dialogue(page: Page, address: str, box: Path) -> None:
    page.goto(address)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file").click()
    chooser.value.set_files(box)
    page.wait_for_url("**/exhibit/box*.glb")


def test_what_is_wrong_with_a_file_is_told(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".card")).to_have_count(4)
    for name, told in (
        ("virus.exe", "virus.exe: this kind of file is not taken here"),
        ("broken.glb", "broken.glb: "),
        ("scene.toml", "scene.toml:2: bodies.x.file: leads out of the folder"),
    ):
        page.evaluate(DROP, [name, '[[bodies]]\nfile = "../x.glb"\n'])
        expect(page.locator(".drop-note.wrong .drop-text")).to_contain_text(told)
        page.locator(".drop-button").click()
        expect(page.locator(".drop-note")).to_have_count(0)
    assert page.url.rstrip("/") == address


def test_too_large_a_file_is_not_even_sent(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".drop", state="attached")
    page.evaluate("""() => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(2.1e8)], "huge.glb"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }""")
    expect(page.locator(".drop-text")).to_contain_text("huge.glb: 210 MB are too much; drop at most 200 MB")
