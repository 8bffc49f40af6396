"""From bodies to what a solve needs: springs, their stiffness, and the examples of each actor."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.dynamics.step_inputs import Handles
from pliant.elastic.springs import Springs
from pliant.examples import Groups, check_forced, given_weights, groups_of, listed, named_groups, visible
from pliant.examples.plastic_kernels import LASTING_ROWS
from pliant.geometry.measures import diagonal
from pliant.models import Precision, Role
from pliant.models.mass_spring import kernels
from pliant.models.mass_spring.network import Network, lengths, network_of
from pliant.models.mass_spring.settings import MassSpring
from pliant.models.mass_spring.system import System
from pliant.models.painting import check_painted, log_factors
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Solved:
    """How the last step of an actor was solved: iterations (of local_global, bdf2; of conjugate gradients), whether
    they reached the tolerance, the largest displacement (m) of a particle in the last of them, the energy (J) of
    springs and handles. parts: into how many an explicit integrator cut the step; longest_step (s): what is stable."""

    iterations: int = 0
    converged: bool = True
    residual: float = 0.0
    energy: float = 0.0
    parts: int = 1
    longest_step: float = np.inf


@dataclass(frozen=True, eq=False)
class Examples:
    """K poses in G groups: change (K, N) of the descriptor, group_of (N,), Gram matrices (G, K, K)."""

    groups: Groups
    change: Array
    group_of: Ints
    grams: Array


@dataclass(eq=False)
class Player:
    """An actor. Its memory: weights (G K), what of them has stayed, then what its integrator keeps."""

    role: Role[MassSpring]
    network: Network
    rest: Array  # (N,) descriptor at rest
    stiffness: Array  # (N,)
    examples: Examples
    given: Array  # (K,) forced weights, -1 where a weight is free
    size: float  # m
    goals: Array  # (N,) the descriptor that springs aimed at in the last evaluation
    memory: slice = field(default_factory=lambda: slice(0, 0))
    stays: Array = field(default_factory=lambda: np.zeros(0))  # a view of its memory, since the last step
    held: Springs = field(default_factory=Springs.none)
    rows: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # of its handles
    pinned: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    systems: dict[Hashable, System] = field(default_factory=dict)  # for what is held now, by the length of a step
    frequencies: dict[bool, float] = field(default_factory=dict)  # 1/s: the highest, of all springs or without edges
    solved: Solved = field(default_factory=Solved)

    @property
    def settings(self) -> MassSpring:
        return self.role.settings

    @property
    def count(self) -> int:
        return len(self.role.body.rest)

    @property
    def masses(self) -> Array:
        """(3 V,) kg, once for each coordinate."""
        return np.repeat(self.role.body.masses, 3)

    @property
    def weight_count(self) -> int:
        return len(self.examples.groups.names) * len(self.given)

    @property
    def lasting_count(self) -> int:
        """Numbers for what stays of its weights: none if nothing does."""
        groups = 0 if self.settings.plasticity is None or not len(self.given) else len(self.examples.groups.names)
        return groups * (len(self.given) + LASTING_ROWS)

    @property
    def fixed(self) -> NDArray[np.bool_]:
        """(3 V,) which coordinates are pinned."""
        fixed = np.zeros((self.count, 3), bool)
        fixed[self.pinned] = True
        return fixed.reshape(-1)


@dataclass(eq=False)
class Pack:
    """All actors of springs in a world."""

    players: list[Player]
    memory_size: int
    handles: Handles = field(default_factory=lambda: Handles.room(0))


def cohort_key(body: Body, settings: MassSpring) -> Hashable:
    """Everything but numbers that can be changed on the way."""
    examples = settings.examples if isinstance(settings.examples, str) else tuple(settings.examples)
    plastic = settings.plasticity is not None
    apart = plastic, tuple(settings.forced), tuple(settings.painted)
    return settings.integrator, settings.bend_by, examples, *apart


def check(body: Body, settings: MassSpring, who: str) -> None:
    """Springs must have a length; groups must be the body's, each particle in one; forced poses must be its own."""
    body = getattr(body, "source", None) or body
    network = network_of(body, settings.bend_by)
    short = lengths(body.rest, network.edges) < 1e-9 * diagonal(body.rest)
    if short.any():
        i, j = network.edges[np.argmax(short)].tolist()
        raise SettingsError(
            f'actor "{who}": particles {i} and {j} of body "{body.name}" are in one place, and a spring needs a '
            "length; weld them, or use ShapeMatching"
        )
    if settings.bend_by == "springs" and body.kind != "shell":
        raise SettingsError(
            f'actor "{who}": bend_by = "springs" is for sheets, and body "{body.name}" is a {body.kind}; '
            'leave it at "angles"'
        )
    check_forced(body, settings.forced, who)
    check_painted(body, settings.painted, who)
    if not isinstance(settings.examples, str):
        named_groups(body, settings.examples, who)


def prepare(roles: list[Role[MassSpring]], _precision: Precision) -> Pack:
    """`roles` come in the order of the state. Everything is double precision, whatever the world's is."""
    from pliant.runtime import jit

    jit.make_ready("double", kernels.__name__)
    players, size = [], 0
    for role in roles:
        player = _player(role)
        own = player.weight_count + player.lasting_count + kept_numbers(player)
        player.memory = slice(size, size + own)
        size += own
        players.append(player)
    return Pack(players, size)


