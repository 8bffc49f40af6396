"""From bodies to what a step needs: vectors, eigenvalues, and the examples of each actor."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.dynamics.step_inputs import Handles
from pliant.elastic.elements import elements_of
from pliant.examples import Groups, check_forced, given_weights, groups_of, named_groups, visible
from pliant.geometry.measures import diagonal
from pliant.models import Precision, Role
from pliant.models.modal import kernels
from pliant.models.modal import layout as at
from pliant.models.modal.basis import Basis, basis_key, basis_of
from pliant.models.modal.eigenmodes import most_modes
from pliant.models.modal.elements import strain_metric
from pliant.models.modal.oscillators import responses
from pliant.models.modal.settings import Modal
from pliant.runtime import jit
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_NONLINEAR = 40  # vectors of a nonlinear subspace: its forces cost their fourth power
ROUNDING = {4: 2.5e-7, 8: 4e-16}  # of a number, by its bytes


@dataclass(frozen=True, eq=False)
class Examples:
    """K poses in G groups, for a modulus of 1 Pa. pulls (R, G K): K_g Q; grams (G, K, K): Q^T K_g Q."""

    groups: Groups
    pulls: Array
    grams: Array


@dataclass(eq=False)
class Player:
    """An actor. Its row of memory is drawn in layout.py."""

    role: Role[Modal]
    basis: Basis
    examples: Examples
    given: Array  # (K,) forced weights, -1 where a weight is free
    size: float  # m
    place: int  # in the order of the state
    memory: slice = field(default_factory=lambda: slice(0, 0))
    work: Array = field(default_factory=lambda: np.zeros(0))
    wholes: Ints = field(default_factory=lambda: np.zeros(at.WHOLES, np.int64))
    numbers: Array = field(default_factory=lambda: np.zeros(at.NUMBERS))
    handles: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # rows of its handles
    pinned: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    particles: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # (4 H,) pins first
    holds: Array = field(default_factory=lambda: np.zeros(0))  # (H HOLD,)
    yields: Array = field(default_factory=lambda: np.zeros(0))  # (H,) N/m for 1 Pa: springs between these and the modes
    pulls_of: Array = field(default_factory=lambda: np.zeros(0))  # N/m of its handles
    step: float = 0.0  # s: what these are for
    responses: Array = field(default_factory=lambda: np.zeros(0))
    gram: Array = field(default_factory=lambda: np.zeros(0))
    pulls: Array = field(default_factory=lambda: np.zeros(0))
    constants: tuple[Any, ...] = ()

    @property
    def settings(self) -> Modal:
        return self.role.settings

    @property
    def count(self) -> int:
        return len(self.basis.masses)

    @property
    def weight_count(self) -> int:
        return self.examples.pulls.shape[1]


@dataclass(eq=False)
class Pack:
    """All actors of modes in a world."""

    players: list[Player]
    memory_size: int
    handles: Handles = field(default_factory=lambda: Handles.room(0))
    targets: Array = field(default_factory=lambda: np.zeros(0))


def cohort_key(body: Body, settings: Modal) -> Hashable:
    """Everything but numbers that can be changed on the way."""
    examples = settings.examples if isinstance(settings.examples, str) else tuple(settings.examples)
    return basis_key(settings), examples, tuple(settings.forced)


def check(body: Body, settings: Modal, who: str) -> None:
    """Bodies must be solids that have so many modes; groups must be theirs; forced poses must be their own."""
    body = getattr(body, "source", None) or body
    if body.tets is None:
        raise SettingsError(
            f'actor "{who}": modes need a solid, and body "{body.name}" is a {body.kind} without tets; use MassSpring '
            "or ShapeMatching, or give it tets"
        )
    if settings.modes > most_modes(body):
        raise SettingsError(
            f'actor "{who}": modes = {settings.modes}: body "{body.name}" has {len(body.rest)} particles and so '
            f"{most_modes(body)} modes at most; ask for fewer, or use Fem, which has all of them"
        )
    if settings.shapes == "nonlinear" and settings.modes > MOST_NONLINEAR:
        raise SettingsError(
            f'actor "{who}": modes = {settings.modes}: a nonlinear subspace has {MOST_NONLINEAR} at most, 10 to 30 are '
            'usual; ask for fewer, or take shapes = "warped"'
        )
    check_forced(body, settings.forced, who)
    if not isinstance(settings.examples, str):
        named_groups(body, settings.examples, who)


def prepare(roles: list[Role[Modal]], precision: Precision) -> Pack:
    """`roles` come in the order of the state. The numbers of modes are double precision, whatever the world's is."""
    jit.make_ready("single" if precision == np.float32 else "double", kernels.__name__)
    players, size = [], 0
    for role in roles:
        player = _player(role, np.dtype(precision).itemsize)
        length = at.row_length(player.count, player.basis.modes, player.weight_count)
        player.memory = slice(size, size + length)
        size += length
        players.append(player)
    return Pack(players, size)


