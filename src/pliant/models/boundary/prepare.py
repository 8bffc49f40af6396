"""From bodies to what a solve needs: surface, Green's functions, and the examples of each actor."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.dynamics.step_inputs import Handles
from pliant.elastic.materials.lame import lame
from pliant.elastic.springs import Springs
from pliant.examples import Groups, check_forced, given_weights, groups_of, named_groups, visible
from pliant.geometry.measures import diagonal
from pliant.models import Precision, Role
from pliant.models.boundary import choosing, kernels
from pliant.models.boundary.frames import Frame, frame_of
from pliant.models.boundary.greens import compliance, rigid_motions
from pliant.models.boundary.settings import Boundary
from pliant.models.boundary.surface import Surface, need_surface, surface_of

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Solved:
    """How the last step of an actor was solved: how many places held or touched it, the energy (J) of the material."""

    held: int = 0
    energy: float = 0.0


@dataclass(frozen=True, eq=False)
class Group:
    """A part of the surface with weights of its own. particles (B,) on the surface, rest (B, 3) and masses (B,) by
    which its frame is found; pushes (3 B, K): the forces that hold it in each pose; gram (K, K): of a shear
    modulus of 1."""

    particles: Ints
    rest: Array
    masses: Array
    pushes: Array
    gram: Array


@dataclass(frozen=True, eq=False)
class Examples:
    """columns (3 N, G K): the whole surface when each group is in each pose and nothing else acts."""

    groups: Groups
    parts: list[Group]
    columns: Array
    grams: Array  # (G, K, K), zero where a pose is not seen


@dataclass(eq=False)
class Player:
    """An actor. Its memory: weights (G K), then where it left its particles (3 V), and whether it did (1)."""

    role: Role[Boundary]
    surface: Surface
    green: Array  # (3 N, 3 N) compliance for a shear modulus of 1, seen from the frame
    frame: Frame
    examples: Examples
    given: Array  # (K,) forced weights, -1 where a weight is free
    size: float  # m
    memory: slice = field(default_factory=lambda: slice(0, 0))
    held: Springs = field(default_factory=Springs.none)
    rows: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # of its handles
    pinned: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    systems: dict[Hashable, Any] = field(default_factory=dict)  # of what is held, by all that they depend on (solve.py)
    solved: Solved = field(default_factory=Solved)

    @property
    def settings(self) -> Boundary:
        return self.role.settings

    @property
    def count(self) -> int:
        return len(self.role.body.rest)

    @property
    def weight_count(self) -> int:
        return len(self.examples.groups.names) * len(self.given)

    @property
    def shear(self) -> float:
        """Pa."""
        return lame(self.settings.young, self.settings.poisson)[0]


@dataclass(eq=False)
class Pack:
    """All actors of boundary elements in a world."""

    players: list[Player]
    memory_size: int
    handles: Handles = field(default_factory=lambda: Handles.room(0))


def cohort_key(body: Body, settings: Boundary) -> Hashable:
    """Everything but numbers that can be changed on the way."""
    return settings.examples if isinstance(settings.examples, str) else tuple(settings.examples), tuple(settings.forced)


def check(body: Body, settings: Boundary, who: str) -> None:
    """A body must have a closed surface that is not too large; groups and forced poses must be its own."""
    body = getattr(body, "source", None) or body
    need_surface(body, who)
    check_forced(body, settings.forced, who)
    if not isinstance(settings.examples, str):
        named_groups(body, settings.examples, who)


def prepare(roles: list[Role[Boundary]], _precision: Precision) -> Pack:
    """`roles` come in the order of the state. Everything is double precision, whatever the world's is."""
    from pliant.runtime import jit

    jit.make_ready("double", kernels.__name__, choosing.__name__)
    players: list[Player] = []
    size = 0
    greens: dict[Hashable, Array] = {}
    for role in roles:
        surface = need_surface(role.body, role.name)
        key = id(surface), role.settings.poisson
        if key not in greens:
            greens[key] = green_of(role.body, surface, role.settings.poisson)
        player = Player(
            role, surface, greens[key], frame_of(role.body.rest, role.body.masses),
            examples_of(role.body, role.settings, role.name, surface, greens[key]),
            given_weights(role.body.poses, role.settings.forced, free=-1.0), diagonal(role.body.rest),
        )  # fmt: skip
        own = player.weight_count + 3 * player.count + 1
        player.memory = slice(size, size + own)
        size += own
        players.append(player)
    return Pack(players, size)


