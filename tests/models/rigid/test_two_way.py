"""Rigid bodies among soft ones, and among themselves: what one gives the other gets."""

import numpy as np
import pytest

import pliant
from pliant.world import World
from worlds import run


def crate(side=0.3):
    return pliant.shapes.cuboid(size=(side, side, side), cells=(3, 3, 3))


def momenta(world):
    """Momentum and angular momentum of all together."""
    total, spin = np.zeros(3), np.zeros(3)
    for actor in world.actors:
        impulse = actor.body.masses[:, None] * np.asarray(actor.velocities, np.float64)
        total += impulse.sum(axis=0)
        spin += np.cross(actor.positions, impulse).sum(axis=0)
    return total, spin


PAIRS = {
    "rigid against soft": (pliant.Rigid(mass=5.0), pliant.ShapeMatching()),
    "rigid against rigid": (pliant.Rigid(mass=5.0), pliant.Rigid(mass=20.0)),
    "heavy against light": (pliant.Rigid(mass=200.0), pliant.ShapeMatching()),
}


@pytest.mark.parametrize("one, other", PAIRS.values(), ids=PAIRS)
def test_momentum_is_exchanged_and_kept(one, other):
    world = World(gravity=(0, 0, 0), precision="double")
    first = world.add(crate(), one, position=(-0.6, 0.05, 0), velocity=(3, 0, 0))
    second = world.add(crate(), other, position=(0.2, 0, 0.03))
    before, spin = momenta(world)
    run(world, 1.0)
    after, spun = momenta(world)
    size = np.linalg.norm(before)
    np.testing.assert_allclose(after, before, atol=1e-9 * size)
    if "Rigid" not in type(other).__name__:  # two rigid ones touch in so few points that their spin is not exact
        np.testing.assert_allclose(spun, spin, atol=0.02 * size * 0.3)
    assert (second.body.masses @ second.velocities)[0] / second.mass > 0.3  # it was hit
    assert first.centre[0] < second.centre[0]  # and not run through


@pytest.mark.parametrize("mass", [1.0, 30.0])
def test_a_crate_rests_on_a_cushion(mass):
    world = World(colliders=[pliant.Plane()])
    cushion = pliant.shapes.cuboid(size=(1, 0.4, 1), cells=(6, 3, 6))
    soft = world.add(cushion, pliant.ShapeMatching(stiffness=0.8, damping=4.0), position=(0, 0.2, 0))
    box = world.add(crate(), pliant.Rigid(mass=mass), position=(0, 0.6, 0))
    run(world, 2.0, substeps=4)
    height = box.centre[1]
    run(world, 2.0, substeps=4)
    assert box.centre[1] == pytest.approx(height, abs=0.02)  # it does not sink
    assert box.positions[:, 1].min() > 0.2
    assert np.abs(box.centre[[0, 2]]).max() < 0.1
    assert soft.positions[:, 1].min() > -1e-6


def test_a_plank_is_balanced_by_a_ball():
    """A soft ball under its middle and two equal crates at its ends: it stays level; without one of them it tips."""
    for both in (True, False):
        world = World(colliders=[pliant.Plane()])
        ball = pliant.shapes.ball(particles=300, radius=0.25)
        world.add(ball, pliant.ShapeMatching(stiffness=0.9, damping=6.0), position=(0, 0.25, 0), friction=1.0)
        board = pliant.shapes.cuboid(size=(1.6, 0.08, 0.4), cells=(16, 1, 4))
        plank = world.add(board, pliant.Rigid(mass=2.0), position=(0, 0.55, 0), friction=1.0)
        for side in (-1, 1) if both else (-1,):
            box = pliant.Rigid(mass=1.0)
            world.add(crate(0.2), box, name=str(side), position=(0.6 * side, 0.7, 0), friction=1.0)
        run(world, 0.8, substeps=4)
        ends = plank.positions[np.argsort(plank.body.rest[:, 0])][:, 1]
        tilt = ends[-10:].mean() - ends[:10].mean()
        assert abs(tilt) < 0.12 if both else tilt > 0.25
