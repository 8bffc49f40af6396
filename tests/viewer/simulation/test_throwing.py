"""A body that is let go while it moves flies on."""

import pytest

from pliant.viewer.protocol.commands import Grab, Keep, Move, Release
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.exhibits import EXHIBITS

SPEED = 4.0  # metres in a second, upwards


def swung() -> Simulation:
    """The bar, pulled up ever faster, and still held."""
    simulation = Simulation(EXHIBITS[0])
    x, y, z = simulation.world["bar"].surface[0].tolist()
    simulation.apply(Grab(handle=0, actor="bar", vertex=0, target=(x, y, z)), "me")
    for step in range(30):
        y += SPEED * STEP * min(step / 15, 1.0)
        simulation.apply(Move(handle=0, target=(x, y, z)), "me")
        simulation.step()
    return simulation


def climb(simulation: Simulation) -> float:
    """The speed of the centre of mass, upwards."""
    actor = simulation.world["bar"]
    return float(actor.body.masses @ actor.velocities[:, 1] / actor.mass)


def heights(simulation: Simulation, seconds: float) -> list[float]:
    found = []
    for _ in range(round(seconds / STEP)):
        simulation.step()
        found.append(float(simulation.world["bar"].centre[1]))
    return found


def test_thrown() -> None:
    simulation = swung()
    begin, speed = float(simulation.world["bar"].centre[1]), climb(simulation)
    assert speed > 0.5 * SPEED
    simulation.apply(Release(handle=0), "me")
    simulation.step()
    assert climb(simulation) == pytest.approx(speed - 9.81 * STEP, rel=0.02)  # nothing but gravity
    assert max(heights(simulation, 1.0)) > begin + 0.8 * speed**2 / (2 * 9.81)


def test_pinned_instead() -> None:
    simulation = swung()
    simulation.apply(Keep(handle=0), "me")
    (pin,) = simulation.editor.panel_state().pins
    heights(simulation, 4.0)
    left = simulation.world["bar"].surface[0] - pin.target
    assert abs(left).max() < 0.02  # a pin hardly gives
