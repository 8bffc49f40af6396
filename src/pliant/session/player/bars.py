"""Which example weights a page shows: a bar for each actor, or for each of its groups where they are few."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.world import Actor, Frame

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


class Weighted(NamedTuple):
    """An actor with weights, live or recorded: its name, its body, and the names of its groups."""

    name: str
    body: Body
    groups: Sequence[str]


def bars_of(actors: Sequence[Actor], most: int = MOST_BARS) -> list[Bar]:
    """Bars for the actors that have poses, the first ones."""
    return bars_for((Weighted(actor.name, actor.body, actor.group_names) for actor in actors), most)


def bars_for(weighted: Iterable[Weighted], most: int = MOST_BARS) -> list[Bar]:
    """The same where they are recorded."""
    bars: list[Bar] = []
    for actor, body, groups in weighted:
        if not body.poses:
            continue
        names = ("rest", *body.pose_names)
        if len(groups) == 1:
            bars.append(Bar(actor, actor, 0, names))
        elif len(groups) <= SHOWN_GROUPS:
            bars += [Bar(actor, f"{actor} · {group}", g, names, True) for g, group in enumerate(groups)]
        else:
            bars.append(Bar(actor, f"{actor} · mean of {len(groups)} regions", None, names))
        if len(bars) >= most:
            break
    return bars[:most]


def mean_or_group(weights: NDArray[Any], bar: Bar) -> NDArray[Any]:
    """Of weights (..., groups, 1 + poses) those that a bar shows."""
    shown: NDArray[Any] = weights.mean(axis=-2) if bar.group is None else weights[..., bar.group, :]
    return shown


def weights_of(frame: Frame, bars: Sequence[Bar]) -> NDArray[np.float32]:
    """The numbers of all bars, one bar after the other."""
    rows = [mean_or_group(frame.weights[bar.actor], bar) for bar in bars]
    return np.concatenate(rows).astype(np.float32) if rows else np.empty(0, np.float32)
