"""Names for poses that were found: what a deformation does, in a word, and where."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from pliant.geometry.regions import Regions

Array = NDArray[np.float64]

MOST_OF_IT = 0.6  # of the squared change: a part that holds as much gives its name
SMALL_PART = 0.5  # of all landmarks: a larger one is the whole body
EXPLAINED = 0.3  # of what neighbours turn against each other, by one twist or bend
STRETCHED = 0.08  # by how much an axis changes its length on the whole, before one speaks of it
LONGER_WORDS = ("wide", "stretched", "deep")
SHORTER_WORDS = ("narrow", "squashed", "thin")
TALL_FIRST = 0.6  # of the largest change of an axis: the height is what one speaks of first
OFF_MIDDLE = 0.2  # of the extent: how far from the middle a change is that is on one side
SIDE_NAMES = (("left", "right"), ("bottom", "top"), ("back", "front"))


def describe_in_words(
    rest: Array, places: Array, parts: Regions, change: Array, members: Mapping[str, NDArray[np.bool_]]
) -> str:
    """A word or two for a shape (K, 3).  change (K,): the squared change of each ring; members: the named parts (K,).

    A part that most of the change is in comes first, or a side; then what is done: twist, bend, or by the axis that
    changes."""
    part = _part(change, members)
    chosen = members[part] if part else np.ones(len(rest), dtype=bool)
    where = part or _side(rest, change)
    return " ".join(word for word in (where, _deed(rest, places, parts, chosen)) if word)


def distinct(names: Iterable[str], times: Iterable[float]) -> list[str]:
    """The names, with the moment wherever two are the same.

    >>> distinct(["bend", "twist", "bend"], [0.5, 1.0, 1.25])
    ['bend 0.5 s', 'twist', 'bend 1.25 s']
    """
    names = list(names)
    return [name if names.count(name) == 1 else f"{name} {time:.4g} s" for name, time in zip(names, times, strict=True)]


def _part(change: Array, members: Mapping[str, NDArray[np.bool_]]) -> str:
    """The smallest part that holds most of the change."""
    total = float(change.sum())
    held = [
        (int(mask.sum()), name)
        for name, mask in members.items()
        if mask.mean() <= SMALL_PART and change[mask].sum() >= MOST_OF_IT * total
    ]
    return min(held)[1] if held else ""


def _side(rest: Array, change: Array) -> str:
    """The side of the body on which a change is; empty if it is in the middle or all over."""
    size = np.maximum(np.ptp(rest, axis=0), 1e-12)
    off = (change @ rest / max(float(change.sum()), 1e-300) - rest.mean(axis=0)) / size
    axis = int(np.abs(off).argmax())
    thick = size[axis] > 0.02 * size.max()
    return SIDE_NAMES[axis][int(off[axis] > 0)] if thick and abs(off[axis]) > OFF_MIDDLE else ""


def _deed(rest: Array, places: Array, parts: Regions, chosen: NDArray[np.bool_]) -> str:
    """What is done to the chosen landmarks."""
    lengths = np.ptp(places[chosen], axis=0) / np.maximum(np.ptp(rest[chosen], axis=0), 1e-12)
    thick = np.ptp(rest[chosen], axis=0) > 0.02 * np.ptp(rest, axis=0).max()
    turning = _turning(rest, places, parts, chosen)
    if turning:
        return turning
    amounts = np.where(thick, np.abs(np.log(np.maximum(lengths, 1e-6))), 0.0)
    axis = 1 if amounts[1] >= TALL_FIRST * amounts.max() else int(amounts.argmax())
    if amounts[axis] < STRETCHED:
        return "pose"
    return LONGER_WORDS[axis] if lengths[axis] > 1 else SHORTER_WORDS[axis]


def _turning(rest: Array, places: Array, parts: Regions, chosen: NDArray[np.bool_]) -> str:
    """Whether neighbours turn against one another as in a twist, or as in a bend; empty if neither.

    Between neighbours the rotation changes by K times the step from one to the other: K = rate a a^T is a twist about
    a, K = rate b a^T a bend about b along a."""
    rotations = parts.polar(places)[0]
    owners = np.repeat(np.arange(len(rest)), np.diff(parts.starts))
    pairs = (owners != parts.members) & chosen[owners] & chosen[parts.members]
    a, b = owners[pairs], parts.members[pairs]
    if len(a) < 6:
        return ""
    steps = rest[b] - rest[a]
    turns = Rotation.from_matrix(np.swapaxes(rotations[a], 1, 2) @ rotations[b]).as_rotvec()
    rate = np.linalg.lstsq(steps, turns, rcond=None)[0].T
    total, left = float(np.sum(turns**2)), float(np.sum((turns - steps @ rate.T) ** 2))
    u, s, vt = np.linalg.svd(rate)
    angle = s[0] * float(np.ptp(rest[chosen] @ vt[0]))
    if total == 0.0 or left > (1 - EXPLAINED) * total or angle < np.radians(15):
        return ""
    return "twist" if abs(u[:, 0] @ vt[0]) > 0.7 else "bend"
