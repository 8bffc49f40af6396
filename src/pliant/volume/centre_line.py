"""The centre line of a tube-like surface, branches and rings included.

The surface is cut into bands at even steps along the way from one of its tips. A connected bit of a band is a ring
round the tube, and its middle a point of the line; rings that touch are neighbours. (It is the Reeb graph of the way
along the surface.)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, dijkstra

from pliant.geometry.measures import areas
from pliant.geometry.rings import rings
from pliant.volume.fine import Fine, cut_finer, finest

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

BAND_POINTS = 2.5  # points of the fine surface along a band
GUESS_BANDS = 60  # bands along the diagonal when the length is guessed
SHORTEST_SEGMENT = 0.5  # of the radius: segments shorter than that say nothing more about a tube
MOST_FINE_POINTS = 40_000  # of the fine surface, about; bounds the time
STUB = 2.5  # radii, counted from the middle: a branch that is shorter is a bump on the wall


@dataclass(frozen=True, eq=False)
class CentreLine:
    """segments (S, 2) of `count` particles; home (K,): the particle of each point of the fine surface; counts (K,):
    whether it has a say in where that is, with its share (m^2) of the area."""

    fine: Fine
    count: int
    segments: Numbers
    home: Numbers
    counts: NDArray[np.bool_]
    shares: Array

    @property
    def middles(self) -> coo_array:
        """The matrix (V, K) that takes fine points to particles: means over their rings, weighted by area."""
        who = np.flatnonzero(self.counts)
        total = np.bincount(self.home[who], self.shares[who], minlength=self.count)
        value = self.shares[who] / total[self.home[who]]
        return coo_array((value, (self.home[who], who)), shape=(self.count, len(self.home)))


def centre_line(points: Array, faces: NDArray[np.int32], particles: int) -> CentreLine:
    """About `particles` points along the middle of a surface, fewer where they would be closer than half its
    radius."""
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    area = float(areas(points, faces).sum())
    shortest = BAND_POINTS * finest(points, faces, size / 4000 / BAND_POINTS, MOST_FINE_POINTS)
    step = max(size / GUESS_BANDS, shortest)
    for _ in range(3):  # the length is known once there is a line, and the radius from it
        fine = cut_finer(points, faces, step / BAND_POINTS)
        line = _banded(fine, step)
        place = line.middles @ fine.points
        length = float(np.linalg.norm(np.diff(place[line.segments], axis=1), axis=2).sum())
        radius = area / (2 * np.pi * max(length, step))
        step = max(length / max(particles - 1, 1), SHORTEST_SEGMENT * radius, shortest)
    fine = cut_finer(points, faces, step / BAND_POINTS)
    return _blunt(_without_stubs(_banded(fine, step), radius), radius)


def _banded(fine: Fine, step: float) -> CentreLine:
    way = _way_from_tips(fine)
    band = np.floor(way / step).astype(np.int64)
    a, b = fine.edges.ends.T
    same = band[a] == band[b]
    count = len(fine.points)
    graph = coo_array((np.ones(same.sum(), dtype=bool), (a[same], b[same])), shape=(count, count))
    nodes, node = connected_components(graph, directed=False)
    pairs = np.sort(np.stack([node[a[~same]], node[b[~same]]], axis=1).astype(np.int64), axis=1)
    segments = np.stack(np.divmod(np.unique(pairs[:, 0] * nodes + pairs[:, 1]), nodes), axis=1)
    shares = np.bincount(
        fine.faces.ravel(), np.repeat(areas(fine.points, fine.faces.astype(np.int32)) / 3, 3), minlength=count
    )
    return CentreLine(
        fine,
        nodes,
        segments,
        node.astype(np.int64),
        np.ones(count, dtype=bool),
        np.maximum(shares, 1e-300, dtype=np.float64),
    )


def _way_from_tips(fine: Fine) -> Array:
    """How far (m) each point is along the surface from a tip of its piece."""
    pieces, piece = fine.pieces
    start = np.searchsorted(np.sort(piece), np.arange(pieces))
    first = np.argsort(piece, kind="stable")[start]
    for _ in range(2):  # the farthest from anywhere is a tip; once more in case that was a bump in the middle
        way = dijkstra(fine.graph, directed=False, indices=first, min_only=True)
        order = np.lexsort((-way, piece))
        first = order[np.searchsorted(piece[order], np.arange(pieces))]
    return dijkstra(fine.graph, directed=False, indices=first, min_only=True)


def _without_stubs(line: CentreLine, radius: float) -> CentreLine:
    """The line without branches shorter than a few radii, whose points go to where the branch began."""
    place = line.middles @ line.fine.points
    home = np.arange(line.count)
    segments = line.segments
    while (stub := _shortest_stub(_neighbours(segments, line.count), place, STUB * radius)) is not None:
        *branch, fork = stub
        home[np.isin(home, branch)] = fork
        segments = segments[~np.isin(segments, branch).any(axis=1)]
    used, compact = np.unique(segments, return_inverse=True)
    number = np.full(line.count, -1)
    number[used] = np.arange(len(used))
    moved = home[line.home]
    return CentreLine(
        line.fine,
        len(used),
        compact.reshape(-1, 2),
        number[moved],
        line.counts & (moved == line.home) & (number[moved] >= 0),
        line.shares,
    )


def _blunt(line: CentreLine, radius: float) -> CentreLine:
    """The line with the particles of each end, a radius deep, made one. The first bands round a tip are not rings yet
    and their middles lie aside; taken together they lie on the axis."""
    place = line.middles @ line.fine.points
    around = _neighbours(line.segments, line.count)
    home = np.arange(line.count)
    for end in (node for node, near in enumerate(around) if len(near) == 1):
        path, length = [end], 0.0
        while True:
            ahead = [node for node in around[path[-1]] if node not in path[-2:]]
            if len(ahead) != 1 or len(around[ahead[0]]) != 2:
                break
            length += float(np.linalg.norm(place[ahead[0]] - place[path[-1]]))
            if length > radius:
                break
            path.append(ahead[0])
        home[path] = path[-1]
    segments = home[line.segments]
    segments = segments[segments[:, 0] != segments[:, 1]]
    used, compact = np.unique(segments, return_inverse=True)
    if len(used) < 2:
        return line
    number = np.full(line.count, -1)
    number[used] = np.arange(len(used))
    moved = np.where(line.home >= 0, number[home[line.home]], -1)
    return CentreLine(line.fine, len(used), compact.reshape(-1, 2), moved, line.counts & (moved >= 0), line.shares)


def _neighbours(segments: Numbers, count: int) -> list[list[int]]:
    starts, members = rings(segments, count)
    return [members[p + 1 : q].tolist() for p, q in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


def _shortest_stub(around: list[list[int]], place: Array, longest: float) -> list[int] | None:
    """The shortest branch, from its end to the fork (which is the last), if it is shorter than `longest` metres."""
    best: tuple[float, list[int]] | None = None
    for end in (node for node, near in enumerate(around) if len(near) == 1):
        path, length = [end], 0.0
        while len(around[path[-1]]) <= 2:
            ahead = [node for node in around[path[-1]] if node not in path[-2:]]
            if not ahead:
                break
            length += float(np.linalg.norm(place[ahead[0]] - place[path[-1]]))
            path.append(ahead[0])
            if length > longest:
                break
        else:
            if best is None or length < best[0]:
                best = length, path
    return None if best is None else best[1]
