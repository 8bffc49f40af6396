"""What the paper shows: stiffness that means something, twisting, and coming back from anything."""

import numpy as np
import pytest

import pliant
from pliant.gallery.measures import chain_twist
from pliant.graph import graph_of

BAR = pliant.shapes.cuboid(size=(2, 0.2, 0.2), cells=(40, 4, 4))
GRAPH = graph_of(BAR, 20)
ALONG = np.argsort(GRAPH.rest[:, 0])


def droop(stiffness=2e6, iterations=10, h=1 / 30):
    """How far the tip of a clamped bar hangs down when it has come to rest."""
    world = pliant.World(precision="double")
    settings = pliant.OrientedParticles(particles=20, stiffness=stiffness, iterations=iterations, damping=5)
    bar = world.add(GRAPH, settings)
    bar.pin(ALONG[:2])
    for _ in range(round(8 / h)):
        world.step(h)
    assert np.abs(bar.velocities).max() < 1e-4
    return GRAPH.rest[ALONG[-1], 1] - bar.positions[ALONG[-1], 1]


def test_the_droop_does_not_depend_on_iterations():
    assert droop(iterations=1000) == pytest.approx(droop(iterations=10), rel=0.03)


def test_the_droop_does_not_depend_on_the_step():
    assert droop(h=1 / 120) == pytest.approx(droop(h=1 / 30), rel=0.03)


def test_the_droop_falls_as_stiffness_doubles_and_doubles_again():
    soft, twice, four = (droop(stiffness=k * 4e6) for k in (1, 2, 4))
    assert twice < 0.75 * soft and four < 0.75 * twice
    assert four == pytest.approx(twice / 2, rel=0.15)  # where it hardly bends, half as far


@pytest.mark.slow
def test_all_particles_in_one_point_come_back():
    body = pliant.shapes.dinosaur()
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(body, pliant.OrientedParticles(particles=100, stiffness=4e5, damping=3))
    rest = actor.body.rest
    middle = int(np.linalg.norm(rest - rest.mean(axis=0), axis=1).argmin())
    actor.positions[:] = rest[middle]
    actor.pin([middle])
    for _ in range(900):
        world.step(1 / 60)
    assert np.abs(actor.positions - rest).max() < 2e-3


def test_a_bar_that_was_turned_inside_out_comes_back():
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(GRAPH, pliant.OrientedParticles(particles=20, stiffness=1e6, damping=3))
    actor.positions[:] = -GRAPH.rest
    for _ in range(900):
        world.step(1 / 60)
    edges = GRAPH.edges
    now, rest = (np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1) for x in (actor.positions, GRAPH.rest))
    np.testing.assert_allclose(now, rest, rtol=1e-3)


def test_twenty_particles_in_a_row_are_twisted_by_720_degrees_and_untwist():
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(GRAPH, pliant.OrientedParticles(particles=20, stiffness=1e6, damping=2))
    actor.pin(ALONG[:2])
    x = GRAPH.skin.vertices[:, 0]
    far = np.flatnonzero(x > x.max() - 1e-6)
    tip = int(far[np.linalg.norm(GRAPH.skin.vertices[far, 1:], axis=1).argmin()])
    handles = [actor.grab(skin=tip), *(actor.aim(axis, skin=tip) for axis in np.eye(3))]
    for frame in range(1, 601):
        angle = 4 * np.pi * min(1.0, frame / 480)
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        for aim, axis in zip(handles[1:], np.eye(3), strict=True):
            aim.move_to(turn @ axis)
        world.step(1 / 60)
    assert chain_twist(GRAPH, actor.rotations) == pytest.approx(720, abs=60)
    for handle in handles:
        handle.release()
    actor.settings = actor.settings.changed(drag=2)  # it swings about the pins, which no damping of shape ends
    for _ in range(900):
        world.step(1 / 60)
    assert abs(chain_twist(GRAPH, actor.rotations)) < 2
    assert np.abs(actor.positions - GRAPH.rest).max() < 0.01
