"""Meshes put where their nodes stand, or bent by their skeletons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pliant.files.gltf.accessors import Array, accessor
from pliant.files.gltf.container import Container
from pliant.files.gltf.item import Item
from pliant.files.gltf.meshes import Primitive, PrimitiveMesh, target_weights
from pliant.files.gltf.nodes import NodeMotion, Tree
from pliant.geometry.normals import unit, vertex_normals


@dataclass(frozen=True, eq=False)
class Skeleton:
    """joints: their nodes; inverses (joints, 4, 4): from where the mesh was modelled to each joint."""

    joints: list[int]
    names: list[str]
    inverses: Array


@dataclass(frozen=True, eq=False)
class Instance:
    """A mesh that a node shows. `weights`: how much of each morph target the file shows there."""

    node: int
    name: str
    mesh: PrimitiveMesh
    skeleton: Skeleton | None
    weights: Array

    def points(self, primitive: Primitive, worlds: Array, weights: Mapping[int, float]) -> Array:
        """Where the vertices are (N, 3), with some of the morph targets blended in."""
        points = primitive.points
        for target, weight in weights.items():
            moved = primitive.targets[target] if target < len(primitive.targets) else None
            if moved is not None and weight:
                points = points + weight * moved
        frames = self.frames(primitive, worlds)
        return np.einsum("...ij,...j->...i", frames[..., :3, :3], points) + frames[..., :3, 3]

    def frames(self, primitive: Primitive, worlds: Array) -> Array:
        """The matrix (4, 4) of all vertices, or (N, 4, 4) of each where a skeleton bends them."""
        if self.skeleton is None or primitive.joints is None or primitive.weights is None:
            return worlds[self.node]
        joints = worlds[self.skeleton.joints] @ self.skeleton.inverses
        frames = np.zeros((len(primitive.points), 4, 4))
        for slot in range(primitive.joints.shape[1]):
            frames += primitive.weights[:, slot, None, None] * joints[primitive.joints[:, slot]]
        return frames

    def showing(self, motion: NodeMotion | None) -> dict[int, float]:
        """The morph targets that are blended in at a moment of an animation."""
        weights = self.weights if motion is None or motion.weights is None else motion.weights
        return {target: float(weight) for target, weight in enumerate(weights) if weight}


def is_mirrored(frames: Array) -> bool:
    """Whether triangles turn their other side out."""
    return bool(np.median(np.linalg.det(frames[..., :3, :3])) < 0)


def normals_of(primitive: Primitive, frames: Array) -> Array:
    """Unit normals in place: normals turn with the cofactors of a matrix, which need no inverse."""
    normals = primitive.normals
    if normals is None:
        normals = vertex_normals(primitive.points, primitive.faces.astype(np.int32))
    a, b, c = (frames[..., row, :3] for row in range(3))
    cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=-2)
    turned = np.einsum("...ij,...j->...i", cofactors, normals) * (-1.0 if is_mirrored(frames) else 1.0)
    return unit(np.where(np.isfinite(turned), turned, 0.0))


def instances(container: Container, tree: Tree, meshes: Mapping[int, PrimitiveMesh]) -> list[Instance]:
    """Every mesh that the scene shows, once for each node that shows it."""
    found = []
    skeletons: dict[int, Skeleton] = {}
    worlds = tree.worlds()
    for node in tree.drawn:
        item = tree.items[node]
        number = item.index("mesh")
        if number is None or not meshes[number].primitives:
            continue
        mesh = meshes[number]
        name = item.name(mesh.name)
        skeleton = None
        if "skin" in item and all(primitive.joints is not None for primitive in mesh.primitives):
            skin = item.integer("skin")
            if skin not in skeletons:
                skeletons[skin] = _skeleton(container, skin, item, tree)
            skeleton = skeletons[skin]
            _check_joints(mesh, skeleton, item)
            container.note(f'mesh "{name}" hangs on a skeleton: it is taken as the skeleton stands in the file')
        elif abs(np.linalg.det(worlds[node][:3, :3])) < 1e-30:
            container.note(f'node "{name}" is scaled to nothing and left out')
            continue
        weights = target_weights(item, len(mesh.names)) if item.data.get("weights") else mesh.weights
        if weights.any():
            shown = ", ".join(f"{each} {weight:g}" for each, weight in zip(mesh.names, weights, strict=True) if weight)
            container.note(f'mesh "{name}" is shown with {shown}: the rest shape is the one without')
        found.append(Instance(node, name, mesh, skeleton, weights))
    return found


def _skeleton(container: Container, number: int, asker: Item, tree: Tree) -> Skeleton:
    item = container.entry("skins", number, asker)
    joints = item.integers("joints")
    for joint in joints:
        container.entry("nodes", joint, item)
    if not joints:
        raise item.wrong("it has no joints")
    inverses = np.tile(np.eye(4), (len(joints), 1, 1))
    if "inverseBindMatrices" in item:
        table = accessor(container, item.integer("inverseBindMatrices"), ("MAT4",), item)
        if table.count < len(joints):
            raise table.item.wrong(f"{table.count} matrices for the {len(joints)} joints of {item.where}")
        inverses = np.swapaxes(table.floats(np.arange(len(joints))).reshape(-1, 4, 4), 1, 2)
    return Skeleton(joints, [tree.items[joint].name(f"joint {joint}") for joint in joints], inverses)


def _check_joints(mesh: PrimitiveMesh, skeleton: Skeleton, item: Item) -> None:
    for primitive in mesh.primitives:
        assert primitive.joints is not None
        if primitive.joints.max(initial=0) >= len(skeleton.joints):
            raise item.wrong(
                f'mesh "{mesh.name}" names joint {primitive.joints.max()} of a skeleton of {len(skeleton.joints)}'
            )
