"""What actors of modes remember from step to step, and what can be asked of them and changed meanwhile."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own
from pliant.examples import given_weights
from pliant.models.modal import layout as at
from pliant.models.modal.prepare import Pack, Player
from pliant.models.modal.settings import Modal

Array = NDArray[np.float64]


def start(pack: Pack) -> Own:
    """Nothing is known yet: the first step looks at where the particles are. Weights as forced."""
    own = np.zeros(pack.memory_size)
    for player in pack.players:
        if player.weight_count:
            used(player, own)[:] = np.tile(np.maximum(player.given, 0.0), len(player.examples.groups.names))
    return [own]


def used(player: Player, own: Array) -> Array:
    """(G K,) its weights, a view."""
    first = at.HEAD + 3 * player.basis.modes
    return own[player.memory][first : first + player.weight_count]


def weights(pack: Pack, own: Own, number: int) -> Array:
    """(groups, 1 + poses) as used in the last step, rest first."""
    player = pack.players[number]
    groups = player.examples.groups
    shape = len(groups.names), len(player.given)
    if not player.weight_count:
        return groups.table(np.broadcast_to(np.maximum(player.given, 0.0), shape))
    return groups.table(np.where(groups.seen, used(player, own[0]).reshape(shape), 0.0))


def groups(pack: Pack, number: int) -> tuple[str, ...]:
    return pack.players[number].examples.groups.names


def retune(pack: Pack, number: int, settings: Modal) -> None:
    """Other numbers for one actor, while it runs."""
    force(pack, number, settings)
    pack.players[number].step = 0.0


def force(pack: Pack, number: int, settings: Modal) -> None:
    """Other weights that are given; all else is as it was."""
    player = pack.players[number]
    player.role = replace(player.role, settings=settings)
    player.given[:] = given_weights(player.role.body.poses, settings.forced, free=-1.0)


def remember(pack: Pack, own: Own, number: int) -> Array:
    return own[0][pack.players[number].memory].copy()


def recall(pack: Pack, own: Own, number: int, remembered: Array) -> None:
    mine = own[0][pack.players[number].memory]
    if mine.shape == remembered.shape:  # else it has other modes, poses or groups now, and begins anew
        mine[:] = remembered
