"""Damping between bodies: what rocks on another comes to rest, and momenta are kept."""

import numpy as np
import pytest

import pliant
from meetings import momenta
from pliant.world import World

SOFT = pliant.ShapeMatching(damping=6)


@pytest.mark.parametrize("other", [SOFT, pliant.Rigid()], ids=["soft", "rigid"])
def test_momentum_and_angular_momentum_are_kept(other: pliant.models.settings.Settings) -> None:
    """Two that meet off the middle, with strong damping."""
    world = World(gravity=(0, 0, 0), precision="double")
    ball = pliant.shapes.ball(radius=0.3, particles=100)
    world.add(ball, SOFT, position=(-0.35, 0.1, 0), velocity=(1, 0, 0.2), friction=0.8)
    world.add(ball, other, position=(0.35, -0.1, 0), velocity=(-0.5, 0, 0), friction=0.8)
    before, touched = momenta(world), 0
    for _ in range(40):
        world.step(1 / 60, substeps=4)
        touched += len(world.contacts.pushes) > 0
    assert touched > 3
    scale = np.abs(before).max()
    assert np.abs(momenta(world) - before).max() < 1e-8 * scale


def test_toys_in_a_heap_come_to_rest_sooner_than_they_would_alone() -> None:
    """Twice the damping, and what bounces on others is slower."""

    def speed(damping: float) -> float:
        world = World(colliders=[pliant.Plane()])
        torus = pliant.shapes.torus()
        settings = pliant.OrientedParticles(particles=30, damping=damping)
        for k in range(4):
            world.add(torus, settings, scale=0.5, position=(0.2 * (k % 2), 0.4 + 0.4 * k, 0.1 * k))
        speeds = []
        for _ in range(120):
            world.step(1 / 60, substeps=4)
            speeds.append(max(float(np.abs(actor.velocities).max()) for actor in world.actors))
        return float(np.mean(speeds[-30:]))

    assert speed(8.0) < 0.5 * speed(0.2)
