"""What actors of finite elements remember from step to step, and what can be asked of them and changed meanwhile."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own
from pliant.models.fem.prepare import Pack, Player, Solved, give_way, make_manifold, moduli_of, potential_of
from pliant.models.fem.settings import Fem

Array = NDArray[np.float64]


def start(pack: Pack) -> Own:
    """Weights at rest, or as forced; no offsets of velocities."""
    own = np.zeros(pack.memory_size)
    for player in pack.players:
        if player.manifold is not None:
            player.manifold.start(of_manifold(player, own))
    return [own]


def of_manifold(player: Player, own: Array) -> Array:
    """What its manifold remembers, a view."""
    assert player.manifold is not None
    return own[player.memory][: player.manifold.memory]


def offsets(player: Player, own: Array) -> Array:
    """(3 V,) m/s: by how much an explicit integrator is faster at the end of a step than on average; a view."""
    return own[player.memory][-3 * player.count :]


def weights(pack: Pack, own: Own, number: int) -> Array:
    """(groups, 1 + poses) as used in the last step, rest first."""
    player = pack.players[number]
    if player.manifold is not None:
        return player.manifold.weights(of_manifold(player, own[0]))
    return np.eye(1, 1 + len(player.role.body.poses))


def groups(pack: Pack, number: int) -> tuple[str, ...]:
    manifold = pack.players[number].manifold
    return manifold.groups if manifold is not None else ("all",)


def solved(pack: Pack, number: int) -> Solved:
    """How the last step went."""
    return pack.players[number].solved


def retune(pack: Pack, number: int, settings: Fem) -> None:
    """Other numbers for one actor, while it runs."""
    player = pack.players[number]
    old = player.settings
    player.role = replace(player.role, settings=settings)
    stiffer = (old.young, old.poisson, dict(old.stiffness)) != (
        settings.young, settings.poisson, dict(settings.stiffness)
    )  # fmt: skip
    if stiffer:
        moduli = moduli_of(player.role.body, settings)
        player.moduli = moduli
        player.potential = potential_of(player.role.body, settings, moduli.copy())
        player.fastest = 0.0
    if player.manifold is not None and stiffer:
        player.manifold = make_manifold(player.role, moduli_of(player.role.body, settings))
    give_way(player)
    if settings.example_stiffness != old.example_stiffness:
        player.fastest = 0.0
    player.system = None


def force(pack: Pack, number: int, settings: Fem) -> None:
    """Other weights that are given; all else is as it was."""
    player = pack.players[number]
    player.role = replace(player.role, settings=settings)
    give_way(player)


def remember(pack: Pack, own: Own, number: int) -> Array:
    return own[0][pack.players[number].memory].copy()


def recall(pack: Pack, own: Own, number: int, remembered: Array) -> None:
    mine = own[0][pack.players[number].memory]
    if mine.shape == remembered.shape:  # else it has other poses, groups or another manifold now
        mine[:] = remembered
