"""What bodies do to one another and to obstacles: lays out the arrays of collision/ and dynamics/, and calls them."""

import math
import warnings
from collections.abc import Iterable
from operator import is_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.collision import layout as at
from pliant.collision.broad_phase.speeds import relative_speed_bound
from pliant.collision.layout_of_bodies import Placed, lay_out_shapes
from pliant.collision.records import Nodes, Step
from pliant.dynamics.layout import BODY_NODE
from pliant.dynamics.settle import OTHERS_AWAKE
from pliant.dynamics.sleep import SLEEPING
from pliant.dynamics.step_inputs import StepInputs
from pliant.runtime.thread_pool import MOST_PIECES, ThreadPool
from pliant.runtime.waiting import AGAIN, PLACE, STOP
from pliant.world import contact_memory
from pliant.world.contact_room import first_room, most_candidates, room_for_candidates, room_for_pairs
from pliant.world.contacts import Contacts
from pliant.world.step_tasks import DIVERGED, ENDED_FAR_OUT, ENDED_WITHOUT_ROOM, Models, StepTasks
from pliant.world.substepping import contact_substeps

if TYPE_CHECKING:
    from pliant.dynamics.state import State
    from pliant.world.actor import Actor
    from pliant.world.inputs import Inputs

WORTH_SHARING = 2_000  # particles; below, waking the other threads costs more than they bring
KERNELS = (
    "pliant.collision.", "pliant.dynamics.velocities.", "pliant.dynamics.solver.", "pliant.dynamics.settle.",
    "pliant.dynamics.predict.", "pliant.dynamics.alone.",
)  # fmt: skip


def kernels_of(meet: bool) -> list[str]:
    """What has to be compiled, by the begin of their names. meet: whether bodies may meet one another."""
    return [each for each in KERNELS if meet != each.endswith("alone.")]


def _sound(actor: "Actor", h: float) -> float:
    """How fast a push goes through an actor (m/s)."""
    sound = actor._model.sound
    return np.inf if sound is None else sound(actor.body, actor.settings, h)


