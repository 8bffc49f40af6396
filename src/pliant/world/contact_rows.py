"""What bodies do to one another and to obstacles: lays out the arrays of collision/ and dynamics/, and calls them."""

import math
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.collision import layout as at
from pliant.collision.broad_phase.speeds import relative_speed_bound
from pliant.collision.contacts import find_contacts
from pliant.collision.layout_of_bodies import Placed, lay_out_shapes
from pliant.collision.records import Candidates, Found, Nodes, Work
from pliant.dynamics.colouring import COLOURS
from pliant.dynamics.layout import BODY_NODE
from pliant.dynamics.settle import end_substep
from pliant.dynamics.sleep import REFERENCE, SLEEPING
from pliant.dynamics.solver import solve_contacts
from pliant.dynamics.velocities import begin_substep
from pliant.runtime import jit
from pliant.runtime.thread_pool import ThreadPool
from pliant.world import contact_memory
from pliant.world.contact.contacts import Contacts
from pliant.world.substepping import contact_substeps

if TYPE_CHECKING:
    from pliant.world.actor import Actor
    from pliant.world.inputs import Inputs
    from pliant.world.state import State

ROWS_PER_PROXY = 4  # room for contact rows
PAIRS_PER_BODY = 32
CANDIDATES_PER_PROXY = 4
CORE_ROWS_PER_BODY = 64


def _whole(size: int) -> NDArray[np.int64]:
    return np.zeros(size, np.int64)


def _found(rows: int, pairs: int) -> Found:
    """Room for contact rows."""
    return Found(
        np.zeros(at.ROW * rows), _whole(at.ROW_SIDES * rows), _whole(at.FOURS * rows), np.zeros(at.FOURS * rows),
        _whole(2 * pairs), _whole(rows), np.zeros(at.ROW_MEMORY * rows), _whole(2 * pairs), _whole(rows),
    )  # fmt: skip


def _sound(actor: "Actor", h: float) -> float:
    """How fast a push goes through an actor (m/s)."""
    sound = actor._model.sound
    return np.inf if sound is None else sound(actor.body, actor.settings, h)


def _candidates(count: int, pairs: int) -> Candidates:
    """Room for candidates."""
    return Candidates(_whole(2 * pairs), _whole(count), _whole(count), np.zeros(at.CANDIDATE * count))


