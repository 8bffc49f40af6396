"""The animation of a .glb or .gltf file at many moments, for a few of its vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.files.gltf.accessors import Array
from pliant.files.gltf.container import open_container
from pliant.files.gltf.meshes import Primitive
from pliant.files.gltf.reader import Animated, animated


def span(path: Path) -> tuple[float, float] | None:
    """From when to when (s) something moves; None if nothing does."""
    container = open_container(path)
    if not container.table("animations"):
        return None
    return 0.0, animated(container).clip.length


def places(path: Path, times: Sequence[float], rows: NDArray[np.intp]) -> Array:
    """(T, R, 3): where some vertices of the asset are at these times (s). Only they are moved."""
    found = animated(open_container(path))
    starts = np.cumsum([0] + [len(primitive.points) for _, primitive in found.drawn])
    order = np.argsort(rows, kind="stable")
    cuts = np.searchsorted(rows[order], starts)
    drawn = [
        (instance, _thin(primitive, rows[order[cuts[k] : cuts[k + 1]]] - starts[k]))
        for k, (instance, primitive) in enumerate(found.drawn)
    ]
    thin = Animated(found.container, found.nodes, drawn, found.clip)
    result = np.empty((len(times), len(rows), 3))
    for number, time in enumerate(times):
        result[number, order] = thin.at(float(time))
    return result


def _thin(primitive: Primitive, rows: NDArray[np.intp]) -> Primitive:
    """Some vertices of a primitive, without its faces."""
    return replace(
        primitive,
        points=primitive.points[rows],
        targets=tuple(None if target is None else target[rows] for target in primitive.targets),
        joints=None if primitive.joints is None else primitive.joints[rows],
        weights=None if primitive.weights is None else primitive.weights[rows],
    )
