"""Pages are told how far bodies are from their poses: of the moment that is shown, a few times a second."""

import struct

import numpy as np
import pytest

import pliant
from pliant.viewer.protocol.distances import DISTANCES, distances_of
from pliant.viewer.simulation.moments import frame_of
from pliant.viewer.simulation.simulation import Simulation
from viewer.exhibits import EXHIBITS

BAR, *_ = EXHIBITS


def numbers(simulation: Simulation) -> np.ndarray:
    data = simulation.insight.distances()
    kind, count = struct.unpack_from("<II", data)
    assert kind == DISTANCES and len(data) == 8 + 4 * count
    return np.frombuffer(data, "<f4", count, 8)


def test_there_is_one_for_each_weight() -> None:
    simulation = Simulation(BAR)
    for _ in range(30):
        simulation.step()
    simulation.frame()
    (actor,) = simulation.actors
    np.testing.assert_allclose(numbers(simulation), actor.distances, atol=1e-5)
    assert len(numbers(simulation)) == sum(len(bar.names) for bar in simulation.bars())


def test_they_are_of_the_moment_that_is_shown() -> None:
    simulation = Simulation(BAR)
    simulation.step()
    moment = simulation.editor.recorder.moments[-1]
    simulation.frame()
    before = numbers(simulation).copy()
    actor = simulation.actors[0]
    actor.positions[:] = actor.body.poses["twist"]
    simulation.look()
    simulation.frame()
    assert numbers(simulation)[1] < 1e-4 < before[1]
    frame_of(simulation, moment)
    np.testing.assert_allclose(numbers(simulation), before, atol=1e-6)


@pytest.mark.parametrize("model", [pliant.ShapeMatching(), pliant.OrientedParticles(particles=10)])
def test_of_any_model_and_not_of_groups(model: pliant.ShapeMatching | pliant.OrientedParticles) -> None:
    from pliant.session.player.bars import bars_of
    from pliant.viewer.protocol.packing import Side

    body = pliant.shapes.cuboid(size=(1, 1, 2), cells=(2, 2, 4))
    body = body.with_pose("twist", pliant.poses.twist(body, degrees=60))
    world = pliant.World(gravity=(0, 0, 0), contact=False)
    halves = {"left": lambda rest: rest[:, 0] < 0, "right": lambda rest: rest[:, 0] >= 0}
    world.add(body, model.changed(examples=halves), name="halves")
    whole = world.add(body, model, name="whole", position=(3, 0, 0))
    world.step()
    side = Side(world, world.actors, bars_of(world.actors))
    frame = world.frame()
    told = distances_of([side], frame.particle_rows, frame.rotation_rows).reshape(-1, 2)
    assert [bar.actor for bar in side.bars] == ["halves", "halves", "whole"]
    assert np.isnan(told[:2]).all()
    np.testing.assert_allclose(told[2], whole.distances, atol=1e-5)
