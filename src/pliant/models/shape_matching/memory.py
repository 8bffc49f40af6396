"""What actors of shape matching remember from step to step, and what can be asked of them and changed meanwhile."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.turning import quaternion_products
from pliant.maths.aligned import aligned_zeros
from pliant.models.shape_matching import layout as at
from pliant.models.shape_matching.constants import free_poses, given_rows
from pliant.models.shape_matching.kernels import tell
from pliant.models.shape_matching.material import MOST_ALPHA, RATE, stiffness_of
from pliant.models.shape_matching.prepare import Cohort, Pack
from pliant.models.shape_matching.settings import ShapeMatching

LANES = at.LANES


def start(pack: Pack) -> list[NDArray[Any]]:
    """The memory of each cohort: rotations as the actors were placed, no weights yet."""
    own = []
    for cohort in pack.cohorts:
        own.append(aligned_zeros(cohort.memory_size, cohort.floats.dtype))
        _rotations(cohort, own[-1])[:, [3, 7]] = 1.0
    for number, role in enumerate(role for cohort in pack.cohorts for role in cohort.roles):
        _place_rotations(pack, own, number, np.tile(role.rotation, (len(role.body.rest), 2)))
    return own


def _rotations(cohort: Cohort, memory: NDArray[Any]) -> NDArray[Any]:
    place = int(cohort.ints[at.ROTATIONS])
    return memory[place : place + cohort.blocks * 8 * LANES].reshape(cohort.blocks, 8, LANES)


def remember(pack: Pack, own: list[NDArray[Any]], number: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The rotations (V, 8) of one actor, plain and matched, and its weights (groups, poses)."""
    c, i = pack.place[number]
    cohort, particles = pack.cohorts[c], pack.cohorts[c].particles[i]
    lanes = np.arange(particles.start, particles.stop)
    kept = _rotations(cohort, own[c])[lanes // LANES, :, lanes % LANES].astype(np.float64)
    if cohort.examples:
        kept[:, 4:] = quaternion_products(kept[:, :4], kept[:, 4:])
    elif not cohort.ints[at.PAPER_ROTATION]:
        kept[:, :4] = kept[:, 4:]
    table, blocks, lanes = _weights(pack, own, number)
    return kept, table[blocks, :, lanes].copy()


def recall(
    pack: Pack, own: list[NDArray[Any]], number: int, remembered: tuple[NDArray[Any], NDArray[Any]]
) -> None:
    rotations, used = remembered
    _place_rotations(pack, own, number, rotations)
    table, blocks, lanes = _weights(pack, own, number)
    if used.shape == (len(lanes), table.shape[1]):  # else it has other groups now
        table[blocks, :, lanes] = used


def _place_rotations(pack: Pack, own: list[NDArray[Any]], number: int, remembered: NDArray[Any]) -> None:
    c, i = pack.place[number]
    cohort, particles = pack.cohorts[c], pack.cohorts[c].particles[i]
    lanes = np.arange(particles.start, particles.stop)
    kept = remembered.copy()
    if cohort.examples:
        kept[:, 4:] = quaternion_products(kept[:, :4] * (-1, -1, -1, 1), kept[:, 4:])
    _rotations(cohort, own[c])[lanes // LANES, :, lanes % LANES] = kept


def weights(pack: Pack, own: list[NDArray[Any]], number: int) -> NDArray[np.float64]:
    """(groups, 1 + poses) as used in the last step, rest first."""
    table, blocks, lanes = _weights(pack, own, number)
    strength = _strengths(pack.cohorts[pack.place[number][0]])[blocks, lanes].astype(np.float64)
    c, i = pack.place[number]
    role = pack.cohorts[c].roles[i]
    given = role.settings.forced
    used = np.zeros((len(lanes), len(role.body.poses)))
    remainder = 1.0 - sum(given.values())
    used[:, free_poses(role.body, role.settings)] = table[blocks, :, lanes] * (remainder * strength[:, None])
    for name, weight in given.items():
        used[:, list(role.body.poses).index(name)] = weight
    return np.concatenate([1.0 - used.sum(axis=1, keepdims=True), used], axis=1)


def all_weights(pack: Pack, own: list[NDArray[Any]], out: NDArray[Any]) -> None:
    """`weights` of every role, one after the other: crowds are recorded sixty times a second."""
    first = number = 0
    for cohort, mine in zip(pack.cohorts, own, strict=True):
        if cohort.ints[at.FORCED]:
            for place in range(number, number + len(cohort.roles)):
                told = weights(pack, own, place)
                out[first : first + told.size] = told.ravel()
                first += told.size
        else:
            first = tell(cohort.ints, cohort.floats, mine, out, first)
        number += len(cohort.roles)


def _weights(
    pack: Pack, own: list[NDArray[Any]], number: int
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """(group blocks, poses, 64), a view, and the blocks and lanes of the actor's groups."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    groups = np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    return _table(cohort, own[c]), groups // LANES, groups % LANES


def _table(cohort: Cohort, own: NDArray[Any]) -> NDArray[Any]:
    """(group blocks, poses, 64), a view."""
    place, k = int(cohort.ints[at.WEIGHTS]), cohort.examples
    blocks = int(cohort.ints[at.GROUP_BLOCKS])
    return own[place : place + blocks * k * LANES].reshape(blocks, k, LANES)


def groups(pack: Pack, number: int) -> tuple[str, ...]:
    c, i = pack.place[number]
    return pack.cohorts[c].group_names[i]


def retune(pack: Pack, number: int, settings: ShapeMatching) -> None:
    """New stiffness and strength for one actor, while it runs."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    particles = cohort.particles[i]
    stiffnesses(cohort, i)[:] = stiffness_of(cohort.roles[i].body, settings).particles
    pack.limited_for = 0.0
    lanes = np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    _strengths(cohort)[lanes // LANES, lanes % LANES] = settings.example_strength
    cohort.roles[i] = replace(cohort.roles[i], settings=settings)
    if settings.forced:
        place, rows = int(cohort.ints[at.REGIONS]), int(cohort.ints[at.CONSTANTS])
        table = cohort.floats[place : place + cohort.blocks * rows * LANES].reshape(cohort.blocks, rows, LANES)
        lanes = np.arange(particles.start, particles.stop)
        table[lanes // LANES, rows - at.FORCED_ROWS :, lanes % LANES] = given_rows(cohort.roles[i])


def stiffnesses(cohort: Cohort, number: int) -> NDArray[Any]:
    """Of the particles of an actor (V,), a view."""
    place, particles = int(cohort.ints[at.STIFFNESS]), cohort.particles[number]
    return cohort.floats[place + particles.start : place + particles.stop]


def limit(pack: Pack, h: float) -> None:
    """Materials that would need a shorter step than h are as stiff as h allows: all of a body by the same factor, since
    forces between parts that are cut short by different ones would not add up to zero."""
    for cohort in pack.cohorts:
        for number, role in enumerate(cohort.roles):
            if role.settings.young is not None:
                needed = stiffness_of(role.body, role.settings).particles
                stiffnesses(cohort, number)[:] = needed / max(1.0, float(needed.max()) * (RATE * h) ** 2 / MOST_ALPHA)
    pack.limited_for = h


def _strengths(cohort: Cohort) -> NDArray[Any]:
    """(group blocks, 64), a view."""
    rows = 2 * cohort.examples**2 + 1
    place, blocks = int(cohort.ints[at.GROUP_CONSTANTS]), int(cohort.ints[at.GROUP_BLOCKS])
    return cohort.floats[place : place + blocks * rows * LANES].reshape(blocks, rows, LANES)[:, -1]
