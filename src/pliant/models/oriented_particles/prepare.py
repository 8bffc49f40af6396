"""From graphs to flat arrays: the constants of all actors of oriented particles, one after the other (layout.py)."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.dynamics.step_inputs import Handles
from pliant.examples import Groups, check_forced, groups_of, listed, named_groups, visible
from pliant.examples.plastic_kernels import LASTING_ROWS, RULE_ROWS
from pliant.graph import Graph, graph_of
from pliant.maths.aligned import aligned_zeros
from pliant.models import Precision, Role
from pliant.models.oriented_particles import layout as at
from pliant.models.oriented_particles.beams import beams_of
from pliant.models.oriented_particles.factors import Factor
from pliant.models.oriented_particles.material import modulus_of_one
from pliant.models.oriented_particles.network import Network, network_of
from pliant.models.oriented_particles.settings import OrientedParticles
from pliant.models.plasticity import rules_of
from pliant.runtime.task_list import TaskList

Ints = NDArray[np.int64]


@dataclass(eq=False)
class Player:
    """An actor: its graph, and which of its particles share their weights."""

    role: Role[OrientedParticles]
    graph: Graph
    network: Network
    groups: Groups
    grams: NDArray[np.float64]  # (groups, K, K); the diagonal is zero where a pose has no weight


NONE = np.zeros(0, np.uint32)


@dataclass(eq=False)
class Pack:
    """All actors of oriented particles in a world. `ints` and `floats` begin with what stays; factors follow, made
    again when `made_for` is no longer true (solve.py)."""

    players: list[Player]
    ints: NDArray[np.uint32]
    floats: NDArray[Any]
    scalars: NDArray[np.float64]
    work: NDArray[Any]
    memory_size: int
    fixed_ints: NDArray[np.uint32]
    fixed_floats: NDArray[Any]
    tables: "list[Table]"
    holds: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))
    springs: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    made_for: Any = None
    factors: dict[Hashable, Factor] = field(default_factory=dict)
    edits: int = 0  # rises when something was retuned or held
    handles: Handles = field(default_factory=lambda: Handles.room(0))
    order: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # their rows, those of one actor together
    effort: int = 0  # particles times iterations
    efforts: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # of each player, with its edges
    singles: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))  # bodies that go one by one
    batches: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))  # and those that go in lanes
    alike: list[list[int]] = field(default_factory=list)  # bodies that may go in lanes together
    alone: list[int] = field(default_factory=list)  # and those that never do
    scratch_size: int = 0  # numbers that a thread needs for a batch
    awake: tuple[int | None, NDArray[np.uint32], NDArray[np.uint32]] = (None, NONE, NONE)  # of singles and batches
    task_lists: tuple[tuple[Any, ...], tuple[Any, ...], list[TaskList]] = ((), (), [])  # and what they are made of


@dataclass(frozen=True)
class Table:
    """Where the numbers of one body begin: for the head in `ints`, and in `scalars` those of the given weights, and of
    the rules by which weights stay (0: they do not)."""

    head: dict[int, int]
    given: int
    rules: int


def embody(body: Body, settings: OrientedParticles) -> Body:
    """A graph of as many particles as are wanted; a graph that was made by hand is played as it is."""
    if isinstance(body, Graph):
        if body.source is None or len(body.rest) == settings.particles:
            return body
        body = body.source
    return graph_of(body, settings.particles, settings.seed)


def cohort_key(body: Body, settings: OrientedParticles) -> Hashable:
    """Everything but numbers that can be changed on the way."""
    examples = settings.examples if isinstance(settings.examples, str) else tuple(settings.examples)
    plastic = settings.plasticity is not None
    return settings.particles, settings.seed, examples, plastic, tuple(settings.forced), settings.young is None


def check(body: Body, settings: OrientedParticles, who: str) -> None:
    """Groups must select particles that the body has, each once; forced poses must be its own."""
    check_forced(body, settings.forced, who)
    if not isinstance(settings.examples, str):
        named_groups(getattr(body, "source", None) or body, settings.examples, who)


def prepare(roles: list[Role[OrientedParticles]], precision: Precision) -> Pack:
    """`roles` come in the order of the state."""
    players = [_player(role) for role in roles]
    ints, floats, scalars, work, memory = _Shelf(at.HEAD * len(roles)), _Shelf(), _Shelf(), _Shelf(), _Shelf()
    scalars.size = at.SCALARS * len(roles)
    shared: dict[int, dict[int, int]] = {}  # by network
    tables = []
    for player in players:
        net, graph = player.network, player.graph
        n, k = len(net.particles), len(graph.poses)
        if id(net) not in shared:  # bodies of one graph read the same constants
            links = np.column_stack([net.neighbours, net.reverse])
            shared[id(net)] = {
                at.ROWS: ints.add(net.rows),
                at.LINKS: ints.add(links),
                at.PARTICLES: floats.add(net.particles),
                at.EDGES: floats.add(net.edges),
                at.BENDS: floats.add(net.bends),
                at.TURN_SETS: ints.add(net.turn_sets),
                at.TURN_SET_COUNT: len(net.turn_sets),
            }
            same = net.goals is net.bends
            shared[id(net)][at.GOALS] = shared[id(net)][at.BENDS] if same else floats.add(net.goals)
        head = dict(shared[id(net)])
        head[at.FIRST], head[at.COUNT], head[at.EXAMPLES] = player.role.first, n, k
        head[at.GROUPS], head[at.GROUP_OF] = len(player.groups.names), ints.add(player.groups.of)
        head[at.GRAMS] = scalars.add(player.grams)
        head[at.WORK] = work.reserve(at.work_size(n, len(net.neighbours), k))
        head[at.WEIGHTS] = memory.reserve(max(1, len(player.groups.names) * k))
        plastic = player.role.settings.plasticity is not None and k > 0
        head[at.LASTING] = memory.reserve(len(player.groups.names) * (k + LASTING_ROWS) if plastic else 0)
        rules = scalars.reserve(RULE_ROWS) if plastic else 0
        tables.append(Table(head, given=scalars.reserve(max(1, k)), rules=rules))
    pack = Pack(
        players, np.zeros(0, np.uint32), np.zeros(0, precision), scalars.flat(np.float64),
        aligned_zeros(work.size, precision),
        memory.size, ints.flat(np.uint32), floats.flat(precision), tables,
    )  # fmt: skip
    for number in range(len(players)):
        tune(pack, number)
    return pack


def tune(pack: Pack, number: int) -> None:
    """Write the settings of an actor that may change without a new layout."""
    player, table = pack.players[number], pack.tables[number]
    settings: OrientedParticles = player.role.settings
    graph = player.graph
    s = pack.scalars[at.SCALARS * number : at.SCALARS * (number + 1)]
    k = stiffness_of(player)
    s[at.STIFFNESS], s[at.STRENGTH], s[at.DENSITY] = k, settings.example_strength, graph.density
    s[at.DAMPING], s[at.DRAG] = settings.damping, settings.drag
    s[at.GIVEN], s[at.RULES] = table.given, table.rules
    if table.rules:
        pack.scalars[table.rules : table.rules + RULE_ROWS] = rules_of(settings.plasticity)
    volume = float(graph.ellipsoids.volumes.mean())
    s[at.SCALE] = 1.0 / (k * volume * (1.0 if has_beams(graph, settings) else player.network.length**2))
    give(pack, number)
    pack.edits += 1


def give(pack: Pack, number: int) -> None:
    """Write the weights that are given to an actor: nothing else depends on them."""
    player, table = pack.players[number], pack.tables[number]
    forced = player.role.settings.forced
    for place, name in enumerate(player.graph.poses):
        pack.scalars[table.given + place] = forced.get(name, -1.0)


def sound(body: Body, settings: OrientedParticles, _h: float) -> float:
    """How fast a push goes through the material, m/s; one particle does not deform."""
    hardness = settings.stiffness if settings.young is None else settings.young
    return float(np.sqrt(hardness / body.density)) if len(body.rest) > 1 else np.inf


def stiffness_of(player: Player) -> float:
    """k of (3). A chain whose particles stand l apart, stretched by e, has the energy k v l^2 e^2 a particle, and a
    material of modulus E has E v e^2 / 2: that is `stiffness`. The edges of a graph that was made from a body are beams
    of 1 Pa under `young`."""
    settings: OrientedParticles = player.role.settings
    if settings.young is not None:
        return float(settings.young) / (1.0 if has_beams(player.graph, settings) else modulus_of_one(player.graph))
    return float(settings.stiffness) / (2.0 * player.network.length**2)


def has_beams(graph: Graph, settings: OrientedParticles) -> bool:
    """Whether the edges are as large as the sides of their shares: with `young`, where these are known."""
    return settings.young is not None and graph.sides is not None


def _player(role: Role[OrientedParticles]) -> Player:
    graph = role.body
    assert isinstance(graph, Graph)
    settings: OrientedParticles = role.settings
    network, n = beams_of(graph) if has_beams(graph, settings) else network_of(graph), len(graph.rest)
    # squared lengths of the poses' columns, and of rest itself, in the measure of the deformation energy
    sizes = np.zeros((n, len(graph.poses)))
    np.add.at(sizes, network.owners, np.einsum("ekk->ek", network.shares))
    seen = visible(sizes.sum(axis=0), network.whole)
    examples = settings.examples
    if isinstance(examples, str):
        groups = groups_of(graph, examples, np.where(seen[:, None], sizes.T, 0.0), role.name)
    else:
        named = named_groups(graph.source or graph, examples, role.name)
        groups = listed({name: graph.chosen(chosen) for name, chosen in named.items()}, sizes.T.shape)
    k = len(graph.poses)
    grams = np.zeros((len(groups.names) + 1, k, k))
    np.add.at(grams, groups.of[network.owners], network.shares)
    # A pose that has no weight in a group has no diagonal there. Its products with others stay: where it is given, what
    # it does to the group is taken off before the weights of these are found.
    np.einsum("gkk->gk", grams[:-1])[~(groups.seen & seen)] = 0.0
    return Player(role, graph, network, groups, grams[:-1])


def sees(body: Body, settings: OrientedParticles) -> NDArray[np.bool_]:
    """(K,) which poses the edges of its graph tell from rest, by their lengths and by how their ends are turned."""
    assert isinstance(body, Graph)
    network = network_of(body)
    return visible(np.einsum("ekk->k", network.shares), network.whole)


class _Shelf:
    """Arrays laid one after the other, each beginning at a multiple of 16 numbers."""

    def __init__(self, head: int = 0) -> None:
        self.size = -(-head // 16) * 16
        self._parts: list[tuple[int, NDArray[Any]]] = []

    def reserve(self, size: int) -> int:
        place, self.size = self.size, self.size + -(-size // 16) * 16
        return place

    def add(self, values: NDArray[Any]) -> int:
        place = self.reserve(max(1, values.size))
        self._parts.append((place, values))
        return place

    def flat(self, dtype: Any) -> NDArray[Any]:
        whole = aligned_zeros(self.size, dtype)
        for place, values in self._parts:
            whole[place : place + values.size] = values.reshape(-1)
        return whole
