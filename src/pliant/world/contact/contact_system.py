"""The contact system: contact spheres of all actors as flat arrays, and what the kernels of contact work in."""

import warnings
from operator import is_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.measures import diagonal
from pliant.maths.aligned import aligned_zeros
from pliant.runtime.thread_pool import ThreadPool
from pliant.runtime.waiting import AGAIN, PLACE, ROUNDS, STOP
from pliant.world.contact import layout as at
from pliant.world.contact.broad_phase import BroadPhase
from pliant.world.contact.contacts import Contacts
from pliant.world.contact.crush_kernels import CRUSH
from pliant.world.contact.meet_kernels import FIND_ALONE, FIND_PAIRS, FROM_START, GO_ON, ONLY_PLACE, meet_bodies
from pliant.world.contact.part_kernels import PIECES
from pliant.world.contact.proxies import is_thin, proxies_of
from pliant.world.contact.side_kernels import BOUNDS_SIZE, CONTACT_COUNT, PART_ROWS, PARTS
from pliant.world.contact.static_contact_kernels import STATIC_ROW
from pliant.world.contact.step_tasks import Models, StepTasks
from pliant.world.contact.sweep_kernels import COLOURS, CONTACT_BLOCK, CONTACT_LANES
from pliant.world.layout import BOUNCE, COLLIDER_CENTRE, KIND, LAST_CENTRE, LAST_VELOCITY, PLANE, TOUCH_RANGE
from pliant.world.substepping import contact_substeps

if TYPE_CHECKING:
    from pliant.world.actor import Actor
    from pliant.world.inputs import Inputs
    from pliant.world.state import State

Array = NDArray[np.float64]
CONTACTS_PER_PROXY = 16  # contacts for each sphere; if there are more, some are left out
MOST_RELATIVE_MOTION = 0.7  # of their spheres: how far two actors may go past each other in a sub-step


