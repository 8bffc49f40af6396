"""Between example poses."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.poses.frame import number
from pliant.runtime.errors import SettingsError


def blend(body: Body, weights: Mapping[str, Any], groups: Mapping[str, Any] | None = None) -> NDArray[np.float64]:
    """The shape between the poses of a solid whose strains are nearest to the blend of theirs. [Martin+11] (2)

    weights: pose -> weight; rest has what remains. They are convex: none below 0, and poses that deform the same part
    of the body have at most 1 together. With groups (name -> selection of particles), weights are given to each: group
    -> pose -> weight. Turning parts turn, where a mean of the positions would shrink them.

    >>> from pliant.body import Body
    >>> tent = Body(np.eye(4, 3, -1), tets=[[0, 1, 2, 3]]).with_pose("tall", lambda rest: rest * (1, 2, 1))
    >>> half = blend(tent, {"tall": 0.5})
    >>> float(np.linalg.norm(half[2] - half[0]).round(3))  # strains (1.581^2 - 1)/2 are half of (2^2 - 1)/2
    1.581
    """
    from pliant.body.examples import aligned
    from pliant.elastic.columns import columns_of
    from pliant.runtime.jit import make_ready

    if body.kind != "solid":
        raise SettingsError(f'pose blend: body "{body.name}" is a {body.kind}; only solids are blended')
    if not body.poses:
        raise SettingsError(
            f'pose blend: body "{body.name}" has no poses; add some with body.with_pose(name, positions)'
        )
    columns = columns_of(body, "global" if groups is None else groups)
    wanted = _wanted(body, weights, None if groups is None else columns.groups)
    chosen = np.array(
        [
            wanted.get((None if groups is None else columns.groups[s], columns.names[p]), 0.0)
            for s, p in zip(columns.sets, columns.poses, strict=True)
        ]
    )
    sums = np.bincount(columns.sets, chosen)
    for name, total in zip(columns.groups, sums, strict=True):
        if total > 1 + 1e-9:
            where = "" if name == "all" else f' of "{name}"'
            raise SettingsError(f"pose blend: the weights{where} add up to {total:.4g}; at most 1 can be shared out")
    kernels = ("kernels", "multifrontal", "blend_kernels", "rigid")
    make_ready("double", *(f"pliant.elastic.{name}" for name in kernels))
    # begin at the pose that counts most, if it is a shape to begin with, else at rest
    start, shape = np.zeros(len(chosen)), body.rest
    most = int(chosen.argmax())
    if groups is None and chosen[most] > 0.5 and columns.ratios[most].min() > -1.0:
        start[most], shape = 1.0, body.poses[columns.names[most]]
    found, arrived = columns.blending().travel(shape.reshape(-1), start, chosen)
    if not arrived:
        raise SettingsError(
            f'pose blend: body "{body.name}": no shape was found for these weights; look at print(body.report()): '
            "poses that turn tets inside out cannot be blended"
        )
    share = np.bincount(columns.poses, chosen, minlength=len(columns.names)) / len(columns.groups)
    mean = (1 - share.sum()) * body.rest
    for part, pose in zip(share, body.poses.values(), strict=True):
        mean = mean + part * pose
    return aligned(found.reshape(-1, 3), mean, body.masses)


def _wanted(
    body: Body, weights: Mapping[str, Any], groups: tuple[str, ...] | None
) -> dict[tuple[str | None, str], float]:
    """(group, pose) -> weight, checked."""
    if groups is None:
        return {(None, name): _weight(body, name, weight) for name, weight in weights.items()}
    wanted: dict[tuple[str | None, str], float] = {}
    for group, own in weights.items():
        if group not in groups:
            raise SettingsError(f'pose blend: there is no group "{group}" (there are {", ".join(groups)})')
        if not isinstance(own, Mapping):
            raise SettingsError(f'pose blend: group "{group}" has {own!r}; give it weights of its own, pose -> weight')
        for name, weight in own.items():
            wanted[group, name] = _weight(body, name, weight)
    return wanted


def _weight(body: Body, name: str, weight: Any) -> float:
    if name not in body.poses:
        raise SettingsError(f'pose blend: body "{body.name}" has no pose "{name}" (it has {", ".join(body.poses)})')
    return number(weight, f'pose blend: the weight of "{name}"', 0.0, 1.0 + 1e-9, open_low=False)
