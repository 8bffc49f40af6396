"""Fingers on the page, in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from viewer.pages import HEIGHT, VIEW, no_complaints, on_page, open_exhibit, pin_on_page, reset, tell

pytestmark = pytest.mark.browser
__all__ = ["no_complaints"]  # a fixture that every test here uses

EYE = f"{VIEW}.rig.camera.position.toArray()"
DISTANCE = f"{VIEW}.rig.camera.position.distanceTo({VIEW}.rig.controls.target)"
PULLS, PINS = f"{VIEW}.grab.pulls.size", f"{VIEW}.grab.pins.length"
KEPT = f"[...{VIEW}.grab.pulls.values()].every((pull) => pull.keep)"
RESTED = f"[...{VIEW}.grab.fingers.pulling.values()].some((finger) => finger.rested)"
TAPPED = f"{VIEW}.grab.fingers.tapped.x"
# A page is told of fingers, and has done with them a little later: these say that it has.
HELD = f"{VIEW}.grab.fingers.pulling.size + {VIEW}.grab.fingers.viewing.size"
BESIDE = (60.0, 90.0)  # no body is there

Point = tuple[float, float]


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "has_touch": True}


class Hand:
    """Fingers on a page; each has a number."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)
        self.fingers: dict[int, Point] = {}

    def down(self, **fingers: Point) -> None:
        self._put(fingers)
        self._tell("touchStart")

    def move(self, steps: int = 6, **fingers: Point) -> None:
        begin = dict(self.fingers)
        for step in range(1, steps + 1):
            for name, (x, y) in fingers.items():
                x0, y0 = begin[_number(name)]
                part = step / steps
                self.fingers[_number(name)] = (x0 + part * (x - x0), y0 + part * (y - y0))
            self._tell("touchMove")

    def up(self, *names: str) -> None:
        for name in names:
            del self.fingers[_number(name)]
        self._tell("touchEnd")

    def _put(self, fingers: dict[str, Point]) -> None:
        self.fingers.update({_number(name): at for name, at in fingers.items()})

    def _tell(self, kind: str) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in self.fingers.items()]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def _number(name: str) -> int:
    return {"one": 1, "two": 2}[name]


@pytest.fixture
def bar(page: Page, address: str) -> Iterator[Page]:
    open_exhibit(page, address, "bar")
    reset(page)
    page.wait_for_function(f"{VIEW}.shown.time > 0.4")
    patient(page, milliseconds=10**6)  # on a slow machine every finger would rest
    yield page
    tell(page, {"do": "unpin"})
    reset(page)


def patient(page: Page, milliseconds: int) -> None:
    """How long a finger has to rest until it pins."""
    page.evaluate(f"{VIEW}.grab.fingers.patience = {milliseconds}")


def test_one_finger_pulls_the_body(bar: Page) -> None:
    lying, eye = bar.evaluate(HEIGHT), bar.evaluate(EYE)
    hand = Hand(bar)
    hand.down(one=on_page(bar))
    bar.wait_for_function(f"{PULLS} === 1")
    hand.move(one=on_page(bar, above=1.0))
    bar.wait_for_function(f"{HEIGHT} > {lying + 0.36}")
    hand.up("one")
    bar.wait_for_function(f"{PULLS} === 0")
    bar.wait_for_function(f"{HEIGHT} < {lying + 0.32}")
    assert bar.evaluate(EYE) == pytest.approx(eye, abs=1e-6) and bar.evaluate(PINS) == 0


def test_one_finger_beside_the_body_turns_the_view(bar: Page) -> None:
    x, _, z = bar.evaluate(EYE)
    distance = bar.evaluate(DISTANCE)
    hand = Hand(bar)
    hand.down(one=BESIDE)
    hand.move(one=(220.0, 90.0))
    hand.up("one")
    bar.wait_for_function(f"Math.hypot({EYE}[0] - {x}, {EYE}[2] - {z}) > 0.2")
    assert bar.evaluate(DISTANCE) == pytest.approx(distance, rel=0.01) and bar.evaluate(PULLS) == 0


