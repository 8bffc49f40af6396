"""A body in numbers: its mesh, and how the skin is bound to it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pliant.body import Body, Skin
from pliant.geometry.embedding import locate
from pliant.geometry.measures import areas, diagonal, lengths, volumes
from pliant.geometry.surfaces import enclosed_volume

Array = NDArray[np.float64]
OUTSIDE_TETS = 1e-6  # of the diagonal: a vertex farther from the tets lies outside of them


@dataclass(frozen=True)
class BodyMesh:
    """volume: of the material, m^3.  enclosed: by the skin, m^3, None if it is open.  quality: of an element, 1 if
    regular, 0 if flat; the worst, its number, and the mean.  components: pieces that hang together.  holes: rims of
    the skin."""

    kind: str
    particles: int
    elements: int
    mass: float
    size: tuple[float, float, float]
    volume: float
    enclosed: float | None
    worst_quality: float
    worst_element: int
    mean_quality: float
    components: int
    holes: int


@dataclass(frozen=True)
class BindingFacts:
    """outside: vertices that lie outside of all tets, on solids.  extrapolation: the farthest of them, m.  particles:
    how many a vertex rides on, at most.  lowest: the lowest weight.  offset: the farthest a vertex stands off its
    element, m, on shells and rods."""

    vertices: int
    faces: int
    outside: int
    extrapolation: float
    particles: int
    lowest: float
    offset: float


def mesh_of(body: Body) -> BodyMesh:
    quality = qualities(body.rest, body.elements)
    rims = holes(body.skin)
    closed = rims == 0 and len(body.skin.faces) > 0
    x, y, z = body.size.tolist()
    return BodyMesh(
        kind=body.kind,
        particles=len(body.rest),
        elements=len(body.elements),
        mass=body.mass,
        size=(x, y, z),
        volume=body.volume,
        enclosed=enclosed_volume(body.skin.vertices, body.skin.faces) if closed else None,
        worst_quality=float(quality.min()),
        worst_element=int(quality.argmin()),
        mean_quality=float(quality.mean()),
        components=pieces(len(body.rest), body.elements),
        holes=rims,
    )


def binding_of(body: Body) -> BindingFacts:
    skin = body.skin
    away = locate(skin.vertices, body.rest, body.tets).distances if body.tets is not None else np.zeros(0)
    return BindingFacts(
        vertices=len(skin.vertices),
        faces=len(skin.faces),
        outside=int((away > OUTSIDE_TETS * diagonal(body.rest)).sum()),
        extrapolation=float(away.max(initial=0.0)),
        particles=int((skin.weights != 0).sum(axis=1).max(initial=0)),
        lowest=float(skin.weights.min(initial=0.0)),
        offset=float(np.linalg.norm(skin.offsets, axis=1).max(initial=0.0)),
    )


def qualities(rest: Array, elements: NDArray[np.int32]) -> Array:
    """Of each element, 1 where all its edges are alike and 0 where it is flat: volume or area over that of the regular
    one with the same root mean square of edges; length over the mean length for segments.

    >>> corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1.0]])
    >>> qualities(corners, np.array([[0, 1, 3, 2]])).round(6).tolist()
    [1.0]
    """
    corners = elements.shape[1]
    pairs = [(i, j) for i in range(corners) for j in range(i)]
    squares = np.mean([((rest[elements[:, i]] - rest[elements[:, j]]) ** 2).sum(axis=1) for i, j in pairs], axis=0)
    squares = np.maximum(squares, 1e-300)
    if corners == 4:
        return np.abs(volumes(rest, elements)) * (6 * np.sqrt(2)) / squares**1.5
    if corners == 3:
        return areas(rest, elements) * (4 / np.sqrt(3)) / squares
    length = lengths(rest, elements)
    return np.minimum(length / max(float(length.mean()), 1e-300), 1.0)


def pieces(count: int, elements: NDArray[np.int32]) -> int:
    """How many parts hang together."""
    first = np.repeat(elements[:, 0], elements.shape[1] - 1)
    graph = coo_array((np.ones(len(first)), (first, elements[:, 1:].ravel())), shape=(count, count))
    return int(connected_components(graph, directed=False, return_labels=False))


def holes(skin: Skin) -> int:
    """Rims of the surface, each a connected set of edges with a face on one side only. Vertices at the same place
    count as one, so that a seam is no rim."""
    if len(skin.faces) == 0:
        return 0
    tolerance = max(1e-7 * diagonal(skin.vertices), 1e-300)
    _, same = np.unique(np.round(skin.vertices / tolerance), axis=0, return_inverse=True)
    faces = same.reshape(-1)[skin.faces]
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    edges = edges[edges[:, 0] != edges[:, 1]]
    kinds, times = np.unique(edges, axis=0, return_counts=True)
    rim = kinds[times == 1]
    if len(rim) == 0:
        return 0
    used, rim = np.unique(rim, return_inverse=True)
    return pieces(len(used), rim.reshape(-1, 2).astype(np.int32))
