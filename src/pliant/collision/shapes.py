"""What of a body can touch: contact points, and where its inside is.

A solid is touched at points of its skin, which ride on the particles as the drawn skin does; its inside is told by the
distance to the skin at rest, on a grid, and a point of space is taken back to rest through the tet that holds it. So
flat lies on flat, and what is drawn is what touches. Shells and rods have no inside: they are covered with balls.
Particles that turn are ellipsoids already.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pliant.body import Body
from pliant.collision.constants import BLOCK_SIZE, CORE_BEGINS, CORE_POINTS, FIELD_CELLS, PROBE
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.distance_grid import DistanceGrid
from pliant.geometry.embedding import locate
from pliant.geometry.measures import diagonal
from pliant.geometry.nearest import barycentric_in_tet
from pliant.graph import Graph
from pliant.volume.obstacle import obstacle_grid

Array = NDArray[np.float64]
HOLE = 0.29  # of an edge of a shell: balls of this radius on corners and middles leave no hole between them
MOST_BETWEEN = 6  # balls on a segment of a rod, at most
CORE_SEARCH = 8  # steps from the skin to the core
FLAT_SKIN = 0.999  # of the sum of areas: what is left when they are added as vectors
ALIKE = 1e-4  # of the diagonal: vertices that are out as far as one another
_NO_CELLS = np.zeros(0, np.int64)
SMALLEST = 1e-6  # of the diagonal: what has no size is given one


@dataclass(frozen=True, eq=False)
class Shape:
    """P proxies: starts (P + 1,), particles and weights of their attachments, which say where they are; holders (P,
    4) and shares (P, 4): what a push acts on; rest (P, 3) m; radii (P,) m, 0 for a point of a skin, less for an
    ellipsoid, its longest; flat (P,): whether the skin round a point is; inner (P, 4), inner_weights (P, 4),
    inner_rest (P, 3): the point that each looks from. Of a solid also the grid of distances and, for each of its
    points, a tet. radius, size, reach: m. core_points (C, 3) m, at rest: round what is deeper than core_depth.
    block_particles (V,) by blocks that begin at block_starts (K + 1,): those of a block are near one another; the
    proxies that they hold begin at block_proxies (K + 1,). reaches (V,) m: how far from each particle, at most,
    what of the body is nearest to it."""

    starts: NDArray[np.int64]
    particles: NDArray[np.int64]
    weights: Array
    holders: NDArray[np.int64]
    shares: Array
    rest: Array
    radii: Array
    flat: NDArray[np.bool_]
    inner: NDArray[np.int64]
    inner_weights: Array
    inner_rest: Array
    radius: float
    size: float
    reach: float = 0.0
    grid: DistanceGrid | None = None
    cells: NDArray[np.int64] | None = None
    core_points: Array = field(default_factory=lambda: np.zeros((0, 3)))
    core_depth: float = 0.0
    block_particles: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    block_starts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))
    block_proxies: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))
    reaches: Array = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.radii)


_shapes: WeakKeyDictionary[Body, Shape] = WeakKeyDictionary()


def shape_of(body: Body) -> Shape:
    """The contact shape of a body, found once."""
    if body not in _shapes:
        _shapes[body] = _in_blocks(_find(body), body)
    return _shapes[body]


def _in_blocks(shape: Shape, body: Body) -> Shape:
    """The particles in blocks, halved again and again along their longest side, and the proxies in the order of the
    blocks of the particles that hold them."""
    rest = body.rest
    blocks = _halved(rest, np.arange(len(rest)))
    block_of = np.zeros(len(rest), np.int64)
    for number, block in enumerate(blocks):
        block_of[block] = number
    own = block_of[shape.holders[:, 0]]
    order = np.argsort(own, kind="stable")
    counts = np.diff(shape.starts)
    places = np.concatenate([np.empty(0, np.int64), *(np.arange(*shape.starts[k : k + 2]) for k in order)])
    return replace(
        shape,
        starts=np.concatenate([[0], np.cumsum(counts[order])]), particles=shape.particles[places],
        weights=shape.weights[places], holders=shape.holders[order], shares=shape.shares[order],
        rest=shape.rest[order], radii=shape.radii[order], flat=shape.flat[order], inner=shape.inner[order],
        inner_weights=shape.inner_weights[order], inner_rest=shape.inner_rest[order],
        block_particles=np.concatenate(blocks), block_starts=np.cumsum([0, *(len(block) for block in blocks)]),
        block_proxies=np.searchsorted(own[order], np.arange(len(blocks) + 1)), reaches=_reaches(shape, body),
    )  # fmt: skip


def _reaches(shape: Shape, body: Body) -> Array:
    """Of each particle. What has no inside is no more than its proxies."""
    reaches = np.zeros(len(body.rest))
    if shape.grid is None or (shape.radii != 0.0).any():
        far = np.linalg.norm(shape.rest - body.rest[shape.holders[:, 0]], axis=1)
        np.maximum.at(reaches, shape.holders[:, 0], far + np.abs(shape.radii))
        return reaches
    counts = shape.grid.values.shape
    inside = np.argwhere(shape.grid.values.reshape(counts) < 0.0) * shape.grid.spacing + shape.grid.origin
    distances, nearest = cKDTree(body.rest).query(np.concatenate([body.skin.vertices, inside, shape.rest]))
    np.maximum.at(reaches, nearest, distances)
    return reaches


def _halved(rest: Array, chosen: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    if len(chosen) <= BLOCK_SIZE:
        return [chosen]
    axis = int(np.ptp(rest[chosen], axis=0).argmax())
    order = chosen[np.argsort(rest[chosen, axis], kind="stable")]
    return [*_halved(rest, order[: len(order) // 2]), *_halved(rest, order[len(order) // 2 :])]


def _is_solid(body: Graph) -> bool:
    return body.source is not None and body.source.kind == "solid"


def _grid_of(body: Body) -> DistanceGrid:
    """Distances to the skin, at rest."""
    return obstacle_grid(body.skin.vertices, body.skin.faces, cells=FIELD_CELLS, solid=True)


def _with_core(shape: Shape) -> Shape:
    """Points round the core: from those of the skin towards the inside, where it is as deep, well spread."""
    assert shape.grid is not None
    depth = CORE_BEGINS * -float(shape.grid.values.min())
    points = shape.rest.copy()
    for _step in range(CORE_SEARCH):
        distances, gradients = shape.grid.at(points)
        points -= (distances + depth)[:, None] * gradients
    points = points[np.abs(shape.grid.at(points)[0] + depth) < 0.25 * depth]
    return replace(shape, core_points=points[_spread(points, CORE_POINTS)], core_depth=depth)


def _spread(points: Array, count: int) -> NDArray[np.intp]:
    """Numbers of points that are far from one another: each the farthest from those before it."""
    if len(points) <= count:
        return np.arange(len(points))
    chosen = [int(np.linalg.norm(points - points.mean(axis=0), axis=1).argmax())]
    away = np.linalg.norm(points - points[chosen[0]], axis=1)
    while len(chosen) < count:
        chosen.append(int(away.argmax()))
        away = np.minimum(away, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return np.array(chosen)


def _find(body: Body) -> Shape:
    size = max(diagonal(body.rest), SMALLEST)
    if isinstance(body, Graph):
        radii = np.maximum(body.ellipsoids.radii, SMALLEST * size)
        each = np.arange(len(body.rest))[:, None]
        radius = 0.5 * float(np.median(radii.min(axis=1)))
        shape = _balls(body, each, np.ones((len(each), 1)), -radii.max(axis=1), radius, size)
        shape = replace(shape, reach=float(radii.max()))
        return _with_core(replace(shape, grid=_grid_of(body), cells=_NO_CELLS)) if _is_solid(body) else shape
    if body.kind == "solid":
        return _with_core(_solid(body, size))
    return _shell(body, size) if body.kind == "shell" else _rod(body, size)


# ---- round ones ------------------------------------------------------------------------------------------------


def _balls(body: Body, carriers: Any, shares: Array, radii: Array, radius: float, size: float) -> Shape:
    """Balls on one or two particles each."""
    carriers = np.asarray(carriers, np.int64)
    count, each = carriers.shape
    rest = np.einsum("nk,nkj->nj", shares, body.rest[carriers])
    four = np.pad(carriers, ((0, 0), (0, 4 - each)), mode="edge")
    fours = np.pad(shares, ((0, 0), (0, 4 - each)))
    return Shape(
        np.arange(count + 1) * each, carriers.reshape(-1), shares.reshape(-1), four, fours, rest, radii,
        np.zeros(count, bool), four, fours, rest,
        radius, size, float(radii.max(initial=0.0)),
    )  # fmt: skip


def _shell(body: Body, size: float) -> Shape:
    """Balls round its particles and the middles of its edges."""
    elements = np.asarray(body.elements)
    pairs = np.concatenate([elements[:, [0, 1]], elements[:, [1, 2]], elements[:, [2, 0]]])
    edges = np.unique(np.sort(pairs, axis=1), axis=0)
    lengths = np.linalg.norm(body.rest[edges[:, 0]] - body.rest[edges[:, 1]], axis=1)
    longest = np.zeros(len(body.rest))
    for end in (0, 1):
        np.maximum.at(longest, edges[:, end], lengths)
    corners = np.repeat(np.arange(len(body.rest))[:, None], 2, axis=1)
    shares = np.concatenate([np.tile([1.0, 0.0], (len(corners), 1)), np.full((len(edges), 2), 0.5)])
    radii = np.maximum(HOLE * np.concatenate([longest, lengths]), 0.5 * float(body.thickness or 0.0))
    radii = np.maximum(radii, SMALLEST * size)
    return _balls(body, np.concatenate([corners, edges]), shares, radii, 0.5 * float(np.median(radii)), size)


def _rod(body: Body, size: float) -> Shape:
    """Balls round its particles, and as many between them as make a row without gaps."""
    edges = np.asarray(body.elements)
    lengths = np.linalg.norm(body.rest[edges[:, 0]] - body.rest[edges[:, 1]], axis=1)
    thick = max(float(body.thickness or 0.0), SMALLEST * size)
    parts = np.clip(np.ceil(lengths / thick).astype(int), 1, MOST_BETWEEN + 1)
    corners = np.repeat(np.arange(len(body.rest))[:, None], 2, axis=1)
    carriers, shares = [corners], [np.tile([1.0, 0.0], (len(corners), 1))]
    for count in np.unique(parts[parts > 1]):
        chosen = edges[parts == count]
        for part in range(1, count):
            carriers.append(chosen)
            shares.append(np.tile([1.0 - part / count, part / count], (len(chosen), 1)))
    radius = max(0.5 * thick, 0.5 * float((lengths / parts).max(initial=0.0)))
    joined = np.concatenate(carriers)
    return _balls(body, joined, np.concatenate(shares), np.full(len(joined), radius), 0.5 * radius, size)


# ---- solids ----------------------------------------------------------------------------------------------------


def _solid(body: Body, size: float) -> Shape:
    tets, skin = np.asarray(body.elements), body.skin
    boundary = np.unique(boundary_triangles(body.elements))
    chosen, flat, points, inner_rest, radius, field = _points(body, boundary, size)
    inner = tets[locate(inner_rest, body.rest, body.elements).elements].astype(np.int64)
    nearest = boundary[cKDTree(body.rest[boundary]).query(points)[1]].astype(np.int64)
    slots, weights = skin.indices[chosen].astype(np.int64), skin.weights[chosen]
    used = weights != 0.0
    # particles that answer for no point of the skin touch too: those of the inside where a body is crushed
    inside = np.setdiff1d(np.arange(len(body.rest)), nearest)
    inner = np.concatenate([inner, np.repeat(inside[:, None], 4, axis=1)])
    points, inner_rest = np.concatenate([points, body.rest[inside]]), np.concatenate([inner_rest, body.rest[inside]])
    inner_weights = barycentric_in_tet(inner_rest[: len(chosen)], body.rest[inner[: len(chosen)]])
    return Shape(
        np.concatenate([[0], np.cumsum([*used.sum(axis=1), *np.ones_like(inside)])]),
        np.concatenate([slots[used], inside]), np.concatenate([weights[used], np.ones(len(inside))]),
        *_alone(np.concatenate([nearest, inside])), points, np.zeros(len(points)),
        np.concatenate([flat, np.zeros(len(inside), bool)]), inner,
        np.concatenate([inner_weights, np.tile([1.0, 0.0, 0.0, 0.0], (len(inside), 1))]), inner_rest,
        radius, size, _beyond_particles(body), field, _nearest_of(field, lambda p: locate(p, body.rest, tets).elements),
    )  # fmt: skip


def _alone(particles: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array]:
    """A push at a point acts on the particle that is nearest. On the four corners of a tet, by where the point lies in
    it, it would leave them free to go up and down by turns, and a heavy body sinks in."""
    return np.repeat(particles[:, None], 4, axis=1), np.tile([1.0, 0.0, 0.0, 0.0], (len(particles), 1))


def _points(
    body: Body, particles: NDArray[Any], size: float
) -> tuple[NDArray[np.intp], NDArray[np.bool_], Array, Array, float, DistanceGrid]:
    """Of a body with an inside: the vertices of its skin that are contact points, whether the skin is flat there, their
    places at rest, where each looks from, the contact radius, and the grid of distances. particles: those near the
    skin."""
    skin = body.skin
    chosen, normals, flat = _thinned(skin, body.rest[particles], size)
    points = skin.vertices[chosen]
    field = _grid_of(body)
    apart = cKDTree(points).query(points, k=2)[0][:, 1] if len(points) > 1 else np.array([size])
    thickness = max(-2.0 * float(field.values.min()), 2.0 * field.spacing)
    radius = min(0.5 * max(float(np.median(apart)), SMALLEST * size), 0.25 * thickness)
    return chosen, flat, points, _below(points, normals, PROBE * radius, field), radius, field


def _beyond_particles(body: Body) -> float:
    """How far the skin reaches beyond the box round the particles (m)."""
    vertices = body.skin.vertices
    return float(np.abs(vertices - np.clip(vertices, body.rest.min(axis=0), body.rest.max(axis=0))).max())


def _thinned(skin: Any, particles: Array, size: float) -> tuple[NDArray[np.intp], Array, NDArray[np.bool_]]:
    """Vertices of the skin, their normals (unit, outward), and whether the triangles round them are in a plane: for
    each of the particles near the skin, and of the vertices nearest to it those that look in one of six directions,
    the one that is farthest out in this direction; where several are, as on a flat face, the one farthest from the
    middle. So a crate stands on the corners of its faces, bevelled or not, and there are about as many points as
    particles that can answer: more would argue."""
    vertices, faces = skin.vertices, skin.faces
    places, same = np.unique(np.round(vertices / (1e-7 * size)), axis=0, return_inverse=True)
    first = np.full(len(places), -1)
    first[same.reshape(-1)[::-1]] = np.arange(len(vertices))[::-1]
    sums, areas, around = np.zeros((len(places), 3)), np.zeros(len(places)), _doubled(vertices, faces)
    for corner in range(3):
        np.add.at(sums, same.reshape(-1)[faces[:, corner]], around)
        np.add.at(areas, same.reshape(-1)[faces[:, corner]], np.linalg.norm(around, axis=1))
    lengths = np.linalg.norm(sums, axis=1)
    used = np.flatnonzero(lengths > 0)
    points, normals = vertices[first[used]], sums[used] / lengths[used, None]
    axis = np.abs(normals).argmax(axis=1)
    sign = np.where(normals[np.arange(len(used)), axis] > 0, 1.0, -1.0)
    out = np.round(sign * points[np.arange(len(used)), axis] / (ALIKE * size))
    wide = np.linalg.norm(points - points.mean(axis=0), axis=1)
    nearest = cKDTree(particles).query(points)[1]
    keys = np.column_stack([nearest, axis, sign]).astype(np.int64)
    order = np.lexsort((-wide, -out, *keys.T))
    begins = np.concatenate([[True], (keys[order][1:] != keys[order][:-1]).any(axis=1)])
    kept = np.sort(order[begins])
    return first[used[kept]], normals[kept], (lengths >= FLAT_SKIN * areas)[used[kept]]


def _doubled(vertices: Array, faces: NDArray[np.int32]) -> Array:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def _below(points: Array, normals: Array, depth: float, field: DistanceGrid) -> Array:
    """Points below the skin, as deep as wanted or halfway through where the body is thinner; where the normal of a
    vertex leads nowhere, as in a crease, along the gradient of the distance."""
    depths = np.full(len(points), depth)
    for _half in range(4):
        inside = points - depths[:, None] * normals
        shallow = field.at(inside)[0] > -0.5 * depths
        if not shallow.any():
            break
        depths[shallow] *= 0.5
    inside = points - depths[:, None] * normals
    for _step in range(4):
        distances, gradients = field.at(inside)
        outside = distances > -0.25 * depths
        inside[outside] -= ((distances + 0.5 * depths)[:, None] * gradients)[outside]
    return inside


def _nearest_of(field: DistanceGrid, find: Callable[[Array], NDArray[Any]]) -> NDArray[np.int64]:
    """For each point of the grid the element that holds it, or the nearest. Far outside that of the nearest point."""
    counts = field.values.shape
    places = np.stack(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"), axis=-1).reshape(-1, 3)
    points = field.origin + field.spacing * places
    near = field.values.reshape(-1) < 3.0 * field.spacing
    found = np.zeros(len(points), np.int64)
    found[near] = find(points[near])
    if not near.all():
        found[~near] = found[near][cKDTree(points[near]).query(points[~near])[1]]
    return found
