"""The arena: contact spheres of all actors as flat arrays, and what the kernels of contact work in."""

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
from pliant.world.contact.brace_kernels import LINE
from pliant.world.contact.contacts import Contacts
from pliant.world.contact.cover import cover_of, is_thin
from pliant.world.contact.crush_kernels import CRUSH
from pliant.world.contact.handout import Handout, Models
from pliant.world.contact.lookout import Lookout
from pliant.world.contact.meet_kernels import ALONE, BEGIN, COUPLE, GO_ON, ONLY_PLACE, meet_bodies
from pliant.world.contact.part_kernels import PIECES
from pliant.world.contact.side_kernels import BOUNDS, COUNT, PARTS, ROWS
from pliant.world.contact.sweep_kernels import BLOCK, COLOURS, LANES
from pliant.world.layout import BOUNCE, PLANE

if TYPE_CHECKING:
    from pliant.world.actor import Actor
    from pliant.world.inputs import Inputs
    from pliant.world.state import State

Array = NDArray[np.float64]
CROWDED = 16  # contacts for each sphere; if there are more, some are left out
PASSED = 0.7  # of their spheres: how far two actors may go past each other in a sub-step
MOST_SUBSTEPS = 16
CALM = 0.5  # s: for how long fewer sub-steps must do before fewer are taken


