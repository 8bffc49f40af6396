"""The tree of nodes: where everything stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pliant.files.gltf.container import Container
from pliant.files.gltf.item import Item

Array = NDArray[np.float64]

IDENTITY = tuple(np.eye(4).ravel())


@dataclass(frozen=True, eq=False)
class NodeMotion:
    """What an animation says about a node at a moment; None where it says nothing."""

    translation: Array | None = None
    rotation: Array | None = None
    scale: Array | None = None
    weights: Array | None = None


@dataclass(frozen=True, eq=False)
class Tree:
    """All nodes of a file. `order` has parents before their children, `parents` -1 for roots."""

    items: list[Item]
    parents: list[int]
    order: list[int]
    drawn: list[int]  # nodes of the scene, in its order
    matrices: Array = field(repr=False)  # (nodes, 4, 4), each relative to its parent

    def worlds(self, motions: Mapping[int, NodeMotion] | None = None) -> Array:
        """Where every node stands (nodes, 4, 4), at rest or as an animation has it."""
        local = self.matrices
        if motions:
            local = local.copy()
            for node, motion in motions.items():
                local[node] = _local(self.items[node], motion)
        world = np.empty_like(local)
        for node in self.order:
            parent = self.parents[node]
            world[node] = local[node] if parent < 0 else world[parent] @ local[node]
        return world


def tree(container: Container) -> Tree:
    """The nodes, and those of them that the file's scene shows."""
    items = container.table("nodes")
    children = [item.integers("children") for item in items]
    parents = [-1] * len(items)
    for node, under in enumerate(children):
        for child in under:
            container.entry("nodes", child, items[node])
            if parents[child] >= 0:
                raise items[child].wrong(f"it is a child of nodes[{parents[child]}] and of nodes[{node}]")
            parents[child] = node
    roots = [node for node, parent in enumerate(parents) if parent < 0]
    order = _below(roots, children)
    if len(order) < len(items):
        lost = sorted(set(range(len(items))) - set(order))[0]
        raise items[lost].wrong("it is its own ancestor")
    drawn = _below(_scene_roots(container, roots), children, container)
    matrices = np.array([_local(item) for item in items]).reshape(-1, 4, 4)
    return Tree(items, parents, order, drawn, matrices)


def _below(roots: list[int], children: list[list[int]], container: Container | None = None) -> list[int]:
    """Nodes and all under them, each once, parents first; with a container, without those it hides."""
    found: dict[int, None] = {}
    waiting = roots[::-1]
    while waiting:
        node = waiting.pop()
        if node in found or (container is not None and _is_hidden(container, node)):
            continue
        found[node] = None
        waiting += children[node][::-1]
    return list(found)


def _is_hidden(container: Container, node: int) -> bool:
    item = container.table("nodes")[node]
    visibility = item.extension("KHR_node_visibility")
    hidden = visibility is not None and "visible" in visibility and not visibility.flag("visible")
    if hidden:
        container.note(f'node "{item.name(str(node))}" is hidden in the file and left out')
    return hidden


def _scene_roots(container: Container, roots: list[int]) -> list[int]:
    scenes = container.table("scenes")
    if not scenes:
        return roots
    chosen = container.root.integer("scene", 0)
    scene = container.entry("scenes", chosen, container.root)
    if len(scenes) > 1:
        container.note(f'scene "{scene.name(str(chosen))}" is taken, {len(scenes) - 1} more left out')
    shown = scene.integers("nodes")
    for node in shown:
        container.entry("nodes", node, scene)
    return shown


def _local(item: Item, motion: NodeMotion | None = None) -> Array:
    """The matrix of a node relative to its parent. An animated node has no matrix of its own."""
    if "matrix" in item and motion is None:
        matrix = np.array(item.numbers("matrix", IDENTITY)).reshape(4, 4).T  # column by column in the file
        if not np.allclose(matrix[3], (0, 0, 0, 1), atol=1e-6):
            raise item.wrong("its matrix does not end in the row 0 0 0 1")
        return matrix
    moved = motion or NodeMotion()
    translation = item.numbers("translation", (0.0,) * 3) if moved.translation is None else moved.translation
    rotation = item.numbers("rotation", (0.0, 0.0, 0.0, 1.0)) if moved.rotation is None else moved.rotation
    scale = item.numbers("scale", (1.0,) * 3) if moved.scale is None else moved.scale
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(np.asarray(rotation, dtype=np.float64)) * np.asarray(scale)
    matrix[:3, 3] = translation
    return matrix


def rotation_matrix(quaternion: Array) -> Array:
    """The rotation (3, 3) of a quaternion (x, y, z, w) of any length but zero, which turns nothing.

    >>> (rotation_matrix(np.array([0, 0, 1.0, 1.0])) @ [1, 0, 0]).round(9).tolist()
    [0.0, 1.0, 0.0]
    """
    largest = float(np.abs(quaternion).max())
    if largest == 0:
        return np.eye(3)
    q = quaternion / largest
    x, y, z, w = q / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
