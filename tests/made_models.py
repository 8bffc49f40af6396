"""Whole models made by formulas, some as people draw them: open, of many shells that pass through one another, and with
everything that goes wrong on the way through three programs. Real ones are taken along where they are at hand."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from made_assets import Array, together
from pliant.geometry import distance as d
from pliant.geometry.isosurface import isosurface
from pliant.geometry.surfaces import ball, rounded_box
from surface_checks import read_obj

Surface = tuple[Array, Array]

FIELD = Path(__file__).parents[2] / "shared" / "meshes"  # models of the field


def lump(place: tuple[float, float, float], radii: tuple[float, float, float], step: float = 0.12) -> Surface:
    """An ellipsoid."""
    vertices, faces = ball(1.0, step)
    return vertices * radii + place, faces


def revolved(profile: list[tuple[float, float]], around: int = 40) -> Surface:
    """A profile of (radius, height) turned about y, open at both ends."""
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)
    vertices = np.concatenate(
        [np.stack([r * np.cos(turn), np.full(around, y), r * np.sin(turn)], axis=1) for r, y in profile]
    )
    return vertices, _rings(len(profile), around)


def pipe(path: Array, radius: float, around: int = 16) -> Surface:
    """A tube along points in the plane z = 0, open at both ends."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = np.stack([along[:, 1], -along[:, 0], 0 * along[:, 0]], axis=1)
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)
    ring = np.cos(turn)[None, :, None] * side[:, None] + np.sin(turn)[None, :, None] * np.array([0.0, 0.0, 1.0])
    return (path[:, None] + radius * ring).reshape(-1, 3), _rings(len(path), around)


def _rings(rows: int, around: int) -> Array:
    here = np.arange((rows - 1) * around)
    ahead = here - here % around + (here + 1) % around
    return np.concatenate(
        [np.stack([here, here + around, ahead], axis=1), np.stack([ahead, here + around, ahead + around], axis=1)]
    )


@cache
def calf() -> Surface:
    """One closed smooth surface: trunk, head, four legs and a tail."""
    legs = [d.capsule((x, 0.1, 0.18), (x, 0.6, 0.16), 0.1) for x in (-0.4, 0.4)]
    field = d.union(
        d.ellipsoid((0, 0.75, 0), (0.65, 0.32, 0.3)),
        d.ellipsoid((0.75, 1.1, 0), (0.26, 0.22, 0.2)),
        d.tube([(0.4, 0.8, 0), (0.6, 0.95, 0), (0.72, 1.05, 0)], [0.2, 0.16, 0.16]),
        d.mirror(d.union(*legs), axis=2),
        d.tube([(-0.6, 0.85, 0), (-0.75, 0.7, 0), (-0.78, 0.45, 0)], [0.07, 0.05, 0.05]),
        blend=0.08,
    )
    return isosurface(field, (-1.0, -0.2, -0.5), (1.2, 1.5, 0.5), 0.05)


@cache
def doll() -> Surface:
    """Eleven closed shells: limbs that reach into the trunk, eyes that sit half in the head."""
    parts = [lump((0, 1.0, 0), (0.35, 0.45, 0.28)), lump((0, 1.65, 0), (0.3, 0.3, 0.28))]
    for side in (-1, 1):
        parts += [
            lump((side * 0.45, 1.15, 0), (0.28, 0.12, 0.12)),
            lump((side * 0.18, 0.4, 0), (0.14, 0.42, 0.14)),
            lump((side * 0.2, 0.02, 0.1), (0.13, 0.1, 0.22)),
            lump((side * 0.12, 1.72, 0.24), (0.06, 0.06, 0.06), 0.3),
        ]
    return together(*parts, lump((0, 1.6, 0.28), (0.05, 0.05, 0.07), 0.3))