def kept_numbers(player: Player) -> int:
    """What its integrator remembers: nothing; velocities beside those of the world; or a step before, too."""
    return {"symplectic": 3, "imex": 3, "bdf2": 12}.get(player.settings.integrator, 0) * player.count


def described(network: Network, positions: Array) -> tuple[Array, Array]:
    """The descriptor (N,) of particles (V, 3), and its gradients."""
    springs, bows, hinges = network.sizes
    values, slopes = np.empty(springs + bows + hinges), np.empty(3 * springs + 3 * bows + 12 * hinges)
    x = np.ascontiguousarray(positions, np.float64).reshape(-1)
    kernels.describe(x, *arrays(network), values, slopes)
    return values, slopes


def arrays(network: Network) -> tuple[Any, ...]:
    """The flat arrays of a network as kernels take them."""
    return (
        network.edges.reshape(-1), network.bows.reshape(-1), network.coefficients.reshape(-1),
        network.hinges.reshape(-1),
    )  # fmt: skip


def stiffness_of(network: Network, settings: MassSpring, body: Body) -> Array:
    """(N,) of springs N/m, of what resists bending N m. The factor of each is the geometric mean of those of its
    particles."""
    bends = np.arange(len(network.stiffness)) >= len(network.edges) - network.across
    plain = settings.young * np.where(bends, settings.bending, 1.0) * network.stiffness
    if not settings.painted:
        return plain
    of_particles = log_factors(body, settings.painted)
    stencils = (network.edges, network.bows, network.hinges)
    return plain * np.exp(np.concatenate([of_particles[each].mean(axis=1) for each in stencils]))


def _player(role: Role[MassSpring]) -> Player:
    body, settings = role.body, role.settings
    network = network_of(body, settings.bend_by)
    rest, _ = described(network, body.rest)
    stiffness = stiffness_of(network, settings, body)
    examples = examples_of(role, network, rest, stiffness)
    given = given_weights(body.poses, settings.forced, free=-1.0)
    return Player(role, network, rest, stiffness, examples, given, diagonal(body.rest), rest.copy())


def examples_of(role: Role[MassSpring], network: Network, rest: Array, stiffness: Array) -> Examples:
    """What the poses do to lengths and angles. An element belongs to a named group if all its particles do."""
    body, settings = role.body, role.settings
    change = changes(network, rest, body)
    sizes = stiffness * change**2
    seen = seen_by(network, rest, stiffness, sizes)
    if isinstance(settings.examples, str):
        groups = groups_of(body, settings.examples, np.where(seen[:, None], sizes, 0.0), role.name)
        group_of = groups.of
    else:
        groups = listed(named_groups(body, settings.examples, role.name), (len(change), len(body.rest)))
        theirs = groups.of[network.particles()]
        group_of = np.where((theirs == theirs[:, :1]).all(axis=1), theirs[:, 0], len(groups.names))
    poses = len(change)
    grams = np.zeros((len(groups.names), poses, poses))
    for number in range(len(groups.names)):
        mine = group_of == number
        grams[number] = (stiffness[mine] * change[:, mine]) @ change[:, mine].T
    # a pose that has no weight in a group has no diagonal there; its products with others stay, for where it is given
    np.einsum("gkk->gk", grams)[~(groups.seen & seen)] = 0.0
    return Examples(groups, change, group_of.astype(np.int64), grams)


def changes(network: Network, rest: Array, body: Body) -> Array:
    """(K, N) from the descriptor at rest to that of each pose; angles go the shorter way round."""
    found = np.stack([described(network, pose)[0] for pose in body.poses.values()]) if body.poses else np.zeros((0, 1))
    if not body.poses:
        return np.zeros((0, len(rest)))
    change: Array = found - rest
    angles = len(network.edges) + len(network.bows)
    change[:, angles:] -= 2 * np.pi * np.round(change[:, angles:] / (2 * np.pi))
    return change


def seen_by(network: Network, rest: Array, stiffness: Array, sizes: Array) -> NDArray[np.bool_]:
    """(K,) which poses are told from rest by lengths, against those at rest, or by angles, against one radian."""
    springs = len(network.edges)
    by_lengths = visible(sizes[:, :springs].sum(axis=1), float(stiffness[:springs] @ rest[:springs] ** 2))
    by_angles = visible(sizes[:, springs:].sum(axis=1), float(stiffness[springs:].sum()))
    return by_lengths | by_angles


def sees(body: Body, settings: MassSpring) -> NDArray[np.bool_]:
    """(K,) which poses its springs and angles tell from rest."""
    network = network_of(body, settings.bend_by)
    rest, _ = described(network, body.rest)
    stiffness = stiffness_of(network, settings, body)
    return seen_by(network, rest, stiffness, stiffness * changes(network, rest, body) ** 2)


def sound(body: Body, settings: MassSpring, _h: float) -> float:
    """How fast a push goes through it, m/s: C11 of the springs (network.py) over the density."""
    across = {"solid": 6 / 5, "shell": 9 / 8, "rod": 1.0}[body.kind]
    hardest = float(np.exp(log_factors(body, settings.painted).max()))
    return float(np.sqrt(across * settings.young * hardest / body.density))
