"""What actors of oriented particles remember from step to step, and what can be asked of them and changed meanwhile.
Rotations and angular velocities belong to the world's state."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own
from pliant.maths.aligned import aligned_zeros
from pliant.models.oriented_particles import layout as at
from pliant.models.oriented_particles.prepare import Pack, give, tune
from pliant.models.oriented_particles.settings import OrientedParticles
from pliant.models.plasticity import Lasting


def start(pack: Pack) -> Own:
    """No weights yet."""
    return [aligned_zeros(pack.memory_size, pack.fixed_floats.dtype)]


def _used(pack: Pack, own: Own, number: int) -> NDArray[Any]:
    """(groups, poses), a view."""
    player, place = pack.players[number], pack.tables[number].head[at.WEIGHTS]
    shape = len(player.groups.names), len(player.graph.poses)
    return own[0][place : place + shape[0] * shape[1]].reshape(shape)


def weights(pack: Pack, own: Own, number: int) -> NDArray[np.float64]:
    """(groups, 1 + poses) as used in the last step, rest first."""
    groups = pack.players[number].groups
    return groups.table(np.where(groups.seen, _used(pack, own, number).astype(np.float64), 0.0))


def plastic(pack: Pack, own: Own, number: int) -> NDArray[np.float64]:
    """(groups, 1 + poses) what has stayed, rest first."""
    told, poses = pack.players[number].groups, len(pack.players[number].graph.poses)
    table = _lasting(pack, own, number).weights(np.zeros((len(told.names), poses)), list(range(poses)))
    return told.table(np.where(told.seen, table, 0.0))


def anneal(pack: Pack, own: Own, number: int, seconds: float) -> None:
    """What has stayed goes back to rest, evenly in so many seconds; 0: at once."""
    _lasting(pack, own, number).anneal(seconds)


def _lasting(pack: Pack, own: Own, number: int) -> Lasting:
    player, table = pack.players[number], pack.tables[number]
    count = len(player.groups.names) if table.rules else 0
    return Lasting.of(own[0], table.head[at.LASTING], count, len(player.graph.poses), slice(0, count), lanes=1)


def groups(pack: Pack, number: int) -> tuple[str, ...]:
    return pack.players[number].groups.names


def retune(pack: Pack, number: int, settings: OrientedParticles) -> None:
    """Other numbers for one actor, while it runs."""
    player = pack.players[number]
    player.role = replace(player.role, settings=settings)
    tune(pack, number)


def force(pack: Pack, number: int, settings: OrientedParticles) -> None:
    """Other weights that are given; all else is as it was."""
    player = pack.players[number]
    player.role = replace(player.role, settings=settings)
    give(pack, number)


def remember(pack: Pack, own: Own, number: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The weights of one actor, and what of them has stayed."""
    return _used(pack, own, number).copy(), _lasting(pack, own, number).read()


def recall(pack: Pack, own: Own, number: int, remembered: tuple[NDArray[Any], NDArray[Any]]) -> None:
    used, (before, stayed) = _used(pack, own, number), remembered
    if used.shape == before.shape:  # else it has other groups or poses now
        used[:] = before
        _lasting(pack, own, number).write(stayed)
