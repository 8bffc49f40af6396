"""What actors of boundary elements remember from step to step, and what can be asked of them and changed meanwhile."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own
from pliant.examples import given_weights
from pliant.models.boundary.prepare import Pack, Player, Solved, examples_of, green_of
from pliant.models.boundary.settings import Boundary

Array = NDArray[np.float64]


def start(pack: Pack) -> Own:
    """No weights yet, or as forced; no particle left anywhere."""
    own = np.zeros(pack.memory_size)
    for player in pack.players:
        used(player, own)[:] = np.tile(np.maximum(player.given, 0.0), len(player.examples.groups.names))
    return [own]


def used(player: Player, own: Array) -> Array:
    """(G K,) its weights, a view."""
    return own[player.memory][: player.weight_count]


def left(player: Player, own: Array) -> Array:
    """(3 V + 1,) where its particles were left, and 1 if they were; a view."""
    return own[player.memory][player.weight_count :]


def weights(pack: Pack, own: Own, number: int) -> Array:
    """(groups, 1 + poses) as used in the last step, rest first."""
    player = pack.players[number]
    told = player.examples.groups
    found = used(player, own[0]).reshape(len(told.names), len(player.given))
    return told.table(np.where(told.seen, found, 0.0))


def groups(pack: Pack, number: int) -> tuple[str, ...]:
    return pack.players[number].examples.groups.names


def solved(pack: Pack, number: int) -> Solved:
    """How the last step went."""
    return pack.players[number].solved


def retune(pack: Pack, number: int, settings: Boundary) -> None:
    """Other numbers for one actor, while it runs; Poisson's ratio asks for other Green's functions."""
    player = pack.players[number]
    old = player.settings
    force(pack, number, settings)
    if (old.young, old.poisson) != (settings.young, settings.poisson):
        player.systems.clear()
    if old.poisson != settings.poisson:
        player.green = green_of(player.role.body, player.surface, settings.poisson)
        player.examples = examples_of(player.role.body, settings, player.role.name, player.surface, player.green)


def force(pack: Pack, number: int, settings: Boundary) -> None:
    """Other weights that are given; all else is as it was."""
    player = pack.players[number]
    player.role = replace(player.role, settings=settings)
    player.given[:] = given_weights(player.role.body.poses, settings.forced, free=-1.0)


def remember(pack: Pack, own: Own, number: int) -> Array:
    return own[0][pack.players[number].memory].copy()


def recall(pack: Pack, own: Own, number: int, remembered: Array) -> None:
    mine = own[0][pack.players[number].memory]
    if mine.shape == remembered.shape:  # else it has other poses or groups now
        mine[:] = remembered
