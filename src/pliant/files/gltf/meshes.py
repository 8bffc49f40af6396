"""Meshes: the triangles of each primitive, its vertices as far as they are drawn, and its morph targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pliant.files.gltf.accessors import Accessor, Array, Integers, accessor
from pliant.files.gltf.container import DRACO, Container
from pliant.files.gltf.item import Item, one_line
from pliant.files.limits import MOST_POSES, MOST_VERTICES, check

LIST, STRIP, FAN = 4, 5, 6
MOST_PLACES = 100_000_000  # positions in all poses: 2.4 GB
NO_TRIANGLES = {0: "points", 1: "lines", 2: "lines", 3: "lines"}


class Painting(Protocol):
    """Which of a primitive's texture coordinates a material needs, and how they are laid."""

    def uv_set(self, material: int | None) -> int: ...

    def laid(self, material: int | None, uv: Array) -> Array: ...


@dataclass(frozen=True, eq=False)
class Primitive:
    """Triangles of one material. Vertices that no triangle uses are gone.

    targets: displacements (N, 3) by morph target, None where nothing moves; joints (N, K) and weights (N, K) of a
    skin; marks: name -> which vertices are marked by an attribute of that name.
    """

    material: int | None
    faces: Integers
    points: Array
    targets: tuple[Array | None, ...]
    normals: Array | None
    uv: Array | None
    colours: Array | None
    joints: Integers | None
    weights: Array | None
    marks: dict[str, NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class PrimitiveMesh:
    """names: of the morph targets; weights: how much of each the file shows where nothing animates them."""

    name: str
    primitives: tuple[Primitive, ...]
    names: tuple[str, ...]
    weights: Array

    @property
    def size(self) -> int:
        return sum(len(primitive.points) for primitive in self.primitives)


def mesh(container: Container, number: int, asker: Item, painting: Painting) -> PrimitiveMesh:
    """A mesh by its number; primitives that have no triangles are noted and left out."""
    item = container.entry("meshes", number, asker)
    name = item.name(f"mesh {number}")
    found = [_primitive(container, each, name, painting) for each in item.items("primitives")]
    primitives = tuple(primitive for primitive in found if primitive is not None)
    count = max((len(primitive.targets) for primitive in primitives), default=0)
    return PrimitiveMesh(name, primitives, _names(container, item, name, count), target_weights(item, count))


def target_weights(item: Item, count: int) -> Array:
    """The `weights` of a mesh or node, one for each of `count` targets."""
    given = count > 0 and item.data.get("weights")
    return np.array(item.numbers("weights", (0.0,) * count)) if given else np.zeros(count)


def _names(container: Container, item: Item, name: str, count: int) -> tuple[str, ...]:
    """Target names, from where exporters put them, each once."""
    given: list[str] = []
    for holder in (item, *item.items("primitives")):
        if not given and isinstance(holder.data.get("extras"), dict):
            extras = holder.item("extras")
            if extras is not None and isinstance(extras.data.get("targetNames"), list):
                given = extras.texts("targetNames")
    names: list[str] = []
    for number in range(count):
        wanted = (given[number] if number < len(given) else "") or f"target_{number}"
        free, again = wanted, 2
        while free in names:
            free, again = f"{wanted} {again}", again + 1
        if free != wanted:
            container.note(f'mesh "{name}": two morph targets are called "{wanted}", one is "{free}" here')
        names.append(free)
    return tuple(names)


def _primitive(container: Container, item: Item, name: str, painting: Painting) -> Primitive | None:
    mode = item.integer("mode", LIST)
    if mode not in (LIST, STRIP, FAN):
        what = NO_TRIANGLES.get(mode, f"what mode {mode} is")
        container.note(f'mesh "{name}": its {what} are left out; only triangles make a surface')
        return None
    attributes = item.item("attributes")
    if attributes is None or "POSITION" not in attributes:
        container.note(f'mesh "{name}": {item.where} has no positions and is left out')
        return None
    if item.extension(DRACO) and "bufferView" not in container.entry("accessors", attributes.integer("POSITION"), item):
        container.refuse_draco(item.where)
    positions = _attribute(container, attributes, "POSITION", ("VEC3",))
    if positions.base is None:
        raise positions.item.wrong(f"no positions are there for {item.where}")
    triangles = _triangles(container, item, mode, positions.count, name)
    if len(triangles) == 0:
        container.note(f'mesh "{name}": {item.where} has no triangle and is left out')
        return None
    used, faces = np.unique(triangles, return_inverse=True)
    faces = faces.reshape(-1, 3)
    container.count("vertices", len(used), MOST_VERTICES)
    joints, weights = _hanging(container, attributes, positions, used)
    material = item.index("material")
    if material is not None:
        container.entry("materials", material, item)
    uv = _optional(container, attributes, f"TEXCOORD_{painting.uv_set(material)}", ("VEC2",), positions, used)
    colours = _optional(container, attributes, "COLOR_0", ("VEC3", "VEC4"), positions, used)
    if colours is not None and colours.shape[1] == 4 and (colours[:, 3] < 1).any():
        container.note(f'mesh "{name}": how transparent its vertex colours are is left out')
    return Primitive(
        material,
        faces,
        positions.floats(used),
        _targets(container, item, positions, used),
        _optional(container, attributes, "NORMAL", ("VEC3",), positions, used),
        None if uv is None else painting.laid(material, uv),
        None if colours is None else np.clip(colours[:, :3], 0.0, 1.0),
        joints,
        weights,
        _marks(container, attributes, positions, used),
    )


def _triangles(container: Container, item: Item, mode: int, count: int, name: str) -> Integers:
    """Corners (M, 3) of the triangles, whether listed, in a strip or in a fan."""
    if "indices" in item:
        indices = accessor(container, item.integer("indices"), ("SCALAR",), item)
        if indices.base is None:
            raise indices.item.wrong(f"no indices are there for {item.where}")
        corners = indices.integers()[:, 0]
        if corners.min() < 0 or corners.max() >= count:
            bad = int(corners.min() if corners.min() < 0 else corners.max())
            raise indices.item.wrong(f"a triangle of {item.where} has vertex {bad}, there are {count}")
    else:
        corners = np.arange(count)
    if mode == LIST:
        if len(corners) % 3:
            container.note(f'mesh "{name}": {item.where} ends within a triangle, which is left out')
        return corners[: len(corners) // 3 * 3].reshape(-1, 3)
    if len(corners) < 3:
        return np.empty((0, 3), dtype=np.int64)
    if mode == FAN:
        first = np.broadcast_to(corners[:1], len(corners) - 2)
        triangles = np.stack([corners[1:-1], corners[2:], first], axis=1)
    else:
        triangles = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
        triangles[1::2] = triangles[1::2][:, [0, 2, 1]]  # every other one would face the other way
    # Strips jump by triangles without area.
    distinct = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return triangles[distinct]


def _targets(container: Container, item: Item, positions: Accessor, used: Integers) -> tuple[Array | None, ...]:
    targets = item.items("targets")
    check(container.path, f"morph targets of {item.where}", len(targets), MOST_POSES)
    found: list[Array | None] = []
    for target in targets:
        moved = None
        if "POSITION" in target:
            table = _attribute(container, target, "POSITION", ("VEC3",))
            _same_count(table, positions, target)
            if not table.is_empty:
                container.count("positions in all poses", len(used), MOST_PLACES)
                moved = table.floats(used)
        found.append(moved if moved is not None and moved.any() else None)
    return tuple(found)


def _hanging(
    container: Container, attributes: Item, positions: Accessor, used: Integers
) -> tuple[Integers | None, Array | None]:
    """All joints (N, K) and weights (N, K) of a skin, which stand in sets of four; weights sum to 1."""
    joints: list[Integers] = []
    weights: list[Array] = []
    while f"JOINTS_{len(joints)}" in attributes and f"WEIGHTS_{len(joints)}" in attributes:
        which = _attribute(container, attributes, f"JOINTS_{len(joints)}", ("VEC4",))
        how_much = _attribute(container, attributes, f"WEIGHTS_{len(joints)}", ("VEC4",))
        _same_count(which, positions, attributes)
        _same_count(how_much, positions, attributes)
        joints.append(which.integers(used))
        weights.append(np.maximum(how_much.floats(used), 0.0))
    if not joints:
        return None, None
    joint, weight = np.concatenate(joints, axis=1), np.concatenate(weights, axis=1)
    total = weight.sum(axis=1)
    weight[total == 0, 0] = 1.0  # a vertex that nothing holds goes with its first joint
    return joint, weight / np.where(total == 0, 1.0, total)[:, None]


def _marks(container: Container, attributes: Item, positions: Accessor, used: Integers) -> dict[str, NDArray[np.bool_]]:
    """Attributes of the artist's own, one number a vertex: marked where it is above a half."""
    marks = {}
    for key in attributes.data:
        name = one_line(key.lstrip("_"))
        if key.startswith("_") and name:
            table = _attribute(container, attributes, key, ("SCALAR", "VEC2", "VEC3", "VEC4"))
            if table.width == 1 and table.count == positions.count:
                marks[name] = table.floats(used)[:, 0] > 0.5
    return marks


def _optional(
    container: Container, attributes: Item, name: str, kinds: Sequence[str], positions: Accessor, used: Integers
) -> Array | None:
    if name not in attributes:
        return None
    table = _attribute(container, attributes, name, kinds)
    _same_count(table, positions, attributes)
    return None if table.is_empty else table.floats(used)


def _attribute(container: Container, attributes: Item, name: str, kinds: Sequence[str]) -> Accessor:
    return accessor(container, attributes.integer(name), kinds, attributes)


def _same_count(table: Accessor, positions: Accessor, asker: Item) -> None:
    if table.count != positions.count:
        raise table.item.wrong(f"{table.count} rows for {asker.where}, there are {positions.count} positions")
