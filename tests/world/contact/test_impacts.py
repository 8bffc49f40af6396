"""What bodies give each other when they meet: momentum, rotation, and speed."""

import numpy as np
import pytest

from meetings import momenta, thrown, velocity
from worlds import run


@pytest.mark.parametrize("restitution", [0.0, 1.0])
@pytest.mark.parametrize("heavier", [1.0, 3.0])
@pytest.mark.parametrize("shift", [0.0, 0.1])
def test_momentum_is_kept(restitution: float, heavier: float, shift: float) -> None:
    world = thrown(restitution, heavier, shift)
    before = momenta(world)
    run(world, 0.8, substeps=2)
    assert velocity(world, "other") > 0.2  # it was hit
    after = momenta(world)
    np.testing.assert_allclose(after, before, atol=6e-5 * np.abs(before).max())  # single precision: some parts in 1e5


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
