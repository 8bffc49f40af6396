# SPDX-License-Identifier: GPL-3.0-or-later
"""From the evaluated scene to what the solver takes: meshes, keys, groups, pins and colliders with their motion.

Blender has z up, the solver y; lengths become metres. All places are those of the world, so what scales, turns or
carries an object makes no difference.
"""

import hashlib
import json
from dataclasses import dataclass, field

import numpy as np

from .settings import unit_scale as unit  # noqa: F401 (asked for with what is sampled)

# What moves vertices and leaves their number alone; the cache comes after those that stand before all others.
DEFORMERS = {
    "ARMATURE", "CAST", "CURVE", "DISPLACE", "HOOK", "LAPLACIANDEFORM", "LAPLACIANSMOOTH", "LATTICE", "MESH_DEFORM",
    "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH", "CORRECTIVE_SMOOTH", "SURFACE_DEFORM", "WARP", "WAVE", "VOLUME_DISPLACE",
}  # fmt: skip
MODIFIER = "Pliant"  # name of the Mesh Cache
PINNED = 0.5  # weight from which a vertex is held
SAME_SHAPE = 1e-4  # of the size: a collider that changes by more is followed vertex by vertex
SHEET_PARTICLES = 1500  # of a collider that changes its shape


class NotPossible(Exception):
    """One line: what is in the way, and what to do."""


@dataclass
class Soft:
    """A soft object on its way: `uid` finds it again when it was renamed; matrices (F, 4, 4) of the frames."""

    uid: int
    name: str
    vertices: int
    matrices: np.ndarray


@dataclass
class Inputs:
    """A scene message, and what is needed to bring its frames home."""

    head: dict
    blocks: dict
    softs: list
    first: int
    frames: int
    scale: float
    notes: list = field(default_factory=list)

    @property
    def digest(self):
        """The same for scenes that move alike."""
        said = {name: value for name, value in self.head.items() if name != "name"}
        found = hashlib.sha256(json.dumps(said, sort_keys=True).encode())
        for name in sorted(self.blocks):
            found.update(name.encode())
            found.update(np.ascontiguousarray(self.blocks[name]).tobytes())
        return found.hexdigest()

    def home(self, number, frame, surface):
        """Positions (N, 3) of a body in the space of its object, at a frame counted from the first."""
        world = to_blender(np.asarray(surface, np.float64), self.scale)
        inverse = np.linalg.inv(self.softs[number].matrices[min(frame, self.frames - 1)])
        return world @ inverse[:3, :3].T + inverse[:3, 3]


def to_solver(points, scale):
    """(..., 3): z up in Blender's units to y up in metres."""
    points = np.asarray(points, np.float64) * scale
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)


def to_blender(points, scale):
    return np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1) / scale


AXES = np.array([[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])  # to_solver, as a matrix


def soft_objects(scene):
    return [each for each in scene.objects if each.type == "MESH" and each.pliant.soft]


def colliders(scene):
    return [each for each in scene.objects if each.pliant.collider and not each.pliant.soft]


def placed(points, matrix):
    """Points of an object in the world."""
    m = np.asarray(matrix, np.float64)
    return points @ m[:3, :3].T + m[:3, 3]


def coordinates(items, key="co"):
    """(N, 3) of vertices or of the points of a shape key."""
    found = np.empty(3 * len(items), np.float32)
    items.foreach_get(key, found)
    return found.reshape(-1, 3).astype(np.float64)


def triangles(mesh):
    mesh.calc_loop_triangles()
    found = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", found)
    return found.reshape(-1, 3)


def group_weights(thing, name):
    """(N,) weights of a vertex group, 0 where a vertex is not in it."""
    group = thing.vertex_groups.get(name)
    if group is None:
        raise NotPossible(f'{thing.name}: there is no vertex group "{name}"; choose another in the Pliant panel')
    found, index = np.zeros(len(thing.data.vertices)), group.index
    for vertex in thing.data.vertices:
        for each in vertex.groups:
            if each.group == index:
                found[vertex.index] = each.weight
    return found


def rest_and_poses(thing):
    """Rest (N, 3) in the space of the object, and pose by name: each key that is not muted, seen from the one that it
    is relative to, where its vertex group lets it act."""
    keys = thing.data.shape_keys
    if keys is None:
        return coordinates(thing.data.vertices), {}
    reference = keys.reference_key
    rest, poses = coordinates(reference.data), {}
    for key in keys.key_blocks:
        if key == reference or key.mute:
            continue
        seen_from = coordinates(key.relative_key.data) if keys.use_relative else rest
        moved = coordinates(key.data) - seen_from
        if key.vertex_group:
            moved *= group_weights(thing, key.vertex_group)[:, None]
        if np.abs(moved).max(initial=0.0) > 0.0:
            poses[key.name] = rest + moved
    return rest, poses


def animated_keys(thing):
    """Names of the keys whose values are animated or driven: these are weights on cue."""
    keys = thing.data.shape_keys
    if keys is None or keys.animation_data is None:
        return set()
    data = keys.animation_data
    paths = {curve.data_path for curve in data.drivers} | {curve.data_path for curve in curves_of(keys)}
    return {key.name for key in keys.key_blocks if f'key_blocks["{_escaped(key.name)}"].value' in paths}


def _escaped(name):
    import bpy

    return bpy.utils.escape_identifier(name)


def curves_of(data):
    """The f-curves that animate a data-block; since 5.0 they lie in the layers of the action, by slot."""
    animation = data.animation_data
    if animation is None or animation.action is None:
        return []
    action = animation.action
    if hasattr(action, "layers") and len(action.layers):
        slot = animation.action_slot
        bags = [strip.channelbag(slot) for layer in action.layers for strip in layer.strips] if slot else []
        return [curve for bag in bags if bag is not None for curve in bag.fcurves]
    return list(getattr(action, "fcurves", []))


def first_of_others(thing):
    """The place in the stack before which the cache belongs: after the modifiers that only deform."""
    for place, modifier in enumerate(thing.modifiers):
        if modifier.name != MODIFIER and modifier.type not in DEFORMERS:
            return place
    return len(thing.modifiers)


def check(thing):
    """That an object can be soft at all."""
    if thing.mode == "EDIT":
        thing.update_from_editmode()
    if not len(thing.data.vertices):
        raise NotPossible(f"{thing.name}: it has no vertices; add a mesh, or make it rigid")
    if not len(thing.data.polygons):
        raise NotPossible(f"{thing.name}: it has no faces; fill them, or make it rigid")
    matrix = np.array(thing.matrix_world)
    if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix[:3, :3])) < 1e-12:
        raise NotPossible(f"{thing.name}: it is scaled to nothing; give it a scale that is not 0")


