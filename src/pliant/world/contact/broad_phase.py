"""The broad phase: which actors come near each other, and what is kept of them from sub-step to sub-step."""

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pliant.maths.aligned import aligned_zeros
from pliant.runtime.thread_pool import ThreadPool
from pliant.world.contact import layout as at
from pliant.world.contact.cell_kernels import CELL_GRID, GROUP, GROUP_ROW
from pliant.world.contact.find_kernels import LEFT_OUT, NEXT_CANDIDATE, NEXT_LIST, THREAD_ROOM
from pliant.world.contact.kernels import find_pairs_of_bodies, recall_body_pairs, relative_motion_bound
from pliant.world.contact.part_kernels import PIECES

if TYPE_CHECKING:
    from pliant.world.contact.contact_system import ContactSystem

LISTED_PER_PROXY = 32  # pairs for each sphere that are remembered
MOST_PAIRS_PER_PROXY = 2 * 64  # for each sphere of the largest actor, with another actor
PARTICLES_PER_THREAD = 1_000  # fewer are not worth sharing
# steps: body pairs are found anew though no actor has left its fat AABB, because most have slowed down meanwhile
OLDEST_PAIRS = 8
NO_SUBSTEP = -2.0  # the number of a sub-step that was before all others
LITTLE = 4  # a part of all room for lists that is so small


