"""From bodies to flat arrays: the constants of all actors of a cohort, one after the other (layout.py)."""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.models import Role
from pliant.models.shape_matching import layout as at
from pliant.models.shape_matching.constants import (
    body_constants,
    example_groups,
    gram,
    gram_by_region,
    weighing,
)
from pliant.models.shape_matching.settings import ShapeMatching

LANES = at.LANES


@dataclass(eq=False)
class Cohort:
    """Actors with the same number of examples and the same modes; see layout.py for the arrays."""

    ints: NDArray[np.uint32]
    floats: NDArray[Any]
    work: NDArray[Any]
    memory_size: int
    blocks: int
    count: int
    examples: int
    roles: list[Role]
    particles: list[slice]  # of each role, within the cohort
    groups: list[slice]  # of each role
    group_names: list[tuple[str, ...]]


@dataclass(eq=False)
class Pack:
    """All actors of shape matching in a world."""

    cohorts: list[Cohort]
    place: list[tuple[int, int]]  # of each role: which cohort, which number in it


def cohort_key(body: Body, settings: ShapeMatching) -> Hashable:
    """What actors must have in common to stand in the same flat arrays."""
    return len(body.poses), settings.examples == "regions", settings.weights, settings.rotation


def prepare(roles: list[Role], dtype: Any) -> Pack:
    """`roles` come in the order of the state, those of one cohort together."""
    cohorts = [
        _cohort(list(members), dtype) for _, members in groupby(roles, key=lambda r: cohort_key(r.body, r.settings))
    ]
    place = [(c, i) for c, cohort in enumerate(cohorts) for i in range(len(cohort.roles))]
    return Pack(cohorts, place)


