"""What comes into a step from outside: pins, handles, forces and colliders.

All of it is asked for before anything moves, because paths and forces may be functions of the user: when one gives
nonsense or raises, the world is as it was."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.collision.layout import GRID_HEAD, OBSTACLE, OBSTACLE_KIND, OBSTACLE_SIZES, OBSTACLE_WAY, PLANE
from pliant.dynamics.state import State
from pliant.dynamics.step_inputs import StepInputs
from pliant.runtime.errors import SettingsError
from pliant.world.colliders import Collider
from pliant.world.constraints import Handle, Pin, handle_rows
from pliant.world.courses import lead
from pliant.world.fields import Field, add_fields
from pliant.world.mesh import Mesh
from pliant.world.validation import FARTHEST, formatted
from pliant.world.wind import Wind, add_wind

if TYPE_CHECKING:
    from pliant.world.actor import Actor

Array = NDArray[np.float64]


class Inputs(StepInputs):
    """Lists as the artist made them, and the same as flat arrays."""

    def __init__(self) -> None:
        super().__init__()
        self.pins: list[Pin] = []
        self.handles: list[Handle] = []
        self.pushed: dict[str, Actor] = {}
        self.wind: Wind | None = None
        self.fields: tuple[Field, ...] = ()
        self.blown: Callable[[], list[Actor]] = list  # all actors, which wind pushes at
        self.led: list[Actor] = []  # those that are taken along a course (courses.py)
        self._left: list[Actor] = []  # those that were, until the last sub-step
        self._aimed: list[tuple[Handle, Array]] = []  # each handle, and where its target stands in the flat arrays
        self._grid_starts: dict[int, int] = {}  # where the grid of a collider begins
        self._grids_of: list[Any] = []
        self._rows_of: list[Collider] = []
        self._moving: list[int] = []
        self._stale = True
        self._origins: list[Array | None] = []  # of the pins in the last sub-step
        self._still = False  # whether no pin follows a path
        self.steady = False  # whether nothing of all this can be other in the next sub-step of the same step
        self.wakes_all = False  # obstacles have come or gone: all actors wake

    # ---- what the artist does ------------------------------------------------------------------------------

    @property
    def blows(self) -> bool:
        """Whether wind or force fields push at all actors, so that accelerations are written anew in each sub-step."""
        return self.wind is not None or bool(self.fields)

    def take_pin(self, pin: Pin) -> None:
        self.pins.append(pin)
        self._stale = True

    def drop_pin(self, pin: Pin) -> None:
        self.pins = [other for other in self.pins if other is not pin]
        self._stale = True

    def take_handle(self, handle: Handle) -> None:
        self.handles.append(handle)
        self._stale = True

    def drop_handle(self, handle: Handle) -> None:
        self.handles = [other for other in self.handles if other is not handle]
        self._stale = True

    def take_force(self, actor: "Actor") -> None:
        if actor._force is None:
            self.pushed.pop(actor.name, None)
        else:
            self.pushed[actor.name] = actor
        self._stale = True

    def take_along(self, actors: "list[Actor]") -> None:
        """Actors that are on a course in the sub-step that comes."""
        if actors or self.led:
            self._left = [actor for actor in self.led if actor not in actors]
            self.led = list(actors)

    def forget(self, actor: "Actor") -> None:
        """The actor leaves, and all that held it."""
        self.pins = [pin for pin in self.pins if pin.actor is not actor]
        self.handles = [handle for handle in self.handles if handle.actor is not actor]
        self.pushed.pop(actor.name, None)
        self.led, self._left = ([each for each in some if each is not actor] for some in (self.led, self._left))
        self._stale = True

    def changed(self) -> None:
        """Actors have other places in the state now, or the lists were replaced."""
        self._stale = True

    # ---- what the step asks for ----------------------------------------------------------------------------

    def gather(self, state: State, colliders: list[Collider], time: float, h: float, again: bool = False) -> None:
        """Everything for the sub-step from `time` to `time + h`. again: it follows another one of the same step, so
        no pin and no obstacle was moved by hand in between."""
        if self._stale:
            self._flatten(state)
            again = False
        elif again and self.steady:
            return
        if self.pins and not (again and self._still) and not self._unmoved():
            self.places = np.concatenate([pin.targets(time + h) for pin in self.pins]).reshape(-1)
            if not (np.abs(self.places) <= FARTHEST).all():
                raise SettingsError("a pin is farther than 1e9 m away; check its path")
            self.pinned_rotations = [
                (pin.particles + pin.actor._first, rotations)
                for pin in self.pins
                if (rotations := pin.rotations(time + h)) is not None
            ]
        for handle, target in self._aimed:
            target[:] = handle.goal(time + h)
        if self.blows:
            state.acceleration[:] = 0.0
            self._push(state, again=False)
        if self.pushed:
            self._push(state)
        if self.led or self._left:
            self._lead(state, time, h)
        if self.wind is not None:
            add_wind(self.wind, self.blown(), state, time, h)
            self.wakes_all = self.wakes_all or self.wind.gusts > 0.0
        if self.fields:
            add_fields(self.fields, self.blown(), state, time)
            self.wakes_all = self.wakes_all or any(field.changes for field in self.fields)
        if not again and self.take_colliders(colliders):
            self.wakes_all = True
        for i in self._moving:
            row = colliders[i].row(time, time + h)
            self.rows[OBSTACLE * i : OBSTACLE * (i + 1)] = row
            if isinstance(colliders[i], Mesh):
                self.rows[OBSTACLE * i + OBSTACLE_SIZES] = self._grid_starts[i]
        pushing = any(callable(actor._force) for actor in self.pushed.values())
        changing = self.handles or pushing or self._moving or self.led or self.blows
        self.steady = not changing and (self._still or not self.pins)

    def _unmoved(self) -> bool:
        """Whether pins hold where they held in the last sub-step: none follows a path, and none was moved."""
        origins = [pin.origin if pin.path is None else None for pin in self.pins]
        same = len(origins) == len(self._origins) and all(
            new is not None and new is old for new, old in zip(origins, self._origins, strict=True)
        )
        self._origins = origins
        self._still = all(origin is not None for origin in origins)
        return same

    def take_colliders(self, colliders: list[Collider]) -> bool:
        """The obstacles as they are now. Returns whether some have come or gone."""
        if colliders == self._rows_of:
            return False
        self._list(colliders)
        self.version += 1
        return True

    def rows_that_move(self) -> list[Array]:
        """Of obstacles that move in this step."""
        if not self._moving:
            return []
        rows = self.rows.reshape(-1, OBSTACLE)
        return [rows[i] for i in self._moving if rows[i, OBSTACLE_WAY] > 0.0 or rows[i, OBSTACLE_KIND] == PLANE]

    def _flatten(self, state: State) -> None:
        state.inverse[:] = 1.0 / state.masses
        self.pinned_rotations = []
        held = [pin.particles.astype(np.int64) + pin.actor._first for pin in self.pins]
        self.pinned = np.concatenate(held or [np.empty(0, np.int64)])
        state.inverse[self.pinned] = 0.0
        self._take_hold()
        self.version += 1
        self._make_room(state, bool(self.pushed) or self.blows)
        self._stale = False

    def _take_hold(self) -> None:
        """Handles as rows: for the models that pull at them, and for the world where a model does not."""
        pulling: dict[str, list[Handle]] = {}
        others = []
        for handle in self.handles:
            model = handle.actor._model
            if model.hold is None:
                others.append(handle)
            else:
                pulling.setdefault(model.name, []).append(handle)
        self.held = {name: handle_rows(handles) for name, handles in pulling.items()}
        self._aimed = [
            pair for name, handles in pulling.items() for pair in zip(handles, self.held[name].targets, strict=True)
        ]
        self.grabbed = np.array([h.particles + h.actor._first for h in others], dtype=np.uint32).reshape(-1)
        self.springs = np.zeros((len(others), 8))
        for spring, handle in zip(self.springs, others, strict=True):
            spring[0], spring[4:] = handle.stiffness, handle.weights
            self._aimed.append((handle, spring[1:4]))

    def _make_room(self, state: State, wanted: bool) -> None:
        """For accelerations, with those forces that are numbers."""
        state.acceleration = np.zeros(4 * len(state) if wanted else 0, state.x.dtype)
        self._push(state, again=False)

    def _lead(self, state: State, time: float, h: float) -> None:
        """Accelerations of actors that are taken along a course, on top of the forces on them; those that have come to
        its end keep these alone."""
        if not len(state.acceleration):
            self._make_room(state, True)
        rows = state.acceleration.reshape(-1, 4)
        for actor in (*self._left, *self.led):
            force: Any = actor._force
            values: Any = 0.0 if force is None else actor._acceleration(force(actor) if callable(force) else force)
            course = lead(actor, actor._fades, time, h) if actor in self.led else None
            values = values if course is None else values + course
            rows[actor._first : actor._first + len(actor.body.rest), :3] = values
        self._left = []

    def _push(self, state: State, again: bool = True) -> None:
        """Forces as accelerations. Those that are numbers are written once, functions are asked again in each
        step."""
        rows = state.acceleration.reshape(-1, 4)
        with np.errstate(over="ignore", invalid="ignore"):  # the prediction will see it, and say whose force it is
            for actor in self.pushed.values():
                force: Any = actor._force
                if callable(force) == again:
                    values = actor._acceleration(force(actor) if again else force)
                    rows[actor._first : actor._first + len(values), :3] = values

    def _list(self, colliders: list[Collider]) -> None:
        for each in colliders:
            if not isinstance(each, Collider):
                raise SettingsError(f"World: colliders: {formatted(each)} is not a Plane, Sphere, Box, Capsule or Mesh")
        self.rows = np.concatenate([each.row(0.0, 0.0) for each in colliders] or [np.empty(0)])
        self._moving = [i for i, each in enumerate(colliders) if each.path is not None]
        self._lay_out_grids(colliders)
        self._rows_of = list(colliders)

    def _lay_out_grids(self, colliders: list[Collider]) -> None:
        """The grids of the meshes, one after the other; those of one surface and scale once."""
        meshes = {i: each for i, each in enumerate(colliders) if isinstance(each, Mesh)}
        grids = {(id(each.grid), each.scale): each for each in meshes.values()}
        if [(each.grid, each.scale) for each in grids.values()] != self._grids_of:
            self._grids_of = [(each.grid, each.scale) for each in grids.values()]
            self.grids = np.concatenate([np.empty(0, np.float32), *(each.grid_row() for each in grids.values())])
        starts, at = {}, 0
        for key, each in grids.items():
            starts[key] = at
            at += GRID_HEAD + each.grid.values.size
        self._grid_starts = {i: starts[id(each.grid), each.scale] for i, each in meshes.items()}
        for i, start in self._grid_starts.items():
            self.rows[OBSTACLE * i + OBSTACLE_SIZES] = start
