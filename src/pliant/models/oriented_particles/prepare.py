"""From graphs to flat arrays: the constants of all actors of oriented particles, one after the other (layout.py)."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.calls import Job
from pliant.errors import SettingsError
from pliant.geometry.selection import select
from pliant.graph import Graph, graph_of
from pliant.maths.aligned import aligned_zeros
from pliant.models import Role
from pliant.models.oriented_particles import layout as at
from pliant.models.oriented_particles.factors import Factor
from pliant.models.oriented_particles.material import modulus_of_one
from pliant.models.oriented_particles.network import Network, network_of
from pliant.models.oriented_particles.settings import OrientedParticles

Ints = NDArray[np.int64]


@dataclass(eq=False)
class Player:
    """An actor: its graph, and which of its particles share their weights."""

    role: Role
    graph: Graph
    network: Network
    group_names: tuple[str, ...]
    group_of: Ints  # of each particle; len(group_names) where it has none
    grams: NDArray[np.float64]  # (groups, K, K)


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
    edits: int = 0  # rises when something was retuned
    handles: list[Any] = field(default_factory=list)
    effort: int = 0  # particles times iterations
    efforts: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # of each player, with its edges
    singles: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))  # bodies that go one by one
    blocks: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))  # and those that go in lanes
    alike: list[list[int]] = field(default_factory=list)  # bodies that may go in lanes together
    alone: list[int] = field(default_factory=list)  # and those that never do
    benches: list[NDArray[Any]] = field(default_factory=list)  # where blocks are worked on, one for each thread
    awake: tuple[int | None, NDArray[np.uint32], NDArray[np.uint32]] = (None, NONE, NONE)  # of singles and blocks
    jobs: tuple[tuple[Any, ...], tuple[Any, ...], list[Job]] = ((), (), [])  # for threads; and what they are made of


@dataclass(frozen=True)
class Table:
    """Where the numbers of one body begin: for the head in `ints`, and those of the given weights in `scalars`."""

    head: dict[int, int]
    given: int


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
    return settings.particles, settings.seed, examples, tuple(settings.forced)


def check(body: Body, settings: OrientedParticles, who: str) -> None:
    """Groups must select particles that the body has, each once; forced poses must be its own."""
    for name in settings.forced:
        if name not in body.poses:
            have = ", ".join(body.poses) or "none"
            raise SettingsError(f'actor "{who}": forced: the body has no pose "{name}" (it has {have})')
    if not isinstance(settings.examples, str):
        taken: dict[int, str] = {}
        for name, selection in settings.examples.items():
            chosen = select(selection, body.rest, f'actor "{who}": examples "{name}"')
            for particle in chosen.tolist():
                if taken.setdefault(particle, name) != name:
                    raise SettingsError(
                        f'actor "{who}": examples: particle {particle} is in "{taken[particle]}" and in "{name}"; '
                        "a particle can be in one group only"
                    )


def prepare(roles: list[Role], dtype: Any) -> Pack:
    """`roles` come in the order of the state."""
    players = [_player(role) for role in roles]
    ints, floats, scalars, work, memory = _Shelf(at.HEAD * len(roles)), _Shelf(), _Shelf(), _Shelf(), _Shelf()
    scalars.size = at.SCALARS * len(roles)
    shared: dict[int, dict[int, int]] = {}
    tables = []
    for player in players:
        net, graph = player.network, player.graph
        n, k = len(net.particles), len(graph.poses)
        if id(graph) not in shared:  # bodies of one graph read the same constants
            links = np.column_stack([net.neighbours, net.reverse])
            shared[id(graph)] = {
                at.ROWS: ints.add(net.rows),
                at.LINKS: ints.add(links),
                at.PARTICLES: floats.add(net.particles),
                at.EDGES: floats.add(net.edges),
                at.BENDS: floats.add(net.bends),
                at.TURNS: ints.add(net.batches),
                at.BATCHES: len(net.batches),
            }
        head = dict(shared[id(graph)])
        head[at.FIRST], head[at.COUNT], head[at.EXAMPLES] = player.role.first, n, k
        head[at.GROUPS], head[at.GROUP_OF] = len(player.group_names), ints.add(player.group_of)
        head[at.GRAMS] = scalars.add(player.grams)
        head[at.WORK] = work.reserve(at.work_size(n, len(net.neighbours), k))
        head[at.WEIGHTS] = memory.reserve(max(1, len(player.group_names) * k))
        tables.append(Table(head, given=scalars.reserve(max(1, k))))
    pack = Pack(
        players, np.zeros(0, np.uint32), np.zeros(0, dtype), scalars.flat(np.float64), aligned_zeros(work.size, dtype),
        memory.size, ints.flat(np.uint32), floats.flat(dtype), tables,
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
    s[at.REMAINDER] = max(0.0, 1.0 - sum(settings.forced.values()))
    s[at.GIVEN] = table.given
    volume = float(graph.ellipsoids.volumes.mean())
    s[at.SCALE] = 1.0 / (k * volume * player.network.length**2)
    for place, name in enumerate(graph.poses):
        pack.scalars[table.given + place] = settings.forced.get(name, -1.0)
    pack.edits += 1


def sound(body: Body, settings: OrientedParticles, _h: float) -> float:
    """How fast a push goes through the material, m/s; one particle does not deform."""
    hardness = settings.stiffness if settings.young is None else settings.young
    return float(np.sqrt(hardness / body.density)) if len(body.rest) > 1 else np.inf


def stiffness_of(player: Player) -> float:
    """k of (3). A chain whose particles stand l apart, stretched by e, has the energy k v l^2 e^2 a particle, and a
    material of modulus E has E v e^2 / 2: that is `stiffness`. `young` looks at the whole graph."""
    settings: OrientedParticles = player.role.settings
    if settings.young is not None:
        return float(settings.young / modulus_of_one(player.graph))
    return float(settings.stiffness) / (2.0 * player.network.length**2)


def _player(role: Role) -> Player:
    graph = role.body
    assert isinstance(graph, Graph)
    network, n = network_of(graph), len(graph.rest)
    settings: OrientedParticles = role.settings
    names: tuple[str, ...]
    if settings.examples == "global":
        names, group_of = ("all",), np.zeros(n, np.int64)
    elif settings.examples == "regions":
        names, group_of = tuple(f"particle {i}" for i in range(n)), np.arange(n)
    else:
        names = tuple(settings.examples)
        group_of = np.full(n, len(names))
        for number, selection in enumerate(settings.examples.values()):
            group_of[graph.chosen(selection)] = number
    k = len(graph.poses)
    grams = np.zeros((len(names) + 1, k, k))
    np.add.at(grams, group_of[network.owners], network.shares)
    return Player(role, graph, network, names, group_of.astype(np.int64), grams[:-1])


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
