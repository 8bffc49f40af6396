"""What bodies give each other when they meet: momentum, rotation, and speed."""

from typing import Any

import numpy as np
import pytest

from meetings import momenta, thrown, velocity
from pliant.world import World
from worlds import run, speed

impacts = [
    pytest.mark.parametrize("restitution", [0.0, 1.0]),
    pytest.mark.parametrize("heavier", [1.0, 3.0]),
    pytest.mark.parametrize("shift", [0.0, 0.1]),
]


def every_impact(test: Any) -> Any:
    for mark in impacts:
        test = mark(test)
    return test


# In single precision v = (p - x) / h is rounded by 4e-6 m/s a particle; in the mean of 54, over 96 sub-steps, by 5e-6.
@every_impact
@pytest.mark.parametrize(("precision", "limit"), [("double", 1e-9), ("single", 4e-5)])
def test_momentum_is_kept(precision: str, limit: float, restitution: float, heavier: float, shift: float) -> None:
    world = thrown(restitution, heavier, shift, precision=precision)
    before = momenta(world)
    run(world, 0.8, substeps=2)
    assert velocity(world, "other") > 0.2  # it was hit
    np.testing.assert_allclose(momenta(world), before, atol=limit * np.abs(before).max())


@every_impact
def test_motion_gains_little_energy(restitution: float, heavier: float, shift: float) -> None:
    """Without restitution none, and some of it is lost."""
    world = thrown(restitution, heavier, shift, precision="double")
    energies = [motion(world)]
    for _ in range(48):
        world.step(1 / 60, substeps=2)
        energies.append(motion(world))
    assert max(energies) < (1.06 if restitution else 1 + 1e-9) * energies[0]
    assert energies[-1] < (1.03 if restitution else 0.9) * energies[0]


def motion(world: World) -> float:
    """Energy of motion (J)."""
    return sum(0.5 * actor.mass * speed(actor) ** 2 for actor in world.actors)


@pytest.mark.parametrize(("heavier", "one", "other"), [(1.0, 0.0, 1.0), (3.0, -0.5, 0.5)])
def test_restitution_of_one_gives_all_speed_back(heavier: float, one: float, other: float) -> None:
    world = thrown(1.0, heavier)
    run(world, 1.0, substeps=2)
    assert velocity(world, "one") == pytest.approx(one, abs=0.03)
    assert velocity(world, "other") == pytest.approx(other, abs=0.03)


def test_without_restitution_speed_is_lost() -> None:
    world = thrown(0.0)
    run(world, 1.0, substeps=2)
    assert 0.0 < velocity(world, "one") < velocity(world, "other") < 1.0


def test_without_friction_nothing_is_dragged_along() -> None:
    smooth, rough = thrown(shift=0.2, friction=0.0), thrown(shift=0.2, friction=1.0)
    for world in (smooth, rough):
        world["one"].velocities[:] = (1, 1, 0)
        run(world, 0.6, substeps=2)
    lifts = [float(world["other"].velocities[:, 1].mean()) for world in (smooth, rough)]
    assert abs(lifts[0]) < 0.3 * lifts[1]
