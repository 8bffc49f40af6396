"""What was done is taken back, done again, and kept; time goes on from a moment of the recording."""

from typing import Any

import numpy as np
import pytest

from pliant.runtime.errors import PliantError
from pliant.viewer.protocol.commands import (
    AddPose,
    Arrange,
    Compare,
    Continue,
    DeletePose,
    Drag,
    Force,
    GoTo,
    Grab,
    Keep,
    Move,
    OnSecond,
    Redo,
    Release,
    RenamePose,
    Seek,
    Settle,
    Tune,
    Undo,
    Unpin,
    UseModel,
)
from pliant.viewer.protocol.group_commands import AddGroup, Painted, PaintGroup, SplitGroups
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.exhibits import EXHIBITS


@pytest.fixture
def bar() -> Simulation:
    return Simulation(EXHIBITS[0])


def run(simulation: Simulation, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        simulation.step()


def pull(simulation: Simulation, keep: bool = False) -> None:
    """Page "me" takes the first vertex up by a metre, and pins it there."""
    x, y, z = simulation.world["bar"].surface[0].tolist()
    simulation.apply(Grab(handle=0, actor="bar", vertex=0, target=(x, y, z)), "me")
    simulation.apply(Move(handle=0, target=(x, y + 1.0, z)), "me")
    if keep:
        simulation.apply(Keep(handle=0), "me")


def made(simulation: Simulation) -> dict[str, Any]:
    """All that people may have made, to be compared."""
    actor, state = simulation.world["bar"], simulation.editor.panel_state()
    return {
        "poses": {name: pose.tobytes() for name, pose in actor.body.poses.items()},
        "settings": actor.settings.model_dump_json(),
        "model": state.models["bar"],
        "gravity": simulation.world.gravity.tolist(),
        "pins": [(pin.number, pin.target) for pin in state.pins],
        "held": [(held.particles.tolist(), held.points.round(9).tolist()) for held in state.held],
        "groups": (state.groups["bar"].names, state.groups["bar"].counts, state.groups["bar"].mode),
        "own": state.own_settings["bar"].model_dump_json(),
    }


def test_every_step_is_taken_back_and_done_again(bar: Simulation) -> None:
    """Poses, settings, models, conditions, pins and groups, one after the other; and in leaps."""
    run(bar, 0.3)
    pull(bar)
    run(bar, 0.3)
    bar.apply(Release(handle=0), "me")
    commands = (
        AddPose(actor="bar", name="pulled"),
        Tune(actor="bar", field="stiffness", value=0.7),
        Force(actor="bar", pose="pulled", weight=0.5),
        RenamePose(actor="bar", pose="pulled", name="lifted"),
        DeletePose(actor=None, pose="twist"),
        Arrange(field="gravity", value=1.62),
        SplitGroups(actor="bar"),
        AddGroup(actor="bar", name="third"),
        UseModel(actor="bar", model="oriented_particles"),
        Tune(actor="bar", field="iterations", value=3),
    )
    seen = [made(bar)]
    for number, command in enumerate(commands, 1):
        bar.apply(command)
        assert bar.history.place == number
        seen.append(made(bar))
        run(bar, 0.05)
    pull(bar, keep=True)
    seen.append(made(bar))
    bar.apply(Unpin(pin=None))
    seen.append(made(bar))
    for place in reversed(range(len(seen) - 1)):
        bar.apply(Undo())
        run(bar, 0.02)  # time goes on meanwhile
        assert made(bar) == seen[place], bar.history.labels[place]
    bar.apply(Undo())  # there is nothing more to take back
    for place in range(1, len(seen)):
        bar.apply(Redo())
        assert made(bar) == seen[place], bar.history.labels[place]
    for place in (2, 9, 0, len(seen) - 2, 5):
        bar.apply(GoTo(step=place))
        assert made(bar) == seen[place] and bar.history.place == place
    bar.apply(Arrange(field="friction", value=1.0))  # what was taken back is gone now
    assert len(bar.history.steps) == 7
    bar.apply(Redo())
    assert bar.history.place == 6 and bar.editor.conditions.friction == 1.0


def test_a_gesture_is_one_step_and_a_refused_command_none(bar: Simulation) -> None:
    for value in (1.0, 2.0, 3.0):
        bar.apply(Tune(actor="bar", field="stiffness", value=value))
    assert bar.history.labels == ("As it began", "Stiffness 3")
    with pytest.raises(PliantError):
        bar.apply(Tune(actor="bar", field="stiffness", value=-1.0))
    bar.apply(Unpin(pin=None))  # nothing is pinned
    bar.apply(SplitGroups(actor="bar"))
    bar.apply(AddGroup(actor="bar", name="tip"))
    for vertex in (0, 1):
        bar.apply(PaintGroup(actor="bar", vertex=vertex, radius=0.2, group=2))
    bar.apply(Painted(actor="bar"))
    assert bar.history.labels[2:] == ("Split left | right", "Add the group “tip”", "Paint")
    painted = made(bar)["groups"]
    bar.apply(Undo())
    assert made(bar)["groups"] == (("left", "right", "tip"), (15, 30, 0), "groups")
    bar.apply(Redo())
    assert made(bar)["groups"] == painted and painted[1][2] > 0


def test_pins_that_a_reset_took_come_back(bar: Simulation) -> None:
    pull(bar, keep=True)
    run(bar, 0.5)
    before = made(bar)
    bar.begin_again()
    assert not bar.editor.pins() and bar.world.time == 0.0
    bar.apply(Undo())
    assert made(bar) == before
    run(bar, 1.0)
    assert float(bar.world["bar"].centre[1]) > 0.5  # it hangs from it


def test_settling_moves_the_body_and_so_does_taking_it_back(bar: Simulation) -> None:
    run(bar, 0.2)
    pull(bar, keep=True)
    before = np.array(bar.world["bar"].positions)
    bar.apply(Settle(actor="bar"))
    assert np.abs(bar.world["bar"].positions - before).max() > 0.1
    bar.apply(Undo())
    np.testing.assert_array_equal(bar.world["bar"].positions, before)
    assert len(bar.editor.pins()) == 1


def test_obstacles_that_were_dragged_go_back(bar: Simulation) -> None:
    bar.apply(Drag(handle=0, collider=1, target=(1.2, 0.2, 0)), "me")
    bar.apply(Move(handle=0, target=(2.2, 0.2, 0)), "me")
    bar.apply(Release(handle=0), "me")
    run(bar, 0.5)
    bar.apply(Undo())
    run(bar, 0.5)
    assert abs(bar.world.colliders[1].placed(bar.world.time)[1][0] - 1.2) < 1e-2
    bar.apply(Redo())
    run(bar, 0.5)
    assert abs(bar.world.colliders[1].placed(bar.world.time)[1][0] - 2.2) < 1e-2


def test_both_copies_have_one_history(bar: Simulation) -> None:
    bar.apply(Compare(on=True))
    bar.apply(OnSecond(command=Tune(actor="bar", field="stiffness", value=9.0)))
    bar.apply(Tune(actor="bar", field="stiffness", value=5.0))
    assert bar.history.labels[1:] == ("Compare side by side", "Stiffness 9 in B", "Stiffness 5")

    def both() -> list[Any]:
        second = bar.comparison.second
        return [each.settings()["bar"].stiffness for each in (bar, second) if each is not None]

    own = EXHIBITS[0].build()["bar"].settings.stiffness
    bar.apply(Compare(on=False))
    for wanted in ([5.0, 9.0], [own, 9.0], [own, own], [own]):
        bar.apply(Undo())
        assert both() == wanted
    bar.apply(GoTo(step=3))
    assert both() == [5.0, 9.0]


@pytest.mark.parametrize("number", [0, 2], ids=["particles", "rotations"])
def test_time_goes_on_from_a_moment_of_the_recording(number: int) -> None:
    """Where bodies were and as fast; from there they go the way that they went."""
    simulation = Simulation(EXHIBITS[number])
    run(simulation, 0.5)
    then = simulation.editor.recorder.nearest(0.25)
    later = simulation.editor.recorder.nearest(0.35)
    assert then is not None and later is not None
    now = np.concatenate([np.array(actor.positions) for actor in simulation.actors])
    simulation.playback.obey(Seek(time=0.25))
    simulation.apply(Continue())
    assert simulation.playback.live and simulation.world.time == pytest.approx(0.25)
    np.testing.assert_allclose(simulation.rows()[:, :3], then.rows[:, :3], atol=1e-6)
    run(simulation, 0.1)
    assert simulation.editor.recorder.ends == pytest.approx((0.0, 0.35))
    moved = np.abs(later.rows[:, :3] - then.rows[:, :3]).max()
    assert np.abs(simulation.rows()[:, :3] - later.rows[:, :3]).max() < 0.1 * moved
    simulation.apply(Undo())
    assert simulation.world.time == pytest.approx(0.5)
    np.testing.assert_array_equal(np.concatenate([np.array(actor.positions) for actor in simulation.actors]), now)
    run(simulation, 0.1)
    assert simulation.editor.recorder.ends == pytest.approx((0.5, 0.6))


def test_the_present_is_no_moment_to_continue_from(bar: Simulation) -> None:
    with pytest.raises(PliantError, match="this is the present"):
        bar.apply(Continue())


def test_the_history_of_a_second_copy_has_nowhere_to_go(bar: Simulation) -> None:
    """What is done to both copies is in that of the first."""
    bar.apply(Compare(on=True), "me")
    for number in (0, 3):
        bar.apply(OnSecond(command=GoTo(step=number)), "me")
    bar.step()
