"""An obstacle is dragged with the mouse, in a real browser."""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

import obstacles
from viewer.conftest import serving
from viewer.pages import PATIENCE, READY, VIEW

pytestmark = pytest.mark.browser

PLACE = f"{VIEW}.stage.colliders.children.find((each) => each.userData.shape === 'Mesh').matrix.elements"
SCENE = """
[[colliders]]
type = "plane"

[[colliders]]
type = "mesh"
file = "cup.obj"
cells = 24
position = [1.5, 0, 0]

[[bodies]]
shape = { type = "ball", radius = 0.3 }
particles = 60
position = [0, 0.4, 0]
"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    vertices, triangles = obstacles.cup()
    rows = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a} {b} {c}" for a, b, c in triangles + 1]
    (tmp_path / "cup.obj").write_text("\n".join(rows))
    (tmp_path / "scene.toml").write_text(SCENE)
    with serving(str(tmp_path / "scene.toml")) as address:
        yield address


def on_page(page: Page, x: float, y: float, z: float) -> tuple[float, float]:
    across, down = page.evaluate(
        f"""([x, y, z]) => {{
            const view = {VIEW}, seen = view.rig.camera.position.clone().set(x, y, z).project(view.rig.camera);
            const area = view.$el.getBoundingClientRect();
            return [area.left + (0.5 + seen.x / 2) * area.width, area.top + (0.5 - seen.y / 2) * area.height];
        }}""",
        [x, y, z],
    )
    return across, down


def point_at(page: Page, x: float, y: float, z: float) -> None:
    """Until the page says that there is something to be dragged: it looks only when the mouse moves."""
    end = time.monotonic() + PATIENCE / 1000
    while page.evaluate(f"{VIEW}.$el.querySelector('canvas').style.cursor") != "grab":
        if time.monotonic() > end:
            raise TimeoutError("nothing to drag there")
        across, down = on_page(page, x, y, z)
        page.mouse.move(across + 1, down)
        page.mouse.move(across, down)
        page.wait_for_timeout(200)


def place(page: Page) -> np.ndarray:
    return np.array(page.evaluate(f"Array.from({PLACE})"))[12:15]


def test_a_mesh_is_drawn_and_dragged_and_comes_back(address: str, page: Page) -> None:
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 900, "height": 600})
    page.goto(f"{address}/exhibit/scene.toml")
    page.wait_for_function(READY, timeout=3 * PATIENCE)
    np.testing.assert_allclose(place(page), (1.5, 0, 0), atol=1e-6)
    point_at(page, 1.5, 0.4, 0.6)
    page.mouse.down()
    page.wait_for_function(f"{VIEW}.grab.pulls.size === 1")
    eye = page.evaluate(f"{VIEW}.rig.camera.position.toArray()")
    page.mouse.move(*on_page(page, 2.3, 0.4, 0.6), steps=5)
    page.wait_for_function(f"{PLACE}[12] > 2")
    page.mouse.up()
    page.wait_for_function(f"{VIEW}.grab.pulls.size === 0")
    np.testing.assert_allclose(page.evaluate(f"{VIEW}.rig.camera.position.toArray()"), eye)  # the view did not turn
    page.wait_for_function(f"{PLACE}[12] > 2.1")  # it stays
    page.keyboard.press("r")
    page.wait_for_function(f"Math.abs({PLACE}[12] - 1.5) < 1e-5")
    page.goto("about:blank")
    assert not said
