"""The lookout: which actors come near each other, and who of them is watched."""

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pliant.maths.aligned import aligned_zeros
from pliant.runtime.thread_pool import ThreadPool
from pliant.world.contact import layout as at
from pliant.world.contact.cell_kernels import GRID, GROUP
from pliant.world.contact.cell_kernels import LANES as GROUPS
from pliant.world.contact.find_kernels import LISTS, LOST, ROOMS, VIEWS
from pliant.world.contact.kernels import couple_bodies, haste, recall_couples
from pliant.world.contact.part_kernels import PIECES

if TYPE_CHECKING:
    from pliant.world.contact.arena import Arena

LISTED = 32  # pairs for each sphere that are remembered
MOST_PAIRS = 2 * 64  # for each sphere of the largest actor, with another actor
WORTH_SHARING = 1_000  # particles for each thread
OLD = 8  # steps: couples are found anew though nobody has left its field, because most have slowed down meanwhile
NEVER = -2.0  # the number of a sub-step that was before all others
LITTLE = 4  # a part of all room for lists that is so small


class Lookout:
    """Made with the arena, whose contacts it finds."""

    def __init__(self, arena: "Arena") -> None:
        self.arena = arena
        sizes = np.diff(arena.spans.astype(np.int64))
        actors, count, largest = len(sizes), int(sizes.sum()), int(sizes.max(initial=0))
        self.boxes = aligned_zeros(at.BOX * actors, np.float64)
        self.fields = aligned_zeros(at.BOX * actors, np.float64)
        self.boxes_ahead = aligned_zeros(at.BOX * actors, np.float64)
        self.cases = aligned_zeros(at.CASE * count, np.float64)
        self.glances = aligned_zeros(at.GLANCE * count, np.float32)
        self.journeys = aligned_zeros(at.JOURNEY * actors, np.float64)
        self.ways = np.zeros(4 * actors)
        self.lanes = aligned_zeros(GROUPS * (actors // GROUP + 1), np.float32)
        self.actor_table = np.zeros(_power(4 * actors) + 1, np.int64)
        self.actor_entries = np.zeros(actors, np.int64)
        self.actor_keys = np.zeros(actors, np.int64)
        self.lists = np.zeros(2 * LISTED * count, np.uint32)
        self.new_lists = np.zeros(2 * LISTED * count, np.uint32)
        self.near = np.zeros(PIECES * 3 * (largest + 1), np.uint32)
        self.table = np.zeros(PIECES * (2 * largest + 2), np.int64)
        self.grid = np.zeros(PIECES * GRID)
        self.groups = aligned_zeros(PIECES * GROUPS * (largest // GROUP + 2), np.float32)
        self.pairs = np.zeros(PIECES * (2 + MOST_PAIRS * largest), np.uint32)
        self.seen = np.zeros(2 * len(self.pairs), np.uint32)
        self.rows = len(arena.contacts) // at.CONTACT
        self.sights = aligned_zeros(at.SIGHT * self.rows, arena.places.dtype)
        self.looked = aligned_zeros(at.SIGHT * self.rows, arena.places.dtype)
        self.serial = 0  # of the sub-step
        self.since = 0  # of that in which everybody was looked at
        self.fresh = True  # whether everybody is looked at in the next sub-step
        self.stale = True  # whether couples have to be found anew
        self.crowded = False  # whether one thread has to look at all for the rest of the step
        self.age = 0  # of the couples, in steps
        self.pieces = 1  # threads that share all this
        self.shared = 1  # and that shared the couples
        self.rooms = np.zeros(ROOMS * PIECES, np.int64)  # of each thread
        self._make_room(max(16, 8 * actors))
        self.lose_sight()

    def _make_room(self, couples: int) -> None:
        """For so many couples; who was listed is forgotten."""
        self.couples = np.zeros(2 + 2 * couples, np.int64)
        self.couples_ahead = np.zeros(2 + 2 * couples, np.int64)
        self.sorting = np.zeros(2 + 2 * couples, np.int64)
        self.heads = aligned_zeros(at.HEAD * couples, np.float64)
        self.new_heads = aligned_zeros(at.HEAD * couples, np.float64)
        self.active = np.zeros(3 * couples + 3, np.uint32)
        self.order = np.zeros(3 * couples + 3, np.uint32)
        self.listed = 0

    def lose_sight(self) -> None:
        """Whoever is found next has not come from where somebody was seen before."""
        self.journeys[:] = 0.0
        self.journeys[at.SEEN :: at.JOURNEY] = NEVER
        self.stale = True

    def haste(self, gravity: tuple[float, float, float], dt: float, enough: float) -> float:
        """How far two actors that may meet go past each other within dt, in parts of the size of their spheres, at
        most; roughly if that is enough. A step begins with this, and with a fresh look at everybody."""
        a, s = self.arena, self.arena.state
        self.fresh, self.crowded = True, False
        return haste(
            s.x, s.v, s.y, s.inverse, s.origins, a.manners, a.awake, a.sides, self.boxes_ahead, self.lanes,
            self.actor_table, self.actor_entries, self.actor_keys, self.couples_ahead, self.ways, *gravity, dt, enough,
        )  # fmt: skip

    def begin(self, pool: ThreadPool) -> bool:
        """A sub-step begins. Returns whether couples have to be found anew once everybody is placed."""
        self.serial += 1
        if self.fresh:
            self.since = self.serial
        pieces = 1 if self.crowded else pool.abreast(min(PIECES, len(self.arena.state) // WORTH_SHARING))
        if self.fresh and not self.stale:
            self._look_anew()
        if self.stale or pieces != self.pieces:
            self.stale = True
            self.pieces = pieces
        return self.stale

    def _look_anew(self) -> None:
        """Couples stay as they are, but nobody is in sight. After a while, or if there is little room left for lists,
        all is tidied."""
        self.age += 1
        if self.age > OLD or self._is_full():
            self.stale = True
            return
        for place, (first, last) in zip(range(0, ROOMS * self.pieces, ROOMS), self._cuts(0, self.rows), strict=True):
            self.rooms[place + VIEWS], self.rooms[place + VIEWS + 1] = first, last
        self.fresh = False

    def _is_full(self) -> bool:
        """Whether any thread has little room left for lists."""
        little = len(self.lists) // (LITTLE * self.pieces)
        starts = range(0, ROOMS * self.pieces, ROOMS)
        return any(self.rooms[start + LISTS + 1] - self.rooms[start + LISTS] < little for start in starts)

    def lost(self) -> int:
        """How many couples and contacts had to be left out of the last sub-step."""
        return int(self.couples[1]) + int(self.rooms[LOST])

    def couple_alone(self) -> None:
        """Threads that shared the couples had no room for what they saw: one of them is to look at all."""
        self.fresh = self.crowded = True
        self.since = self.serial
        self.heads[at.WHEN :: at.HEAD] = NEVER  # what they saw is not all
        self.pieces = 1
        self.couple()

    def _placing(self) -> tuple[object, ...]:
        """What kernels take that place spheres."""
        a, s = self.arena, self.arena.state
        return (
            s.x, s.p, s.inverse, s.origins, s.hulls, a.riders, a.shares, a.roots, a.holds, a.traits, a.spans, a.manners,
            a.awake, self.boxes, self.fields, a.places, self.cases, self.glances, self.journeys, float(self.serial),
        )  # fmt: skip

    def couple(self) -> None:
        """Find couples anew, and what was known of them."""
        while True:
            couples = couple_bodies(
                *self._placing(), self.lanes, self.actor_table, self.actor_entries, self.actor_keys, self.couples,
                self.sorting,
            )
            if couples >= 0:
                break
            self._make_room(2 * int(self.couples[0]))
        pack = self.shared != self.pieces or self._is_full()
        room = recall_couples(
            self.couples, len(self.arena.awake), self.journeys, self.heads, self.lists, self.listed, self.new_heads,
            self.new_lists, int(pack),
        )  # fmt: skip
        self.heads, self.new_heads = self.new_heads, self.heads
        self.listed = couples
        rooms = self.rooms.reshape(-1, ROOMS)
        last = int(rooms[: self.shared, VIEWS].max())  # of what is in sight, which stays where it is
        if pack:
            self.lists, self.new_lists = self.new_lists, self.lists
            rooms[: self.pieces, LISTS : LISTS + 2] = self._cuts(room, len(self.lists))
        if self.fresh or self.shared != self.pieces:
            rooms[: self.pieces, VIEWS : VIEWS + 2] = self._cuts(0 if self.fresh else last, self.rows)
        self.shared = self.pieces
        self.age = 0
        self.fresh = self.stale = False

    def _cuts(self, first: int, last: int) -> list[tuple[int, int]]:
        """A range in as many pieces as there are."""
        cuts = [first + (last - first) * piece // self.pieces for piece in range(self.pieces + 1)]
        return list(pairwise(cuts))


def _power(count: int) -> int:
    """A power of two, at least 2 and at least `count`."""
    return 1 << max(1, (max(1, count) - 1).bit_length())