class Arena:
    """Made anew with each layout of the cast."""

    def __init__(self, actors: "list[Actor]", state: "State") -> None:
        self.actors, self.state = actors, state
        dtype = state.x.dtype
        covers = [cover_of(actor.body) for actor in actors]
        sizes = [len(cover.radii) for cover in covers]
        firsts = np.array([actor._first for actor in actors], np.int64)
        count = sum(sizes)

        def joined(name: str, columns: int = 0) -> Any:
            parts = [getattr(cover, name) for cover in covers]
            return np.concatenate(parts) if parts else np.zeros((0, columns) if columns else 0)

        shift = np.repeat(firsts, sizes)
        self.riders = (joined("riders", 2).astype(np.int64) + shift[:, None]).astype(np.uint32).reshape(-1)
        self.shares = joined("shares", 2).astype(dtype).reshape(-1)
        self.roots = (joined("roots", 4).astype(np.int64) + shift[:, None]).astype(np.uint32).reshape(-1)
        self.holds = joined("holds", 4).astype(dtype).reshape(-1)
        traits = np.stack([joined(name) for name in ("radii", "covers", "arms", "bounds")], axis=1)
        self.traits = traits.astype(dtype).reshape(-1)
        rests = np.zeros((count, 4), dtype)
        rests[:, :3] = joined("rest", 3)
        self.rests = rests.reshape(-1)
        self.owners = np.repeat(np.arange(len(actors)), sizes).astype(np.uint32)
        self.spans: NDArray[np.uint32] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
        self.manners = aligned_zeros(at.MANNERS * len(actors), np.float64)
        self.manners.reshape(-1, at.MANNERS)[:, at.PAD] = [cover.pad for cover in covers]
        thick = [cover.thick for cover in covers]
        round_ones = [actor._model.oriented for actor in actors]  # skins are looked at in every sub-step
        self.manners.reshape(-1, at.MANNERS)[:, at.THICK] = thick
        self.manners.reshape(-1, at.MANNERS)[:, at.WATCH] = (at.MARGIN - at.ACTIVE) * np.multiply(thick, round_ones)
        self.awake = np.ones(len(actors), np.uint32)
        self.chunks = state.chunks  # of those that are awake
        self.version = -1  # of the inputs that are known
        self.places: NDArray[Any] = aligned_zeros(at.PLACE * count, dtype)
        self.marks = np.zeros(count, np.uint32)
        self.contacts: NDArray[Any] = aligned_zeros(at.CONTACT * (64 + CROWDED * count), dtype)
        self.lines = aligned_zeros(LINE * len(self.contacts) // at.CONTACT, np.float64)
        self.long = np.zeros(len(self.contacts) // at.CONTACT, np.uint32)
        most = len(self.contacts) // at.CONTACT
        self.bounds = np.zeros(BOUNDS, np.int64)  # of the parts of the contacts
        self.sides = np.zeros(len(actors), np.uint32)
        self.used = np.zeros(2 * len(state), np.uint32)
        self.paints = np.zeros(most, np.uint32)
        self.palettes = np.zeros(PARTS * (COLOURS + 1), np.int64)
        self.blocks = aligned_zeros(BLOCK * (most // LANES + PARTS * (COLOURS + 1)), dtype)
        self.ends = np.zeros(2 * LANES * (most // LANES + PARTS * (COLOURS + 1)), np.uint32)
        self.meetings = aligned_zeros(at.MEETING * len(actors), np.float64)
        self.board = np.zeros(PLACE * PIECES, np.int64)  # on which threads tell each other how far they are
        room = at.KEPT * (at.SLOTS * count + len(state) + len(actors))
        if len(state.pushes) != room:
            state.pushes = aligned_zeros(room, dtype)
        self.numbers = np.zeros(7)  # of a sub-step: gravity (3), h, its serial, that of the step's first, the stage
        self.changing: tuple[Any, ...] = ()  # those of the kernel's arrays that may be others in the next sub-step
        self.arrays: tuple[Any, ...] = ()  # all of them
        self.handout = Handout()
        self.stage = BEGIN  # with which the kernel begins in this sub-step
        self.gone = 0  # sub-steps that were done when somebody interrupted them
        self.pool = ThreadPool()
        self.lookout = Lookout(self)
        self.h = 0.0
        self.warned = False
        self.mind()
        self.recall()

    def mind(self) -> None:
        """How an actor meets others, or how it is held, may have changed."""
        rows = self.manners.reshape(-1, at.MANNERS)
        for row, actor in zip(rows, self.actors, strict=True):
            row[at.FRICTION], row[at.RESTITUTION], row[at.SELF] = actor.friction, actor.restitution, actor.self_contact
            row[at.CALM] = actor.settings.damping
            row[at.NAPS] = actor.may_sleep
        self.version = -1
        self.h = 0.0

    # ---- sleep ---------------------------------------------------------------------------------------------

    def recall(self) -> None:
        """Take over from the state who sleeps."""
        self.lookout.stale = True  # who sleeps forms no couples
        self.awake[:] = self.state.naps >= 0.0
        self.were_awake = self.awake.copy()  # until the next time that somebody falls asleep or wakes
        s = self.state
        s.naptimes += 1
        s.resting = 0 if self.awake.all() else s.naptimes
        rows = s.chunks.reshape(-1, 3)
        self.chunks = s.chunks if self.awake.all() else rows[self.awake[rows[:, 2]] > 0].reshape(-1).copy()

    def come_back(self) -> None:
        """The state is that of another moment."""
        self.lookout.lose_sight()
        self.recall()

    def wake(self, places: Any = slice(None)) -> None:
        """Wake actors, or all of them; how long they have been quiet is forgotten."""
        self.state.naps[places] = 0.0
        if not self.awake.all():
            self.recall()

    def watch(self, inputs: "Inputs") -> None:
        """Before a sub-step: who is held may not sleep, and wakes; obstacles that move wake whom they come near."""
        if self.version != inputs.version:
            self.mind()
            busy = {pin.actor._place for pin in inputs.pins if pin.path is not None}
            busy |= {handle.actor._place for handle in inputs.handles}
            busy |= {actor._place for actor in inputs.pushed.values()}
            self.manners.reshape(-1, at.MANNERS)[list(busy), at.NAPS] = 0.0
            self.version = inputs.version
            self.wake(list(busy))
        if inputs.startled:
            inputs.startled = False
            self.wake()
        if self.state.resting:
            for row in inputs.rows_that_move():
                self._startle(row)

    def _startle(self, row: Array) -> None:
        """Wake sleepers within reach of an obstacle that moves; its row is as the kernels have it."""
        boxes = self.lookout.boxes.reshape(-1, at.BOX)
        gaps = np.maximum(np.maximum(boxes[:, :3] - row[15:18], row[15:18] - boxes[:, 3:6]), 0.0)
        near = np.linalg.norm(gaps, axis=1) <= row[30] if row[0] != PLANE else np.ones(len(boxes), np.bool_)
        near &= self.awake == 0
        if near.any():
            self.wake(np.flatnonzero(near))

    def _lie_down(self, places: Any) -> None:
        """Some have fallen asleep, or somebody woke: those that sleep have no velocity."""
        s = self.state
        for place in places:
            actor = self.actors[place]
            rows = slice(4 * actor._first, 4 * (actor._first + len(actor.body.rest)))
            s.v[rows] = 0.0
            if actor._model.oriented:
                s.w.reshape(-1, 4)[actor._first : actor._first + len(actor.body.rest), :3] = 0.0
            s.bounces[BOUNCE * place + 10 : BOUNCE * place + 16] = 0.0
        self.recall()

    # ---- one step ------------------------------------------------------------------------------------------

    def substeps(self, gravity: tuple[float, float, float], dt: float, asked: int) -> int:
        """As many sub-steps as asked for, or so many more that no two who may meet go past each other in one: twice,
        four times, up to MOST_SUBSTEPS (models keep what they have prepared for a step). Once there are more, there are
        not fewer before that has done for a while: bodies that vibrate are fast and slow by turns, and steps that get
        shorter and longer with them would swing them up."""
        pace = self.state.pace
        way = self.lookout.haste(gravity, dt, PASSED * asked)
        times = 1
        while 2 * times * asked <= MOST_SUBSTEPS and way > PASSED * times * asked:
            times *= 2
        if times >= pace[0]:
            pace[:] = times, 0.0
            return times * asked
        pace[1] += dt
        if pace[1] >= CALM - 1e-9:
            pace[:] = pace[0] // 2, 0.0
        while pace[0] > times and pace[0] * asked > MOST_SUBSTEPS:  # others were asked for before
            pace[0] //= 2
        return int(pace[0]) * asked

    def begin(self, h: float, pool: ThreadPool) -> None:
        """A sub-step begins."""
        if h != self.h:
            self._firm(h)
        self.h, self.pool, self.gone = h, pool, 0
        self.stage = ONLY_PLACE if self.lookout.begin(pool) else BEGIN

    def meet(self, inputs: "Inputs", gravity: tuple[float, float, float]) -> int:
        """From where models and handles have put the particles to the end of the sub-step: bodies are parted where they
        touch, obstacles have the last word, and then velocities, what bodies that touch do to each other as wholes, and
        who sleeps. Returns a particle that has no finite place, or -1."""
        return self._end(inputs, gravity, *self._go(inputs, gravity, self.stage))

    def go_through(
        self, inputs: "Inputs", gravity: tuple[float, float, float], models: Models, times: int
    ) -> tuple[int, int]:
        """As many whole sub-steps as there are to be, or fewer if something has to be seen to by Python. models:
        their task lists for each thread. Returns how many, and a particle that then has no finite place, -1, or STOP if
        one by one is the only way."""
        try:
            bad, changed = self._go(inputs, gravity, self.stage, models, times)
        except BaseException:  # somebody interrupted it; all that there was to do is done, but nobody has seen to it
            self.gone = int(self.board[ROUNDS])
            self.lookout.serial += times
            self.come_back()
            raise
        done = int(self.board[ROUNDS])
        if bad == STOP:
            return 0, STOP
        unfinished = bad != AGAIN
        self.lookout.serial += done - 1 + unfinished
        bad = self._end(inputs, gravity, bad, changed)
        return done + (unfinished and bad == AGAIN), bad

    def _end(self, inputs: "Inputs", gravity: tuple[float, float, float], bad: int, changed: int) -> int:
        """What is left to do after the kernel has answered."""
        if bad == COUPLE:
            self.lookout.couple()
            bad, changed = self._go(inputs, gravity, GO_ON)
        if bad == ALONE:
            self.lookout.couple_alone()
            bad, changed = self._go(inputs, gravity, GO_ON)
        if changed:
            self._lie_down(np.flatnonzero(self.were_awake > self.awake))
        return bad

    def warn(self) -> None:
        """Of contacts that had to be left out, once."""
        if not self.warned and (lost := self.lookout.lost()):
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
        look, pieces = self.lookout, self.lookout.pieces
        self.board[:] = 0
        self.numbers[:] = *gravity, self.h, look.serial, look.since, stage
        arrays = self._arrays(inputs)
        if pieces == 1:
            first, second = meet_bodies(*arrays, 0, 1)
            return int(first), int(second)
        s = self.state
        start = (s.x, s.v, s.y, s.p, s.inverse, s.acceleration, inputs.pinned, inputs.places, self.numbers, self.board)
        self.handout.write(start, arrays, pieces)
        return self.handout.go_through(self.pool, models, times) if models else self.handout.meet(self.pool)

    def _arrays(self, inputs: "Inputs") -> tuple[Any, ...]:
        """What the kernel takes; the same tuple as long as it is the same arrays."""
        s, look = self.state, self.lookout
        change = (
            s.acceleration, self.chunks, s.pushes, s.marks, inputs.rows, inputs.grids, look.couples, look.heads,
            look.lists, inputs.pinned, inputs.places,
        )  # fmt: skip
        if len(self.changing) == len(change) and all(map(is_, self.changing, change)):
            return self.arrays
        self.changing = change
        self.arrays = (
            s.x, s.v, s.y, s.p, s.w, s.inverse, s.masses, s.acceleration, self.chunks, s.origins, s.sums, s.motion,
            s.bounces, s.hulls, inputs.rows, inputs.grids, s.marks, self.riders, self.shares, self.roots, self.holds,
            self.traits, self.rests, self.owners, self.spans, self.sides, self.manners, self.awake, look.boxes,
            look.fields, self.places, look.cases, look.glances, look.journeys, look.couples, look.heads, look.lists,
            look.sights, look.looked, look.near, look.table, look.grid, look.groups, look.pairs, look.seen, look.active,
            look.order, self.marks, self.contacts, self.bounds, self.meetings, s.impacts, s.pushes, self.lines,
            self.long, self.used, self.paints, self.palettes, self.blocks, self.ends, s.naps, inputs.pinned,
            inputs.places, self.numbers, look.rooms, self.board,
        )  # fmt: skip
        return self.arrays

    def _firm(self, h: float) -> None:
        """Bodies through which sound goes within a sub-step are pushed as wholes, but for those that pins hold. And how
        fast an impact each of them bears."""
        rows = self.manners.reshape(-1, at.MANNERS)
        for row, actor in zip(rows, self.actors, strict=True):
            pinned = not self.state.inverse[actor._first : actor._first + len(actor.body.rest)].all()
            body, model = actor.body, actor._model
            sound = np.inf if model.sound is None else model.sound(body, actor.settings, h)
            if model.oriented and len(body.rest) > 1 and not pinned:
                row[at.FIRM] = sound * h > diagonal(body.rest)
            else:
                row[at.FIRM] = 2.0 * (model.rigid and not pinned)
            row[at.BEARS] = CRUSH * sound if body.kind == "solid" else np.inf
            row[at.PRESSES] = 0.0 if is_thin(body) else body.density * sound

    @property
    def count(self) -> int:
        """How many contacts there were in the last sub-step."""
        return int(self.bounds[COUNT])

    @property
    def rows(self) -> NDArray[Any]:
        """A copy of the rows of these contacts, part by part."""
        bounds = self.bounds[ROWS : ROWS + 2 * PARTS].reshape(-1, 2)
        return np.concatenate([self.contacts.reshape(-1, at.CONTACT)[first:last] for first, last in bounds])

    def told(self, numbers: dict[int, int]) -> Contacts:
        """The contacts of the last sub-step. Numbers: of the actors in the world, by their place in the state."""
        to = [numbers[place] for place in range(len(self.actors))]
        return Contacts.of(self.rows, self.places, self.owners, to, self.h)