class ContactSystem:
    """Made anew with each layout of the actors. meet: whether bodies meet one another; arrived: the actors in the order
    in which they came, which is that of their pairs; before: that of the last layout, whose contacts go on."""

    def __init__(
        self,
        actors: "list[Actor]",
        state: "State",
        meet: bool,
        arrived: "Iterable[Actor]",
        before: "ContactSystem | None" = None,
    ) -> None:
        self.actors, self.state, self.meets = actors, state, meet
        self.bodies, self.settings = [actor.body for actor in actors], [actor.settings for actor in actors]
        self.shapes = lay_out_shapes([Placed(actor.body, actor._first, actor._model.node) for actor in actors])
        bodies = len(actors)
        heads = self.shapes.bodies.reshape(-1, at.BODY)
        for rank, actor in enumerate(arrived):
            heads[actor._place, at.RANK], heads[rank, at.OF_RANK] = rank, actor._place
        self.nodes = Nodes(
            state.x, state.y, state.inverse, state.w, state.q, state.hulls, state.masses,
            np.zeros(BODY_NODE * bodies), np.zeros(3 * bodies),
        )  # fmt: skip
        rotations = np.array([actor._rotation for actor in actors]).reshape(-1, 4)
        self.work, self.found, self.cores, self.candidates = first_room(
            self.shapes, self.bodies, rotations, state.sleep_timers
        )
        self.pulled = np.zeros(bodies, np.int64)
        self.may_sleep = np.zeros(bodies, np.int64)
        self.version, self.h, self.dt, self.warned = -1, 0.0, 0.0, False
        self.awake = self.work.awake
        self.gone = 0  # sub-steps that were done when they were interrupted: each is done or not
        self.asleep = False  # whether all bodies sleep
        self.begun = False  # whether a sub-step has begun to turn what `undo` turns back
        self.numbers, self.board = np.zeros(at.STEP_NUMBERS), np.zeros(PLACE * MOST_PIECES, np.int64)
        self.turning, self.quaternions = np.zeros_like(state.w), np.zeros(4 * bodies)
        self.tasks, self.pool, self.pieces = StepTasks(meet), ThreadPool(), 0
        self.told_numbers: tuple[float, ...] = ()
        self.known: tuple[Any, ...] = ()  # the arrays that tasks are written with and that may be others in a sub-step
        state.contacts = self
        if before is not None:
            self.put_back(contact_memory.carried_over(before, self))
            contact_memory.rest_on(before, self)
            state.substep_factor[:] = before.state.substep_factor
        self.refresh_materials()
        self.recall()

    def kept(self) -> list[NDArray[Any]]:
        """Copies of what is kept from sub-step to sub-step, for snapshots."""
        return contact_memory.kept(self.work, self.found)

    def put_back(self, memory: list[NDArray[Any]]) -> None:
        """The same again."""
        while len(self.work.old_pairs) < len(memory[contact_memory.PAIRS]):
            self._make_room_for_pairs()
        while len(self.found.old_keys) < len(memory[contact_memory.KEYS]):
            self._make_room_for_candidates()
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
        self.asleep = not self.awake.any()

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
        """As many sub-steps as asked for, or more for bodies that are fast."""
        s, self.dt, speed = self.state, dt, 0.0
        if self.meets:
            while (speed := relative_speed_bound(self.shapes, self.work, s.x, s.v, *gravity, dt)) < 0.0:
                self._make_room_for_pairs()
        else:
            self.work.counts[at.SEARCH] = 1
            if s.substep_factor[0] == 1.0:
                return asked
        return contact_substeps(s.substep_factor, dt * speed, dt, asked)

    def begin(self, h: float, pool: ThreadPool) -> None:
        """Sub-steps begin."""
        if h != self.h:
            factors = self.work.factors.reshape(-1, 2)
            damping = np.array([a.settings.damping if a._model.node.deforms else 0.0 for a in self.actors])
            factors[:, 0] = np.exp(-h * damping)
            factors[:, 1] = np.exp([-h * actor.settings.drag for actor in self.actors])
            self.shapes.materials.reshape(-1, at.BODY_ROW)[:, at.SOUND] = [_sound(actor, h) for actor in self.actors]
            self.h = h
        self.pool, self.gone, self.begun = pool, 0, False

    def shared_by(self, pool: ThreadPool) -> int:
        """How many threads share a sub-step."""
        return pool.abreast(len(self.actors)) if len(self.state) >= WORTH_SHARING else 1

    def undo(self) -> None:
        """The sub-step that has begun led nowhere."""
        if self.begun:
            contact_memory.quaternions(self.work)[:] = self.quaternions.reshape(-1, 4)
            self.state.w[:] = self.turning
        self._forget()
        self.work.counts[at.FOUND] = 0

    def go_through(self, inputs: StepInputs, models: Models, times: int) -> tuple[int, int]:
        """As many whole sub-steps as there are to be, or fewer if others are awake then. models: their task lists for
        each thread. Returns how many, and a particle that has no finite place in the next, -1, or STOP if the next has
        to be done one by one."""
        self._write(inputs)
        return self._run(self.tasks.through(models), times)

    def meet(self, inputs: StepInputs) -> int:
        """From where models and handles have put the particles to the end of the sub-step. Returns a particle that has
        no finite place, or -1."""
        self._write(inputs)
        return self._run(self.tasks.all_after, 1)[1]

    def _run(self, task_lists: Any, times: int) -> tuple[int, int]:
        """Threads go through task lists; as often as there has to be more room, too."""
        counts = self.work.counts
        counts[at.SUBSTEPS_DONE] = 0
        try:
            end, answer = self._make(task_lists, times)
            while end == ENDED_WITHOUT_ROOM:
                self._make_room_for_candidates()
                self._write(self.inputs)
                counts[at.RESUMED] = not self.meets
                end, answer = self._make(self.tasks.from_finding, 1)
        except BaseException:  # interrupted: the kernels have done all, but nothing after them was
            self.gone += int(counts[at.SUBSTEPS_DONE])
            self._lie_down()
            raise
        done = int(counts[at.SUBSTEPS_DONE])
        self.gone += done
        if end == ENDED_FAR_OUT:
            self.begun = False
            return done, STOP
        if end == DIVERGED:
            return done, int(self.board.reshape(-1, PLACE)[:, at.BAD].max())
        if answer == OTHERS_AWAKE:
            self._lie_down()
        return done, AGAIN if answer == OTHERS_AWAKE else answer

    def _make(self, task_lists: Any, times: int) -> tuple[int, int]:
        self.begun = True
        if self.pieces > 1:
            self.board[:] = 0
        return self.tasks.run(self.pool, task_lists, times)

    def _write(self, inputs: StepInputs) -> None:
        """Tell the tasks what is other than in the last sub-step."""
        s, pieces, gravity = self.state, self.shared_by(self.pool), inputs.gravity
        numbers = *gravity, self.h, self.dt
        if numbers != self.told_numbers:
            self.told_numbers = numbers
            self.numbers[:] = *gravity, math.hypot(*gravity), self.h, self.dt
        known = (
            self.work, self.found, self.candidates, s.inverse, s.acceleration, inputs.pinned, inputs.places,
            inputs.rows, inputs.grids,
        )  # fmt: skip
        if pieces == self.pieces and len(known) == len(self.known) and all(map(is_, known, self.known)):
            return
        self.known, self.pieces, self.inputs = known, pieces, inputs
        if self.nodes.inverse is not s.inverse:
            self.nodes = self.nodes._replace(inverse=s.inverse)
        step = Step(
            s.v, s.p, s.acceleration, self.pulled, self.may_sleep, inputs.pinned, inputs.places, inputs.rows,
            inputs.grids, self.numbers, self.quaternions, self.turning, self.board,
        )  # fmt: skip
        records = self.shapes, self.nodes, self.work, self.candidates, self.found, self.cores, step
        self.tasks.write(records, pieces)

    def _make_room_for_candidates(self) -> None:
        """For twice as many, and for the rows that may come of them; or, if these are enough for any world in which
        bodies are not in one another, for as many of them as there is room."""
        if self.meets and 2 * len(self.candidates.keys) > most_candidates(self.shapes):
            self.work.counts[at.SEARCH] = at.SOME_LOST
            return
        self.found, self.candidates = room_for_candidates(self.found, self.candidates)

    def _make_room_for_pairs(self) -> None:
        self.work, self.found, self.candidates = room_for_pairs(self.work, self.found, self.candidates)

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
        order = np.array([numbers[place] for place in range(len(self.actors))], np.int64)
        return Contacts.of(self.work, self.found, order)
