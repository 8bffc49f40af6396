"""`pliant bench contact` in a quick form: the papers' scenes with their counts, and crowds that grow."""

import numpy as np
import pytest

from pliant.bench import contact as bench
from pliant.bench.budget import QUICK
from pliant.runtime.thread_pool import CORES


@pytest.mark.slow
def test_rows() -> None:
    said: list[str] = []
    rows = list(bench.contact(said.append, QUICK))
    scenes, scaling, growth = rows[:2], rows[2 : 2 + CORES], rows[2 + CORES :]
    assert [(row["name"], row["bodies"], row["particles"], row["threads"]) for row in scenes] == [
        ("contact, slope", 10, 2250, 1), ("contact, 52 bodies", 52, 4120, 2),
    ]  # fmt: skip
    assert [(row["bodies"], row["particles"]) for row in growth] == [(10, 120), (100, 1200)]
    assert [row["threads"] for row in scaling] == list(range(1, CORES + 1))
    assert scaling[0]["x_one_thread"] == 1.0 and all(row["bodies"] == 180 for row in scaling)
    for row in (*scenes, *growth):
        assert 0 <= row["contact_ms"] < row["frame_ms"]
        assert row["contact_share"] == pytest.approx(row["contact_ms"] / row["frame_ms"])
    for row in scenes:
        assert row["x_paper"] == pytest.approx(row["paper_ms"] / row["frame_ms"])
        assert row["frames_per_s"] == pytest.approx(1e3 / row["scene_ms"])
    assert growth[0]["x_smallest"] == 1.0
    assert all(row["contacts"] > 0 for row in growth)
    assert len(said) == len(scenes) + 1 + len(growth)


def test_a_timed_world_is_as_it_was() -> None:
    world = bench.crowd(4)
    world.step(1 / 60)
    before = world.frame()
    bench._timed(world, 1 / 60, 1, 0.0, 2)
    after = world.frame()
    assert world.contact and after.time == before.time
    assert all(np.array_equal(after.positions[name], before.positions[name]) for name in before.positions)
