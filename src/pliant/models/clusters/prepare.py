"""From bodies to flat arrays: the constants of all actors of a cohort (layout.py)."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples import check_forced, named_groups
from pliant.examples.plastic_kernels import LASTING_ROWS, RULE_ROWS
from pliant.maths.aligned import aligned_zeros
from pliant.models import Precision, Role
from pliant.models.clusters import layout as at
from pliant.models.clusters.constants import Cluster, Whole, constants_key, constants_of
from pliant.models.clusters.examples import LEAST_REMAINDER, Examples, blended_poses, describe, found_poses
from pliant.models.clusters.polynomials import LINEAR, QUADRATIC
from pliant.models.clusters.settings import Clusters
from pliant.models.plasticity import rules_of
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
LANES = at.LANES
SYMMETRIC = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(eq=False)
class Cohort:
    """Actors with the same functions and the same number of examples; see layout.py for the arrays."""

    ints: NDArray[np.uint32]
    floats: NDArray[Any]
    work: NDArray[Any]
    memory_size: int
    blocks: int
    roles: list[Role[Clusters]]
    wholes: list[Whole]
    examples_of: list[Examples]
    lanes: list[NDArray[np.int64]]  # of each role: the lanes of its clusters
    groups: list[slice]  # of each role
    particles: int
    alone: bool  # no two clusters share a particle
    all_found: bool  # the weights of all poses are found: none is given, none left out
    awake: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))  # of each block
    awake_for: int = -1  # the version of the sleepers that this is for


@dataclass(eq=False)
class Pack:
    """All actors of this model in a world."""

    cohorts: list[Cohort]
    place: list[tuple[int, int]]  # of each role: which cohort, which number in it
    step: float = 0.0  # s: the step that ways to goals have been found for


def cohort_key(body: Body, settings: Clusters) -> Hashable:
    """What actors must have in common to stand in the same flat arrays."""
    found, blended = found_poses(body, settings), blended_poses(body, settings)
    modes = settings.modes, settings.clusters == 1, settings.plasticity is None
    return len(found), len(blended), *modes, constants_key(body, settings), tuple(settings.forced)


def check(body: Body, settings: Clusters, who: str) -> None:
    """Groups of examples must select particles that the body has, each once; forced poses must be its own; there must
    be a particle for each cluster."""
    check_forced(body, settings.forced, who)
    if settings.clusters > len(body.rest):
        raise SettingsError(
            f'actor "{who}": clusters = {settings.clusters}: the body has {len(body.rest)} particles; give fewer '
            "clusters, or use ShapeMatching, which has a region for each particle"
        )
    if not isinstance(settings.examples, str):
        named_groups(body, settings.examples, who)


def prepare(roles: list[Role[Clusters]], precision: Precision) -> Pack:
    """`roles` come in the order of the state, those of one cohort together."""
    cohorts = [
        _cohort(list(members), precision) for _, members in groupby(roles, key=lambda r: cohort_key(r.body, r.settings))
    ]
    place = [(c, i) for c, cohort in enumerate(cohorts) for i in range(len(cohort.roles))]
    return Pack(cohorts, place)


def _cohort(roles: list[Role[Clusters]], precision: Precision) -> Cohort:
    settings = roles[0].settings
    b = QUADRATIC if settings.modes == "quadratic" else LINEAR
    k, n = len(found_poses(roles[0].body, settings)), len(blended_poses(roles[0].body, settings))
    wholes = [constants_of(role.body, role.settings, role.name) for role in roles]
    examples = _described(roles)

    templates: dict[Hashable, list[tuple[int, int]]] = {}  # lanes of each: which role, which of its clusters
    for i, (whole, shown) in enumerate(zip(wholes, examples, strict=True)):
        for c in range(len(whole.clusters)):
            templates.setdefault((id(shown), c), []).append((i, c))
    ints, floats = _Sections(at.HEADER), _Sections()
    table: list[list[int]] = []
    members, rows, shapes = [], [], []  # of each template
    lanes = [np.zeros(len(whole.clusters), np.int64) for whole in wholes]
    first_member = first_row = first_shape = 0
    for held in templates.values():
        i, c = held[0]
        cluster = wholes[i].clusters[c]
        members.append(4 * cluster.members)
        rows.append(_table(cluster).ravel())
        shapes.append(_shapes(cluster, examples[i].descriptors[c]))
        for begin in range(0, len(held), LANES):
            together = held[begin : begin + LANES]
            for lane, (i, c) in enumerate(together):
                lanes[i][c] = len(table) * LANES + lane
            table.append([len(together), len(cluster.members), first_member, first_row, first_shape])
        first_member += len(members[-1])
        first_row += len(rows[-1])
        first_shape += len(shapes[-1])
    blocks = len(table)
    firsts = np.zeros(blocks * LANES, np.int64)
    for role, mine in zip(roles, lanes, strict=True):
        firsts[mine] = 4 * role.first
    for block, about in enumerate(table):  # lanes that are not in use look at the first
        firsts[block * LANES + about[at.USED] : (block + 1) * LANES] = firsts[block * LANES]

    groups, start = [], 0
    for whole in wholes:
        groups.append(slice(start, start + len(whole.groups.names)))
        start = groups[-1].stop
    group_count, group_blocks = start, -(-(start + 1) // LANES)  # one more, empty: its weights stay zero
    work_rows = at.work_rows(b, k, n)
    memory, work = _Sections(), _Sections()
    memory.reserve(at.ROTATIONS, blocks * 4 * LANES)
    memory.reserve(at.WEIGHTS, group_blocks * k * LANES)
    memory.reserve(at.FACES, group_blocks * (k * k + k) * LANES)
    plastic = roles[0].settings.plasticity is not None and k > 0
    memory.reserve(at.LASTING, group_blocks * (k + LASTING_ROWS) * LANES if plastic else 0)
    work.reserve(at.WORK, blocks * work_rows * LANES)
    work.reserve(at.WISHES, group_blocks * k * LANES)
    work.reserve(at.BLENDS, group_blocks * k * LANES)
    work.reserve(at.SCRATCH, at.MOST_PIECES * at.scratch_rows(b, n) * LANES)
    work.reserve(at.WEIGH_SCRATCH, (2 * k + 4) * LANES)

    group_of = np.full(blocks * LANES, group_count)
    listed: list[list[int]] = [[] for _ in range(group_count)]
    for whole, mine, some in zip(wholes, lanes, groups, strict=True):
        for lane_of_cluster, group in zip(mine, whole.groups.of, strict=True):
            if group < len(whole.groups.names):
                group_of[lane_of_cluster] = some.start + group
                listed[some.start + group].append(int(lane_of_cluster))
    chosen = np.array([lane for each in listed for lane in each], np.int64)
    spots = work.places[at.WORK] + (chosen // LANES * work_rows + work_rows - k) * LANES + chosen % LANES
    ints.add(at.BLOCK_TABLE, np.array(table))
    ints.add(at.FIRSTS, firsts)
    ints.add(at.MEMBERS, np.concatenate(members))
    ints.add(at.LANE_SPOTS, memory.places[at.WEIGHTS] + group_of // LANES * k * LANES + group_of % LANES)
    ints.add(at.GROUP_STARTS, np.concatenate([[0], np.cumsum([len(each) for each in listed])]))
    ints.add(at.GROUP_SPOTS, spots)
    floats.add(at.TABLES, np.concatenate(rows))
    floats.add(at.SHAPES, np.concatenate(shapes))
    constants = np.zeros((blocks * LANES, at.LANE_CONSTANTS + n + k))
    for whole, shown, mine in zip(wholes, examples, lanes, strict=True):
        constants[mine] = lane_rows(whole, shown)
    floats.add(at.LANE_ROWS, _rows_of_lanes(constants))
    group_rows = np.zeros((group_blocks * LANES, 2 * k * k + 1))
    group_rows[:, : 2 * k * k] = np.tile(np.eye(k).reshape(-1), 2)
    for role, shown, some in zip(roles, examples, groups, strict=True):
        group_rows[some, : k * k] = shown.upper.reshape(len(shown.upper), k * k)
        group_rows[some, k * k : -1] = shown.inverse.reshape(len(shown.inverse), k * k)
        group_rows[some, -1] = role.settings.example_strength
    floats.add(at.GROUP_ROWS, _rows_of_lanes(group_rows))
    rules = np.zeros((group_blocks * LANES if plastic else 0, RULE_ROWS))
    for role, some in zip(roles, groups, strict=True):
        if plastic:
            rules[some] = rules_of(role.settings.plasticity)
    floats.add(at.RULES, _rows_of_lanes(rules))

    flat = ints.flat(np.uint32)
    flat[at.BLOCKS], flat[at.FUNCTIONS], flat[at.EXAMPLES], flat[at.COLUMNS] = blocks, b, k, n
    flat[at.GROUPS], flat[at.GROUP_BLOCKS] = group_count, group_blocks
    flat[at.PLASTIC] = plastic
    flat[at.THIN] = bool(constants[:, at.MISSING : at.LANE_CONSTANTS].any())
    for sections in (ints, floats, memory, work):
        for name, place in sections.places.items():
            flat[name] = place
    return Cohort(
        flat, floats.flat(precision), aligned_zeros(work.size, precision), memory.size, blocks, roles, wholes, examples,
        lanes, groups, sum(len(role.body.rest) for role in roles), all(len(w.clusters) == 1 for w in wholes),
        all(len(role.body.poses) == k for role in roles),
    )  # fmt: skip


def _described(roles: list[Role[Clusters]]) -> list[Examples]:
    """The examples of each role; a crowd of one body shares them, and so its clusters are of one template."""
    known: dict[Hashable, Examples] = {}
    found = []
    for role in roles:
        key = id(role.body), constants_key(role.body, role.settings), tuple(role.settings.forced.items())
        if key not in known:
            known[key] = describe(role.body, role.settings, role.name)
        found.append(known[key])
    return found


def _table(cluster: Cluster) -> Array:
    """(n, 2 F + 4): a row for each particle, as layout.py has them."""
    phi = np.append(cluster.basis.phi, np.ones((len(cluster.members), 1)), axis=1)
    offsets = cluster.basis.phi @ cluster.rest
    return np.concatenate(
        [cluster.masses[:, None] * phi, phi, cluster.shares[:, None], offsets - offsets[0]], axis=1
    )


def _shapes(cluster: Cluster, descriptors: Array) -> Array:
    """K, V, D^0, D^k - D^0."""
    share = cluster.share
    return np.concatenate([share.kept, [share.volume, 0.0], cluster.rest.ravel(), descriptors.ravel()])


def lane_rows(whole: Whole, examples: Examples) -> Array:
    """(C, rows): the constants of each cluster, but alpha."""
    missing = np.stack([cluster.basis.missing for cluster in whole.clusters])
    return np.concatenate(
        [
            np.zeros((len(missing), 1)),
            examples.remainder[:, None],
            (examples.energies / np.maximum(examples.remainder, LEAST_REMAINDER))[:, None],
            np.stack([missing[:, i, j] for i, j in SYMMETRIC], axis=1),
            examples.given,
            examples.offsets,
        ],
        axis=1,
    )


class _Sections:
    """Sections of a flat array, each on a whole number of lanes."""

    def __init__(self, size: int = 0) -> None:
        self.size = -(-size // LANES) * LANES
        self.places: dict[int, int] = {}
        self._parts: list[tuple[int, NDArray[Any]]] = []

    def reserve(self, name: int, size: int) -> None:
        self.places[name] = self.size
        self.size += -(-size // LANES) * LANES

    def add(self, name: int, values: NDArray[Any]) -> None:
        self.reserve(name, values.size)
        self._parts.append((self.places[name], values))

    def flat(self, dtype: Any) -> NDArray[Any]:
        whole = aligned_zeros(self.size + LANES, dtype)
        for place, values in self._parts:
            whole[place : place + values.size] = values.reshape(-1)
        return whole


def _rows_of_lanes(values: NDArray[Any]) -> NDArray[Any]:
    """(blocks * 64, rows), a row per lane -> flat, a row of 64 lanes per number."""
    lanes, rows = values.shape
    return np.ascontiguousarray(values.reshape(lanes // LANES, LANES, rows).transpose(0, 2, 1)).reshape(-1)
