"""A .glb or .gltf file as an asset: all its meshes in place, morph targets as poses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.body.look import Part
from pliant.files.asset import Asset
from pliant.files.gltf.accessors import Array
from pliant.files.gltf.animation import Clip, clip
from pliant.files.gltf.container import Container, open_container
from pliant.files.gltf.item import REMEDY
from pliant.files.gltf.materials import Paints
from pliant.files.gltf.meshes import MOST_PLACES, Primitive, PrimitiveMesh, mesh
from pliant.files.gltf.nodes import NodeMotion, Tree, tree
from pliant.files.gltf.placing import Instance, instances, is_mirrored, normals_of
from pliant.files.limits import MOST_ELEMENTS, MOST_POSES, MOST_VERTICES, check
from pliant.runtime.errors import FileError

Drawn = tuple[Instance, Primitive]


def read(path: Path, sample: Sequence[float] = ()) -> Asset:
    """What a glTF 2.0 file shows. `sample`: times in seconds at which its animation becomes a pose, "at 1.25 s"."""
    path = Path(path)
    try:
        with np.errstate(all="ignore"):  # what overflows is caught when all is put together
            return _read(open_container(path), sample)
    except RecursionError as error:
        raise FileError(f"{path}: its JSON is nested too deeply; {REMEDY}") from error
    except MemoryError as error:
        raise FileError(f"{path}: it does not fit into memory; make the mesh simpler") from error


def _read(container: Container, sample: Sequence[float]) -> Asset:
    nodes = tree(container)
    paints = Paints(container)
    shown, drawn = _drawn(container, nodes, paints)
    names = list(dict.fromkeys(name for each in shown for name in each.mesh.names))
    sizes = [len(primitive.points) for _, primitive in drawn]
    check(container.path, "vertices", sum(sizes), MOST_VERTICES)
    check(container.path, "faces", sum(len(primitive.faces) for _, primitive in drawn), MOST_ELEMENTS)
    check(container.path, "poses", len(names) + len(sample), MOST_POSES)
    check(container.path, "positions in all poses", sum(sizes) * (1 + len(names) + len(sample)), MOST_PLACES)

    worlds = nodes.worlds()
    rest = _points(container, drawn, worlds, ({} for _ in drawn))
    poses = {name: _pose(container, drawn, worlds, name, rest) for name in names}
    poses |= _sampled(container, nodes, drawn, sample)
    faces, parts = _surface(drawn, worlds, paints)
    return Asset(
        name=container.path.stem,
        source=container.path,
        vertices=rest,
        faces=faces,
        poses=poses,
        groups=_groups(drawn, sizes, paints),
        uv=_together([primitive.uv for _, primitive in drawn], sizes, (0.0, 0.0)),
        normals=_normals(drawn, worlds),
        colours=_together([primitive.colours for _, primitive in drawn], sizes, (1.0, 1.0, 1.0)),
        look=paints.look(parts),
        notes=tuple(container.notes),
    )


def _drawn(container: Container, nodes: Tree, paints: Paints) -> tuple[list[Instance], list[Drawn]]:
    """What the scene shows: meshes in their places, and the primitives of each."""
    shown = instances(container, nodes, _shown_meshes(container, nodes, paints))
    drawn: list[Drawn] = [(each, primitive) for each in shown for primitive in each.mesh.primitives]
    if not drawn:
        raise FileError(
            f"{container.path}: its scene shows no triangle; export it with the meshes selected and visible"
        )
    return shown, drawn


def _shown_meshes(container: Container, nodes: Tree, paints: Paints) -> dict[int, PrimitiveMesh]:
    """The meshes that the scene shows, each read once however many nodes show it."""
    meshes: dict[int, PrimitiveMesh] = {}
    for node in nodes.drawn:
        item = nodes.items[node]
        number = item.index("mesh")
        if number is not None and number not in meshes:
            meshes[number] = mesh(container, number, item, paints)
    return meshes


def _points(container: Container, drawn: list[Drawn], worlds: Array, weights: Iterable[Mapping[int, float]]) -> Array:
    """Where all vertices are, with morph targets blended in as `weights` says for each primitive."""
    pairs = zip(drawn, weights, strict=True)
    points = np.concatenate([instance.points(each, worlds, shown) for (instance, each), shown in pairs])
    if not np.isfinite(points).all() or np.abs(points).max() > 1e30:
        raise FileError(f"{container.path}: its nodes put a vertex beyond all numbers; {REMEDY}")
    return points


def _pose(container: Container, drawn: list[Drawn], worlds: Array, name: str, rest: Array) -> Array:
    """All meshes that have a target of that name with it in full, the others at rest."""
    weights = [{each.mesh.names.index(name): 1.0} if name in each.mesh.names else {} for each, _ in drawn]
    moves = any(
        target < len(primitive.targets) and primitive.targets[target] is not None
        for (_, primitive), shown in zip(drawn, weights, strict=True)
        for target in shown
    )
    return _points(container, drawn, worlds, weights) if moves else rest


def _sampled(container: Container, nodes: Tree, drawn: list[Drawn], sample: Sequence[float]) -> dict[str, Array]:
    """The animation at some times."""
    if not len(sample):
        return {}
    wrong = [time for time in sample if not (math.isfinite(time) and time >= 0)]
    if wrong:
        raise FileError(f"{container.path}: the animation cannot be sampled at {wrong[0]} s; give times from 0 s on")
    moving = Animated(container, nodes, drawn, _clip(container, drawn))
    if max(sample) > moving.clip.length + 1e-6:
        container.note(f"the animation ends at {moving.clip.length:g} s; later times show its end")
    return {f"at {time:g} s": moving.at(time) for time in sample}


def _clip(container: Container, drawn: list[Drawn]) -> Clip:
    return clip(container, {instance.node: len(instance.mesh.names) for instance, _ in drawn})


@dataclass(frozen=True, eq=False)
class Animated:
    """What a file shows, and how it moves."""

    container: Container
    nodes: Tree
    drawn: list[Drawn]
    clip: Clip

    def at(self, time: float) -> Array:
        """Where the vertices are (N, 3) at a time (s)."""
        motions = self.clip.at(time)
        turning = {node: motion for node, motion in motions.items() if _moves(motion)}
        showing = (instance.showing(motions.get(instance.node)) for instance, _ in self.drawn)
        return _points(self.container, self.drawn, self.nodes.worlds(turning), showing)


def animated(container: Container) -> Animated:
    """The animation of a file."""
    nodes = tree(container)
    drawn = _drawn(container, nodes, Paints(container))[1]
    return Animated(container, nodes, drawn, _clip(container, drawn))


def _moves(motion: NodeMotion) -> bool:
    """Whether a node moves, and not only its morph weights."""
    return motion.translation is not None or motion.rotation is not None or motion.scale is not None


def _surface(drawn: list[Drawn], worlds: Array, paints: Paints) -> tuple[NDArray[np.int32], tuple[Part, ...]]:
    """All faces, mirrored ones turned round, and a part for each primitive."""
    faces, parts = [], []
    first_vertex = first_face = 0
    for instance, primitive in drawn:
        corners = primitive.faces
        if is_mirrored(instance.frames(primitive, worlds)):
            corners = corners[:, ::-1]
        faces.append(corners + first_vertex)
        name = instance.name
        if len(instance.mesh.primitives) > 1 and primitive.material is not None:
            name = f"{name} {paints.name(primitive.material)}"
        parts.append(Part(name, first_face, first_face + len(corners), paints.number(primitive.material)))
        first_vertex += len(primitive.points)
        first_face += len(corners)
    return np.concatenate(faces).astype(np.int32), tuple(parts)


def _normals(drawn: list[Drawn], worlds: Array) -> Array | None:
    """The normals of the file, smooth ones where only some primitives have any."""
    if all(primitive.normals is None for _, primitive in drawn):
        return None
    return np.concatenate([normals_of(each, instance.frames(each, worlds)) for instance, each in drawn])


def _together(tables: Sequence[Array | None], sizes: Sequence[int], missing: tuple[float, ...]) -> Array | None:
    """Rows of all primitives, or None where none has any."""
    if all(table is None for table in tables):
        return None
    filled = [np.tile(missing, (size, 1)) if t is None else t for t, size in zip(tables, sizes, strict=True)]
    return np.concatenate(filled)


def _groups(drawn: list[Drawn], sizes: Sequence[int], paints: Paints) -> dict[str, NDArray[np.int32]]:
    """What a selection may name: marks of the artist, joints, meshes and materials; of equal names the first kind."""
    kinds: list[dict[str, list[NDArray[np.intp]]]] = [{}, {}, {}, {}]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    for (instance, primitive), start, size in zip(drawn, starts, sizes, strict=False):
        everything = np.arange(start, start + size)
        for name, marked in primitive.marks.items():
            kinds[0].setdefault(name, []).append(everything[marked])
        if instance.skeleton is not None and primitive.joints is not None and primitive.weights is not None:
            held = primitive.weights > 0.5  # of one joint at most
            joints = primitive.joints[held]
            for joint in np.unique(joints):
                members = everything[np.flatnonzero(held.any(axis=1))[joints == joint]]
                kinds[1].setdefault(instance.skeleton.names[joint], []).append(members)
        kinds[2].setdefault(instance.name, []).append(everything)
        if primitive.material is not None:
            kinds[3].setdefault(paints.name(primitive.material), []).append(everything)
    groups: dict[str, NDArray[np.int32]] = {}
    for kind in kinds:
        for name, pieces in kind.items():
            members = np.unique(np.concatenate(pieces))
            if name not in groups and 0 < len(members) < sum(sizes):
                groups[name] = members.astype(np.int32)
    return groups
