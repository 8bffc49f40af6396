"""From bodies to flat arrays: the constants of all actors of a cohort, one after the other (layout.py)."""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.errors import SettingsError
from pliant.maths.aligned import aligned_zeros
from pliant.models import Role
from pliant.models.shape_matching import layout as at
from pliant.models.shape_matching.constants import (
    body_aims,
    body_constants,
    example_groups,
    factors,
    free_poses,
    given_rows,
    gram,
    gram_by_region,
)
from pliant.models.shape_matching.material import stiffness_of
from pliant.models.shape_matching.settings import ShapeMatching

LANES = at.LANES
FAR = 10_000  # particles: more than that, and no cache holds what a step needs


@dataclass(eq=False)
class Cohort:
    """Actors with the same number of examples and the same modes; see layout.py for the arrays."""

    ints: NDArray[np.uint32]
    near: NDArray[np.uint16]
    floats: NDArray[Any]
    work: NDArray[Any]
    memory_size: int
    blocks: int
    count: int
    examples: int
    by_region: bool
    far: bool
    roles: list[Role]
    particles: list[slice]  # of each role, within the cohort
    groups: list[slice]  # of each role
    group_names: list[tuple[str, ...]]


@dataclass(eq=False)
class Pack:
    """All actors of shape matching in a world."""

    cohorts: list[Cohort]
    place: list[tuple[int, int]]  # of each role: which cohort, which number in it
    limited_for: float = 0.0  # the step (s) that materials have been limited for (memory.py)


def cohort_key(body: Body, settings: ShapeMatching) -> Hashable:
    """What actors must have in common to stand in the same flat arrays."""
    free = len(body.poses) - len(settings.forced)
    modes = settings.examples == "regions", settings.weights, settings.rotation, settings.goals
    return free, bool(settings.forced), *modes