def green_of(body: Body, surface: Surface, poisson: float) -> Array:
    """P C P^T, where P takes off what a displacement moves of the frame, mass by mass: so a force that is not in
    balance is met by the inertia of the body, as much of it at each place as there is mass that follows it."""
    rigid = rigid_motions(surface.rest)
    shapes = rigid.reshape(len(surface.rest), 3, 6)
    inner = np.einsum("in,nck->ick", surface.follow, shapes)
    masses = body.masses
    moved = masses[surface.outer][:, None, None] * shapes
    moved += np.einsum("in,ick->nck", surface.follow, masses[surface.inside][:, None, None] * inner)
    weigh = moved.reshape(-1, 6)
    takes = np.linalg.solve(rigid.T @ weigh, weigh.T)  # (6, 3 N): how much of each rigid motion
    green = compliance(surface, poisson)
    green = green - rigid @ (takes @ green)
    green -= (green @ takes.T) @ rigid.T
    return 0.5 * (green + green.T)


def examples_of(body: Body, settings: Boundary, who: str, surface: Surface, green: Array) -> Examples:
    """What it takes to bring each group into each pose."""
    poses, count = len(body.poses), len(surface.rest)
    outer = surface.outer
    whole = np.zeros((3 * count, poses))
    frame = frame_of(body.rest, body.masses)
    for k, pose in enumerate(body.poses.values()):
        whole[:, k] = frame.displacement(pose)[outer].reshape(-1)
    pushes = np.zeros((3 * count, poses))
    seen = np.zeros(poses, bool)
    if poses:
        pushes = _pushes(green, surface.rest, whole)
        seen = visible(np.einsum("ik,ik->k", pushes, whole), body_volume(surface))
    sizes = np.zeros((poses, len(body.rest)))
    sizes[:, outer] = np.square(pushes.reshape(count, 3, poses)).sum(axis=1).T * seen[:, None]
    if isinstance(settings.examples, str):
        groups = groups_of(body, settings.examples, sizes, who)
        of = groups.of[outer]
    else:
        chosen = named_groups(body, settings.examples, who)
        of = np.full(len(body.rest), len(chosen))
        for number, some in enumerate(chosen.values()):
            of[some] = number
        groups = Groups(tuple(chosen), of, np.ones((len(chosen), poses), bool))
        of = of[outer]
    parts, columns, grams = [], [], []
    for number in range(len(groups.names)):
        mine = np.flatnonzero(of == number)
        part, column = _group(body, surface, green, mine)
        parts.append(part)
        columns.append(column)
        gram = part.gram.copy()
        np.einsum("kk->k", gram)[~(groups.seen[number] & seen)] = 0.0
        grams.append(gram)
    shape = len(groups.names), poses, poses
    return Examples(groups, parts, np.concatenate(columns, axis=1), np.array(grams).reshape(shape))


def body_volume(surface: Surface) -> float:
    from pliant.geometry.surfaces import enclosed_volume

    return float(enclosed_volume(surface.rest, surface.triangles))


def _pushes(green: Array, rest: Array, displaced: Array) -> Array:
    """The forces f (n, K) in balance that displace particles at rest (B, 3) so, but for a rigid motion:

    C f + R q = d,   R^T f = 0"""
    rigid, n = rigid_motions(rest), len(green)
    wide = rigid.shape[1]
    scale = float(np.trace(green)) / n
    bordered = np.zeros((n + wide, n + wide))
    bordered[:n, :n] = green + scale * rigid @ rigid.T
    bordered[:n, n:] = scale * rigid
    bordered[n:, :n] = scale * rigid.T
    found: Array = np.linalg.solve(bordered, np.concatenate([displaced, np.zeros((wide, displaced.shape[1]))]))
    return found[:n]


def _group(body: Body, surface: Surface, green: Array, mine: Ints) -> tuple[Group, Array]:
    """The part of the surface (B,) as a group, and the columns of the whole surface (3 N, K): the least energy with
    which a part can take a displacement, whatever the rest of the body does, and however it is moved as a whole."""
    poses, rest = list(body.poses.values()), surface.rest[mine]
    masses = body.masses[surface.outer[mine]]
    if not len(mine) or not poses:
        none = Group(mine, rest, masses, np.zeros((3 * len(mine), len(poses))), np.zeros((len(poses), len(poses))))
        return none, np.zeros((len(green), len(poses)))
    frame = frame_of(rest, masses)
    displaced = np.stack([frame.displacement(pose[surface.outer[mine]]).reshape(-1) for pose in poses], axis=1)
    numbers = (3 * mine[:, None] + np.arange(3)).reshape(-1)
    pushes = _pushes(green[np.ix_(numbers, numbers)], rest, displaced)
    return Group(mine, rest, masses, pushes, pushes.T @ displaced), green[:, numbers] @ pushes


def sees(body: Body, settings: Boundary) -> NDArray[np.bool_]:
    """(K,) which poses strain the surface; none where the body has no closed one."""
    surface = surface_of(body)
    if isinstance(surface, str):
        return np.zeros(len(body.poses), bool)
    examples = examples_of(body, settings, body.name, surface, green_of(body, surface, settings.poisson))
    return np.asarray((np.einsum("gkk->gk", examples.grams) > 0.0).any(axis=0))
