"""From bodies to what a solve needs: grid, metric, and the examples of each actor."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.dynamics.step_inputs import Handles
from pliant.elastic.springs import Springs
from pliant.examples import Groups, check_forced, given_weights, groups_of, listed, named_groups, visible
from pliant.geometry.measures import diagonal
from pliant.models import Precision, Role
from pliant.models.finite_differences import kernels
from pliant.models.finite_differences.grid import grid_of, need_grid
from pliant.models.finite_differences.metric import Metric, metric_of
from pliant.models.finite_differences.settings import FiniteDifferences
from pliant.models.mass_spring import kernels as spring_kernels
from pliant.models.mass_spring.system import System

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Solved:
    """How the last step of an actor was solved: linear systems, conjugate gradients in all of them, whether the last
    step of a particle (residual, m) was within the tolerance, the energy (J) of metric, curvature and handles."""

    iterations: int = 0
    rounds: int = 0
    converged: bool = True
    residual: float = 0.0
    energy: float = 0.0


@dataclass(frozen=True, eq=False)
class Examples:
    """K poses in G groups: change (K, N) of the descriptor, group_of (N,), Gram matrices (G, K, K)."""

    groups: Groups
    change: Array
    group_of: Ints
    grams: Array


@dataclass(eq=False)
class Player:
    """An actor. Its memory: weights (G K)."""

    role: Role[FiniteDifferences]
    metric: Metric
    indices: Ints  # of the metric, as kernels take them
    counts: Ints
    rest: Array  # (N,) descriptor at rest
    stiffness: Array  # (N,)
    examples: Examples
    given: Array  # (K,) forced weights, -1 where a weight is free
    size: float  # m
    memory: slice = field(default_factory=lambda: slice(0, 0))
    held: Springs = field(default_factory=Springs.none)
    rows: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # of its handles
    pinned: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    systems: dict[float, System] = field(default_factory=dict)  # preconditioners, by the length of a step
    solved: Solved = field(default_factory=Solved)

    @property
    def settings(self) -> FiniteDifferences:
        return self.role.settings

    @property
    def count(self) -> int:
        return len(self.role.body.rest)

    @property
    def weight_count(self) -> int:
        return len(self.examples.groups.names) * len(self.given)

    @property
    def fixed(self) -> NDArray[np.bool_]:
        """(3 V,) which coordinates are pinned."""
        fixed = np.zeros((self.count, 3), bool)
        fixed[self.pinned] = True
        return fixed.reshape(-1)


@dataclass(eq=False)
class Pack:
    """All actors of finite differences in a world."""

    players: list[Player]
    memory_size: int
    handles: Handles = field(default_factory=lambda: Handles.room(0))


def cohort_key(body: Body, settings: FiniteDifferences) -> Hashable:
    """Everything but numbers that can be changed on the way."""
    return settings.examples if isinstance(settings.examples, str) else tuple(settings.examples), tuple(settings.forced)


def check(body: Body, settings: FiniteDifferences, who: str) -> None:
    """A body must be a regular grid; groups must be its own, each particle in one; forced poses, too."""
    body = getattr(body, "source", None) or body
    need_grid(body, who)
    check_forced(body, settings.forced, who)
    if not isinstance(settings.examples, str):
        named_groups(body, settings.examples, who)


def prepare(roles: list[Role[FiniteDifferences]], _precision: Precision) -> Pack:
    """`roles` come in the order of the state. Everything is double precision, whatever the world's is."""
    from pliant.runtime import jit

    jit.make_ready("double", kernels.__name__, *(f"{spring_kernels.__name__}.{name}" for name in BORROWED))
    players, size = [], 0
    for role in roles:
        player = _player(role)
        player.memory = slice(size, size + player.weight_count)
        size += player.weight_count
        players.append(player)
    return Pack(players, size)


BORROWED = ("weigh", "dot", "substitute")  # kernels of springs that serve here too


def described(metric: Metric, positions: Array) -> Array:
    """The descriptor (N,) of particles (V, 3)."""
    x = np.ascontiguousarray(positions, np.float64).reshape(-1)
    u = np.empty(3 * (len(metric.starts) - 1))
    kernels.differences(metric.starts, metric.particles, metric.coefficients, x, u)
    values = np.empty(len(metric.stretch))
    indices, counts = flat(metric)
    kernels.describe(u, indices, counts, values, np.empty(9 * len(metric.bends) + 3 * len(metric.bows)))
    return values


