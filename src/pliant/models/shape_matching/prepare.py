"""From bodies to flat arrays: the constants of all actors of a cohort, one after the other (layout.py)."""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples import check_forced, named_groups
from pliant.examples.plastic_kernels import LASTING_ROWS, RULE_ROWS
from pliant.maths.aligned import aligned_zeros
from pliant.models import Precision, Role
from pliant.models.painting import check_painted
from pliant.models.plasticity import rules_of
from pliant.models.shape_matching import layout as at
from pliant.models.shape_matching.constants import BodyConstants, PoseConstants, body_constants, pose_constants
from pliant.models.shape_matching.examples import Examples, blended_poses, describe, found_poses
from pliant.models.shape_matching.material import stiffness_of
from pliant.models.shape_matching.relief import relief_of
from pliant.models.shape_matching.settings import ShapeMatching
from pliant.runtime.task_list import TaskList

Array = NDArray[np.float64]
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
    roles: list[Role[ShapeMatching]]
    particles: list[slice]  # of each role, within the cohort
    groups: list[slice]  # of each role
    examples_of: list[Examples]
    all_found: bool  # the weights of all poses are found: none is given, none left out


@dataclass(eq=False)
class Pack:
    """All actors of shape matching in a world."""

    cohorts: list[Cohort]
    place: list[tuple[int, int]]  # of each role: which cohort, which number in it
    limited_for: float = 0.0  # the step (s) that materials have been limited for (memory.py)
    task_lists: tuple[tuple[Any, ...], tuple[Any, ...], list[TaskList]] = ((), (), [])  # and what they are made of


def cohort_key(body: Body, settings: ShapeMatching) -> Hashable:
    """What actors must have in common to stand in the same flat arrays."""
    counts = len(found_poses(body, settings)), len(blended_poses(body, settings))
    modes = settings.examples == "regions", settings.weights, settings.rotation, settings.goals
    apart = settings.young is None, settings.plasticity is None, tuple(sorted(settings.painted.items()))
    return *counts, *apart, *modes


def check(body: Body, settings: ShapeMatching, who: str) -> None:
    """Groups of examples must select particles that the body has, each once; forced poses must be its own."""
    check_forced(body, settings.forced, who)
    check_painted(body, settings.painted, who)
    if not isinstance(settings.examples, str):
        named_groups(body, settings.examples, who)


def prepare(roles: list[Role[ShapeMatching]], precision: Precision) -> Pack:
    """`roles` come in the order of the state, those of one cohort together."""
    cohorts = [
        _cohort(list(members), precision) for _, members in groupby(roles, key=lambda r: cohort_key(r.body, r.settings))
    ]
    place = [(c, i) for c, cohort in enumerate(cohorts) for i in range(len(cohort.roles))]
    return Pack(cohorts, place)


