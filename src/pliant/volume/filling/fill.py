"""Poses of the surface become poses of the volume."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.runtime.errors import BodyError
from pliant.volume.filling.fit import Fit
from pliant.volume.filling.judge import CRUMPLED, crushed, judge, measure
from pliant.volume.filling.rotations import nearest_rotations, rigid_motion
from pliant.volume.filling.start import rigid_start
from pliant.volume.filling.system import FLOOR, PULL, TURN, FillingSystem, Solve, assemble
from pliant.volume.filling.untangle import untangle

Array = NDArray[np.float64]

STILL = 1e-4  # of the diagonal: a solve that moves nothing further is the last
MOST_SOLVES = 12
FREED = 1e-11  # of the diagonal: the same for the solves that take the bias of the rotations out
MOST_FREEINGS = 6
TANGLED = 0.05  # of the median J: tets below it are untangled
HOPELESS = 0.1  # part of the tets: with more of them inverted there is no shape to find
SHAPE, SECOND_SHAPE = 1.0, 3.0  # weight of the untangling energy, and when that did not suffice
SECOND_PULL = PULL / 10


@dataclass(frozen=True, eq=False)
class Filled:
    """Particle positions (V, 3) m of a pose, and how near its skin came. Not to be used unless `fit.usable`."""

    positions: Array
    fit: Fit


def fill(
    rest: ArrayLike,
    tets: ArrayLike,
    slots: ArrayLike,
    weights: ArrayLike,
    areas: ArrayLike,
    faces: ArrayLike,
    targets: Sequence[ArrayLike],
    progress: Callable[[int, int], None] | None = None,
    *,
    names: Sequence[str] | None = None,
) -> list[Filled]:
    """Particle positions whose bound skin takes each of the posed surfaces `targets`, the inside smooth.

    rest (V, 3) m and tets (T, 4); slots and weights (N, K): point n of the skin is the sum of weights[n, k] *
    positions[slots[n, k]], one row for each distinct point; areas (N,): its share of the surface; faces (M, 3) of
    these points, at whose edges the skin shall bend as drawn. Each target is (N, 3) m. Whatever the poses, the mesh
    is factored once. A bad pose does not raise: its fit says so.

    >>> rest, tets, all_of = np.eye(4, 3, -1), [[0, 1, 2, 3]], np.repeat(np.arange(4)[:, None], 4, axis=1)
    >>> bound = rest, tets, all_of, np.eye(1, 4).repeat(4, axis=0), np.ones(4), [[0, 1, 2]]
    >>> wide, mirrored = fill(*bound, [rest * (2, 1, 1), rest * (-1, 1, 1)])
    >>> np.abs(wide.positions[1]).round(9).tolist(), wide.fit.verdict, mirrored.fit.verdict
    ([2.0, 0.0, 0.0], 'reached', 'mirrored')
    """
    if len(targets) == 0:
        return []
    system = assemble(
        np.asarray(rest, dtype=np.float64),
        np.asarray(tets, dtype=np.int32),
        np.asarray(slots, dtype=np.int32),
        np.asarray(weights, dtype=np.float64),
        np.asarray(areas, dtype=np.float64),
        np.asarray(faces, dtype=np.int32),
    )
    names = [f"pose {number}" for number in range(1, len(targets) + 1)] if names is None else names
    filled = []
    for done, (name, target) in enumerate(zip(names, targets, strict=True)):
        if progress is not None:
            progress(done, len(targets))
        filled.append(_fill_one(system, name, np.asarray(target, dtype=np.float64)))
    if progress is not None:
        progress(len(targets), len(targets))
    return filled


def _fill_one(system: FillingSystem, name: str, target: Array) -> Filled:
    if target.shape != (system.skin.shape[0], 3) or not np.isfinite(target).all():
        raise BodyError(f'pose "{name}": give one finite point for each of the {system.skin.shape[0]} of the skin')
    # Brought back to rest as a whole, so that where a pose stands and how it is turned makes no difference.
    rotation, shift = rigid_motion(system.skin @ system.rest, target, system.shares)
    surface = (target - shift) @ rotation
    start, rotations = rigid_start(system, surface)
    x = _smooth(system, system.solve, PULL, surface, start, rotations)
    x = _untangled(system, x, start, surface)

    def floor() -> Array:
        return _smooth(system, system.solve_floor, FLOOR, surface, start, rotations)

    return Filled(x @ rotation.T + shift, judge(system, name, x, surface, floor))


def _smooth(system: FillingSystem, solve: Solve, pull: float, surface: Array, start: Array, rotations: Array) -> Array:
    """The minimum of the energy of `system.py`: rotations and positions by turns until nothing moves.

    The rotations pull a little towards the size at rest. Once they are found that bias goes: solving again
    with the deformation just reached in their place leaves the minimum of the other two terms, wherever
    those determine it. An affine pose is thus met to rounding.
    """
    constant = system.drawing_side(pull, surface) + system.held[:, None] * start
    x = start
    for _ in range(MOST_SOLVES):
        before, x = x, solve(constant + TURN * system.turning_side(rotations))
        if np.abs(x - before).max() < STILL * system.diagonal:
            break
        rotations = nearest_rotations(system.deformation(x))
    for _ in range(MOST_FREEINGS):
        before, x = x, solve(constant + TURN * (system.turning @ x))
        if np.abs(x - before).max() < FREED * system.diagonal:
            break
    return x


def _untangled(system: FillingSystem, x: Array, start: Array, surface: Array) -> Array:
    """The same, or with flat and inverted tets put right, if there are any and not too many."""
    j = np.linalg.det(system.deformation(x))
    usual = float(np.median(j))
    if usual <= 0 or j.min() > TANGLED * usual or np.mean(j <= 0) > HOPELESS:
        return x
    if measure(system, x, surface).excess > CRUMPLED:
        return x
    stretch = float(np.cbrt(usual))
    x = untangle(system, x, start, surface, PULL, SHAPE, stretch)
    if np.linalg.det(system.deformation(x)).min() <= 0:
        x = untangle(system, x, start, surface, SECOND_PULL, SECOND_SHAPE, stretch)
    reached = system.deformation(x)
    if np.linalg.det(reached).min() > 0 and crushed(reached):
        # Now that all are the right way round the barrier keeps them so, and they can be given some room.
        x = untangle(system, x, start, surface, PULL, SECOND_SHAPE, stretch)
    return x
