"""What leaves the simulator: everything that is streamed, recorded, baked or drawn is taken from a frame."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.dynamics.state import State
from pliant.world.spans import ByActor, Span, Spans

if TYPE_CHECKING:
    from pliant.world.actor import Actor

Array = NDArray[np.float64]
NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, eq=False, init=False)
class Frame:
    """An immutable copy of a moment: time in seconds and, by actor, particles (V, 3) in metres, velocities
    (V, 3) in m/s and example weights (groups, 1 + poses), rest first. `rotations` has the actors whose particles
    turn: (V, 4) quaternions x, y, z, w, from rest. `bodies`: what they play, for their skins.

    The state is copied once, as it stands; arrays of single actors are cut out of the copy, and skins deformed, when
    they are asked for.

    >>> import pliant
    >>> world = pliant.World()
    >>> bar = world.add(pliant.shapes.cuboid(cells=(1, 1, 2)), pliant.ShapeMatching(), name="bar")
    >>> frame = world.frame()
    >>> frame.positions["bar"].shape, frame.surface("bar").shape == bar.surface.shape
    ((12, 3), True)
    """

    time: float
    positions: ByActor
    velocities: ByActor
    weights: ByActor
    rotations: ByActor
    bodies: Mapping[str, Body]
    _surfaces: dict[str, Array] = field(init=False, repr=False)

    def __init__(
        self,
        time: float,
        positions: Mapping[str, Array],
        velocities: Mapping[str, Array] = NOTHING,
        weights: Mapping[str, Array] = NOTHING,
        rotations: Mapping[str, Array] = NOTHING,
        bodies: Mapping[str, Body] = NOTHING,
    ) -> None:
        given = {"positions": positions, "velocities": velocities, "weights": weights, "rotations": rotations}
        arrays = {name: each if isinstance(each, ByActor) else ByActor.packed(each) for name, each in given.items()}
        for name, value in {"time": time, **arrays, "bodies": bodies, "_surfaces": {}}.items():
            object.__setattr__(self, name, value)

    def surface(self, name: str) -> Array:
        """The skin (N, 3) of an actor whose body the frame has."""
        if name not in self._surfaces:
            found = self.bodies[name].skin.deform(self.positions[name], self.rotations.get(name))
            found.flags.writeable = False
            self._surfaces[name] = found
        return self._surfaces[name]

    @cached_property
    def particle_rows(self) -> NDArray[np.float32]:
        """All particles, one actor after the other: (P, 4) of x, y, z (m) and a zero, as graphics cards want them."""
        rows: NDArray[np.float32] = self.positions.joined(np.float32)
        if rows.shape[1] == 4:
            rows[:, 3] = 0.0
        else:
            rows = np.concatenate([rows.reshape(-1, 3), np.zeros((len(rows), 1), np.float32)], axis=1)
        rows.flags.writeable = False
        return rows

    @cached_property
    def rotation_rows(self) -> NDArray[np.float32]:
        """The rotations (T, 4) of all particles that turn, one actor after the other."""
        rows: NDArray[np.float32] = self.rotations.joined(np.float32).reshape(-1, 4)
        rows.flags.writeable = False
        return rows


class FrameLayout:
    """Where the actors of a world are in its flat arrays, in the order in which they came: found once for each layout
    of the state, because frames are taken sixty times a second."""

    def __init__(self, actors: "Mapping[str, Actor]", weights: Mapping[str, Span], state: State) -> None:
        rows = {name: Span(4 * actor._first, len(actor.body.rest), 4) for name, actor in actors.items()}
        self.particles = Spans(rows, len(state.x))
        turning = {name: span for name, span in rows.items() if actors[name]._model.node.turns}
        self.turning = Spans(turning, len(state.q))
        self.weights = {name: weights[name] for name in actors}
        self.bodies = {name: actor.body for name, actor in actors.items()}

    def frame(self, time: float, state: State, weights: NDArray[Any]) -> Frame:
        """This moment. weights: of all actors in one row, which is not written to from now on."""
        return Frame(
            time,
            ByActor(state.x.copy(), self.particles, 3),
            ByActor(state.v.copy(), self.particles, 3),
            ByActor(weights, self.weights),
            ByActor(state.q.copy(), self.turning),
            self.bodies,
        )