def _cohort(roles: list[Role[ShapeMatching]], precision: Precision) -> Cohort:
    bodies = [body_constants(role.body) for role in roles]
    settings: ShapeMatching = roles[0].settings
    by_region = settings.examples == "regions"
    sizes = np.array([len(b.rest) for b in bodies])
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    rings = np.concatenate([[0], np.cumsum([len(b.members) for b in bodies])])
    count, k = int(firsts[-1]), len(found_poses(roles[0].body, settings))
    blocks = -(-count // LANES)
    reach = max(b.reach for b in bodies)
    ring_blocks = 2 * reach // LANES + 4
    far = count > FAR and 4 * ring_blocks < blocks and reach < at.MIDDLE

    examples = _described(roles)
    groups, lists = [], []
    strengths: list[float] = []
    for role, shown, first in zip(roles, examples, firsts, strict=False):
        named = shown.groups.names
        groups.append(slice(len(strengths), len(strengths) + len(named)))
        strengths += [role.settings.example_strength] * len(named)
        if not by_region:
            lists += [first + np.flatnonzero(shown.groups.of == number) for number in range(len(named))]
    group_count = len(strengths)
    # one group more, empty, for the regions that are in none: its weights stay zero
    group_blocks = blocks if by_region else -(-(group_count + 1) // LANES)
    columns = len(examples[0].columns)
    tiles = -(-(4 + 3 * columns) // 4)
    poses = [pose_constants(role.body, role.settings.goals) for role in roles]

    floats = _Sections()
    rows = at.CONSTANT_ROWS + k + at.POSE_ROWS * columns + (6 * (k + 1) if settings.weights == "paper" else 0)
    constants = np.zeros((blocks * LANES, rows))
    constants[:, at.INVERSE : at.INVERSE + 3] = 1.0  # idle lanes of the last block: harmless numbers
    described = zip(bodies, poses, examples, strict=True)
    constants[:count] = np.concatenate([region_rows(b, p, e, rows) for b, p, e in described])
    floats.add(at.REGIONS, _rows_of_lanes(constants))
    shapes = np.zeros((count, 4 * tiles))
    shapes[:, :3] = np.concatenate([b.rest for b in bodies])
    shapes[:, 3] = 1.0
    moved = np.concatenate([p.displacements[:, e.columns] for p, e in zip(poses, examples, strict=True)])
    shapes[:, 4 : 4 + 3 * columns] = moved.reshape(count, -1)
    floats.add(at.SHAPES, shapes)
    floats.add(at.MASSES, np.concatenate([b.effective / b.scale for b in bodies]))
    materials = [stiffness_of(role.body, role.settings) for role in roles]
    region_weights = np.ones(blocks * LANES)
    region_weights[:count] = np.concatenate([m.weights for m in materials])
    floats.add(at.SHARES, np.concatenate([m.shares for m in materials]))
    floats.add(at.STIFFNESS, np.concatenate([m.particles for m in materials]))
    floats.add(at.REGION_WEIGHTS, region_weights)
    group_rows = np.zeros((group_blocks * LANES, 2 * k * k + 1))
    group_rows[:, : 2 * k * k] = np.tile(np.eye(k).reshape(-1), 2)
    group_rows[:group_count, : k * k] = np.concatenate([e.upper for e in examples]).reshape(group_count, -1)
    group_rows[:group_count, k * k : -1] = np.concatenate([e.inverse for e in examples]).reshape(group_count, -1)
    group_rows[:group_count, -1] = strengths
    floats.add(at.GROUP_CONSTANTS, _rows_of_lanes(group_rows))
    relief = np.zeros((group_blocks * LANES, 2 * k))
    for role, shown, some in zip(roles, examples, groups, strict=True):
        relief[some] = relief_rows(role, shown)
    floats.add(at.RELIEF, _rows_of_lanes(relief))
    plastic = settings.plasticity is not None and k > 0
    rules = np.zeros((group_blocks * LANES if plastic else 0, RULE_ROWS))
    for role, some in zip(roles, groups, strict=True):
        if plastic:
            rules[some] = rules_of(role.settings.plasticity)
    floats.add(at.RULES, _rows_of_lanes(rules))

    memory = _Sections()
    memory.reserve(at.ROTATIONS, blocks * 8 * LANES)
    memory.reserve(at.FACES, group_blocks * (k * k + k) * LANES)
    memory.reserve(at.WEIGHTS, group_blocks * k * LANES)
    memory.reserve(at.LASTING, group_blocks * (k + LASTING_ROWS) * LANES if plastic else 0)
    memory.reserve(at.SETTLED, group_blocks * LANES)
    work_rows = at.WORK_ROWS + k + 9 * columns
    work = _Sections()
    work.reserve(at.REGION_WORK, blocks * work_rows * LANES)
    work.reserve(at.SCRATCH, at.MOST_PIECES * (at.SCRATCH_ROWS + columns + at.TILE_ROWS * tiles) * LANES)
    work.reserve(at.TRANSFORMS, blocks * LANES * 16 * tiles)
    work.reserve(at.RECENT, at.MOST_PIECES * ring_blocks * LANES * 16 * tiles if far else 0)
    work.reserve(at.GROUP_WORK, 0 if by_region else group_blocks * k * LANES)
    work.reserve(at.BLENDS, group_blocks * k * LANES)
    work.reserve(at.WEIGH_SCRATCH, at.MOST_PIECES * (2 * k + 4) * LANES)

    work.reserve(at.BEFORE, group_blocks * k * LANES)
    work.reserve(at.RESTLESS, group_blocks * LANES)

    ints = _Sections(at.HEADER)
    starts = [b.starts[:-1] + ring for b, ring in zip(bodies, rings, strict=False)]
    ints.add(at.RING_STARTS, np.concatenate([*starts, rings[-1:]]))
    members = np.concatenate([b.members + f for b, f in zip(bodies, firsts, strict=False)])
    ints.add(at.RING_MEMBERS, np.empty(0) if far else members)
    near = aligned_zeros(len(members) + LANES if far else 0, np.uint16)
    if far:
        own = np.repeat(np.arange(count), np.diff(np.concatenate([*starts, rings[-1:]])))
        near[: len(members)] = members - own + at.MIDDLE
    cores = firsts[:-1] + [np.square(b.rest).sum(axis=1).argmin() for b in bodies]
    ints.add(at.ORIGINS, 4 * np.repeat(cores, sizes))
    lengths = [len(chosen) for chosen in lists] + [0]
    ints.add(at.GROUP_STARTS, np.concatenate([[0], np.cumsum(lengths)]))
    listed = np.concatenate(lists) if lists else np.empty(0, np.int64)
    ints.add(at.GROUP_SPOTS, (listed // LANES) * work_rows * LANES + listed % LANES)
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
    flat[at.COLUMNS], flat[at.TILES], flat[at.CONSTANTS], flat[at.WORK] = columns, tiles, rows, work_rows
    flat[at.FAR], flat[at.REACH], flat[at.RING_BLOCKS] = far, reach, ring_blocks
    flat[at.UNEVEN] = any(role.settings.young is not None or role.settings.painted for role in roles)
    flat[at.RELIEVED], flat[at.PLASTIC] = relief.any(), plastic
    # regions of one actor side by side in one group
    whole = [e.groups.names for e in examples if len(e.groups.names) == 1]
    flat[at.GLOBAL] = settings.examples == "global" and len(whole) == len(examples)
    flat[at.THIN] = bool(constants[:count, at.MISSING : at.MASS].any())
    for sections in (ints, floats, memory, work):
        for name, place in sections.places.items():
            flat[name] = place
    return Cohort(
        flat, near, floats.flat(precision), aligned_zeros(work.size, precision), memory.size, blocks, count, k,
        by_region, far, roles, [slice(a, b) for a, b in pairwise(firsts)], groups, examples,
        all(len(role.body.poses) == k for role in roles),
    )  # fmt: skip


def _described(roles: list[Role[ShapeMatching]]) -> list[Examples]:
    """The examples of each role; a crowd of one body shares them."""
    known: dict[Hashable, Examples] = {}
    found = []
    for role in roles:
        said: ShapeMatching = role.settings
        groups = said.examples if isinstance(said.examples, str) else id(said.examples)
        key = id(role.body), groups, tuple(said.forced.items())
        if key not in known:
            known[key] = describe(role)
        found.append(known[key])
    return found


def relief_rows(role: Role[ShapeMatching], examples: Examples) -> Array:
    """(groups, 2 K): the relief of each group, in units of the body's mean s."""
    groups, k = len(examples.groups.names), len(examples.free)
    scale = body_constants(role.body).scale
    grams = np.swapaxes(examples.upper, 1, 2) @ examples.upper * scale
    kept = examples.kept[:, :k]
    found = relief_of(role.body, role.settings, examples.groups.of, kept, examples.free, examples.weights, grams)
    return found.reshape(groups, 2 * k) / scale


def region_rows(body: BodyConstants, poses: PoseConstants, examples: Examples, rows: int) -> Array:
    """(V, rows): the constants of each region, as layout.py has them."""
    ratio = body.scales / body.scale  # what is in units of a region's s, in units of the body's
    table = np.zeros((len(body.rest), rows))
    table[:, : at.RATIO] = body.regions
    table[:, at.MASS] *= body.scale  # of sums in units of the body's mean s
    table[:, at.RATIO] = ratio * examples.weights / np.maximum(examples.remainder, 1 / 1024)
    table[:, at.REMAINDER] = examples.remainder
    table[:, at.UNIT] = 1.0 / ratio
    table[:, at.ASIDE : at.ASIDE + 3] = body.aside
    for number, k in enumerate(examples.columns):
        kept = examples.kept[:, number]
        first = at.CONSTANT_ROWS + at.POSE_ROWS * number
        pose = table[:, first : first + at.POSE_ROWS]
        pose[:, at.TURN : at.TURN + 9] = np.where(kept[:, None], poses.turns[:, k].reshape(-1, 9), 0.0)
        pose[:, at.SEEN] = kept
        pose[:, at.POSE_CENTRE : at.POSE_CENTRE + 3] = poses.centres[:, k]
        pose[:, at.POSE_ASIDE : at.POSE_ASIDE + 3] = poses.centres[:, k] - poses.displacements[:, k]
        pose[:, at.GIVEN] = examples.given[:, number]
    last = table[:, at.CONSTANT_ROWS + at.POSE_ROWS * len(examples.columns) :]
    count = len(examples.free)
    last[:, :count] = examples.offsets
    last[:, count:] = examples.stretches.reshape(len(table), -1)[:, : last.shape[1] - count]
    return table


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
