"""A body as springs: edges, and what resists bending. Constants come from the material [Van Gelder 1998], so that a
finer mesh is as hard as a coarse one.

With the edges of tets of volume V and lengths l, a strain e costs  1/2 sum_t V E sum_6 (u^T e u)^2.  Directions evenly
spread make of that an isotropic solid with C11 = 6/5 E, C12 = 2/5 E: Young's modulus E, Poisson's ratio 1/4. The three
edges of triangles make a plate of modulus E and ratio 1/3, so its flexural rigidity is 9/8 E t^3 / 12.

Bent to a curvature c across a direction, hinges (edge e, triangles of area A together) turn by c cos^2 2 A / (3 |e|),
and with the weights 3 |e|^2 / A [Grinspun+03] cost 1/2 b 3/2 c^2 per area: so b = 2/3 of the rigidity, E t^3 / 16."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.measures import element_volumes

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
PAIRS = {4: ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)), 3: ((0, 1), (1, 2), (2, 0)), 2: ((0, 1),)}


@dataclass(frozen=True, eq=False)
class Network:
    """E springs between two particles, of which the last `across` bridge an edge of a sheet; B bows of a rope at three
    particles with coefficients (1/m); H hinges at four: the edge, then the corner on each side. Stiffness of all for a
    modulus of 1 Pa: N/m, of bows and hinges N m. Where particles are is told by E lengths (m), B bends, H angles (rad):
    the descriptor, N numbers."""

    edges: Ints  # (E, 2)
    bows: Ints  # (B, 3)
    coefficients: Array  # (B, 3)
    hinges: Ints  # (H, 4)
    stiffness: Array  # (N,)
    across: int
    levers: Array  # (H, 4) 1/m: by how much a flat hinge turns when one of the four rises

    @property
    def sizes(self) -> tuple[int, int, int]:
        return len(self.edges), len(self.bows), len(self.hinges)

    def particles(self) -> Ints:
        """(N, 4) of each element; where there are fewer, the first again."""
        rows = [each[:, [*range(each.shape[1]), *[0] * (4 - each.shape[1])]] for each in self._stencils()]
        return np.concatenate(rows)

    def _stencils(self) -> tuple[Ints, Ints, Ints]:
        return self.edges, self.bows, self.hinges


_kept: "WeakKeyDictionary[Body, dict[str, Network]]" = WeakKeyDictionary()


def network_of(body: Body, bend_by: str = "angles") -> Network:
    """Made at the first use of a body."""
    kept = _kept.setdefault(body, {})
    if bend_by not in kept:
        kept[bend_by] = _make(body, bend_by)
    return kept[bend_by]


def _make(body: Body, bend_by: str) -> Network:
    rest, elements = body.rest, body.elements.astype(np.int64)
    volumes = element_volumes(rest, body.elements, body.thickness)
    pairs = PAIRS[elements.shape[1]]
    ends = np.sort(np.concatenate([elements[:, pair] for pair in map(list, pairs)]), axis=1)
    edges, place = np.unique(ends, axis=0, return_inverse=True)
    around = np.bincount(place.reshape(-1), np.tile(volumes, len(pairs)), len(edges))
    stiffness = around / lengths(rest, edges) ** 2
    none = np.zeros((0, 3), np.int64), np.zeros((0, 3)), np.zeros((0, 4), np.int64), np.zeros(0), np.zeros((0, 4))
    bows, coefficients, hinges, hardness, levers = none
    if body.kind == "rod":
        bows, coefficients, hardness = _bows(body, elements)
    elif body.kind == "shell":
        hinges = hinges_of(elements)
        levers, hardness = _bending(rest, hinges, float(body.thickness or 0.0))
    across = 0
    if bend_by == "springs" and len(hinges):
        # as much torque as the angle has where the sheet is folded back on itself: k = 4 b / l^2
        opposite = hinges[:, 2:]
        edges = np.concatenate([edges, opposite])
        across, stiffness = len(hinges), np.concatenate([stiffness, 4.0 * hardness / lengths(rest, opposite) ** 2])
        hinges, hardness, levers = none[2], none[3], none[4]
    return Network(
        edges, bows, coefficients, hinges, np.concatenate([stiffness, hardness]), across, levers
    )


def lengths(x: Array, edges: Ints) -> Array:
    """(E,) m."""
    return np.linalg.norm(x[edges[:, 1]] - x[edges[:, 0]], axis=1)


def hinges_of(triangles: Ints) -> Ints:
    """(H, 4) of the edges that two triangles share: a, b as the first of them goes round, its corner, the other's."""
    sides = np.concatenate([triangles[:, [i, (i + 1) % 3, (i + 2) % 3]] for i in range(3)])
    low, high = sides[:, :2].min(axis=1), sides[:, :2].max(axis=1)
    order = np.lexsort((high, low))
    same = (low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1])
    first, second = sides[order[:-1][same]], sides[order[1:][same]]
    return np.column_stack([first, second[:, 2]])


def _bending(rest: Array, hinges: Ints, thickness: float) -> tuple[Array, Array]:
    """Levers (H, 4), and the stiffness of the angles for 1 Pa."""
    a, b, c, d = (rest[hinges[:, i]] for i in range(4))
    e = b - a
    square = np.square(e).sum(axis=1)
    levers = np.zeros((len(hinges), 4))
    both = np.zeros(len(hinges))
    for corner, slot in ((c, 2), (d, 3)):
        area = 0.5 * np.linalg.norm(np.cross(e, corner - a), axis=1)
        along = np.einsum("hi,hi->h", corner - a, e) / square
        rise = np.sqrt(square) / (2.0 * area)  # 1 / height
        levers[:, slot] = rise
        levers[:, 0] -= (1.0 - along) * rise
        levers[:, 1] -= along * rise
        both += area
    return levers, thickness**3 / 16.0 * 3.0 * square / both


def _bows(body: Body, segments: Ints) -> tuple[Ints, Array, Array]:
    """At each particle between two segments: |t' - t|, the difference of their directions, 2 sin of half the angle. A
    round bar of radius r has the stiffness E pi r^4 / 4 over the length that the particle stands for."""
    near: dict[int, list[int]] = {}
    for i, j in segments.tolist():
        near.setdefault(i, []).append(j)
        near.setdefault(j, []).append(i)
    found = [(ends[0], i, ends[1]) for i, ends in sorted(near.items()) if len(ends) == 2]
    bows = np.array(found, np.int64).reshape(-1, 3)
    one, two = (lengths(body.rest, bows[:, pair]) for pair in ([0, 1], [1, 2]))
    coefficients = np.column_stack([1.0 / one, -1.0 / one - 1.0 / two, 1.0 / two])
    radius = float(body.thickness or 0.0) / 2.0
    return bows, coefficients, np.pi * radius**4 / 4.0 / (0.5 * (one + two))
