"""Tets taken off the outside of a mesh one at a time, without changing what hangs together with what."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int32]

_IMAGE = -1  # stands for the tet behind the wall
_EDGES = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


class Carver:
    """A tet mesh that loses tets. Faces and edges are numbered; face k of a tet is the one opposite corner k.

    `wall` marks corners on a plane behind which lies the mirror image of the mesh: faces in it are inner
    ones, and what goes goes on both sides.
    """

    def __init__(self, tets: Indices, wall: NDArray[np.bool_] | None = None) -> None:
        count = int(tets.max()) + 1
        ordered = np.sort(tets, axis=1).astype(np.int64)
        self.tets = tets
        self.present = np.ones(len(tets), dtype=bool)
        corners = tets.tolist()
        place = np.argsort(tets, axis=1)  # ordered[t, k] is corner place[t, k]
        triples = np.stack([np.delete(ordered, k, axis=1) for k in range(4)], axis=1)
        _, faces = np.unique(
            triples.reshape(-1, 3) @ np.array([count * count, count, 1]), return_inverse=True
        )
        face_of = np.empty_like(place)
        np.put_along_axis(face_of, place, faces.reshape(-1, 4), axis=1)
        pairs = np.sort(tets[:, _EDGES].astype(np.int64), axis=2)
        _, edges = np.unique(pairs.reshape(-1, 2) @ np.array([count, 1]), return_inverse=True)
        # Plain lists: this is a walk from tet to tet, where they are far faster than arrays.
        self._corners = corners
        self._faces = face_of.tolist()
        self._edges = edges.reshape(-1, 6).tolist()
        self._face_tets: list[list[int]] = [[] for _ in range(faces.max() + 1)]
        self._outer_at_edge = [0] * (
            edges.max() + 1
        )  # how many outer faces meet in the edge, or at the corner
        self._outer_at_corner = [0] * count
        for t, row in enumerate(self._faces):
            for face in row:
                self._face_tets[face].append(t)
        self._wall = [False] * count if wall is None else wall.tolist()
        self._on_wall = [[self._wall[c] for c in row].count(True) == 3 for row in corners]
        for t in range(len(tets)):
            if self._on_wall[t]:
                k = [self._wall[c] for c in corners[t]].index(False)
                self._face_tets[self._faces[t][k]].append(_IMAGE)
        for t, row in enumerate(self._faces):
            for k, face in enumerate(row):
                if len(self._face_tets[face]) == 1:
                    self._count(t, k, 1)

    def _count(self, tet: int, k: int, change: int) -> None:
        for corner in range(4):
            if corner != k:
                self._outer_at_corner[self._corners[tet][corner]] += change
        for edge, (a, b) in enumerate(_EDGES):
            if k not in (a, b):
                self._outer_at_edge[self._edges[tet][edge]] += change

    def outer_faces(self, tet: int) -> list[int]:
        return [k for k, face in enumerate(self._faces[tet]) if len(self._face_tets[face]) == 1]

    def neighbours(self, tet: int) -> Iterable[tuple[int, int]]:
        """(k, tet on the other side of face k) of the inner faces."""
        for k, face in enumerate(self._faces[tet]):
            for other in self._face_tets[face]:
                if other not in (tet, _IMAGE):
                    yield k, other

    def removable(self, tet: int) -> bool:
        """Whether the mesh stays in one piece and without new holes, seams or touching corners when it
        goes."""
        if not self.present[tet]:
            return False
        outer = self.outer_faces(tet)
        corners, edges = self._corners[tet], self._edges[tet]
        wall, on_wall = [self._wall[c] for c in corners], self._on_wall[tet]
        if len(outer) == 1:  # its tip comes to light
            tip = outer[0]
            if wall[tip] and not on_wall:
                return False  # the tip would join both sides like a hinge
            return self._outer_at_corner[corners[tip]] == 0
        if len(outer) == 2:  # one edge comes to light, the opposite one goes
            new = _EDGES.index((outer[0], outer[1]))
            if wall[outer[0]] and wall[outer[1]] and not on_wall:
                return False
            if self._outer_at_edge[edges[new]] != 0 or self._outer_at_edge[edges[5 - new]] != 2:
                return False
            # With its face in the wall goes the corner of it that is not on the new edge.
            return not on_wall or all(
                self._outer_at_corner[corners[k]] == 2 for k in range(4) if k not in outer and wall[k]
            )
        if len(outer) == 3:  # a corner that has no other tet goes
            inner = next(k for k in range(4) if k not in outer)
            return not on_wall and self._outer_at_corner[corners[inner]] == 3
        return False

    def remove(self, tet: int) -> None:
        self.present[tet] = False
        for k, face in enumerate(self._faces[tet]):
            owners = self._face_tets[face]
            if len(owners) == 1:
                self._count(tet, k, -1)
            owners.remove(tet)
            if len(owners) == 1 and owners[0] != _IMAGE:
                other = owners[0]
                self._count(other, self._faces[other].index(face), 1)


def carve(
    tets: Indices,
    fill: NDArray[np.float64],
    reach: NDArray[np.float64],
    sparse: float,
    wall: NDArray[np.bool_] | None = None,
) -> NDArray[np.bool_]:
    """Which tets of a lattice stay when those hardly filled by the solid go, the emptiest first.

    fill (T,) is the share of each tet inside the solid; tets below `sparse` may go. reach (T, 4) is how far
    the part of the surface in a tet lies from each of its faces, 1 being too far: a tet goes only when a
    neighbour across a near enough face stays for good, so that thin parts lose half a cell at their tips but
    never vanish.
    """
    mesh = Carver(tets, wall)
    needed = np.zeros(len(tets), dtype=bool)
    waiting = [t for t in np.argsort(fill, kind="stable").tolist() if fill[t] < sparse]
    near = (reach < 1).tolist()
    empty = (reach.max(axis=1) <= 0).tolist()
    while waiting:
        left = []
        for t in waiting:
            if needed[t] or not mesh.removable(t):
                left.append(t)
                continue
            keepers = [other for k, other in mesh.neighbours(t) if near[t][k]]
            if not empty[t] and not keepers:
                left.append(t)
                continue
            mesh.remove(t)
            if not empty[t]:
                needed[max(keepers, key=lambda other: fill[other])] = True
        if len(left) == len(waiting):
            break
        waiting = left
    return mesh.present
