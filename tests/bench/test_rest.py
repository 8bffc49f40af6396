"""`pliant bench rest` in a quick form: bodies in motion and at rest."""

from importlib import import_module

import numpy as np
import pytest

import pliant
from pliant import cli
from pliant.bench import rest as bench
from pliant.bench.budget import WHOLE
from worlds import same, speed

run = import_module("pliant.bench.run")  # the package has a function of this name


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "REST_SECONDS", 0.0)
    monkeypatch.setattr(bench, "SETTLING", 10)
    monkeypatch.setattr(bench, "PARTICLE_STEPS", 2000)


def test_rows(quick: None) -> None:
    told: list[str] = []
    rows = list(run.rest(told.append, WHOLE))
    states = list(bench.STATES)
    assert [(row["name"], row["particles"]) for row in rows] == [(each, n) for n in (225, 2025) for each in states]
    for first, row in ((rows[k - k % 2], row) for k, row in enumerate(rows)):
        assert row["us_per_step"] > 0 and row["world_us"] > 0
        assert row["x_in_motion"] == pytest.approx(row["us_per_step"] / first["us_per_step"])
        assert row["world_x_in_motion"] == pytest.approx(row["world_us"] / first["world_us"])
    assert any("at rest on the floor" in each for each in told)


@pytest.mark.slow
def test_the_table(quick: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(run, "GRIDS", {225: run.GRIDS[225]})
    monkeypatch.setenv("COLUMNS", "200")
    assert cli.main(["bench", "rest"]) == 0
    told = capsys.readouterr().out
    assert "undisturbed in free space" in told and "x in motion" in told


def test_states_are_what_their_names_say() -> None:
    body = run.bar(run.GRIDS[225], 1)
    flying, floating, shaking, lying = (make(body).actors[0] for make in bench.STATES.values())
    assert speed(flying) > 0.1 and speed(shaking) > 0.1
    # What is left is rounding: a unit in the last place of a metre, 1.2e-7, in each step of 1/60 s is 7e-6 m/s.
    assert speed(floating) < 2e-5 and np.abs(floating.positions - body.rest).max() < 1e-5
    assert speed(lying) < 1e-3 and abs(lying.positions[:, 1].min()) < 0.01


def test_what_the_model_does_is_timed_in_the_world_as_it_is() -> None:
    world = bench.trembling(bench.in_free_space(pliant.shapes.cuboid(cells=(2, 2, 4))))
    before, solvers = world.snapshot(), list(world._registry.solvers)
    times = bench.solving_in(world, 5)()
    assert len(times) == 5 and min(times) > 0
    assert world._registry.solvers == solvers
    world.restore(before)
    for _ in range(5):
        world.step(bench.H)
    plain = world.snapshot()
    bench.solving_in(world, 5)()
    world.restore(before)
    bench.solving_in(world, 5)()
    assert same(world.snapshot(), plain)
