"""What actors of finite differences remember from step to step, and what can be asked of them and changed meanwhile."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own
from pliant.examples import given_weights
from pliant.models.finite_differences.prepare import Pack, Player, Solved, examples_of, material_of, stiffness_of
from pliant.models.finite_differences.settings import FiniteDifferences

Array = NDArray[np.float64]


def start(pack: Pack) -> Own:
    """No weights yet, or as forced."""
    own = np.zeros(pack.memory_size)
    for player in pack.players:
        used(player, own)[:] = np.tile(np.maximum(player.given, 0.0), len(player.examples.groups.names))
    return [own]


def used(player: Player, own: Array) -> Array:
    """(G K,) its weights, a view."""
    return own[player.memory]


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


def retune(pack: Pack, number: int, settings: FiniteDifferences) -> None:
    """Other numbers for one actor, while it runs."""
    player = pack.players[number]
    old = player.settings
    force(pack, number, settings)
    if (old.young, old.poisson, old.bending) != (settings.young, settings.poisson, settings.bending):
        metric = material_of(player.role.body, settings, player.role.name)
        player.metric, player.stiffness = metric, stiffness_of(metric, settings)
        player.examples = examples_of(player.role, metric, player.rest, player.stiffness)
        player.systems.clear()


def force(pack: Pack, number: int, settings: FiniteDifferences) -> None:
    """Other weights that are given; all else is as it was."""
    player = pack.players[number]
    player.role = replace(player.role, settings=settings)
    player.given[:] = given_weights(player.role.body.poses, settings.forced, free=-1.0)


def remember(pack: Pack, own: Own, number: int) -> Array:
    return used(pack.players[number], own[0]).copy()


def recall(pack: Pack, own: Own, number: int, remembered: Array) -> None:
    mine = used(pack.players[number], own[0])
    if mine.shape == remembered.shape:  # else it has other poses or groups now
        mine[:] = remembered