def flat(metric: Metric) -> tuple[Ints, Ints]:
    """Tables one after the other, and their lengths, as kernels take them."""
    tables = (metric.lengths, metric.shears, metric.traces, metric.bends, metric.bows)
    counts = np.array([*metric.sizes, metric.traces.shape[1]])
    return np.concatenate([table.reshape(-1) for table in tables]), counts


def stiffness_of(metric: Metric, settings: FiniteDifferences) -> Array:
    """(N,) J; of curvatures J m^2."""
    return metric.stretch + settings.bending * metric.bend


def material_of(body: Body, settings: FiniteDifferences, who: str) -> Metric:
    return metric_of(body, need_grid(body, who), settings.young, settings.poisson)


def _player(role: Role[FiniteDifferences]) -> Player:
    body, settings = role.body, role.settings
    metric = material_of(body, settings, role.name)
    rest, stiffness = described(metric, body.rest), stiffness_of(metric, settings)
    examples = examples_of(role, metric, rest, stiffness)
    given = given_weights(body.poses, settings.forced, free=-1.0)
    return Player(role, metric, *flat(metric), rest, stiffness, examples, given, diagonal(body.rest))


def examples_of(role: Role[FiniteDifferences], metric: Metric, rest: Array, stiffness: Array) -> Examples:
    """What the poses do to metric and curvature. A number belongs to a named group if all its particles do."""
    body, settings = role.body, role.settings
    change = changes(metric, rest, body)
    sizes = stiffness * change**2
    seen = seen_by(metric, body, settings, sizes)
    if isinstance(settings.examples, str):
        groups = groups_of(body, settings.examples, np.where(seen[:, None], sizes, 0.0), role.name)
        group_of = groups.of
    else:
        groups = listed(named_groups(body, settings.examples, role.name), (len(change), len(body.rest)))
        none = len(groups.names)
        of_vectors = _alike(np.split(groups.of[metric.particles], metric.starts[1:-1]), none)
        group_of = _alike([of_vectors[row] for row in metric.vectors_of()], none)
    grams = np.zeros((len(groups.names), len(change), len(change)))
    for number in range(len(groups.names)):
        mine = group_of == number
        grams[number] = (stiffness[mine] * change[:, mine]) @ change[:, mine].T
    # a pose that has no weight in a group has no diagonal there; its products with others stay, for where it is given
    np.einsum("gkk->gk", grams)[~(groups.seen & seen)] = 0.0
    return Examples(groups, change, group_of.astype(np.int64), grams)


def _alike(rows: list[Ints], none: int) -> Ints:
    """The group that all of a row are in, else none."""
    return np.array([row[0] if (row == row[0]).all() else none for row in rows], np.int64)


def changes(metric: Metric, rest: Array, body: Body) -> Array:
    """(K, N) from the descriptor at rest to that of each pose."""
    if not body.poses:
        return np.zeros((0, len(rest)))
    return np.stack([described(metric, pose) for pose in body.poses.values()]) - rest


def seen_by(metric: Metric, body: Body, settings: FiniteDifferences, sizes: Array) -> NDArray[np.bool_]:
    """(K,) which poses are told from rest by the metric, which is 1 there, or by the curvature, against one radian from
    cell to cell."""
    grid = need_grid(body, body.name)
    flat_, bent = metric.stretch > 0.0, metric.bend > 0.0
    by_metric = visible(sizes[:, flat_].sum(axis=1), float(metric.stretch.sum()))
    bend = settings.bending * float(metric.bend.sum()) / float(grid.spacing.max()) ** 2
    return by_metric | visible(sizes[:, bent].sum(axis=1), bend)


def sees(body: Body, settings: FiniteDifferences) -> NDArray[np.bool_]:
    """(K,) which poses metric and curvature tell from rest; none where the body has no grid."""
    if grid_of(body) is None:
        return np.zeros(len(body.poses), bool)
    metric = material_of(body, settings, body.name)
    change = changes(metric, described(metric, body.rest), body)
    return seen_by(metric, body, settings, stiffness_of(metric, settings) * change**2)


def sound(body: Body, settings: FiniteDifferences, _h: float) -> float:
    """How fast a push goes through it, m/s: of plane waves in a solid, along a sheet or a rope."""
    ratio = settings.poisson
    solid = (1 - ratio) / ((1 + ratio) * (1 - 2 * ratio))
    across = {"solid": solid, "shell": 1 / (1 - ratio**2), "rod": 1.0}[body.kind]
    return float(np.sqrt(across * settings.young / body.density))
