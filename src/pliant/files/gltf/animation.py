"""Animations: what nodes and morph weights do at a moment."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pliant.files.gltf.accessors import Array, accessor
from pliant.files.gltf.container import Container
from pliant.files.gltf.item import Item
from pliant.files.gltf.nodes import NodeMotion
from pliant.runtime.errors import FileError

PATH_TYPES = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3", "weights": "SCALAR"}


@dataclass(frozen=True, eq=False)
class Curve:
    """Values (keys, width) over rising times (keys,); a cubic has tangents in and out, too: (keys, 3, width)."""

    times: Array
    values: Array
    interpolation: str
    turns: bool  # whether the values are quaternions

    def at(self, time: float) -> Array:
        """The value (width,) at a time; before the first key and after the last it holds."""
        cubic = self.interpolation == "CUBICSPLINE"
        keys = self.values[:, 1] if cubic else self.values
        after = int(np.searchsorted(self.times, time, side="right"))
        if after == 0 or after == len(self.times):
            return self._whole(keys[min(after, len(keys) - 1)])
        before = after - 1
        span = float(self.times[after] - self.times[before])
        share = (time - float(self.times[before])) / span
        if self.interpolation == "STEP":
            return self._whole(keys[before])
        if cubic:
            return self._whole(_hermite(self.values[before], self.values[after], share, span))
        if self.turns:
            return slerp(keys[before], keys[after], share)
        return keys[before] + share * (keys[after] - keys[before])

    def _whole(self, value: Array) -> Array:
        length = np.linalg.norm(value)
        return value / length if self.turns and length > 0 else value


@dataclass(frozen=True, eq=False)
class Clip:
    """All curves, by the node and what of it they move. Where two animations move the same, the first has it."""

    curves: dict[tuple[int, str], Curve]
    length: float

    def at(self, time: float) -> dict[int, NodeMotion]:
        """What every animated node does at a time."""
        motions: dict[int, NodeMotion] = {}
        for (node, path), curve in self.curves.items():
            motions[node] = replace(motions.get(node, NodeMotion()), **{path: curve.at(time)})
        return motions


def clip(container: Container, targets: dict[int, int]) -> Clip:
    """The animations of a file as one. targets: how many morph targets the mesh of a node has."""
    animations = container.table("animations")
    curves: dict[tuple[int, str], Curve] = {}
    for number, item in enumerate(animations):
        samplers = item.items("samplers")
        taken = 0
        for channel in item.items("channels"):
            found = _channel(container, channel, samplers, targets)
            if found is not None and found[0] not in curves:
                curves[found[0]] = found[1]
                taken += 1
        if not taken:
            container.note(f'animation "{item.name(str(number))}" is not sampled: an earlier one moves the same')
    if not curves:
        raise FileError(
            f"{container.path}: there is no animation to sample; leave out the sample times, or export with animation"
        )
    return Clip(curves, max(float(curve.times[-1]) for curve in curves.values()))


def _channel(
    container: Container, channel: Item, samplers: list[Item], targets: dict[int, int]
) -> tuple[tuple[int, str], Curve] | None:
    target = channel.item("target")
    if target is None or "node" not in target:
        return None
    node, path = target.integer("node"), target.text("path")
    item = container.entry("nodes", node, target)
    if path not in PATH_TYPES:
        container.note(f'an animation of "{path}" is left out')
        return None
    if path == "weights" and not targets.get(node):
        return None
    if path != "weights" and "matrix" in item:
        container.note(f'the animation of node "{item.name(str(node))}" is left out: the node has a matrix')
        return None
    number = channel.integer("sampler")
    if number >= len(samplers):
        raise channel.wrong(f"it refers to samplers[{number}], there are {len(samplers)}")
    return (node, path), _curve(container, samplers[number], path, targets.get(node, 0))


def _curve(container: Container, item: Item, path: str, targets: int) -> Curve:
    interpolation = item.text("interpolation", "LINEAR")
    if interpolation not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise item.wrong(f"interpolation is {interpolation[:20]!r}, LINEAR, STEP or CUBICSPLINE belongs there")
    times = accessor(container, item.integer("input"), ("SCALAR",), item)
    if times.base is None:
        raise times.item.wrong(f"no times are there for {item.where}")
    moments = times.floats()[:, 0]
    if (np.diff(moments) < 0).any():
        raise times.item.wrong("the times do not rise")
    table = accessor(container, item.integer("output"), (PATH_TYPES[path],), item)
    rows = len(moments) * (3 if interpolation == "CUBICSPLINE" else 1) * (targets if path == "weights" else 1)
    if table.count != rows:
        raise table.item.wrong(f"{table.count} rows for {item.where}, {rows} belong there")
    values = table.floats()
    shape = (len(moments), 3, -1) if interpolation == "CUBICSPLINE" else (len(moments), -1)
    return Curve(moments, values.reshape(shape), interpolation, path == "rotation")


def _hermite(before: Array, after: Array, t: float, span: float) -> Array:
    """Between two keys (in-tangent, value, out-tangent), tangents per second."""
    start, leaving, end, arriving = before[1], before[2] * span, after[1], after[0] * span
    return (
        (2 * t**3 - 3 * t**2 + 1) * start
        + (t**3 - 2 * t**2 + t) * leaving
        + (3 * t**2 - 2 * t**3) * end
        + (t**3 - t**2) * arriving
    )


def slerp(start: Array, end: Array, share: float) -> Array:
    """Between two rotations, the short way round at an even pace.

    >>> slerp(np.array([0, 0, 0, 1.0]), np.array([0, 0, 1.0, 0]), 0.5).round(4).tolist()
    [0.0, 0.0, 0.7071, 0.7071]
    """
    cosine = float(start @ end)
    end = np.where(cosine < 0, -end, end)
    cosine = min(abs(cosine), 1.0)
    angle = np.arccos(cosine)
    if angle < 1e-6:
        blend = start + share * (end - start)
    else:
        blend = (np.sin((1 - share) * angle) * start + np.sin(share * angle) * end) / np.sin(angle)
    length = np.linalg.norm(blend)
    return blend / length if length > 0 else blend
