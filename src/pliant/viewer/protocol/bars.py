"""Which example weights a page shows: a bar for each actor, or for each of its groups where they are few."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.world import Actor, World

MOST_BARS = 8  # bars that a panel has room for
SHOWN_GROUPS = 8  # of one actor; beyond that their mean is shown


@dataclass(frozen=True)
class Bar:
    """The weights of a group of an actor, rest first. `group` None: the mean over all groups."""

    actor: str
    label: str
    group: int | None
    names: tuple[str, ...]
    grouped: bool = False  # one of several groups of an actor


def bars_of(actors: Sequence[Actor], most: int = MOST_BARS) -> list[Bar]:
    """Bars for the actors that have poses, the first ones."""
    bars: list[Bar] = []
    for actor in actors:
        if not actor.body.poses:
            continue
        names = ("rest", *actor.body.pose_names)
        groups = actor.group_names
        if len(groups) == 1:
            bars.append(Bar(actor.name, actor.name, 0, names))
        elif len(groups) <= SHOWN_GROUPS:
            bars += [Bar(actor.name, f"{actor.name} · {group}", g, names, True) for g, group in enumerate(groups)]
        else:
            bars.append(Bar(actor.name, f"{actor.name} · mean of {len(groups)} regions", None, names))
        if len(bars) >= most:
            break
    return bars[:most]


def weights_of(world: World, bars: Sequence[Bar]) -> NDArray[np.float32]:
    """The numbers of all bars, one bar after the other."""
    rows = []
    known: dict[str, NDArray[np.float64]] = {}
    for bar in bars:
        if bar.actor not in known:
            known[bar.actor] = world[bar.actor].weights
        weights = known[bar.actor]
        rows.append(weights.mean(axis=0) if bar.group is None else weights[bar.group])
    return np.concatenate(rows).astype(np.float32) if rows else np.empty(0, np.float32)
