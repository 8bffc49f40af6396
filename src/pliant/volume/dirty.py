"""Facts about a surface as a file gave it: what is open, doubled, turned round or passes through itself."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pliant.geometry.measures import areas, diagonal
from pliant.geometry.solid import solid_volume
from pliant.geometry.surfaces import enclosed_volume
from pliant.volume.crossing import count_crossings
from pliant.volume.mending import Edges, Mended, edges_of, mend

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

DIAGONAL_SAMPLES = 80  # samples along the diagonal when the inside of an open surface is measured


@dataclass(frozen=True)
class MeshFacts:
    """A surface in numbers.

    vertices: as drawn; points: what is left when those in one place are one; shells: pieces that share no point;
    holes: loops of open edges (with a face on one side only); nonmanifold_edges: with three faces or more;
    flipped_faces: turned against their neighbours; inward_shells: inside out; crossings: pairs of faces that pass
    through each other (at least so many unless crossings_complete). area (m^2). signed_volume (m^3) of the faces as
    they stand; volume (m^3) of the inside once they are mended. low, high: corners of the bounding box (m).
    """

    vertices: int
    points: int
    faces: int
    shells: int
    holes: int
    open_edges: int
    nonmanifold_edges: int
    duplicate_faces: int
    degenerate_faces: int
    flipped_faces: int
    inward_shells: int
    crossings: int
    crossings_complete: bool
    area: float
    signed_volume: float
    volume: float
    low: tuple[float, float, float]
    high: tuple[float, float, float]

    @property
    def closed(self) -> bool:
        """Whether the surface has an inside and an outside everywhere."""
        return self.open_edges == 0 and self.nonmanifold_edges == 0 and self.faces > self.degenerate_faces

    @property
    def diagonal(self) -> float:
        return float(np.linalg.norm(np.subtract(self.high, self.low)))

    @property
    def findings(self) -> tuple[str, ...]:
        """What is unusual, and what was done about it; one line each."""
        found = []
        if self.degenerate_faces:
            found.append(f"{_count(self.degenerate_faces, 'face')} without area: left out")
        if self.duplicate_faces:
            found.append(f"{_count(self.duplicate_faces, 'face')} given twice: each counts once")
        if self.flipped_faces:
            found.append(f"{_count(self.flipped_faces, 'face')} turned against the neighbours: turned back")
        if self.inward_shells:
            found.append(f"{_count(self.inward_shells, 'shell')} inside out: turned")
        if self.open_edges:
            found.append(f"{_count(self.holes, 'hole')} ({_count(self.open_edges, 'open edge')})")
        if self.nonmanifold_edges:
            found.append(f"{_count(self.nonmanifold_edges, 'edge')} with three or more faces")
        if self.crossings:
            least = "" if self.crossings_complete else "at least "
            found.append(f"{least}{_count(self.crossings, 'pair')} of faces that pass through each other")
        if self.shells > 1:
            found.append(f"{self.shells:,} shells that share no point")
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, fit for JSON."""
        result = asdict(self)
        result |= {"low": list(self.low), "high": list(self.high)}
        return result | {"closed": self.closed, "diagonal": self.diagonal, "findings": list(self.findings)}


def examine(drawn: int, points: Array, faces: Indices) -> tuple[MeshFacts, Mended]:
    """The facts about a surface of welded points, drawn with `drawn` vertices, and the surface mended."""
    mended = mend(points, faces)
    edges = edges_of(mended.faces, len(points))
    single = edges.uses == 1
    crossings, complete = count_crossings(points, mended.faces)
    low, high = points.min(axis=0), points.max(axis=0)
    facts = MeshFacts(
        vertices=drawn,
        points=len(points),
        faces=len(faces),
        shells=mended.shells,
        holes=_loops(edges, len(points)),
        open_edges=int(single.sum()),
        nonmanifold_edges=int((edges.uses > 2).sum()),
        duplicate_faces=mended.duplicate,
        degenerate_faces=mended.degenerate,
        flipped_faces=mended.flipped,
        inward_shells=mended.inward,
        crossings=crossings,
        crossings_complete=complete,
        area=float(areas(points, mended.faces).sum()),
        signed_volume=enclosed_volume(points - low, faces),
        volume=inside_volume(points, mended, crossings == 0 and complete),
        low=(float(low[0]), float(low[1]), float(low[2])),
        high=(float(high[0]), float(high[1]), float(high[2])),
    )
    return facts, mended


def inside_volume(points: Array, mended: Mended, plain: bool) -> float:
    """The volume (m^3) of the inside: by the formula for a surface that is closed and does not cross itself
    (`plain`), else by counting points of a grid."""
    if len(mended.faces) == 0:
        return 0.0
    if plain and mended.closed.all():
        return enclosed_volume(points - points.min(axis=0), mended.faces)
    return solid_volume(points, mended.faces, diagonal(points) / DIAGONAL_SAMPLES)


def _loops(edges: Edges, count: int) -> int:
    """How many separate rings the open edges form."""
    ends = edges.ends[edges.uses == 1]
    if len(ends) == 0:
        return 0
    used, compact = np.unique(ends, return_inverse=True)
    first, second = compact.reshape(-1, 2).T
    graph = coo_array((np.ones(len(ends), dtype=bool), (first, second)), shape=(len(used), len(used)))
    return int(connected_components(graph, directed=False)[0])


def _count(number: int, noun: str) -> str:
    """
    >>> _count(1, "hole"), _count(2000, "hole")
    ('1 hole', '2,000 holes')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
