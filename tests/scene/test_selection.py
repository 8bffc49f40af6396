"""Selections of particles."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pliant
from pliant.scene import scene_from_text
from pliant.scene.selection import chosen


@cache
def bar() -> pliant.Body:
    """A row of 5 x 3 x 3 particles, from -1 to 1 along x, 0.5 m from each to the next."""
    body = pliant.shapes.cuboid(size=(2, 1, 1), cells=(4, 2, 2))
    return body.with_group("middle", lambda rest: np.abs(rest[:, 0]) < 0.1)


def said(text: str):
    return scene_from_text(f'bodies = [{{shape="ball", groups={{x = {text}}}}}]').bodies[0].groups["x"]


def picked(text: str) -> np.ndarray:
    return chosen(said(text), bar(), "the selection")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("{ box = [[-1, 0, -1], [0, 9, 0]] }", lambda x, y, z: (x <= 0) & (y >= 0) & (z <= 0)),
        ("{ box = [[0, 9, 0], [-1, 0, -1]] }", lambda x, y, z: (x <= 0) & (y >= 0) & (z <= 0)),
        ("{ sphere = [1, 0, 0], radius = 0.6 }", lambda x, y, z: (x - 1) ** 2 + y**2 + z**2 < 0.37),
        ('{ side = "left" }', lambda x, y, z: x < 0),
        ('{ side = "right" }', lambda x, y, z: x >= 0),
        ('{ side = "right", fraction = 0.1 }', lambda x, y, z: x == 1),
        ('{ side = "left", fraction = 1 }', lambda x, y, z: x < 9),
        ('{ side = "bottom", fraction = 0.2 }', lambda x, y, z: y == -0.5),
        ('{ side = "top" }', lambda x, y, z: y >= 0),
        ('{ side = "front", fraction = 0.3 }', lambda x, y, z: z == 0.5),
        ('{ side = "back", fraction = 0.3 }', lambda x, y, z: z == -0.5),
        ('{ group = "middle" }', lambda x, y, z: x == 0),
        ('"middle"', lambda x, y, z: x == 0),
        ('{ all_of = [{ side = "top" }, "middle"] }', lambda x, y, z: (x == 0) & (y >= 0)),
        ('{ any_of = [{ side = "left" }, "middle"] }', lambda x, y, z: x <= 0),
        ('{ none_of = [{ side = "left" }, "middle"] }', lambda x, y, z: x > 0),
        ('{ all_of = [{ none_of = ["middle"] }, { side = "right" }] }', lambda x, y, z: x > 0),
    ],
)
def test_what_is_selected(text, rule):
    assert picked(text).tolist() == np.flatnonzero(rule(*bar().rest.T)).tolist()


def test_indices_and_nearest():
    assert picked("{ indices = [4, 0, 4] }").tolist() == [0, 4]
    near = picked("{ nearest = [1, 0.5, 0.5], count = 4 }")
    assert len(near) == 4
    corner = np.linalg.norm(bar().rest - (1, 0.5, 0.5), axis=1)
    assert corner[near].max() <= np.sort(corner)[4]


@given(st.sampled_from(["left", "bottom", "back"]), st.floats(0.01, 0.99))
def test_a_side_and_its_opposite_share_nobody_and_leave_nobody(side, fraction):
    other = {"left": "right", "bottom": "top", "back": "front"}[side]
    here = picked(f'{{ side = "{side}", fraction = {fraction} }}')
    rest = bar().rest
    axis = {"left": 0, "bottom": 1, "back": 2}[side]
    assert set(here) == set(np.flatnonzero(rest[:, axis] - rest[:, axis].min() < fraction * np.ptp(rest[:, axis])))
    there = chosen(said(f'{{ side = "{other}", fraction = {1 - fraction} }}'), bar(), "")
    assert abs(len(here) + len(there) - len(rest)) <= (0 if abs(round(4 * fraction) - 4 * fraction) > 1e-6 else 15)


def test_a_flat_sheet_has_no_top():
    sheet = pliant.shapes.sheet(cells=(4, 4))
    assert len(chosen(said('{ side = "top", fraction = 0.1 }'), sheet, "")) == len(sheet.rest)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{ box = [[5, 5, 5], [6, 6, 6]] }", r"holds no particle; the body reaches from \(-1, -0.5, -0.5\) to \(1,"),
        ("{ indices = [45] }", "holds particle 45; there are 45, numbered from 0"),
        ('{ group = "midle" }', r'no group "midle"; did you mean "middle"\? \(the body has "middle"\)'),
        ('{ all_of = [{ side = "left" }, { side = "right" }] }', "holds no particle"),
    ],
)
def test_selections_that_select_nothing(text, message):
    with pytest.raises(pliant.BodyError, match=message):
        picked(text)