def _player(role: Role[Modal], width: int) -> Player:
    body, settings = role.body, role.settings
    seen = sees(body, settings)
    groups, parts = _groups(role, seen)
    basis = basis_of(body, settings, seen, parts)
    given = given_weights(body.poses, settings.forced, free=-1.0)
    player = Player(role, basis, _examples(role, basis, seen, groups), given, diagonal(body.rest), -1)
    poses = len(given) if player.weight_count else 0
    player.wholes[:] = (
        len(basis.masses), basis.modes, len(groups.names), poses, 0, settings.shapes == "warped", role.first,
        settings.shapes == "nonlinear",
    )  # fmt: skip
    player.numbers[at.NOISE] = ROUNDING[width]
    player.work = np.zeros(at.scratch_length(len(basis.masses), basis.modes, player.weight_count, poses))
    player.constants = tuple(
        np.ascontiguousarray(each).reshape(-1)
        for each in (basis.rest, basis.masses, basis.phi, basis.psi)
    )
    return player


def sees(body: Body, settings: Modal) -> NDArray[np.bool_]:
    """(K,) which poses strain the body."""
    elements = elements_of(body)
    sizes = _sizes(body)
    return visible(sizes.sum(axis=1), float(elements.volumes.sum()))


def _sizes(body: Body) -> Array:
    """(K, T) how much each pose strains each tet: V |E|^2."""
    elements = elements_of(body)
    if not body.poses:
        return np.zeros((0, len(elements.tets)))
    strains = [np.square(elements.strains(pose)).sum(axis=(1, 2)) for pose in body.poses.values()]
    return elements.volumes * np.stack(strains)


def _groups(role: Role[Modal], seen: NDArray[np.bool_]) -> tuple[Groups, list[NDArray[np.bool_]]]:
    """Which tets share their weights, and those of each named group. A tet is in a group if all its corners are."""
    body, settings = role.body, role.settings
    if isinstance(settings.examples, str):
        sizes = np.where(seen[:, None], _sizes(body), 0.0)
        return groups_of(body, settings.examples, sizes, role.name), []
    found = named_groups(body, settings.examples, role.name)
    of = np.full(len(body.rest), len(found))
    for number, chosen in enumerate(found.values()):
        of[chosen] = number
    corners = of[elements_of(body).tets]
    of = np.where((corners == corners[:, :1]).all(axis=1), corners[:, 0], len(found))
    told = np.ones((len(found), len(body.poses)), bool)
    return Groups(tuple(found), of, told), [of == number for number in range(len(found))]


def _examples(role: Role[Modal], basis: Basis, seen: NDArray[np.bool_], groups: Groups) -> Examples:
    """What they pull with."""
    body, settings = role.body, role.settings
    elements = elements_of(body)
    names, poses, modes = groups.names, len(body.poses), basis.modes
    if not poses or not settings.example_strength > 0 or not seen.any():
        return Examples(groups, np.zeros((modes, 0)), np.zeros((len(names), 0, 0)))
    pulls = np.zeros((modes, len(names), poses))
    for number in range(len(names)):
        chosen = groups.of == number
        if chosen.all():
            metric = np.diag(basis.values)
        else:
            metric = strain_metric(elements, settings.poisson, basis.phi, basis.phi, chosen)
        pulls[:, number] = metric @ (basis.poses * (groups.seen[number] & seen))
    grams = np.einsum("rk,rgm->gkm", basis.poses, pulls)
    grams = 0.5 * (grams + np.swapaxes(grams, 1, 2))
    return Examples(groups, pulls.reshape(modes, -1), grams)


def set_step(player: Player, h: float) -> None:
    """What depends on the length of a step, on damping and on the modulus."""
    settings, basis = player.settings, player.basis
    values = settings.young * basis.values
    damping = settings.damping + settings.drag + settings.mode_damping * values
    player.responses = responses(values, damping, h)
    if settings.shapes == "nonlinear":
        player.responses[at.FROM_Q] = damping
    player.pulls = settings.young * player.examples.pulls
    count = player.weight_count
    gram = np.zeros((count, count))
    poses = len(player.given)
    for number, each in enumerate(player.examples.grams):
        here = slice(number * poses, (number + 1) * poses)
        if count:
            gram[here, here] = settings.young * each / settings.example_strength
    if count and settings.shapes != "nonlinear":
        gain = (1.0 - player.responses[at.FROM_Q]) / values
        own = np.diagonal(gram).copy()
        gram -= 0.5 * player.pulls.T @ (gain[:, None] * player.pulls)
        np.fill_diagonal(gram, np.where(own > 0.0, np.maximum(np.diagonal(gram), 1e-6 * own), 0.0))
    player.gram = np.ascontiguousarray(gram).reshape(-1)
    player.pulls = np.ascontiguousarray(player.pulls).reshape(-1)
    player.numbers[at.H] = h
    player.numbers[at.DRAG] = np.exp(-h * settings.drag)
    player.numbers[at.DRIFT] = np.exp(-h * (settings.damping + settings.drag))
    player.step = h

