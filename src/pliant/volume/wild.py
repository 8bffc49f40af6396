"""Tets by pytetwild (extra [tet]): they follow the surface closely, but take their time and differ from run to run."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.binding import bind
from pliant.geometry.embedding import locate
from pliant.geometry.measures import diagonal, volumes
from pliant.runtime.errors import FileError
from pliant.volume.cage import Cage

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

FACES = 1.9  # faces per particle of the surface that is filled: a good half of the particles come to lie on it
ENVELOPE = 4e-3  # of the diagonal, for 600 particles: how far the tets may stray from the surface
WIDEST = 0.05
EDGE = 0.15  # of the diagonal, for 600 particles
TRIES = 3  # envelopes until the number of particles is about right
COUNT_ERROR = 0.3  # part by which it may be wrong
FLAT = 1e-9  # of the cube of the longest edge: a tet below it has no volume


def wild(source: Path, points: Array, faces: Indices, particles: int) -> Cage:
    """About `particles` of them within a surface, and how each of its points rides on them."""
    pytetwild, simplifier = _tools(source)
    size = diagonal(points)
    used, compact = np.unique(faces, return_inverse=True)
    # To one metre about the origin: the simplifier calculates in single precision.
    place = (points[used] - points[used].mean(axis=0)) / size
    triangles = compact.reshape(-1, 3).astype(np.int32)
    wanted = max(int(FACES * particles), 100)
    if len(triangles) > wanted:
        place, triangles = simplifier.simplify(place.astype(np.float32), triangles, target_count=wanted)
    envelope, best = min(ENVELOPE * 600 / particles, WIDEST), None
    for _ in range(TRIES):
        tried = _filled(pytetwild, place, triangles, EDGE * (600 / particles) ** (1 / 3), envelope)
        if tried is not None and (best is None or _miss(tried[0], particles) < _miss(best[0], particles)):
            best = tried
        if best is not None and _miss(best[0], particles) < np.log1p(COUNT_ERROR):
            break
        # The number falls with the square root of the envelope.
        ratio = len(tried[0]) / particles if tried is not None else 0.5
        envelope = float(np.clip(envelope * np.clip(ratio, 0.5, 2.0) ** 2, 2e-4, WIDEST))
    if best is None:
        raise FileError(f'{source}: pytetwild finds no inside; fill it with the lattice: mesher "lattice"')
    rest, tets = best[0] * size + points[used].mean(axis=0), best[1]
    return Cage(rest, tets, *bind(points, faces, rest, tets, locate(points, rest, tets).elements))


def _tools(source: Path) -> tuple[Any, Any]:
    try:
        import fast_simplification
        import pytetwild
    except ImportError as error:
        raise FileError(
            f'{source}: the mesher "wild" needs {error.name}; install it with: pip install "pliant[tet]", '
            f'or leave the mesher at "lattice"'
        ) from None
    return pytetwild, fast_simplification


def _miss(rest: Array, particles: int) -> float:
    return abs(float(np.log(len(rest) / particles)))


def _filled(pytetwild: Any, place: Array, faces: Indices, edge: float, envelope: float) -> tuple[Array, Indices] | None:
    """Nodes and tets of positive volume; None if there are none."""
    try:
        nodes, tets = pytetwild.tetrahedralize(
            np.ascontiguousarray(place, dtype=np.float64),
            np.ascontiguousarray(faces, dtype=np.int32),
            edge_length_fac=float(min(edge, 0.5)),
            epsilon=envelope,
            coarsen=True,
            quiet=True,
        )
    except (RuntimeError, ValueError):  # it gives up on some surfaces
        return None
    nodes, tets = np.asarray(nodes, dtype=np.float64), np.asarray(tets, dtype=np.int32).reshape(-1, 4)
    if len(tets) == 0:
        return None
    size = volumes(nodes, tets)
    corners = nodes[tets]
    longest = np.linalg.norm(corners[:, :, None] - corners[:, None, :], axis=3).max(axis=(1, 2))
    tets = np.where((size < 0)[:, None], tets[:, [0, 2, 1, 3]], tets)[np.abs(size) > FLAT * longest**3]
    if len(tets) == 0:
        return None
    used, compact = np.unique(tets, return_inverse=True)
    return nodes[used], compact.reshape(-1, 4).astype(np.int32)