def model_of(soft):
    """The settings of the model, by the solver's names."""
    model = {"type": soft.model}
    if soft.material != "FITTING":
        model["young"], model["damping"] = soft.young, soft.damping
    if soft.fixed_strength and soft.model != "fem":
        model["example_strength"] = soft.strength
    return model


def body_of(thing, scale):
    """The table and the blocks of a soft object, and the vertices that are pinned."""
    soft = thing.pliant
    rest, poses = rest_and_poses(thing)
    matrix = np.array(thing.matrix_world)
    blocks = {"vertices": to_solver(placed(rest, matrix), scale), "faces": triangles(thing.data)}
    if np.linalg.det(matrix[:3, :3]) < 0:  # mirrored: faces are turned round
        blocks["faces"] = blocks["faces"][:, ::-1]
    for number, pose in enumerate(poses.values()):
        blocks[f"poses/{number}"] = to_solver(placed(pose, matrix), scale)
    groups, pinned = {}, None
    if soft.pin_group:
        pinned = np.flatnonzero(group_weights(thing, soft.pin_group) >= PINNED)
        if not len(pinned):
            raise NotPossible(f'{thing.name}: the group "{soft.pin_group}" holds no vertex; paint it, or clear Pin')
        groups[soft.pin_group] = pinned
    examples = []
    if soft.by_groups:
        for group in thing.vertex_groups:
            members = np.flatnonzero(group_weights(thing, group.name) >= PINNED)
            if group.name not in (soft.pin_group, soft.stiffness_group) and len(members):
                groups[group.name] = members
                examples.append(group.name)
    for number, members in enumerate(groups.values()):
        blocks[f"groups/{number}"] = members.astype(np.int32)
    if soft.stiffness_group:
        blocks["stiffness"] = soft.stiffness_times ** group_weights(thing, soft.stiffness_group)
    table = {
        "name": thing.name,
        "kind": soft.kind,
        "particles": soft.particles,
        "density": soft.density,
        "model": model_of(soft),
        "poses": list(poses),
        "groups": list(groups),
        "examples": examples,
        "pins": [{"group": soft.pin_group}] if pinned is not None else [],
        "forced": [name for name in poses if name in animated_keys(thing)],
        "friction": soft.friction,
        "restitution": soft.bounce,
        "self_contact": soft.self_contact,
    }
    if soft.thickness > 0.0 and soft.kind in ("shell", "rod"):
        table["thickness"] = soft.thickness * scale
    return table, blocks, pinned


def scene_head(scene, bodies, name):
    """Everything of the scene but its colliders."""
    said, render = scene.pliant, scene.render
    gravity = to_solver(np.array(scene.gravity), 1.0).tolist() if scene.use_gravity else [0.0, 0.0, 0.0]
    head = {
        "do": "scene",
        "name": name,
        "fps": render.fps / render.fps_base,
        "gravity": gravity,
        "contact": said.contact,
        "precision": "double" if said.precise else "single",
        "bodies": bodies,
        "colliders": [],
    }
    if said.substeps:
        head["substeps"] = said.substeps
    return head
