"""Faces put right before a surface is filled: no repetitions, none without area, all of a shell turned the same way."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pliant.geometry.measures import areas

Array = NDArray[np.float64]
Indices = NDArray[np.int32]
Flags = NDArray[np.bool_]

NO_AREA = 1e-12  # of the square of the longest edge: a face below it has no area
MOST_CAVITIES = 200
BULGE = 0.01  # volume over area^1.5 from which an open shell has an outside (a half ball has 0.07, a sheet 0)


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of some faces: ends (E, 2), low number first; for each the number of faces (E,) at it; and of each
    side of a face (M, 3: corner k to k + 1) the edge and whether it runs from the high end to the low one."""

    ends: NDArray[np.int64]
    uses: NDArray[np.int64]
    of_face: NDArray[np.int64]
    backwards: Flags


def edges_of(faces: Indices, count: int) -> Edges:
    """Every edge once. `count` is the number of points."""
    first, second = faces.astype(np.int64), np.roll(faces, -1, axis=1).astype(np.int64)
    low, high = np.minimum(first, second), np.maximum(first, second)
    keys, which, uses = np.unique(low * max(count, 1) + high, return_inverse=True, return_counts=True)
    ends = np.stack(np.divmod(keys, max(count, 1)), axis=1)
    return Edges(ends, uses, which.reshape(-1, 3), first > second)


@dataclass(frozen=True, eq=False)
class Mended:
    """faces (K, 3) that are left, turned; shell (K,): the number of the piece each belongs to, of `shells` (pieces
    share no point); closed (shells,): whether a shell has no open edge; and what was done."""

    faces: Indices
    shell: NDArray[np.int32]
    shells: int
    closed: Flags
    degenerate: int
    duplicate: int
    flipped: int
    inward: int


def mend(points: Array, faces: Indices) -> Mended:
    """The surface as it was probably meant."""
    proper = _proper(points, faces)
    first = _first_of_equal(faces[proper])
    kept = faces[proper][first]
    turned, flipped = _turned_alike(points, kept)
    graph = coo_array(
        (np.ones(2 * len(kept), dtype=bool), (np.repeat(kept[:, 0], 2), kept[:, 1:].ravel())),
        shape=(len(points), len(points)),
    )
    label = connected_components(graph, directed=False)[1]
    number, which = np.unique(label[kept[:, 0]], return_inverse=True)
    shell = which.reshape(-1).astype(np.int32)
    edges = edges_of(turned, len(points))
    closed = np.ones(len(number), dtype=bool)
    closed[shell[(edges.uses[edges.of_face] == 1).any(axis=1)]] = False
    inward = _inward(points, turned, shell, closed)
    turned = np.where(inward[shell][:, None], turned[:, ::-1], turned)
    return Mended(
        turned.astype(np.int32),
        shell,
        len(number),
        closed,
        degenerate=int((~proper).sum()),
        duplicate=int(proper.sum() - len(kept)),
        flipped=flipped,
        inward=int(inward.sum()),
    )


def _proper(points: Array, faces: Indices) -> Flags:
    """Faces with three corners that are not in line."""
    a, b, c = faces.T
    corners = points[faces]
    longest = (np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2) ** 2).max(axis=1, initial=0.0)
    return (a != b) & (b != c) & (c != a) & (areas(points, faces) > NO_AREA * longest)


def _first_of_equal(faces: Indices) -> NDArray[np.int64]:
    """One of the faces with the same three corners, whichever way they turn."""
    if len(faces) == 0:
        return np.empty(0, dtype=np.int64)
    low, middle, high = np.sort(faces, axis=1).astype(np.int64).T
    count = int(faces.max()) + 1
    _, pair = np.unique(low * count + middle, return_inverse=True)
    return np.sort(np.unique(pair.reshape(-1) * count + high, return_index=True)[1])


def _turned_alike(points: Array, faces: Indices) -> tuple[Indices, int]:
    """The faces with those turned round that run along an edge in the same direction as their neighbour; and how
    many. Of the two ways in which a patch can be turned, the one is taken that most of its area has."""
    count = len(faces)
    edges = edges_of(faces, len(points))
    side = np.argsort(edges.of_face.ravel(), kind="stable")
    starts = np.cumsum(edges.uses) - edges.uses
    pair = edges.uses == 2
    one, two = side[starts[pair]], side[starts[pair] + 1]
    against = edges.backwards.ravel()[one] == edges.backwards.ravel()[two]
    # Every face twice, as it is and turned round; neighbours that fit are linked. A patch is then two pieces, one
    # of each way, and a band with one side only (Möbius) a single piece, which is left as it is.
    f, g = one // 3, two // 3
    first = np.concatenate([f, f + count])
    second = np.concatenate([np.where(against, g + count, g), np.where(against, g, g + count)])
    graph = coo_array((np.ones(len(first), dtype=bool), (first, second)), shape=(2 * count, 2 * count))
    label = connected_components(graph, directed=False)[1]
    as_is, turned = label[:count], label[count:]
    patch = np.minimum(as_is, turned)
    odd = as_is > turned
    area = areas(points, faces)
    odd_area = np.bincount(patch, np.where(odd, area, 0.0), minlength=2 * count)
    even_area = np.bincount(patch, np.where(odd, 0.0, area), minlength=2 * count)
    flip = (as_is != turned) & (odd == (odd_area <= even_area)[patch])
    return np.where(flip[:, None], faces[:, ::-1], faces), int(flip.sum())


def _inward(points: Array, faces: Indices, shell: NDArray[np.int32], closed: Flags) -> Flags:
    """Which shells (S,) are inside out. One that lies inside another is a cavity and turned inwards rightly."""
    shells = len(closed)
    area = areas(points, faces)
    total = np.bincount(shell, area, minlength=shells)
    corners = points[faces]
    sums = [np.bincount(shell, area * corners[:, :, k].mean(axis=1), minlength=shells) for k in range(3)]
    middle = np.stack(sums, axis=1) / total[:, None]
    a, b, c = (corners[:, k] - middle[shell] for k in range(3))
    volume = np.bincount(shell, np.einsum("ij,ij->i", np.cross(a, b), c) / 6)
    inward = volume < -np.where(closed, 0.0, BULGE * total**1.5)
    # Whether something is round it is asked for the larger ones; it takes a look at all faces each time.
    for s in sorted(np.flatnonzero(inward).tolist(), key=lambda s: volume[s])[:MOST_CAVITIES]:
        others = faces[(shell != s) & closed[shell]]
        inward[s] = abs(_turns_round(points[faces[np.argmax(shell == s), 0]], points, others)) < 0.5
    return inward


def _turns_round(place: Array, points: Array, faces: Indices) -> float:
    """How often the faces go round a place: 1 inside a closed surface, 0 outside (van Oosterom and Strackee's
    solid angles)."""
    if len(faces) == 0:
        return 0.0
    a, b, c = (points[faces[:, k]] - place for k in range(3))
    la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    volume = np.einsum("ij,ij->i", np.cross(a, b), c)
    dots = [np.einsum("ij,ij->i", p, q) for p, q in ((a, b), (b, c), (c, a))]
    return float(np.arctan2(volume, la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb).sum() / (2 * np.pi))