def _cohort(roles: list[Role], dtype: Any) -> Cohort:
    bodies = [body_constants(role.body) for role in roles]
    settings: ShapeMatching = roles[0].settings
    by_region = settings.examples == "regions"
    sizes = np.array([len(b.rest) for b in bodies])
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    rings = np.concatenate([[0], np.cumsum([len(b.members) for b in bodies])])
    count, k = int(firsts[-1]), len(roles[0].body.poses)
    blocks = -(-count // LANES)

    groups, names, lists, grams, strengths = [], [], [], [], []
    for role, body, first in zip(roles, bodies, firsts, strict=False):
        named, regions = example_groups(role.body, role.settings, role.name)
        groups.append(slice(len(strengths), len(strengths) + len(named)))
        names.append(named)
        strengths += [role.settings.example_strength] * len(named)
        if by_region:
            grams.append(gram_by_region(body.stretches))
        else:
            lists += [first + chosen for chosen in regions]
            grams.append(np.stack([gram(body.stretches[chosen]) for chosen in regions]))
    group_count = len(strengths)
    # one group more, empty, for the regions that are in none: its weights stay zero
    group_blocks = blocks if by_region else -(-(group_count + 1) // LANES)

    floats = _Sections()
    floats.add(at.RING_ROWS, np.concatenate([b.rows for b in bodies]))
    constants = np.zeros((blocks * LANES, at.CONSTANT_ROWS + 6 * k))
    constants[:, at.INVERSE : at.INVERSE + 3] = 1.0  # idle lanes of the last block: harmless numbers
    constants[:count, : at.CONSTANT_ROWS] = np.concatenate([b.regions for b in bodies])
    constants[:count, at.CONSTANT_ROWS :] = np.concatenate([b.stretches.reshape(len(b.rest), -1) for b in bodies])
    floats.add(at.REGIONS, _rows_of_lanes(constants))
    rest = np.zeros((count, 4))
    rest[:, :3] = np.concatenate([b.rest for b in bodies])
    floats.add(at.REST, rest)
    floats.add(at.SHARES, np.concatenate([b.shares for b in bodies]))
    floats.add(at.STIFFNESS, np.repeat([r.settings.stiffness for r in roles], sizes))
    group_rows = np.zeros((group_blocks * LANES, at.packed(k) + 1))
    for i in range(k):
        group_rows[:, at.packed(i + 1) - 1] = 1.0
    if k:
        group_rows[:group_count, :-1] = weighing(np.concatenate(grams), settings)
    group_rows[:group_count, -1] = strengths
    floats.add(at.GROUP_CONSTANTS, _rows_of_lanes(group_rows))

    memory = _Sections()
    memory.reserve(at.ROTATIONS, blocks * 8 * LANES)
    memory.reserve(at.FACES, group_blocks * (at.packed(k) + k) * LANES)
    memory.reserve(at.WEIGHTS, group_blocks * k * LANES)
    work = _Sections()
    work.reserve(at.REGION_WORK, blocks * (at.WORK_ROWS + 2 * k) * LANES)
    work.reserve(at.TRANSFORMS, blocks * LANES * 16)
    work.reserve(at.GROUP_WORK, group_blocks * (2 * k + 5) * LANES)

    ints = _Sections(at.HEADER)
    starts = [b.starts[:-1] + ring for b, ring in zip(bodies, rings, strict=False)]
    ints.add(at.RING_STARTS, np.concatenate([*starts, rings[-1:]]))
    ints.add(at.RING_MEMBERS, 4 * np.concatenate([b.members + f for b, f in zip(bodies, firsts, strict=False)]))
    lengths = [len(chosen) for chosen in lists] + [0]
    ints.add(at.GROUP_STARTS, np.concatenate([[0], np.cumsum(lengths)]))
    listed = np.concatenate(lists) if lists else np.empty(0, np.int64)
    ints.add(at.GROUP_SPOTS, (listed // LANES) * (at.WORK_ROWS + 2 * k) * LANES + listed % LANES)
    group_of = np.full(blocks * LANES, group_count)
    for number, chosen in enumerate(lists):
        group_of[chosen] = number
    if by_region:
        group_of = np.arange(blocks * LANES)
    ints.add(at.REGION_SPOTS, memory.places[at.WEIGHTS] + (group_of // LANES) * k * LANES + group_of % LANES)

    flat = ints.flat(np.uint32)
    flat[at.FIRST], flat[at.COUNT], flat[at.BLOCKS], flat[at.EXAMPLES] = roles[0].first, count, blocks, k
    flat[at.GROUPS], flat[at.GROUP_BLOCKS], flat[at.BY_REGION] = group_count, group_blocks, by_region
    flat[at.PAPER_WEIGHTS], flat[at.PAPER_ROTATION] = settings.weights == "paper", settings.rotation == "paper"
    for sections in (ints, floats, memory, work):
        for name, place in sections.places.items():
            flat[name] = place
    return Cohort(
        flat, floats.flat(dtype), np.zeros(work.size, dtype), memory.size, blocks, count, k, roles,
        [slice(a, b) for a, b in zip(firsts, firsts[1:], strict=False)], groups, names,
    )  # fmt: skip


class _Sections:
    """Arrays laid one after the other, each beginning at a multiple of 64 numbers."""

    def __init__(self, head: int = 0) -> None:
        self.size = -(-head // LANES) * LANES
        self.places: dict[int, int] = {}
        self._parts: list[tuple[int, NDArray[Any]]] = []

    def reserve(self, name: int, size: int) -> None:
        self.places[name] = self.size
        self.size += -(-size // LANES) * LANES

    def add(self, name: int, values: NDArray[Any]) -> None:
        self.reserve(name, values.size)
        self._parts.append((self.places[name], values))

    def flat(self, dtype: Any) -> NDArray[Any]:
        whole = np.zeros(self.size, dtype)
        for place, values in self._parts:
            whole[place : place + values.size] = values.reshape(-1)
        return whole


def _rows_of_lanes(values: NDArray[Any]) -> NDArray[Any]:
    """(blocks * 64, rows), a row per lane -> flat, a row of 64 lanes per number."""
    lanes, rows = values.shape
    return np.ascontiguousarray(values.reshape(lanes // LANES, LANES, rows).transpose(0, 2, 1)).reshape(-1)


def start(pack: Pack) -> list[NDArray[Any]]:
    """The memory of each cohort: rotations as the actors were placed, no weights yet."""
    own = []
    for cohort in pack.cohorts:
        memory = np.zeros(cohort.memory_size, cohort.floats.dtype)
        rotations = _rotations(cohort, memory)
        rotations[:, 3] = rotations[:, 7] = 1.0
        for role, particles in zip(cohort.roles, cohort.particles, strict=True):
            lanes = np.arange(particles.start, particles.stop)
            rotations[lanes // LANES, :4, lanes % LANES] = role.rotation
            rotations[lanes // LANES, 4:, lanes % LANES] = role.rotation
        own.append(memory)
    return own


def _rotations(cohort: Cohort, memory: NDArray[Any]) -> NDArray[Any]:
    place = int(cohort.ints[at.ROTATIONS])
    return memory[place : place + cohort.blocks * 8 * LANES].reshape(cohort.blocks, 8, LANES)


def remember(pack: Pack, own: list[NDArray[Any]], number: int) -> NDArray[Any]:
    """The rotations (V, 8) of one actor; weights follow from them in the next step."""
    c, i = pack.place[number]
    particles = pack.cohorts[c].particles[i]
    lanes = np.arange(particles.start, particles.stop)
    return _rotations(pack.cohorts[c], own[c])[lanes // LANES, :, lanes % LANES].copy()


def recall(pack: Pack, own: list[NDArray[Any]], number: int, remembered: NDArray[Any]) -> None:
    c, i = pack.place[number]
    particles = pack.cohorts[c].particles[i]
    lanes = np.arange(particles.start, particles.stop)
    _rotations(pack.cohorts[c], own[c])[lanes // LANES, :, lanes % LANES] = remembered


def weights(pack: Pack, own: list[NDArray[Any]], number: int) -> NDArray[np.float64]:
    """(groups, 1 + poses) as used in the last step, rest first."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    groups = np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    place, k = int(cohort.ints[at.WEIGHTS]), cohort.examples
    blocks = int(cohort.ints[at.GROUP_BLOCKS])
    table = own[c][place : place + blocks * k * LANES].reshape(blocks, k, LANES)
    used = table[groups // LANES, :, groups % LANES].astype(np.float64)
    return np.concatenate([1.0 - used.sum(axis=1, keepdims=True), used], axis=1)


def groups(pack: Pack, number: int) -> tuple[str, ...]:
    c, i = pack.place[number]
    return pack.cohorts[c].group_names[i]


def retune(pack: Pack, number: int, settings: ShapeMatching) -> None:
    """New stiffness and strength for one actor, while it runs."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    place, particles = int(cohort.ints[at.STIFFNESS]), cohort.particles[i]
    cohort.floats[place + particles.start : place + particles.stop] = settings.stiffness
    rows = at.packed(cohort.examples) + 1
    place, blocks = int(cohort.ints[at.GROUP_CONSTANTS]), int(cohort.ints[at.GROUP_BLOCKS])
    table = cohort.floats[place : place + blocks * rows * LANES].reshape(blocks, rows, LANES)
    lanes = np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    table[lanes // LANES, -1, lanes % LANES] = settings.example_strength
