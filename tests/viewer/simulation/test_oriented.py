"""Bodies of oriented particles on the page: streamed, recorded, changed over to and back."""

import numpy as np
import pytest

import pliant
from pliant.viewer.panels.controls import controls_of
from pliant.viewer.protocol.commands import AddPose, Tune, UseModel
from pliant.viewer.simulation.simulation import Simulation
from viewer.exhibits import EXHIBITS


@pytest.fixture
def simulation() -> Simulation:
    return Simulation(EXHIBITS[0])


def counts(simulation: Simulation) -> tuple[int, int]:
    """Particles and rotations that a frame would carry."""
    return len(simulation.rows()), len(simulation.rotations())


def test_another_model_has_other_particles(simulation):
    before = counts(simulation)
    assert before[1] == 0
    simulation.apply(UseModel(actor=None, model="oriented_particles"))
    particles = [len(actor.body.rest) for actor in simulation.actors]
    assert counts(simulation) == (sum(particles), sum(particles))
    simulation.frame()
    simulation.step()
    assert counts(simulation) == (sum(particles), sum(particles))
    simulation.apply(Tune(actor=None, field="particles", value=20))
    assert counts(simulation) == (20 * len(simulation.actors), 20 * len(simulation.actors))
    simulation.apply(UseModel(actor=None, model="shape_matching"))
    assert counts(simulation) == before
    simulation.step()


def test_the_recording_keeps_how_particles_turn(simulation):
    simulation.apply(UseModel(actor=None, model="oriented_particles"))
    for actor in simulation.actors:
        actor.angular_velocities[:] = (0, 0, 5)
    for _ in range(10):
        simulation.step()
    panel_state = simulation.editor.panel_state()
    take = panel_state.recorder.take("it", panel_state.actors)
    track, actor = take.tracks[0], simulation.actors[0]
    np.testing.assert_allclose(track.rotations[-1], actor.rotations, atol=1e-6)
    np.testing.assert_allclose(track.surface(take.frames - 1), actor.surface, atol=1e-5)
    assert len(simulation.now.particle_rows) == track.positions.shape[1] * len(simulation.actors)


def test_slow_motion_turns_on_the_shorter_way(simulation):
    simulation.apply(UseModel(actor=None, model="oriented_particles"))
    simulation._rotations_before = simulation.rotations().copy()
    simulation._rotations = -simulation.rotations()
    np.testing.assert_allclose(np.abs(simulation.rotations(0.5)), np.abs(simulation._rotations_before), atol=1e-6)


def test_this_moment_becomes_a_pose(simulation):
    simulation.apply(UseModel(actor=None, model="oriented_particles"))
    actor = simulation.actors[0]
    actor.positions[:] *= (1.0, 1.4, 1.0)
    simulation.step()
    simulation.apply(AddPose(actor=actor.name, name="tall"))
    assert "tall" in actor.body.poses and "tall" in actor.body.turns
    simulation.step()
    assert actor.weights.shape[1] == 1 + len(actor.body.poses)


def test_sliders_have_the_usual_range_and_seeds_have_none():
    found = {each.field: each for each in controls_of(pliant.OrientedParticles)}
    assert (found["particles"].low, found["particles"].high) == (4, 300)
    assert "seed" not in found
