"""Lists of pairs that are near each other save time and change nothing."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pliant
from meetings import block, pebble
from pliant.world import World
from pliant.world.contact import cell_kernels as cells
from pliant.world.contact import layout as at

KINDS = {
    "shape matching": pliant.ShapeMatching(stiffness=2.0, damping=3),
    "oriented particles": pliant.OrientedParticles(particles=12, iterations=2, damping=3),
}


def heap(settings: pliant.ShapeMatching | pliant.OrientedParticles) -> World:
    """Some come to rest, some are thrown at them; a rope falls on itself."""
    world = World(colliders=[pliant.Plane()])
    random = np.random.default_rng(4)
    for number in range(10):
        body = block() if number % 2 else pebble()
        place = (0.3 * (number % 3), 0.3 + 0.3 * (number // 3), 0.2 * (number % 2))
        speed = (3.0, 0, 0) if number > 7 else (0, 0, 0)
        world.add(
            body, settings, name=f"{number}", position=place, rotation=random.normal(size=4), velocity=speed
        )  # fmt: skip
    world.add(pliant.shapes.rope(length=1.5), settings, name="rope", position=(0, 1.5, 0), self_contact=True)
    return world


def listed(row: NDArray[np.float64]) -> tuple[float, ...]:
    """Of which body pair a list is, and when it was made."""
    return (*row[:3], *row[at.LISTED : at.LISTED + 6])


@pytest.mark.parametrize("settings", KINDS.values(), ids=KINDS)
def test_lists_change_nothing(settings: pliant.ShapeMatching | pliant.OrientedParticles) -> None:
    one, other = heap(settings), heap(settings)
    for world in (one, other):
        world.step(1 / 240)
    contact_system, forgetful = one._registry.contact_system, other._registry.contact_system
    assert contact_system is not None and forgetful is not None
    begin, reused = forgetful.broad_phase.begin, 0

    known = contact_system.broad_phase.begin

    def begin_anew(*arguments: Any) -> Any:
        forgetful.broad_phase.listed = 0
        forgetful.broad_phase.fresh = forgetful.broad_phase.stale = True
        return begin(*arguments)

    def begin_again(*arguments: Any) -> Any:
        contact_system.broad_phase.fresh = True  # in a step of several sub-steps too
        return known(*arguments)

    forgetful.broad_phase.begin = begin_anew  # type: ignore[method-assign]
    contact_system.broad_phase.begin = begin_again  # type: ignore[method-assign]
    touched = 0
    for _ in range(240):
        before = contact_system.broad_phase.heads.reshape(-1, at.PAIR_HEAD)[: contact_system.broad_phase.listed].copy()
        one.step(1 / 240)
        other.step(1 / 240)
        after = contact_system.broad_phase.heads.reshape(-1, at.PAIR_HEAD)[: contact_system.broad_phase.listed]
        made = {listed(row) for row in before if row[at.LIST_COUNT] >= 0}
        reused += sum(listed(row) in made for row in after if row[at.LIST_COUNT] > 0)
        touched += contact_system.count
        for name in ("0", "5", "9", "rope"):
            assert np.array_equal(one[name].positions, other[name].positions)
    assert touched > 1000 and reused > 100


@pytest.mark.slow
def test_pairs_are_listed_in_order() -> None:
    """Whether groups of pairs are looked at, or cells of a grid: the same list."""
    random = np.random.default_rng(2)
    count = 300
    proxy_boxes = np.concatenate(
        [random.uniform(-1, 1, (2 * count, 3)), random.uniform(0.05, 0.2, (2 * count, 3))], axis=1
    )
    rows = np.pad(proxy_boxes, ((0, 0), (0, at.PROXY_BOX - 6)))
    spans = np.array([0, count, 2 * count], np.uint32)
    low, high = proxy_boxes[:, :3] - proxy_boxes[:, 3:], proxy_boxes[:, :3] + proxy_boxes[:, 3:]
    boxes = np.zeros((2, at.AABB))
    for actor in range(2):
        part = slice(actor * count, (actor + 1) * count)
        boxes[actor, :3], boxes[actor, 3:6] = low[part].min(axis=0), high[part].max(axis=0)
    near, table = np.zeros(3 * (count + 1), np.uint32), np.zeros(2 * count + 2, np.int64)
    grid, lanes = np.zeros(cells.CELL_GRID), np.zeros(cells.GROUP_ROW * (count // cells.GROUP + 2), np.float32)
    assert count * count > cells.BRUTE_FORCE_PAIRS > 40 * 40
    pairs = np.zeros(2 + 2 * count * count, np.uint32)
    for margin in (0.0, 0.05):
        found = cells.find_pairs(
            rows.reshape(-1), spans, boxes.reshape(-1), 0, 1, margin, near, table, grid, lanes, pairs
        )
        gap = np.abs(proxy_boxes[:count, None, :3] - proxy_boxes[None, count:, :3])
        meet = (gap <= (proxy_boxes[:count, None, 3:] + margin) + proxy_boxes[None, count:, 3:]).all(axis=2)
        expected = np.argwhere(meet) + np.array([0, count])
        assert np.array_equal(pairs[:found].reshape(-1, 2), expected)
    few = np.array([0, 40, 80], np.uint32)  # few enough for groups
    boxes[:, :3], boxes[:, 3:6] = low[:80].min(axis=0), high[:80].max(axis=0)
    found = cells.find_pairs(rows.reshape(-1), few, boxes.reshape(-1), 0, 1, 0.0, near, table, grid, lanes, pairs)
    gap = np.abs(proxy_boxes[:40, None, :3] - proxy_boxes[None, 40:80, :3])
    expected = np.argwhere((gap <= proxy_boxes[:40, None, 3:] + proxy_boxes[None, 40:80, 3:]).all(axis=2)) + np.array(
        [0, 40]
    )
    assert np.array_equal(pairs[:found].reshape(-1, 2), expected)