def check(body: Body, settings: ShapeMatching, who: str) -> None:
    """Groups of examples must select particles that the body has, each once; forced poses must be its own."""
    for name in settings.forced:
        if name not in body.poses:
            have = ", ".join(body.poses) or "none"
            raise SettingsError(f'actor "{who}": forced: the body has no pose "{name}" (it has {have})')
    if not isinstance(settings.examples, str):
        example_groups(body, settings, who)


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
    by_region, held = settings.examples == "regions", settings.goals == "held"
    sizes = np.array([len(b.rest) for b in bodies])
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    rings = np.concatenate([[0], np.cumsum([len(b.members) for b in bodies])])
    count, k = int(firsts[-1]), len(free_poses(roles[0].body, settings))
    blocks = -(-count // LANES)
    reach = max(b.reach for b in bodies)
    ring_blocks = 2 * reach // LANES + 4
    far = count > FAR and 4 * ring_blocks < blocks and reach < at.MIDDLE

    groups, names, lists = [], [], []
    strengths: list[float] = []
    bases, uppers, inverses = [], [], []  # Q and its twin for T (V, 12 K), U and U^-1 (groups, K, K) of L = Q U
    for role, body, first in zip(roles, bodies, firsts, strict=False):
        named, regions = example_groups(role.body, role.settings, role.name)
        groups.append(slice(len(strengths), len(strengths) + len(named)))
        names.append(named)
        strengths += [role.settings.example_strength] * len(named)
        # S^k - I to compare with and, if they differ, T^k - I to aim at, in the same basis
        free = free_poses(role.body, role.settings)
        stretches = body.stretches[:, free]
        pair = np.stack([stretches, body_aims(role.body)[:, free]] if held else [stretches], axis=1)
        basis = np.zeros_like(pair)
        if by_region:
            upper, inverse = factors(gram_by_region(stretches))
            basis = np.swapaxes(inverse, 1, 2)[:, None] @ pair
        else:
            lists += [first + chosen for chosen in regions]
            upper, inverse = factors(np.stack([gram(stretches[chosen]) for chosen in regions]))
            for chosen, back in zip(regions, inverse, strict=True):
                basis[chosen] = back.T @ pair[chosen]
        bases.append(basis.reshape(len(basis), -1))
        uppers.append(upper)
        inverses.append(inverse)
    group_count = len(strengths)
    # one group more, empty, for the regions that are in none: its weights stay zero
    group_blocks = blocks if by_region else -(-(group_count + 1) // LANES)

    floats = _Sections()
    floats.add(at.RING_ROWS, np.empty(0) if far else np.concatenate([b.rows for b in bodies]))
    own_rows = at.CONSTANT_ROWS + (12 if held else 6) * k
    rows = own_rows + (at.FORCED_ROWS if settings.forced else 0)
    constants = np.zeros((blocks * LANES, rows))
    constants[:, at.INVERSE : at.INVERSE + 3] = 1.0  # idle lanes of the last block: harmless numbers
    constants[:count, : at.CONSTANT_ROWS] = np.concatenate([b.regions for b in bodies])
    constants[:count, at.CONSTANT_ROWS : own_rows] = np.concatenate(bases)
    if settings.forced:
        constants[:count, own_rows:] = np.concatenate([given_rows(role) for role in roles])
    if far:  # masses in units that make A_qq of a typical region 1, for all regions of a body the same
        ratio = np.concatenate([b.scale / b.scales for b in bodies])
        constants[:count, at.INVERSE : at.INVERSE + 6] *= ratio[:, None]
        constants[:count, at.MASS] *= np.repeat([b.scale for b in bodies], sizes)
    floats.add(at.REGIONS, _rows_of_lanes(constants))
    rest = np.ones((count, 4))
    rest[:, :3] = np.concatenate([b.rest for b in bodies])
    floats.add(at.REST, rest)
    floats.add(at.MASSES, np.concatenate([b.effective / b.scale for b in bodies]) if far else np.empty(0))
    materials = [stiffness_of(role.body, role.settings) for role in roles]
    region_weights = np.ones(blocks * LANES)
    region_weights[:count] = np.concatenate([m.weights for m in materials])
    floats.add(at.SHARES, np.concatenate([m.shares for m in materials]))
    floats.add(at.STIFFNESS, np.concatenate([m.particles for m in materials]))
    floats.add(at.REGION_WEIGHTS, region_weights)
    group_rows = np.zeros((group_blocks * LANES, 2 * k * k + 1))
    group_rows[:, : 2 * k * k] = np.tile(np.eye(k).reshape(-1), 2)
    group_rows[:group_count, : k * k] = np.concatenate(uppers).reshape(group_count, -1)
    group_rows[:group_count, k * k : -1] = np.concatenate(inverses).reshape(group_count, -1)
    group_rows[:group_count, -1] = strengths
    floats.add(at.GROUP_CONSTANTS, _rows_of_lanes(group_rows))

    memory = _Sections()
    memory.reserve(at.ROTATIONS, blocks * 8 * LANES)
    memory.reserve(at.FACES, group_blocks * (k * k + k) * LANES)
    memory.reserve(at.WEIGHTS, group_blocks * k * LANES)
    memory.reserve(at.BLENDS, group_blocks * k * LANES)
    work = _Sections()
    work.reserve(at.REGION_WORK, blocks * (at.WORK_ROWS + k) * LANES)
    work.reserve(at.SCRATCH, at.MOST_PIECES * (at.SCRATCH_ROWS + k) * LANES)
    work.reserve(at.TRANSFORMS, blocks * LANES * 16)
    work.reserve(at.RECENT, at.MOST_PIECES * ring_blocks * LANES * 16 if far else 0)
    work.reserve(at.GROUP_WORK, 0 if by_region else group_blocks * k * LANES)
    work.reserve(at.WEIGH_SCRATCH, at.MOST_PIECES * (2 * k + 4) * LANES)

    ints = _Sections(at.HEADER)
    starts = [b.starts[:-1] + ring for b, ring in zip(bodies, rings, strict=False)]
    ints.add(at.RING_STARTS, np.concatenate([*starts, rings[-1:]]))
    members = np.concatenate([b.members + f for b, f in zip(bodies, firsts, strict=False)])
    ints.add(at.RING_MEMBERS, np.empty(0) if far else 4 * members)
    near = aligned_zeros(len(members) + LANES if far else 0, np.uint16)
    if far:
        own = np.repeat(np.arange(count), np.diff(np.concatenate([*starts, rings[-1:]])))
        near[: len(members)] = members - own + at.MIDDLE
    cores = firsts[:-1] + [np.square(b.rest).sum(axis=1).argmin() for b in bodies]
    ints.add(at.ORIGINS, 4 * np.repeat(cores, sizes))
    lengths = [len(chosen) for chosen in lists] + [0]
    ints.add(at.GROUP_STARTS, np.concatenate([[0], np.cumsum(lengths)]))
    listed = np.concatenate(lists) if lists else np.empty(0, np.int64)
    ints.add(at.GROUP_SPOTS, (listed // LANES) * (at.WORK_ROWS + k) * LANES + listed % LANES)
    group_of = np.full(blocks * LANES, group_count)
    for number, chosen in enumerate(lists):
        group_of[chosen] = number
    if by_region:
        group_of = np.arange(blocks * LANES)
    ints.add(at.REGION_SPOTS, memory.places[at.BLENDS] + (group_of // LANES) * k * LANES + group_of % LANES)

    flat = ints.flat(np.uint32)
    flat[at.FIRST], flat[at.COUNT], flat[at.BLOCKS], flat[at.EXAMPLES] = roles[0].first, count, blocks, k
    flat[at.GROUPS], flat[at.GROUP_BLOCKS], flat[at.BY_REGION] = group_count, group_blocks, by_region
    flat[at.PAPER_WEIGHTS], flat[at.PAPER_ROTATION] = settings.weights == "paper", settings.rotation == "paper"
    flat[at.FORCED], flat[at.CONSTANTS] = bool(settings.forced), rows
    flat[at.HELD], flat[at.FAR], flat[at.REACH], flat[at.RING_BLOCKS] = held, far, reach, ring_blocks
    flat[at.UNEVEN] = any(role.settings.young is not None for role in roles)
    flat[at.GLOBAL] = all(role.settings.examples == "global" for role in roles)
    flat[at.THIN] = bool(constants[:count, at.MISSING : at.MASS].any())
    for sections in (ints, floats, memory, work):
        for name, place in sections.places.items():
            flat[name] = place
    return Cohort(
        flat, near, floats.flat(dtype), aligned_zeros(work.size, dtype), memory.size, blocks, count, k, by_region, far,
        roles, [slice(a, b) for a, b in pairwise(firsts)], groups, names,
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
        whole = aligned_zeros(self.size, dtype)
        for place, values in self._parts:
            whole[place : place + values.size] = values.reshape(-1)
        return whole


def _rows_of_lanes(values: NDArray[Any]) -> NDArray[Any]:
    """(blocks * 64, rows), a row per lane -> flat, a row of 64 lanes per number."""
    lanes, rows = values.shape
    return np.ascontiguousarray(values.reshape(lanes // LANES, LANES, rows).transpose(0, 2, 1)).reshape(-1)