class ContactSystem:
    """Made anew with each layout of the actors."""

    def __init__(self, actors: "list[Actor]", state: "State") -> None:
        self.actors, self.state = actors, state
        dtype = state.x.dtype
        made = [proxies_of(actor.body) for actor in actors]
        sizes = [len(each.radii) for each in made]
        firsts = np.array([actor._first for actor in actors], np.int64)
        count = sum(sizes)

        def joined(name: str, columns: int = 0) -> Any:
            parts = [getattr(each, name) for each in made]
            return np.concatenate(parts) if parts else np.zeros((0, columns) if columns else 0)

        shift = np.repeat(firsts, sizes)
        self.attachments = (joined("attachments", 2).astype(np.int64) + shift[:, None]).astype(np.uint32).reshape(-1)
        self.attachment_weights = joined("attachment_weights", 2).astype(dtype).reshape(-1)
        self.anchors = (joined("anchors", 4).astype(np.int64) + shift[:, None]).astype(np.uint32).reshape(-1)
        self.anchor_weights = joined("anchor_weights", 4).astype(dtype).reshape(-1)
        proxies = np.stack([joined(name) for name in ("radii", "covers", "arms", "bounds")], axis=1)
        self.proxies = proxies.astype(dtype).reshape(-1)
        rests = np.zeros((count, 4), dtype)
        rests[:, :3] = joined("rest", 3)
        self.rests = rests.reshape(-1)
        self.owners = np.repeat(np.arange(len(actors)), sizes).astype(np.uint32)
        self.spans: NDArray[np.uint32] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
        self.materials = aligned_zeros(at.MATERIAL * len(actors), np.float64)
        materials = self.materials.reshape(-1, at.MATERIAL)
        thick = [each.thick for each in made]
        round_ones = [actor._model.node.turns for actor in actors]  # skins are checked in every sub-step
        slack = at.CANDIDATE_RANGE - at.CONTACT_RANGE
        materials[:, at.PAD], materials[:, at.THICKNESS] = [each.pad for each in made], thick
        materials[:, at.CANDIDATE_SLACK] = slack * np.multiply(thick, round_ones)
        self.awake = np.ones(len(actors), np.uint32)
        self.chunks = state.chunks  # of those that are awake
        self.version = -1  # of the inputs that are known
        self.places: NDArray[Any] = aligned_zeros(at.PROXY_PLACE * count, dtype)
        self.marks = np.zeros(count, np.uint32)
        self.contacts: NDArray[Any] = aligned_zeros(at.CONTACT * (64 + CONTACTS_PER_PROXY * count), dtype)
        self.static_rows = aligned_zeros(STATIC_ROW * len(self.contacts) // at.CONTACT, np.float64)
        self.general = np.zeros(len(self.contacts) // at.CONTACT, np.uint32)
        most = len(self.contacts) // at.CONTACT
        self.bounds = np.zeros(BOUNDS_SIZE, np.int64)  # of the parts of the contacts
        self.sides = np.zeros(len(actors), np.uint32)
        self.used = np.zeros(2 * len(state), np.uint32)
        self.colour_slots = np.zeros(most, np.uint32)
        self.colour_starts = np.zeros(PARTS * (COLOURS + 1), np.int64)
        self.blocks = aligned_zeros(CONTACT_BLOCK * (most // CONTACT_LANES + PARTS * (COLOURS + 1)), dtype)
        self.ends = np.zeros(2 * CONTACT_LANES * (most // CONTACT_LANES + PARTS * (COLOURS + 1)), np.uint32)
        self.meetings = aligned_zeros(at.MEETING * len(actors), np.float64)
        self.board = np.zeros(PLACE * PIECES, np.int64)  # on which threads tell each other how far they are
        room = at.WARM_ROW * (at.WARM_SLOTS * count + len(state) + len(actors))
        if len(state.pushes) != room:
            state.pushes = aligned_zeros(room, dtype)
        self.numbers = np.zeros(7)  # of a sub-step: gravity (3), h, its serial, that of the step's first, the stage
        self.changing: tuple[Any, ...] = ()  # those of the kernel's arrays that may be others in the next sub-step
        self.arrays: tuple[Any, ...] = ()  # all of them
        self.step_tasks = StepTasks()
        self.stage = FROM_START  # with which the kernel begins in this sub-step
        self.gone = 0  # sub-steps that were done when they were interrupted
        self.pool = ThreadPool()
        self.broad_phase = BroadPhase(self)
        self.h = 0.0
        self.warned = False
        self.refresh_materials()
        self.recall()

    def refresh_materials(self) -> None:
        """The material of an actor, or how it is held, may have changed."""
        rows = self.materials.reshape(-1, at.MATERIAL)
        for row, actor in zip(rows, self.actors, strict=True):
            row[at.FRICTION], row[at.RESTITUTION], row[at.SELF] = actor.friction, actor.restitution, actor.self_contact
            row[at.ACTOR_DAMPING] = actor.settings.damping
            row[at.MAY_SLEEP] = actor.may_sleep
        self.version = -1
        self.h = 0.0

    # ---- sleep ---------------------------------------------------------------------------------------------

    def recall(self) -> None:
        """Take over from the state which actors sleep."""
        self.broad_phase.stale = True  # two that sleep form no body pair
        self.awake[:] = self.state.sleep_timers >= 0.0
        self.were_awake = self.awake.copy()  # until the next time that one falls asleep or wakes
        s = self.state
        s.sleep_changes += 1
        s.sleep_version = 0 if self.awake.all() else s.sleep_changes
        rows = s.chunks.reshape(-1, 3)
        self.chunks = s.chunks if self.awake.all() else rows[self.awake[rows[:, 2]] > 0].reshape(-1).copy()

    def come_back(self) -> None:
        """The state is that of another moment."""
        self.broad_phase.forget_candidates()
        self.recall()

    def wake(self, places: Any = slice(None)) -> None:
        """Wake actors, or all of them; their sleep timers begin anew."""
        self.state.sleep_timers[places] = 0.0
        if not self.awake.all():
            self.recall()

    def watch(self, inputs: "Inputs") -> None:
        """Before a sub-step: actors that are held may not sleep, and wake; obstacles that move wake those near them."""
        if self.version != inputs.version:
            self.refresh_materials()
            busy = {pin.actor._place for pin in inputs.pins if pin.path is not None}
            busy |= {handle.actor._place for handle in inputs.handles}
            busy |= {actor._place for actor in inputs.pushed.values()}
            self.materials.reshape(-1, at.MATERIAL)[list(busy), at.MAY_SLEEP] = 0.0
            self.version = inputs.version
            self.wake(list(busy))
        if inputs.wakes_all:
            inputs.wakes_all = False
            self.wake()
        if self.state.sleep_version:
            for row in inputs.rows_that_move():
                self._wake_near(row)

    def _wake_near(self, row: Array) -> None:
        """Wake sleepers within reach of an obstacle that moves; its row is as the kernels have it."""
        boxes, centre = self.broad_phase.boxes.reshape(-1, at.AABB), row[COLLIDER_CENTRE : COLLIDER_CENTRE + 3]
        gaps = np.maximum(np.maximum(boxes[:, :3] - centre, centre - boxes[:, 3:6]), 0.0)
        near = np.linalg.norm(gaps, axis=1) <= row[TOUCH_RANGE] if row[KIND] != PLANE else np.ones(len(boxes), np.bool_)
        near &= self.awake == 0
        if near.any():
            self.wake(np.flatnonzero(near))

    def _put_to_sleep(self, places: Any) -> None:
        """Actors have fallen asleep, or woke: those that sleep have no velocity."""
        s = self.state
        for place in places:
            actor = self.actors[place]
            rows = slice(4 * actor._first, 4 * (actor._first + len(actor.body.rest)))
            s.v[rows] = 0.0
            if actor._model.node.turns:
                s.w.reshape(-1, 4)[actor._first : actor._first + len(actor.body.rest), :3] = 0.0
            s.bounces[BOUNCE * place + LAST_VELOCITY : BOUNCE * place + LAST_CENTRE] = 0.0
        self.recall()

    # ---- one step ------------------------------------------------------------------------------------------

    def substeps(self, gravity: tuple[float, float, float], dt: float, asked: int) -> int:
        """As many sub-steps as asked for, or more for bodies that are fast."""
        motion = self.broad_phase.relative_motion_bound(gravity, dt, MOST_RELATIVE_MOTION * asked)
        return contact_substeps(self.state.substep_factor, motion / MOST_RELATIVE_MOTION, dt, asked)

    def begin(self, h: float, pool: ThreadPool) -> None:
        """A sub-step begins."""
        if h != self.h:
            self._firm(h)
        self.h, self.pool, self.gone = h, pool, 0
        self.stage = ONLY_PLACE if self.broad_phase.begin(pool) else FROM_START

    def meet(self, inputs: "Inputs", gravity: tuple[float, float, float]) -> int:
        """From where models and handles have put the particles to the end of the sub-step: bodies are parted where they
        touch, obstacles have the last word, and then velocities, what bodies that touch do to each other as wholes, and
        sleep. Returns a particle that has no finite place, or -1."""
        return self._end(inputs, gravity, *self._go(inputs, gravity, self.stage))

    def go_through(
        self, inputs: "Inputs", gravity: tuple[float, float, float], models: Models, times: int
    ) -> tuple[int, int]:
        """As many whole sub-steps as there are to be, or fewer if something has to be seen to by Python. models:
        their task lists for each thread. Returns how many, and a particle that then has no finite place, -1, or STOP if
        one by one is the only way."""
        try:
            bad, changed = self._go(inputs, gravity, self.stage, models, times)
        except BaseException:  # interrupted: the kernels have done all, but nothing after them was
            self.gone = int(self.board[ROUNDS])
            self.broad_phase.serial += times
            self.come_back()
            raise
        done = int(self.board[ROUNDS])
        if bad == STOP:
            return 0, STOP
        unfinished = bad != AGAIN
        self.broad_phase.serial += done - 1 + unfinished
        bad = self._end(inputs, gravity, bad, changed)
        return done + (unfinished and bad == AGAIN), bad

    def _end(self, inputs: "Inputs", gravity: tuple[float, float, float], bad: int, changed: int) -> int:
        """What is left to do after the kernel has answered."""
        if bad == FIND_PAIRS:
            self.broad_phase.find_body_pairs()
            bad, changed = self._go(inputs, gravity, GO_ON)
        if bad == FIND_ALONE:
            self.broad_phase.find_body_pairs_alone()
            bad, changed = self._go(inputs, gravity, GO_ON)
        if changed:
            self._put_to_sleep(np.flatnonzero(self.were_awake > self.awake))
        return bad

    def warn(self) -> None:
        """Of contacts that had to be left out, once."""
        if not self.warned and (lost := self.broad_phase.lost()):
            self.warned = True
            warnings.warn(
                f"{lost} contacts were left out of a step: so many bodies are in one place that some of them touch "
                "more than can be told apart, and they come apart slowly; place them farther from each other",
                stacklevel=3,
            )

    def _go(
        self, inputs: "Inputs", gravity: tuple[float, float, float], stage: int, models: Models = (), times: int = 1
    ) -> tuple[int, int]:
        """One stage of the kernel, or all of it, or of whole sub-steps. Threads that run it wait for one another in it.
        Returns its answer."""
        broad, pieces = self.broad_phase, self.broad_phase.pieces
        self.board[:] = 0
        self.numbers[:] = *gravity, self.h, broad.serial, broad.since, stage
        arrays = self._arrays(inputs)
        if pieces == 1:
            first, second = meet_bodies(*arrays, 0, 1)
            return int(first), int(second)
        s = self.state
        start = (s.x, s.v, s.y, s.p, s.inverse, s.acceleration, inputs.pinned, inputs.places, self.numbers, self.board)
        self.step_tasks.write(start, arrays, pieces)
        return self.step_tasks.go_through(self.pool, models, times) if models else self.step_tasks.meet(self.pool)

    def _arrays(self, inputs: "Inputs") -> tuple[Any, ...]:
        """What the kernel takes; the same tuple as long as it is the same arrays."""
        s, broad = self.state, self.broad_phase
        change = (
            s.acceleration, self.chunks, s.pushes, s.marks, inputs.rows, inputs.grids, broad.body_pairs, broad.heads,
            broad.lists, inputs.pinned, inputs.places,
        )  # fmt: skip
        if len(self.changing) == len(change) and all(map(is_, self.changing, change)):
            return self.arrays
        self.changing = change
        self.arrays = (
            s.x, s.v, s.y, s.p, s.w, s.inverse, s.masses, s.acceleration, self.chunks, s.origins, s.sums, s.motion,
            s.bounces, s.hulls, inputs.rows, inputs.grids, s.marks, self.attachments, self.attachment_weights,
            self.anchors, self.anchor_weights, self.proxies, self.rests, self.owners, self.spans, self.sides,
            self.materials, self.awake, broad.boxes, broad.fat_boxes, self.places, broad.proxy_boxes, broad.cull_rows,
            broad.displacements, broad.body_pairs, broad.heads, broad.lists, broad.candidates, broad.new_candidates,
            broad.near, broad.table, broad.grid, broad.groups, broad.pairs, broad.survivors, broad.active, broad.order,
            self.marks, self.contacts, self.bounds, self.meetings, s.impacts, s.pushes, self.static_rows, self.general,
            self.used, self.colour_slots, self.colour_starts, self.blocks, self.ends, s.sleep_timers, inputs.pinned,
            inputs.places, self.numbers, broad.rooms, self.board,
        )  # fmt: skip
        return self.arrays

    def _firm(self, h: float) -> None:
        """Bodies through which sound goes within a sub-step are pushed as wholes, but for those that pins hold. And how
        fast an impact each of them bears."""
        rows = self.materials.reshape(-1, at.MATERIAL)
        for row, actor in zip(rows, self.actors, strict=True):
            pinned = not self.state.inverse[actor._first : actor._first + len(actor.body.rest)].all()
            body, model = actor.body, actor._model
            sound = np.inf if model.sound is None else model.sound(body, actor.settings, h)
            if model.node.turns and len(body.rest) > 1 and not pinned:
                row[at.FIRM] = sound * h > diagonal(body.rest)
            else:
                row[at.FIRM] = 2.0 * (not model.node.deforms and not pinned)
            row[at.CRUSH_SPEED] = CRUSH * sound if body.kind == "solid" else np.inf
            row[at.IMPEDANCE] = 0.0 if is_thin(body) else body.density * sound

    @property
    def count(self) -> int:
        """How many contacts there were in the last sub-step."""
        return int(self.bounds[CONTACT_COUNT])

    @property
    def rows(self) -> NDArray[Any]:
        """A copy of the rows of these contacts, part by part."""
        bounds = self.bounds[PART_ROWS : PART_ROWS + 2 * PARTS].reshape(-1, 2)
        return np.concatenate([self.contacts.reshape(-1, at.CONTACT)[first:last] for first, last in bounds])

    def told(self, numbers: dict[int, int]) -> Contacts:
        """The contacts of the last sub-step. Numbers: of the actors in the world, by their place in the state."""
        to = [numbers[place] for place in range(len(self.actors))]
        return Contacts.of(self.rows, self.places, self.owners, to, self.h)