@cache
def pot() -> Surface:
    """Open at the rim, at both ends of spout and handle, which pass through its wall; a lid lies on it, apart."""
    height = np.linspace(0.06, 0.9, 16)
    belly = revolved([(0.001, 0.0), (0.3, 0.0), *((0.35 + 0.25 * np.sin(np.pi * y), y) for y in height)])
    lid = revolved([(0.42, 0.91), (0.3, 1.0), (0.1, 1.06), (0.08, 1.14), (0.001, 1.18)])
    turn = np.linspace(-1.3, 1.3, 14)[:, None]
    handle = np.concatenate([-0.5 - 0.35 * np.cos(turn), 0.5 + 0.3 * np.sin(turn), 0 * turn], axis=1)
    far = np.linspace(0, 1, 12)[:, None]
    spout = np.concatenate([0.45 + 0.5 * far, 0.35 + 0.55 * far**2, 0 * far], axis=1)
    return together(belly, lid, pipe(handle, 0.06), pipe(spout, 0.09))


@cache
def wagon() -> Surface:
    """A body without windows, wheels that touch it, and a flag of one layer on its roof."""
    vertices, faces = rounded_box((2.0, 0.7, 0.9), 0.12, 0.08)
    middle = vertices[faces].mean(axis=1)
    window = (np.abs(middle[:, 1] - 0.1) < 0.15) & (np.abs(np.abs(middle[:, 0]) - 0.4) < 0.25)
    wheels = [lump((x, -0.35, z), (0.28, 0.28, 0.1), 0.25) for x in (-0.6, 0.6) for z in (-0.42, 0.42)]
    line = np.linspace(0, 0.4, 6)
    flag = np.stack([np.repeat(line, 6) - 0.8, 0.3 + np.tile(line, 6), np.zeros(36)], axis=1)
    numbers = np.arange(36).reshape(6, 6)
    a, b, c, e = (side.ravel() for side in (numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, 1:], numbers[1:, :-1]))
    sheet = flag, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, e], axis=1)])
    return together((vertices, faces[~window]), *wheels, sheet)


@cache
def knot() -> Surface:
    """A closed tube that runs through itself, as a ring does that was posed in a hurry."""
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    path = np.stack([np.sin(turn), 0.8 * np.sin(2 * turn), 0 * turn], axis=1)  # an eight: it crosses at the origin
    vertices, faces = pipe(np.concatenate([path, path[:1]]), 0.18)
    return vertices[:-16], np.where(faces >= len(vertices) - 16, faces - len(vertices) + 16, faces)


@cache
def worn() -> Surface:
    """The calf after everything that can go wrong: holes, faces given twice and without area, windings turned, fins of
    three faces to an edge, each face with vertices of its own, and vertices that no face uses."""
    vertices, faces = calf()
    rng = np.random.default_rng(7)
    middle = vertices[faces].mean(axis=1)
    lost = np.linalg.norm(middle - (0, 1.07, 0), axis=1) < 0.12
    kept = faces[~lost & (rng.random(len(faces)) > 0.005)]
    kept = np.where((rng.random(len(kept)) < 0.15)[:, None], kept[:, ::-1], kept)
    twice = np.concatenate([kept[:40], kept[100:120, ::-1]])
    flat = np.stack([kept[200:210, 0], kept[200:210, 1], kept[200:210, 1]], axis=1)
    soup = np.concatenate([kept, twice, flat])
    points = vertices[soup].reshape(-1, 3)
    fins = kept[300:306]
    tips = vertices[fins[:, 0]] + (0, 0.05, 0)
    finned = np.concatenate([vertices[fins[:, 0]], vertices[fins[:, 1]], tips])
    sides = np.arange(18).reshape(3, 6).T
    unused = np.array([0, 0.75, 0]) + rng.uniform(-0.2, 0.2, (25, 3))
    return together((points, np.arange(len(points)).reshape(-1, 3)), (finned, sides), (unused, np.empty((0, 3), int)))


MADE: dict[str, Callable[[], Surface]] = {
    "calf": calf, "doll": doll, "pot": pot, "wagon": wagon, "knot": knot, "worn": worn,
}  # fmt: skip
MODELS = {**MADE, **{path.stem: partial(read_obj, path) for path in sorted(FIELD.glob("*.obj"))}}
every_model = pytest.mark.parametrize("name", MODELS)


def write_obj(path: Path, surface: Surface) -> Path:
    """As the simplest of programs does."""
    vertices, faces = surface
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(vertices, float).tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (np.asarray(faces) + 1).tolist()]
    path.write_text("\n".join(lines) + "\n")
    return path
