"""Time goes on from a moment of the recording."""

from typing import TYPE_CHECKING

import numpy as np

from pliant.geometry.turning import rotation_vectors
from pliant.runtime.errors import PliantError
from pliant.viewer.recording.recorder import FPS, Moment

if TYPE_CHECKING:
    from pliant.viewer.simulation.simulation import Simulation
    from pliant.world import Actor


def go_on_from(simulation: "Simulation") -> None:
    """Bodies are where they were at the moment that is shown, as fast as they were, and it is that time. A recording
    has places only: velocities are what took them there in a 60th of a second. What came after is forgotten."""
    playback = simulation.playback
    if playback.live:
        raise PliantError("this is the present; drag the timeline to a moment first")
    moment, earlier, later = playback.around()
    first = turned = 0
    sides = simulation.comparison.sides()
    for side in sides:
        side.world.time = moment.time
        for actor in side.actors:
            rows = slice(first, first + len(actor.body.rest))
            actor.positions[:] = moment.rows[rows, :3].astype(np.float64) - side.shift
            actor.velocities[:] = FPS * (later.rows[rows, :3].astype(np.float64) - earlier.rows[rows, :3])
            first += len(actor.body.rest)
            if actor.turns:
                turned += _turn(actor, moment, earlier, later, turned)
            actor.wake()
    simulation.editor.recorder.forget_after(moment.time)
    playback.go_live()
    simulation.look()
    if simulation.comparison.second is not None:
        simulation.comparison.second.look()


def _turn(actor: "Actor", moment: Moment, earlier: Moment, later: Moment, first: int) -> int:
    """The rotations of an actor whose particles turn; how many they are."""
    assert actor.rotations is not None and actor.angular_velocities is not None
    count = len(actor.body.rest)
    here, then, now = (each.rotations[first : first + count].astype(np.float64) for each in (moment, earlier, later))
    actor.rotations[:] = here
    actor.angular_velocities[:] = FPS * rotation_vectors(then, now)
    return count
