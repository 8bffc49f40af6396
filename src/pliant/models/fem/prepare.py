"""From bodies to what a solve needs: elements, moduli, pattern, factor and examples of each actor."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.dynamics.step_inputs import Handles
from pliant.elastic import ready
from pliant.elastic.assembly import Pattern, make_pattern
from pliant.elastic.columns import columns_of
from pliant.elastic.elements import elements_of
from pliant.elastic.materials import material_kernel
from pliant.elastic.materials.lame import lame
from pliant.elastic.objective import Potential
from pliant.elastic.pardiso import solver_class
from pliant.elastic.springs import Springs
from pliant.elastic.volumes import VolumePotential
from pliant.examples import check_forced, named_groups
from pliant.geometry.measures import diagonal
from pliant.models import Precision, Role
from pliant.models.fem.manifold import Manifold, manifold_of
from pliant.models.fem.settings import Fem
from pliant.models.painting import check_painted, log_factors
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
STAYS = 0.02  # of the material, when all weights are given: it then holds a body back by 1 part in 2000


@dataclass(frozen=True)
class Solved:
    """How the last step of an actor was solved: Newton iterations, or sub-steps of an explicit integrator; whether they
    reached the tolerance; the largest displacement (m) of a particle in the last of them; the energy (J) that was
    minimised."""

    iterations: int = 0
    converged: bool = True
    residual: float = 0.0
    energy: float = 0.0


@dataclass(eq=False)
class Player:
    """An actor. Its memory in the model's own array: that of the manifold, then 3 V numbers of explicit integrators."""

    role: Role[Fem]
    moduli: Array  # (T, 2), of the material; its potential has less of them while poses are forced
    potential: Potential
    pattern: Pattern
    manifold: Manifold | None
    size: float  # m
    memory: slice = field(default_factory=lambda: slice(0, 0))
    springs: Springs = field(default_factory=Springs.none)
    held: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # rows of its handles
    fixed: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    system: Any = None  # what solves with the Hessian, for what is held now (solve.py)
    fastest: float = 0.0  # 1/s: the highest frequency, for explicit integrators
    solved: Solved = field(default_factory=Solved)

    @property
    def settings(self) -> Fem:
        return self.role.settings

    @property
    def count(self) -> int:
        return len(self.role.body.rest)


@dataclass(eq=False)
class Pack:
    """All actors of finite elements in a world."""

    players: list[Player]
    memory_size: int
    handles: Handles = field(default_factory=lambda: Handles.room(0))


def cohort_key(body: Body, settings: Fem) -> Hashable:
    """Everything but numbers that can be changed on the way."""
    examples = settings.examples if isinstance(settings.examples, str) else tuple(settings.examples)
    laws = settings.material, settings.forces, settings.manifold
    return *laws, examples, tuple(settings.forced), tuple(settings.stiffness)


def check(body: Body, settings: Fem, who: str) -> None:
    """Bodies must be solids, groups must be theirs, each particle in one; forced poses must be their own."""
    body = getattr(body, "source", None) or body
    if body.tets is None:
        raise SettingsError(
            f'actor "{who}": finite elements need a solid, and body "{body.name}" is a {body.kind}; '
            "use ShapeMatching or OrientedParticles, or give it tets"
        )
    if settings.solver == "pardiso":
        solver_class()
    check_forced(body, settings.forced, who)
    check_painted(body, settings.stiffness, who, "stiffness")
    if not isinstance(settings.examples, str):
        resolved(body, settings, who)


def resolved(body: Body, settings: Fem, who: str) -> str | dict[str, NDArray[np.int32]]:
    """`examples` with particles in place of selections and names of the body's groups."""
    return settings.examples if isinstance(settings.examples, str) else named_groups(body, settings.examples, who)


def moduli_of(body: Body, settings: Fem) -> Array:
    """Lamé's mu and lambda of each tet (T, 2). The factor of a tet is the geometric mean of those of its corners, so
    that a part passes into the next over one row of tets."""
    corners = log_factors(body, settings.stiffness)
    factors = np.exp(corners[elements_of(body).tets].mean(axis=1))
    mu, lam = lame(settings.young, settings.poisson)
    return np.stack([mu * factors, lam * factors], axis=1)


def potential_of(body: Body, settings: Fem, moduli: Array) -> Potential:
    """The energy of the material, with the forces that are asked for."""
    kind = VolumePotential if settings.forces == "volume" else Potential
    return kind(elements_of(body), material_kernel(settings.material), moduli)


def sees(body: Body, settings: Fem) -> NDArray[np.bool_]:
    """(K,) which poses strain some of the body."""
    return columns_of(body).strained


_patterns: "WeakKeyDictionary[Body, Pattern]" = WeakKeyDictionary()


def sound(body: Body, settings: Fem, _h: float) -> float:
    """How fast waves of compression go through the material, m/s."""
    mu, lam = lame(settings.young, settings.poisson)
    return float(np.sqrt((lam + 2.0 * mu) / body.density))


def pattern_of(body: Body) -> Pattern:
    """Of the tets alone, made at the first use of a body."""
    if body not in _patterns:
        _patterns[body] = make_pattern(elements_of(body))
    return _patterns[body]


def prepare(roles: list[Role[Fem]], _precision: Precision) -> Pack:
    """`roles` come in the order of the state. Everything is double precision, whatever the world's is."""
    ready(*{role.settings.material for role in roles})
    players, size = [], 0
    for role in roles:
        player = _player(role)
        memory = (player.manifold.memory if player.manifold is not None else 0) + 3 * player.count
        player.memory = slice(size, size + memory)
        size += memory
        players.append(player)
    return Pack(players, size)


def _player(role: Role[Fem]) -> Player:
    body, settings = role.body, role.settings
    moduli = moduli_of(body, settings)
    potential = potential_of(body, settings, moduli.copy())
    player = Player(role, moduli, potential, pattern_of(body), make_manifold(role, moduli), diagonal(body.rest))
    give_way(player)
    return player


def give_way(player: Player) -> None:
    """Write what is left of the material beside the weights that are given (`beside_forced`)."""
    if player.manifold is not None:
        left, stiffness = beside_forced(player.settings, player.manifold)
        player.potential.moduli[:] = left[:, None] * player.moduli
        player.manifold.tune(stiffness, player.settings.forced)


def beside_forced(settings: Fem, manifold: Manifold) -> tuple[Array, float]:
    """The part of the material (T,) that is left beside weights that are given, and the stiffness of the examples then.

    The material wants to be at rest, and would hold a body back from its pose by 1 part in 1 + example_stiffness. But a
    pose that is forced is what the body is to be at rest in: so the material hands over to the examples what is given.
    A little stays, because it is the material that keeps tets from turning inside out."""
    forced = min(sum(settings.forced.values()), 1.0)
    if settings.example_stiffness == 0.0:
        return np.ones(len(manifold.within)), 0.0
    given = (1.0 - STAYS) * forced
    return 1.0 - given * manifold.within, settings.example_stiffness + given


def make_manifold(role: Role[Fem], moduli: Array) -> Manifold | None:
    """The examples of an actor, or None where its body has none."""
    settings: Fem = role.settings
    return manifold_of(
        role.body,
        resolved(role.body, settings, role.name),
        np.ascontiguousarray(moduli[:, 0]),
        np.ascontiguousarray(moduli[:, 1]),
        settings.example_stiffness,
        settings.forced,
        settings.manifold,
    )
