"""The pose designer: a body that is held somewhere comes to rest at once, and its shape becomes an example."""

import numpy as np
import pytest

from pliant.geometry.measures import volumes
from pliant.runtime.errors import SettingsError
from pliant.viewer.protocol.commands import AddPose, Grab, Keep, Move, Settle, UseModel
from pliant.viewer.simulation.simulation import Simulation
from viewer.exhibits import EXHIBITS


@pytest.fixture
def bar() -> Simulation:
    return Simulation(EXHIBITS[0])


def pin(simulation: Simulation, handle: int, vertex: int, way: tuple[float, float, float]) -> np.ndarray:
    """Pull a vertex and pin it there; gives where."""
    x, y, z = simulation.world["bar"].surface[vertex].tolist()
    target = (x + way[0], y + way[1], z + way[2])
    simulation.apply(Grab(handle=handle, actor="bar", vertex=vertex, target=(x, y, z)), "me")
    simulation.apply(Move(handle=handle, target=target), "me")
    simulation.apply(Keep(handle=handle), "me")
    return np.array(target)


def test_it_comes_to_rest_between_its_pins(bar: Simulation) -> None:
    actor = bar.world["bar"]
    skin = actor.surface
    ends = [skin.mean(axis=0) + way * 0.5 * np.ptp(skin, axis=0) * (0, 0, 1) for way in (-1, 1)]
    low, high = (int(np.linalg.norm(skin - end, axis=1).argmin()) for end in ends)
    size = float(np.linalg.norm(actor.body.size))
    below, above = pin(bar, 0, low, (0, 0, 0)), pin(bar, 1, high, (0, 0.15 * size, 0.1 * size))
    bar.step()
    time = bar.world.time
    bar.apply(Settle(actor="bar"))
    assert bar.world.time == time and not actor.velocities.any()
    assert np.linalg.norm(actor.surface[high] - above) < 0.05 * size
    assert np.linalg.norm(actor.surface[low] - below) < 0.05 * size
    before, after = (volumes(x, actor.body.tets) for x in (actor.body.rest, np.asarray(actor.positions, float)))
    assert (after > 0.1 * before).all()  # a smooth shape, no spike
    np.testing.assert_array_equal(bar.rows()[:, :3], actor.positions)  # which is shown
    bar.apply(AddPose(actor="bar", name="pulled"))
    assert "pulled" in bar.world["bar"].body.poses


def test_what_cannot_settle_is_told(bar: Simulation) -> None:
    before = np.array(bar.world["bar"].positions)
    with pytest.raises(SettingsError, match="nothing holds"):
        bar.apply(Settle(actor="bar"))
    bar.apply(UseModel(actor="bar", model="oriented_particles"))
    pin(bar, 0, 0, (0, 0, 0))
    with pytest.raises(SettingsError, match="only solids of tets"):
        bar.apply(Settle(actor="bar"))
    bar.apply(UseModel(actor="bar", model="shape_matching"))
    assert bar.world["bar"].positions.shape == before.shape