class BroadPhase:
    """Made with the contact system, whose contacts it finds."""

    def __init__(self, contact_system: "ContactSystem") -> None:
        self.contact_system = contact_system
        sizes = np.diff(contact_system.spans.astype(np.int64))
        actors, count, largest = len(sizes), int(sizes.sum()), int(sizes.max(initial=0))
        self.boxes = aligned_zeros(at.AABB * actors, np.float64)
        self.fat_boxes = aligned_zeros(at.AABB * actors, np.float64)
        self.boxes_ahead = aligned_zeros(at.AABB * actors, np.float64)
        self.proxy_boxes = aligned_zeros(at.PROXY_BOX * count, np.float64)
        self.cull_rows = aligned_zeros(at.CULL_ROW * count, np.float32)
        self.displacements = aligned_zeros(at.DISPLACEMENT * actors, np.float64)
        self.mean_displacements = np.zeros(4 * actors)
        self.lanes = aligned_zeros(GROUP_ROW * (actors // GROUP + 1), np.float32)
        self.actor_table = np.zeros(_power(4 * actors) + 1, np.int64)
        self.actor_entries = np.zeros(actors, np.int64)
        self.actor_keys = np.zeros(actors, np.int64)
        self.lists = np.zeros(2 * LISTED_PER_PROXY * count, np.uint32)
        self.new_lists = np.zeros(2 * LISTED_PER_PROXY * count, np.uint32)
        self.near = np.zeros(PIECES * 3 * (largest + 1), np.uint32)
        self.table = np.zeros(PIECES * (2 * largest + 2), np.int64)
        self.grid = np.zeros(PIECES * CELL_GRID)
        self.groups = aligned_zeros(PIECES * GROUP_ROW * (largest // GROUP + 2), np.float32)
        self.pairs = np.zeros(PIECES * (2 + MOST_PAIRS_PER_PROXY * largest), np.uint32)
        self.survivors = np.zeros(2 * len(self.pairs), np.uint32)
        self.rows = len(contact_system.contacts) // at.CONTACT
        self.candidates = aligned_zeros(at.CANDIDATE * self.rows, contact_system.places.dtype)
        self.new_candidates = aligned_zeros(at.CANDIDATE * self.rows, contact_system.places.dtype)
        self.serial = 0  # of the sub-step
        self.since = 0  # of that in which all pairs were checked
        self.fresh = True  # whether all pairs are checked in the next sub-step
        self.stale = True  # whether body pairs have to be found anew
        self.crowded = False  # whether one thread has to check all for the rest of the step
        self.age = 0  # of the body pairs, in steps
        self.pieces = 1  # threads that share all this
        self.shared = 1  # and that shared the body pairs
        self.rooms = np.zeros(THREAD_ROOM * PIECES, np.int64)  # of each thread
        self._make_room(max(16, 8 * actors))
        self.forget_candidates()

    def _make_room(self, count: int) -> None:
        """For so many body pairs; what was listed is forgotten."""
        self.body_pairs = np.zeros(2 + 2 * count, np.int64)
        self.body_pairs_ahead = np.zeros(2 + 2 * count, np.int64)
        self.sorting = np.zeros(2 + 2 * count, np.int64)
        self.heads = aligned_zeros(at.PAIR_HEAD * count, np.float64)
        self.new_heads = aligned_zeros(at.PAIR_HEAD * count, np.float64)
        self.active = np.zeros(3 * count + 3, np.uint32)
        self.order = np.zeros(3 * count + 3, np.uint32)
        self.listed = 0

    def forget_candidates(self) -> None:
        """What was known of where actors have been does not count any more."""
        self.displacements[:] = 0.0
        self.displacements[at.BOXED_AT :: at.DISPLACEMENT] = NO_SUBSTEP
        self.stale = True

    def relative_motion_bound(self, gravity: tuple[float, float, float], dt: float, enough: float) -> float:
        """How far two actors that may meet go past each other within dt, in parts of the size of their spheres, at
        most; roughly if that is enough. A step begins with this, and with a fresh check of all pairs."""
        a, s = self.contact_system, self.contact_system.state
        self.fresh, self.crowded = True, False
        return relative_motion_bound(
            s.x, s.v, s.y, s.inverse, s.origins, a.materials, a.awake, a.sides, self.boxes_ahead, self.lanes,
            self.actor_table, self.actor_entries, self.actor_keys, self.body_pairs_ahead, self.mean_displacements,
            *gravity, dt, enough,
        )  # fmt: skip

    def begin(self, pool: ThreadPool) -> bool:
        """A sub-step begins. Returns whether body pairs have to be found anew once all actors are placed."""
        self.serial += 1
        if self.fresh:
            self.since = self.serial
        most = min(PIECES, len(self.contact_system.state) // PARTICLES_PER_THREAD)
        pieces = 1 if self.crowded else pool.abreast(most)
        if self.fresh and not self.stale:
            self._check_anew()
        if self.stale or pieces != self.pieces:
            self.stale = True
            self.pieces = pieces
        return self.stale

    def _check_anew(self) -> None:
        """Body pairs stay as they are, but have no candidates. After a while, or if there is little room left for
        lists, all is tidied."""
        self.age += 1
        if self.age > OLDEST_PAIRS or self._is_full():
            self.stale = True
            return
        rooms = self.rooms.reshape(-1, THREAD_ROOM)
        rooms[: self.pieces, NEXT_CANDIDATE : NEXT_CANDIDATE + 2] = self._cuts(0, self.rows)
        self.fresh = False

    def _is_full(self) -> bool:
        """Whether any thread has little room left for lists."""
        little = len(self.lists) // (LITTLE * self.pieces)
        starts = range(0, THREAD_ROOM * self.pieces, THREAD_ROOM)
        return any(self.rooms[start + NEXT_LIST + 1] - self.rooms[start + NEXT_LIST] < little for start in starts)

    def lost(self) -> int:
        """How many body pairs and contacts had to be left out of the last sub-step."""
        return int(self.body_pairs[1]) + int(self.rooms[LEFT_OUT])

    def find_body_pairs_alone(self) -> None:
        """Threads that shared the body pairs had no room for what they found: one of them is to check all."""
        self.fresh = self.crowded = True
        self.since = self.serial
        self.heads[at.CHECKED_AT :: at.PAIR_HEAD] = NO_SUBSTEP  # what they found is not all
        self.pieces = 1
        self.find_body_pairs()

    def _placing(self) -> tuple[object, ...]:
        """What kernels take that place spheres."""
        a, s = self.contact_system, self.contact_system.state
        return (
            s.x, s.p, s.inverse, s.origins, s.hulls, a.attachments, a.attachment_weights, a.anchors, a.anchor_weights,
            a.proxies, a.spans, a.materials, a.awake, self.boxes, self.fat_boxes, a.places, self.proxy_boxes,
            self.cull_rows, self.displacements, float(self.serial),
        )  # fmt: skip

    def find_body_pairs(self) -> None:
        """Find body pairs anew, and what was known of them."""
        while True:
            count = find_pairs_of_bodies(
                *self._placing(), self.lanes, self.actor_table, self.actor_entries, self.actor_keys, self.body_pairs,
                self.sorting,
            )  # fmt: skip
            if count >= 0:
                break
            self._make_room(2 * int(self.body_pairs[0]))
        pack = self.shared != self.pieces or self._is_full()
        room = recall_body_pairs(
            self.body_pairs, len(self.contact_system.awake), self.displacements, self.heads, self.lists, self.listed,
            self.new_heads, self.new_lists, int(pack),
        )  # fmt: skip
        self.heads, self.new_heads = self.new_heads, self.heads
        self.listed = count
        rooms = self.rooms.reshape(-1, THREAD_ROOM)
        last = int(rooms[: self.shared, NEXT_CANDIDATE].max())  # of the candidates, which stay where they are
        if pack:
            self.lists, self.new_lists = self.new_lists, self.lists
            rooms[: self.pieces, NEXT_LIST : NEXT_LIST + 2] = self._cuts(room, len(self.lists))
        if self.fresh or self.shared != self.pieces:
            rooms[: self.pieces, NEXT_CANDIDATE : NEXT_CANDIDATE + 2] = self._cuts(0 if self.fresh else last, self.rows)
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
