"""What contacts remember from one sub-step to the next: in snapshots, and when the actors are laid out anew.

Rows of the last sub-step are found again by keys, which name proxies, tets and bodies by their numbers among those of
all actors. When actors have come or gone these numbers are others; those who stayed must not notice."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.collision import layout as at
from pliant.collision.records import Found, Shapes, Work
from pliant.dynamics.sleep import REFERENCE, SLEEPING

if TYPE_CHECKING:
    from pliant.world.contact_system import ContactSystem

Whole = NDArray[np.int64]
PAIRS, SPANS, KEYS, ROWS, REFERENCES, QUATERNIONS, IMPACTS = range(7)


def quaternions(work: Work) -> NDArray[np.float64]:
    """The rotations of all bodies as they were last found (B, 4): where a body is crushed to a line or a point it keeps
    the one that it had. A view."""
    return work.frames.reshape(-1, at.BODY_FRAME)[:, at.QUATERNION : at.QUATERNION + 4]


def kept(work: Work, found: Found) -> list[NDArray[Any]]:
    """Copies of all that lasts, as long as it is."""
    count = int(work.counts[at.KEPT_PAIRS])
    pairs, spans = work.old_pairs[: 2 * count].reshape(-1, 2), found.old_spans[: 2 * count].reshape(-1, 2)
    full = spans[:, 0] < spans[:, 1]
    pairs, spans = pairs[full], spans[full]
    lengths = spans[:, 1] - spans[:, 0]
    ends = np.cumsum(lengths)
    rows = np.repeat(spans[:, 0] - (ends - lengths), lengths) + np.arange(lengths.sum())
    return [
        pairs.reshape(-1), np.column_stack([ends - lengths, ends]).reshape(-1), found.old_keys[rows],
        found.old.reshape(-1, at.ROW_MEMORY)[rows].reshape(-1), work.references.copy(), quaternions(work).copy(),
        work.impacts.copy(),
    ]  # fmt: skip


def put_back(work: Work, found: Found, memory: list[NDArray[Any]]) -> None:
    """The same again; there is room for it."""
    pairs, spans, keys, rows, references, rotations, impacts = memory
    work.old_pairs[: len(pairs)], found.old_spans[: len(spans)] = pairs, spans
    found.old_keys[: len(keys)], found.old[: len(rows)] = keys, rows
    work.counts[at.KEPT_PAIRS] = len(pairs) // 2
    work.references[:], quaternions(work)[:], work.impacts[:] = references, rotations, impacts


def carried_over(before: "ContactSystem", now: "ContactSystem") -> list[NDArray[Any]]:
    """What `now`, which has been laid out anew, is to remember of what `before` did: of actors whose body is the
    same."""
    memory, new = kept(before.work, before.found), kept(now.work, now.found)
    places = _places(before, now)
    for old, place in enumerate(places):
        if place >= 0:
            new[REFERENCES].reshape(-1, REFERENCE)[place] = memory[REFERENCES].reshape(-1, REFERENCE)[old]
            new[QUATERNIONS][place] = memory[QUATERNIONS][old]
            impact = memory[IMPACTS].reshape(-1, at.IMPACT)[old].copy()
            if impact[at.IMPACT_PARTNER] > 0.0:
                impact[at.IMPACT_PARTNER] = places[int(impact[at.IMPACT_PARTNER]) - 1] + 1  # none where that is gone
            new[IMPACTS].reshape(-1, at.IMPACT)[place] = impact
    pairs, spans = memory[PAIRS].reshape(-1, 2), memory[SPANS].reshape(-1, 2)
    ranks = now.shapes.bodies.reshape(-1, at.BODY)[:, at.RANK]
    stayed = []
    for pair, (a, b) in enumerate(pairs):
        c, d = places[a], places[b] if b >= 0 else -1
        if c >= 0 and (b < 0 or d >= 0):
            order = (1, c, 0) if b < 0 else (0, int(ranks[c]), int(ranks[d]))
            stayed.append((order, pair, c, d))
    kept_pairs, kept_spans, keys, rows = [], [], [np.empty(0, np.int64)], [np.empty((0, at.ROW_MEMORY))]
    count, room = 0, len(now.found.old_keys)
    for _, pair, c, d in sorted(stayed):
        first, last = spans[pair]
        if count + last - first > room:
            break
        those = memory[ROWS].reshape(-1, at.ROW_MEMORY)[first:last].copy()
        a, b = pairs[pair]
        keys.append(_moved(before.shapes, now.shapes, (a, b), (c, d), memory[KEYS][first:last], those))
        rows.append(those)
        kept_pairs += [c, d]
        kept_spans += [count, count + last - first]
        count += last - first
    new[PAIRS], new[SPANS] = np.array(kept_pairs, np.int64), np.array(kept_spans, np.int64)
    new[KEYS], new[ROWS] = np.concatenate(keys), np.concatenate(rows).reshape(-1)
    return new


def _places(before: "ContactSystem", now: "ContactSystem") -> list[int]:
    """Where each body of before stands now; -1 for one that is gone, or is another one."""
    places = {id(actor): place for place, actor in enumerate(now.actors)}
    kinds, old_kinds = (each.shapes.bodies.reshape(-1, at.BODY)[:, at.KIND] for each in (now, before))
    found = []
    for old, (actor, body) in enumerate(zip(before.actors, before.bodies, strict=True)):
        place = places.get(id(actor), -1)
        same = place >= 0 and now.bodies[place] is body and kinds[place] == old_kinds[old]
        found.append(place if same else -1)
    return found


def _moved(
    before: Shapes, now: Shapes, old: tuple[int, int], new: tuple[int, int], keys: Whole, rows: NDArray[np.float64]
) -> Whole:
    """The keys of a pair by the numbers of now; the tets in its rows too, in place."""
    heads, others = before.bodies.reshape(-1, at.BODY), now.bodies.reshape(-1, at.BODY)
    if old[1] < 0:  # with obstacles
        return keys + (others[new[0], at.PROXY] - heads[old[0], at.PROXY])
    inside = (heads[list(old), at.FIELD] >= 0) & (heads[list(old), at.KIND] != at.TURNING)
    if not inside.any():  # of round ones: proxies are counted within their bodies
        return keys
    direction = keys >> at.KEY_GROUP
    proxies, tets = (others[list(new), at_] - heads[list(old), at_] for at_ in (at.PROXY, at.TETS))
    through = rows[:, at.MEMORY_THROUGH]
    rows[:, at.MEMORY_THROUGH] = np.where(through >= 0.0, through + tets[1 - direction], through)
    return keys + proxies[direction]


def rest_on(before: "ContactSystem", now: "ContactSystem") -> None:
    """Who slept sleeps on, and who was at rest has been so for as long; but those who were near one who is gone, or who
    has other settings, wake: they may have lain on it."""
    old, timers = before.state.sleep_timers, now.state.sleep_timers
    places = _places(before, now)
    same = [p >= 0 and now.settings[p] is settings for p, settings in zip(places, before.settings, strict=True)]
    boxes = before.work.boxes.reshape(-1, at.AABB)
    left = boxes[~np.array(same, bool)]
    for number, place in enumerate(places):
        if same[number]:
            box = boxes[number]
            near = ((left[:, :3] <= box[3:]) & (box[:3] <= left[:, 3:])).all(axis=1)
            timers[place] = 0.0 if old[number] == SLEEPING and near.any() else old[number]
