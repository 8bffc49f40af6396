"""A body in the making: what every way from an asset to particles ends with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pliant.body.checks import KIND_BY_CORNERS
from pliant.body.skin import Skin
from pliant.files.asset import Asset
from pliant.geometry.measures import areas, lengths, volumes
from pliant.volume.dirty import MeshFacts
from pliant.volume.filling.fit import Fit, Verdict
from pliant.volume.welding import Welded, weld

Array = NDArray[np.float64]
Indices = NDArray[np.int32]
Progress: TypeAlias = Callable[[int, int], None] | None

MEAN, HIGH = 0.003, 0.015  # of the diagonal: the largest mean and 99th percentile of a pose that is reached
CRUSHED = 0.05  # of an element's size at rest, or of what the median one has kept if that is less
SAME = 1e-6  # of the diagonal: a pose nowhere further from the rest shape, moved as a whole, is the rest shape


@dataclass(frozen=True, eq=False)
class Binding:
    """How points ride on particles, as in `Skin`: slots and weights (P, K); offsets and axes (P, 3) on shells and
    rods."""

    slots: Indices
    weights: Array
    offsets: Array | None = None
    axes: Array | None = None

    def skin(self, points: Array, faces: Indices, kind: str) -> Skin:
        """The bound points as a skin of their own."""
        return Skin(points, faces, self.slots, self.weights, self.offsets, self.axes, kind)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Draft:
    """Particles and how the points of the surface ride on them.

    drawn (N,): for each vertex of the skin its number in the asset; points (N,): and its row in the binding; faces
    (M, 3) of the skin, which counts its vertices from 0. nodes (V,): for each particle its number in the asset, if
    particles are vertices of it.
    """

    rest: Array
    elements: Indices
    binding: Binding
    drawn: Indices
    points: Indices
    faces: Indices
    facts: MeshFacts
    poses: Mapping[str, Array] = field(default_factory=dict)
    fits: Sequence[Fit] = ()
    notes: Sequence[str] = ()
    thickness: float | None = None
    nodes: Indices | None = None
    cached: bool = False

    @property
    def kind(self) -> str:
        return KIND_BY_CORNERS[self.elements.shape[1]]


@dataclass(frozen=True, eq=False)
class WeldedSurface:
    """The surface of an asset, welded: points (P, 3) m, faces (M, 3) of them; the poses worth having, as positions of
    the points; and a line about each of the others."""

    welded: Welded
    points: Array
    faces: Indices
    poses: dict[str, Array]
    notes: list[str]


def surface_of(asset: Asset) -> WeldedSurface:
    """One point for all vertices that are the same one wherever they go."""
    welded = weld(asset.vertices, asset.faces, asset.poses)
    points = np.ascontiguousarray(asset.vertices[welded.vertices], dtype=np.float64)
    poses, notes = worth_keeping(points, {name: pose[welded.vertices] for name, pose in asset.poses.items()})
    return WeldedSurface(welded, points, welded.faces, poses, notes)


def point_areas(points: Array, faces: Indices) -> Array:
    """The share of the surface (m^2) of each point: a third of its faces. Points without a face get a little, so
    that they have a say where nothing else has."""
    share = np.bincount(faces.ravel(), np.repeat(areas(points, faces) / 3, 3), minlength=len(points))
    total = float(share.sum())
    return np.maximum(share, 1e-9 * total if total > 0 else 1.0)


def worth_keeping(rest: Array, poses: Mapping[str, Array]) -> tuple[dict[str, Array], list[str]]:
    """The poses that differ from rest in shape, and a line about each of the others."""
    kept, notes = {}, []
    size = float(np.linalg.norm(np.ptp(rest, axis=0)))
    for name, pose in poses.items():
        if not np.isfinite(pose).all():
            notes.append(f'pose "{name}" was left out: some of its points are not finite')
        elif np.abs(pose - rest).max(initial=0.0) <= SAME * size:
            notes.append(f'pose "{name}" was left out: it is the rest shape')
        elif np.abs(_laid_over(pose, rest) - rest).max(initial=0.0) <= SAME * size:
            notes.append(f'pose "{name}" was left out: it is the rest shape, moved as a whole')
        else:
            kept[name] = pose
    return kept, notes


def _laid_over(pose: Array, rest: Array) -> Array:
    """The pose turned and moved onto the rest shape as well as it goes (Kabsch)."""
    centre, home = pose.mean(axis=0), rest.mean(axis=0)
    left, _, right = np.linalg.svd((rest - home).T @ (pose - centre))
    sign = np.array([1.0, 1.0, np.sign(np.linalg.det(left @ right))])
    return (pose - centre) @ (left * sign @ right).T + home


def pieces_note(elements: Indices, count: int) -> list[str]:
    """What to say of particles that hang together in several pieces: a line, or nothing."""
    first = np.repeat(elements[:, 0], elements.shape[1])
    graph = coo_array((np.ones(elements.size, dtype=bool), (first, elements.ravel())), shape=(count, count))
    pieces = int(connected_components(graph, directed=False)[0])
    return [f"{pieces:,} pieces that nothing holds together: each will move by itself"] if pieces > 1 else []


def direct_fit(
    name: str, rest: Array, elements: Indices, positions: Array, wanted: Array, reached: Array, shares: Array
) -> Fit:
    """The fit of a pose that the particles have by themselves, not by filling: how far the skin they carry (N, 3) is
    from the wanted one, weighted by area, and what becomes of the elements."""
    size = float(np.linalg.norm(np.ptp(wanted, axis=0)))
    distance = np.linalg.norm(wanted - reached, axis=1)
    order = np.argsort(distance, kind="stable")
    part = np.cumsum(shares[order]) / shares.sum()
    mean = float(shares @ distance / shares.sum())
    high = float(distance[order[min(int(np.searchsorted(part, 0.99)), len(order) - 1)]])
    measure = {4: volumes, 3: areas, 2: lengths}[elements.shape[1]]
    ratios = measure(positions, elements) / measure(rest, elements)
    inverted = int((ratios <= 0).sum()) if elements.shape[1] == 4 else 0
    verdict: Verdict = "reached"
    remedy = ""
    if 2 * inverted > len(ratios):
        verdict, remedy = "mirrored", "it is a mirror image; undo the negative scale and export it again"
    elif inverted:
        verdict, remedy = "folded", f"{inverted} of {len(ratios)} tets turn inside out; make it gentler there"
    elif mean > MEAN * size or high > HIGH * size:
        rod = elements.shape[1] == 2
        finer = "its details are finer than the particles; give more of them"
        verdict, remedy = "coarse", "a rod cannot follow it round its middle; load it as a solid" if rod else finer
    elif ratios.min() < CRUSHED * min(1.0, float(np.median(ratios))):
        verdict, remedy = "crushed", f"a part is pressed to {100 * ratios.min():.2g} % of its size; leave it more room"
    return Fit(name, mean, high, float(distance.max()), size, float(ratios.min()), inverted, verdict, remedy)
