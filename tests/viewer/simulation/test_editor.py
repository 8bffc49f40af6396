"""What people change in an exhibit while it plays, without threads or pages."""

import numpy as np
import pytest

from pliant.runtime.errors import BodyError, SettingsError
from pliant.viewer.protocol.commands import (
    AddPose,
    Arrange,
    Defaults,
    DeletePose,
    Force,
    Grab,
    Keep,
    Move,
    Release,
    RenamePose,
    Unpin,
)
from pliant.viewer.simulation.posing import turned_back
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.exhibits import EXHIBITS


@pytest.fixture
def bar() -> Simulation:
    return Simulation(EXHIBITS[0])


def run(simulation: Simulation, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        simulation.step()


def pull(simulation: Simulation, way: tuple[float, float, float]) -> None:
    """Page "me" holds the highest vertex with its handle 0 and moves it."""
    actor = simulation.world["bar"]
    vertex = int(actor.surface[:, 1].argmax())
    x, y, z = actor.surface[vertex].tolist()
    simulation.apply(Grab(handle=0, actor="bar", vertex=vertex, target=(x, y, z)), "me")
    simulation.apply(Move(handle=0, target=(x + way[0], y + way[1], z + way[2])), "me")


def test_a_pin_stays_when_its_page_goes(bar: Simulation) -> None:
    start = float(bar.world["bar"].centre[1])
    pull(bar, (0.0, 1.0, 0.0))
    bar.apply(Keep(handle=0), "me")
    bar.apply(Release(), "me")  # the page has gone
    run(bar, 2.0)
    assert float(bar.world["bar"].centre[1]) > start + 0.3
    (pin,) = bar.editor.panel_state().pins
    assert pin.actor == "bar" and pin.target[1] > start + 0.9
    bar.apply(Unpin(pin=pin.number + 7), "you")
    assert bar.editor.panel_state().pins
    bar.apply(Unpin(pin=pin.number), "you")
    assert not bar.editor.panel_state().pins
    run(bar, 1.5)
    assert float(bar.world["bar"].centre[1]) < start + 0.35


def test_pins_go_with_a_reset(bar: Simulation) -> None:
    pull(bar, (0.0, 1.0, 0.0))
    bar.apply(Keep(handle=0), "me")
    bar.apply(Keep(handle=5), "me")  # holds nothing
    assert len(bar.editor.panel_state().pins) == 1
    bar.reset()
    assert not bar.editor.panel_state().pins


def test_a_held_pose_is_taken_and_one_switched_off_is_not(bar: Simulation) -> None:
    bar.apply(Force(actor=None, pose="twist", weight=1.0))
    run(bar, 1.5)
    assert bar.world["bar"].weights[0, 1] == pytest.approx(1.0)
    assert bent(bar) > 0.09
    bar.apply(Force(actor="bar", pose="twist", weight=0.0))
    run(bar, 1.5)
    assert bar.world["bar"].weights[0, 1] == 0.0
    assert bent(bar) < 0.04  # what its weight makes of the bar
    bar.apply(Force(actor="bar", pose="twist", weight=None))
    assert bar.settings()["bar"].forced == {}


def test_quick_clicks_are_taken_one_by_one(bar: Simulation) -> None:
    """What a click means is found when it is obeyed: the page may still show what was before the one before it."""
    for weight, wanted in ((1.0, 1.0), (1.0, None), (0.0, 0.0), (1.0, 1.0), (0.0, 0.0), (0.0, None)):
        bar.apply(Force(actor="bar", pose="twist", weight=weight, toggle=True))
        assert bar.settings()["bar"].forced.get("twist") == wanted


def shape(simulation: Simulation) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    actor = simulation.world["bar"]
    return np.asarray(actor.positions, float), actor.body.rest, actor.body.masses


def bent(simulation: Simulation) -> float:
    """How far a particle is from its place in the rest shape, at most."""
    return float(np.linalg.norm(turned_back(*shape(simulation)) - shape(simulation)[1], axis=1).max())


def test_a_moment_becomes_a_pose_and_outlives_a_reset(bar: Simulation) -> None:
    run(bar, 0.2)
    pull(bar, (0.4, 1.0, 0.3))
    run(bar, 0.5)
    before, velocity = shape(bar)[0].copy(), np.array(bar.world["bar"].velocities)
    bar.apply(AddPose(actor="bar", name=" pulled "))
    actor = bar.world["bar"]
    assert actor.body.pose_names == ("twist", "pulled")
    np.testing.assert_allclose(actor.positions, before, atol=1e-6)
    np.testing.assert_allclose(actor.velocities, velocity, atol=1e-6)
    pose = actor.body.poses["pulled"]
    edges = actor.body.elements[:, :2]
    lengths = [np.linalg.norm(np.diff(each[edges], axis=1), axis=2) for each in (pose, before)]
    np.testing.assert_allclose(*lengths, atol=1e-5)  # only moved and turned
    run(bar, 0.3)
    assert actor.weights.shape == (1, 3)
    bar.apply(Force(actor="bar", pose="pulled", weight=0.0))
    bar.apply(RenamePose(actor=None, pose="pulled", name="stretched"))
    assert bar.settings()["bar"].forced == {"stretched": 0.0}
    bar.reset()
    assert bar.world["bar"].body.pose_names == ("twist", "stretched")
    assert bar.settings()["bar"].forced == {"stretched": 0.0}
    bar.apply(DeletePose(actor=None, pose="stretched"))
    run(bar, 0.1)
    assert bar.world["bar"].body.pose_names == ("twist",) and bar.settings()["bar"].forced == {}
    bar.apply(DeletePose(actor="bar", pose="twist"))
    run(bar, 0.1)
    assert not bar.comparison.sides()[0].bars


@pytest.mark.parametrize("name", ["twist", "rest", "  ", "a\nb"])
def test_names_of_poses_are_checked(bar: Simulation, name: str) -> None:
    run(bar, 0.2)
    pull(bar, (0.4, 1.0, 0.3))
    run(bar, 0.3)
    with pytest.raises(BodyError, match="name"):
        bar.apply(AddPose(actor="bar", name=name))
    assert bar.world["bar"].body.pose_names == ("twist",)


def test_the_rest_shape_is_no_pose(bar: Simulation) -> None:
    with pytest.raises(BodyError, match="rest shape"):
        bar.apply(AddPose(actor="bar", name="again"))


def test_conditions(bar: Simulation) -> None:
    bar.apply(Arrange(field="gravity", value=1.62))
    bar.apply(Arrange(field="friction", value=0.0))
    bar.apply(Arrange(field="substeps", value=3))
    bar.reset()
    np.testing.assert_allclose(bar.world.gravity, (0, -1.62, 0))
    assert [each.friction for each in bar.world.colliders] == [0.0, 0.0]
    assert bar.editor.conditions.substeps == 3
    for field, value in (("gravity", -1.0), ("substeps", 0.0), ("substeps", 1.5), ("weather", 1.0)):
        with pytest.raises(SettingsError, match=field):
            bar.apply(Arrange(field=field, value=value))
    assert bar.editor.conditions.gravity == 1.62
    bar.apply(Defaults())
    np.testing.assert_allclose(bar.world.gravity, (0, -9.81, 0))
    assert bar.world.colliders[0].friction == 0.5 and bar.editor.conditions.substeps == 1
