"""What actors of springs remember from step to step, and what can be asked of them and changed meanwhile."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own
from pliant.examples import given_weights
from pliant.examples.plastic_kernels import LASTING_ROWS
from pliant.models.mass_spring.prepare import Pack, Player, Solved, examples_of, stiffness_of
from pliant.models.mass_spring.settings import MassSpring
from pliant.models.plasticity import Lasting

Array = NDArray[np.float64]


def start(pack: Pack) -> Own:
    """No weights yet, or as forced; nothing that an integrator would remember."""
    own = np.zeros(pack.memory_size)
    for player in pack.players:
        used(player, own)[:] = np.tile(np.maximum(player.given, 0.0), len(player.examples.groups.names))
    return [own]


def used(player: Player, own: Array) -> Array:
    """(G K,) its weights, a view."""
    return own[player.memory][: player.weight_count]


def lasting(player: Player, own: Array) -> Array:
    """(G (K + LASTING_ROWS),) what has stayed of its weights, a view; empty if nothing does."""
    return own[player.memory][player.weight_count :][: player.lasting_count]


def of_integrator(player: Player, own: Array) -> Array:
    """What its integrator keeps, a view."""
    return own[player.memory][player.weight_count + player.lasting_count :]


def weights(pack: Pack, own: Own, number: int) -> Array:
    """(groups, 1 + poses) as used in the last step, rest first."""
    player = pack.players[number]
    groups = player.examples.groups
    found = used(player, own[0]).reshape(len(groups.names), len(player.given))
    return groups.table(np.where(groups.seen, found, 0.0))


def plastic(pack: Pack, own: Own, number: int) -> Array:
    """(groups, 1 + poses) what has stayed, rest first."""
    player = pack.players[number]
    told, poses = player.examples.groups, len(player.given)
    table = _lasting(player, own[0]).weights(np.zeros((len(told.names), poses)), list(range(poses)))
    return told.table(np.where(told.seen, table, 0.0))


def anneal(pack: Pack, own: Own, number: int, seconds: float) -> None:
    """What has stayed goes back to rest, evenly in so many seconds; 0: at once."""
    _lasting(pack.players[number], own[0]).anneal(seconds)


def _lasting(player: Player, own: Array) -> Lasting:
    mine, poses = lasting(player, own), len(player.given)
    count = len(mine) // (poses + LASTING_ROWS)
    return Lasting.of(mine, 0, count, poses, slice(0, count), lanes=1)


def groups(pack: Pack, number: int) -> tuple[str, ...]:
    return pack.players[number].examples.groups.names


def solved(pack: Pack, number: int) -> Solved:
    """How the last step went."""
    return pack.players[number].solved


def retune(pack: Pack, number: int, settings: MassSpring) -> None:
    """Other numbers for one actor, while it runs."""
    player = pack.players[number]
    old = player.settings
    player.role = replace(player.role, settings=settings)
    player.given[:] = given_weights(player.role.body.poses, settings.forced, free=-1.0)
    numbers = [(each.young, each.bending, dict(each.painted)) for each in (old, settings)]
    if numbers[0] != numbers[1]:
        player.stiffness = stiffness_of(player.network, settings, player.role.body)
        player.examples = examples_of(player.role, player.network, player.rest, player.stiffness)
        player.frequencies.clear()
        player.systems.clear()
    if old.spring_damping != settings.spring_damping:
        player.systems.clear()


def force(pack: Pack, number: int, settings: MassSpring) -> None:
    """Other weights that are given; all else is as it was."""
    player = pack.players[number]
    player.role = replace(player.role, settings=settings)
    player.given[:] = given_weights(player.role.body.poses, settings.forced, free=-1.0)


def remember(pack: Pack, own: Own, number: int) -> Array:
    return own[0][pack.players[number].memory].copy()


def recall(pack: Pack, own: Own, number: int, remembered: Array) -> None:
    mine = own[0][pack.players[number].memory]
    if mine.shape == remembered.shape:  # else it has other poses, groups or another integrator now
        mine[:] = remembered