def test_two_fingers_come_nearer(bar: Page) -> None:
    distance = bar.evaluate(DISTANCE)
    hand = Hand(bar)
    hand.down(one=BESIDE, two=(120.0, 90.0))
    hand.move(one=BESIDE, two=(300.0, 90.0))
    hand.up("one", "two")
    bar.wait_for_function(f"{DISTANCE} < {0.7 * distance}")


def test_a_pinch_that_begins_on_the_body_is_a_pinch(bar: Page) -> None:
    distance, lying = bar.evaluate(DISTANCE), bar.evaluate(HEIGHT)
    x, y = on_page(bar)
    hand = Hand(bar)
    hand.down(one=(x - 8, y), two=(x + 8, y))
    bar.wait_for_function(f"{PULLS} === 0 && {VIEW}.grab.fingers.viewing.size === 2")
    hand.move(one=(x - 90, y), two=(x + 90, y))
    bar.wait_for_function(f"{DISTANCE} < {0.5 * distance}")
    hand.up("one", "two")
    bar.wait_for_function(f"!{VIEW}.grab.fingers.turning")
    assert bar.evaluate(HEIGHT) == pytest.approx(lying, abs=0.05)
    bar.keyboard.press("f")
    bar.evaluate(f"{VIEW}.rig.camera.updateMatrixWorld()")
    hand.down(one=on_page(bar))  # and afterwards a finger pulls again
    bar.wait_for_function(f"{PULLS} === 1")
    hand.up("one")
    bar.wait_for_function(f"{PULLS} === 0")


def test_a_finger_that_rests_pins_and_unpins(bar: Page) -> None:
    patient(bar, milliseconds=550)
    hand = Hand(bar)
    hand.down(one=on_page(bar))
    bar.wait_for_function(f"{PULLS} === 1 && {KEPT}")
    hand.up("one")
    bar.wait_for_function(f"{PINS} === 1")
    hand.down(one=pin_on_page(bar))
    bar.wait_for_function(f"{RESTED} && {PULLS} === 0")
    hand.up("one")
    bar.wait_for_function(f"{PINS} === 0")


def test_the_tap_of_a_second_finger_pins(bar: Page) -> None:
    hand = Hand(bar)
    x, y = on_page(bar)
    hand.down(one=(x, y))
    hand.move(one=(x + 40, y - 60))
    bar.wait_for_function(f"{PULLS} === 1 && !{KEPT}")
    hand.down(two=BESIDE)
    bar.wait_for_function(KEPT)
    hand.up("two")
    hand.up("one")
    bar.wait_for_function(f"{PINS} === 1")


def test_a_pin_can_be_dragged(bar: Page) -> None:
    hand = Hand(bar)
    patient(bar, milliseconds=100)
    hand.down(one=on_page(bar))
    bar.wait_for_function(f"{PULLS} === 1 && {KEPT}")
    hand.up("one")
    patient(bar, milliseconds=10**6)
    bar.wait_for_function(f"{PINS} === 1")
    x, y = pin_on_page(bar)
    height = bar.evaluate(f"{VIEW}.grab.pins[0].point.y")
    hand.down(one=(x, y))
    hand.move(one=(x + 20, y - 120))
    hand.up("one")
    bar.wait_for_function(f"{PINS} === 1 && {VIEW}.grab.pins[0].point.y > {height + 0.2}")


def test_a_finger_that_has_rested_makes_no_double_tap(bar: Page) -> None:
    """A pin is dragged however soon it is taken again; only two taps in one place pin, and two on a pin unpin."""
    hand = Hand(bar)
    patient(bar, milliseconds=100)
    at = on_page(bar)
    hand.down(one=at)
    bar.wait_for_function(f"{PULLS} === 1 && {KEPT}")
    hand.up("one")
    bar.wait_for_function(f"{HELD} === 0")
    assert not bar.evaluate(TAPPED)
    patient(bar, milliseconds=10**6)
    hand.down(one=BESIDE)  # the view is turned: no tap on a body either
    bar.wait_for_function(f"{HELD} === 1")
    hand.up("one")
    bar.wait_for_function(f"{HELD} === 0")
    assert not bar.evaluate(TAPPED)
    bar.wait_for_function(f"{PINS} === 1")
    hand.down(one=pin_on_page(bar))
    hand.up("one")
    bar.wait_for_function(f"{TAPPED} > 0")
    bar.wait_for_function(f"{PINS} === 1")
