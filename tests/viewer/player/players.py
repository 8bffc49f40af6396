"""What tests of players share: a player on a page, and waiting for what it shows.

A file forbids the page to evaluate texts (its Content-Security-Policy), and Playwright's own waiting does that: so here
Python asks again and again.
"""

import io
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Frame, Page

from viewer.pages import wait_until

# In a notebook it may lie in the shadow of another element, and there may be several.
FIND = """(number) => {
    const found = [];
    const search = (root) => {
        for (const each of root.querySelectorAll('*')) {
            if (each.classList.contains('pliant-player')) found.push(each);
            if (each.shadowRoot) search(each.shadowRoot);
        }
    };
    search(document);
    return found[number]?.view?.shown ? found[number] : null;
}"""


class Player:
    """The `number`-th player of a page, once it shows something."""

    def __init__(self, page: Page | Frame, number: int = 0) -> None:
        self.page, self.number = page, number
        wait_until(lambda: page.evaluate_handle(FIND, number).as_element() is not None, f"player {number}")
        found = page.evaluate_handle(FIND, number).as_element()
        assert found is not None
        self.root = found

    def ask(self, what: str, argument: Any = None) -> Any:
        """An expression over `view`."""
        return self.root.evaluate(f"({{ view }}, argument) => {what}", argument)

    def until(self, what: str) -> None:
        wait_until(lambda: bool(self.ask(what)), what)

    @property
    def time(self) -> float:
        return self.ask("view.shown.time")

    def tell(self, **command: Any) -> None:
        self.ask("void view.tell(argument)", command)

    def seek(self, time: float) -> None:
        self.tell(do="seek", time=time)
        self.until(f"Math.abs(view.shown.time - {time}) < 1e-3 && !view.stale && !view.dirty")

    def find(self, selector: str) -> Any:
        found = self.root.query_selector(selector)
        assert found is not None, selector
        return found

    def photograph(self) -> np.ndarray:
        """What the canvas shows, and what shines through it (height, width, 3)."""
        picture = self.find(".viewport").screenshot()
        return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"), np.int64)

    def weights(self) -> list[float]:
        return [float(each.get_attribute("data-weight")) for each in self.root.query_selector_all(".bar")]

    def middle(self) -> tuple[float, float]:
        """Where the middle of the particles is on the page."""
        x, y = self.ask(
            """(() => {
                const box = view.skins.bounds(), middle = box.min.clone().add(box.max).multiplyScalar(0.5);
                const seen = middle.project(view.rig.camera), area = view.area.getBoundingClientRect();
                return [area.left + (0.5 + seen.x / 2) * area.width, area.top + (0.5 - seen.y / 2) * area.height];
            })()"""
        )
        return x, y


def differ(one: np.ndarray, other: np.ndarray) -> float:
    """The part of the picture that is not the same."""
    return float((np.abs(one - other).max(axis=2) > 12).mean())