class ContactRows:
    """Made anew with each layout of the actors. meet: whether bodies meet one another; arrived: the actors in the order
    in which they came, which is that of their pairs; before: that of the last layout, whose contacts go on."""

    def __init__(
        self,
        actors: "list[Actor]",
        state: "State",
        meet: bool,
        arrived: "Iterable[Actor]",
        before: "ContactRows | None" = None,
    ) -> None:
        self.actors, self.state, self.meets = actors, state, meet
        self.bodies, self.settings = [actor.body for actor in actors], [actor.settings for actor in actors]
        jit.make_ready("single" if state.x.dtype == np.float32 else "double", "pliant.collision.", "pliant.dynamics.")
        self.shapes = lay_out_shapes([Placed(actor.body, actor._first, actor._model.node) for actor in actors])
        bodies, proxies = len(actors), len(self.shapes.owners)
        heads = self.shapes.bodies.reshape(-1, at.BODY)
        for rank, actor in enumerate(arrived):
            heads[actor._place, at.RANK], heads[rank, at.OF_RANK] = rank, actor._place
        self.nodes = Nodes(
            state.x, state.y, state.inverse, state.w, state.q, state.hulls, state.masses,
            np.zeros(BODY_NODE * bodies), np.zeros(3 * bodies),
        )  # fmt: skip
        rows, pairs = 64 + ROWS_PER_PROXY * proxies, 64 + PAIRS_PER_BODY * bodies
        self.found, self.cores = _found(rows, pairs), _found(CORE_ROWS_PER_BODY * bodies, 0)
        frames = np.zeros((bodies, at.BODY_FRAME))
        for frame, actor in zip(frames, actors, strict=True):
            body = actor.body
            frame[at.CENTRE_AT_REST : at.CENTRE_AT_REST + 3] = body.masses @ body.rest / body.mass
            frame[at.QUATERNION : at.QUATERNION + 4] = actor._rotation
        blocks = len(self.shapes.block_starts) - 1
        self.work = Work(
            frames=frames.reshape(-1), framed=_whole(bodies), maps=np.zeros(at.BODY_MAP * bodies),
            boxes=np.zeros(at.AABB * bodies), motions=np.zeros(at.MOTION * bodies),
            places=np.zeros(3 * proxies), placed=_whole(proxies),
            block_boxes=np.zeros(at.AABB * blocks), near=_whole(blocks), awake=np.ones(bodies, np.int64),
            cored=_whole(bodies), touched=_whole(bodies), ground=_whole(bodies),
            timers=state.sleep_timers, references=np.full(REFERENCE * bodies, np.inf), factors=np.ones(2 * bodies),
            order=np.arange(bodies), pairs=_whole(2 * pairs), old_pairs=_whole(2 * pairs), colours=_whole(pairs),
            by_colour=_whole(pairs), used=_whole(bodies), starts=_whole(COLOURS + 2),
            scratch=_whole(max(proxies, 1)), counts=_whole(at.COUNT_NUMBERS),
        )  # fmt: skip
        self.candidates = _candidates(64 + CANDIDATES_PER_PROXY * proxies, pairs + bodies)
        self.pulled = np.zeros(bodies, np.int64)
        self.may_sleep = np.zeros(bodies, np.int64)
        self.version, self.h, self.dt, self.warned = -1, 0.0, 0.0, False
        self.awake = self.work.awake
        self.gone = 0  # sub-steps that were done when they were interrupted: each is done or not
        state.contacts = self
        if before is not None:
            self.put_back(contact_memory.carried_over(before, self))
            contact_memory.rest_on(before, self)
            state.substep_factor[:] = before.state.substep_factor
        self.refresh_materials()
        self.recall()
        self._set_out()

    def kept(self) -> list[NDArray[Any]]:
        """Copies of what is kept from sub-step to sub-step, for snapshots."""
        return contact_memory.kept(self.work, self.found)

    def put_back(self, memory: list[NDArray[Any]]) -> None:
        """The same again."""
        while len(self.work.old_pairs) < len(memory[contact_memory.PAIRS]):
            self._make_room_for_pairs()
        contact_memory.put_back(self.work, self.found, memory)

    def refresh_materials(self) -> None:
        """How an actor meets others, or how it is held, may have changed."""
        materials = self.shapes.materials.reshape(-1, at.BODY_ROW)
        heads = self.shapes.bodies.reshape(-1, at.BODY)
        for number, actor in enumerate(self.actors):
            materials[number, at.FRICTION], materials[number, at.RESTITUTION] = actor.friction, actor.restitution
            heads[number, at.SELF] = actor.self_contact
            self.may_sleep[number] = actor.may_sleep
        self.version, self.h = -1, 0.0
        self._forget()

    # ---- sleep ---------------------------------------------------------------------------------------------

    def recall(self) -> None:
        """Take over from the state which bodies sleep."""
        s = self.state
        self.awake[:] = s.sleep_timers >= 0.0
        self.work.counts[at.SEARCH] = 1
        s.sleep_changes += 1
        s.sleep_version = 0 if self.awake.all() else s.sleep_changes

    def come_back(self) -> None:
        """The state is that of another moment."""
        self.recall()
        self._forget()
        self.work.counts[at.FOUND] = 0

    def wake(self, places: Any = slice(None)) -> None:
        """Wake actors, or all of them; how long they have been at rest is forgotten."""
        self.state.sleep_timers[places] = 0.0
        self.recall()

    def watch(self, inputs: "Inputs") -> None:
        """Before a sub-step: what is held may not sleep; obstacles that move wake what they come near."""
        if self.version != inputs.version:
            self.refresh_materials()
            busy = {pin.actor._place for pin in inputs.pins if pin.path is not None}
            busy |= {handle.actor._place for handle in inputs.handles}
            busy |= {actor._place for actor in inputs.pushed.values()}
            self.may_sleep[list(busy)] = 0
            self.pulled[:] = 0
            self.pulled[[handle.actor._place for handle in inputs.handles]] = 1
            self.pulled[[pin.actor._place for pin in inputs.pins]] = 1
            self.version = inputs.version
            if sleepers := [place for place in busy if not self.awake[place]]:
                self.wake(sleepers)
        if inputs.wakes_all:
            inputs.wakes_all = False
            self.wake()
        if self.state.sleep_version:
            for row in inputs.rows_that_move():
                self._wake_near(row)

    def _wake_near(self, row: NDArray[Any]) -> None:
        """Wake sleepers within reach of an obstacle that moves."""
        boxes = self.work.boxes.reshape(-1, at.AABB)
        centre = row[at.CENTRE_AFTER : at.CENTRE_AFTER + 3]
        gaps = np.maximum(np.maximum(boxes[:, :3] - centre, centre - boxes[:, 3:]), 0.0)
        near = np.linalg.norm(gaps, axis=1) <= row[at.OBSTACLE_REACH]
        near |= row[at.OBSTACLE_KIND] == at.PLANE
        near &= self.awake == 0
        if near.any():
            self.wake(np.flatnonzero(near))

    # ---- one step ------------------------------------------------------------------------------------------

    def substeps(self, gravity: tuple[float, float, float], dt: float, asked: int) -> int:
        """As many as asked for, or more for bodies that are fast."""
        s, self.dt = self.state, dt
        while (speed := relative_speed_bound(self.shapes, self.work, s.x, s.v, *gravity, dt, int(self.meets))) < 0.0:
            self._make_room_for_pairs()
        return contact_substeps(s.substep_factor, dt * speed, dt, asked)

    def begin(self, h: float, _pool: ThreadPool) -> None:
        """A sub-step begins."""
        if h != self.h:
            factors = self.work.factors.reshape(-1, 2)
            damping = np.array([a.settings.damping if a._model.node.deforms else 0.0 for a in self.actors])
            factors[:, 0] = np.exp(-h * damping)
            factors[:, 1] = np.exp([-h * actor.settings.drag for actor in self.actors])
            self.shapes.materials.reshape(-1, at.BODY_ROW)[:, at.SOUND] = [_sound(actor, h) for actor in self.actors]
            self.h = h
        self._set_out()

    def _set_out(self) -> None:
        """Take down what a sub-step writes to before it is known whether it leads anywhere."""
        self._before = contact_memory.quaternions(self.work).copy(), self.state.w.copy()

    def undo(self) -> None:
        """The sub-step that has begun led nowhere."""
        contact_memory.quaternions(self.work)[:], self.state.w[:] = self._before
        self._forget()
        self.work.counts[at.FOUND] = 0

    def meet(self, inputs: "Inputs", gravity: tuple[float, float, float]) -> int:
        """From where models and handles have put the particles to the end of the sub-step. Returns a particle that has
        no finite place, or -1."""
        s = self.state
        if self.nodes.inverse is not s.inverse:
            self.nodes = self.nodes._replace(inverse=s.inverse)
        shapes, nodes, work, found = self.shapes, self.nodes, self.work, self.found
        bad = begin_substep(shapes, nodes, work, s.v, s.p, s.acceleration, self.pulled, *gravity, self.h)
        if bad >= 0:
            return int(bad)
        while (
            find_contacts(
                shapes, nodes, work, self.candidates, found, self.cores, inputs.rows, inputs.grids, self.dt, self.h
            )
            < 0
        ):
            self.candidates = _candidates(2 * len(self.candidates.keys), len(self.candidates.spans) // 2)
        strength = math.hypot(*gravity)
        solve_contacts(shapes, nodes, work, found, self.cores, s.p, strength, self.h)
        bad = end_substep(
            shapes, nodes, work, self.candidates, found, inputs.rows, inputs.grids, s.v, s.p, self.may_sleep, strength,
            self.h,
        )  # fmt: skip
        if self.work.counts[at.CHANGED]:
            self._lie_down()
        return int(bad)

    def _make_room_for_pairs(self) -> None:
        """For twice as many."""
        w, f = self.work, self.found
        doubled = {
            name: np.resize(getattr(w, name), 2 * len(getattr(w, name)))
            for name in ("pairs", "old_pairs", "colours", "by_colour")
        }
        self.work = w._replace(**doubled)
        self.found = f._replace(
            spans=np.zeros(2 * len(f.spans), np.int64), old_spans=np.resize(f.old_spans, 2 * len(f.old_spans))
        )
        self.candidates = _candidates(len(self.candidates.keys), len(self.work.pairs) // 2 + len(self.actors))

    def _forget(self) -> None:
        """What was found of this moment is of another one."""
        self.work.counts[at.SEARCH] = 1
        self.work.placed[:] = self.work.framed[:] = 0

    def _lie_down(self) -> None:
        """Some have fallen asleep or woken: those that sleep have no velocity."""
        s = self.state
        for place in np.flatnonzero(self.awake == 0):
            actor = self.actors[place]
            rows = slice(4 * actor._first, 4 * (actor._first + len(actor.body.rest)))
            s.v[rows] = 0.0
            if actor._model.node.turns:
                s.w.reshape(-1, 4)[actor._first : actor._first + len(actor.body.rest), :3] = 0.0
            s.sleep_timers[place] = SLEEPING
        self.recall()

    def warn(self) -> None:
        """Of contacts that had to be left out, once."""
        if not self.warned and (lost := int(self.work.counts[at.LOST_PAIRS])):
            self.warned = True
            warnings.warn(
                f"contacts of {lost} pairs of bodies were left out of a step: so many bodies are in one place that "
                "there is no room for all; place them farther from each other",
                stacklevel=3,
            )

    def told(self, numbers: dict[int, int]) -> Contacts:
        """Where bodies touched one another in the last sub-step. numbers: of the actors in the world, by their place in
        the state."""
        spans, pairs = self.found.spans.reshape(-1, 2), self.work.pairs.reshape(-1, 2)
        chosen = [m for m in range(int(self.work.counts[at.FOUND])) if pairs[m, 1] >= 0]
        which = np.repeat(chosen, [spans[m, 1] - spans[m, 0] for m in chosen]).astype(np.int64)
        places = np.concatenate([np.empty(0, np.int64), *(np.arange(*spans[m]) for m in chosen)])
        rows = self.found.rows.reshape(-1, at.ROW)[places]
        swapped = self.found.sides.reshape(-1, at.ROW_SIDES)[places, at.KEY] >= at.DIRECTION_KEYS
        bodies = np.where(swapped[:, None], pairs[which][:, ::-1], pairs[which])
        pushing = rows[:, at.IMPULSES] > 0.0
        rows, bodies = rows[pushing], bodies[pushing]
        tangential = np.linalg.norm(rows[:, at.IMPULSES + 1 : at.IMPULSES + 3], axis=1)
        order = np.array([numbers[place] for place in range(len(self.actors))], np.int64)
        return Contacts(
            order[bodies].reshape(-1, 2), rows[:, at.POINT : at.POINT + 3].copy(),
            rows[:, at.NORMAL : at.NORMAL + 3].copy(), np.maximum(-rows[:, at.ROW_GAP], 0.0),
            rows[:, at.IMPULSES].copy(), tangential < rows[:, at.ROW_FRICTION] * rows[:, at.IMPULSES],
        )  # fmt: skip
