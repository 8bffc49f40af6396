# SPDX-License-Identifier: GPL-3.0-or-later
"""From recorded motion back to what artists edit: f-curves on shape keys, and single frames as keys."""

import bpy
import numpy as np

from . import sample, stack
from .cache import rigid_fit, thinned
from .sample import NotPossible, placed

TOLERANCE = 0.005  # of a weight: f-curves miss what was recorded by no more
STEADY = 1e-3  # of the size, and of a turn: the same for location and rotation
MOVED = 1e-5  # of the size: vertices of a key that were moved by more hold when it settles


def weights_to_keys(thing, scene):
    """A copy of an object whose keys, location and rotation are animated as they were recorded."""
    record, positions = stack.weights_of(thing), stack.recorded(thing)
    if record is None or positions is None:
        raise NotPossible(f"{thing.name}: there is no recording that fits it; Bake or Play first")
    rest, poses = sample.rest_and_poses(thing)
    known = [name for name in record.poses if name in poses]
    if not known:
        raise NotPossible(f"{thing.name}: none of the recorded keys is there any more; bake again")
    frames = min(len(positions), len(record.weights))
    weights = record.weights[:frames].mean(axis=1)[:, 1:]
    copy = _bare_copy(thing, scene)
    blocks = copy.data.shape_keys.key_blocks
    for block in blocks[1:]:
        block.value = 0.0
    for name in known:
        block, values = blocks[name], weights[:, record.poses.index(name)]
        block.slider_min, block.slider_max = min(block.slider_min, 0.0), max(block.slider_max, 1.0)
        for at in thinned(values, TOLERANCE):
            block.value = float(values[at])
            block.keyframe_insert("value", frame=thing.pliant.first + int(at))
    moved = np.array([poses[name] - rest for name in known])
    columns = [record.poses.index(name) for name in known]
    begin, rows = record.matrices[0], np.empty((frames, 7))
    for frame in range(frames):
        shape = placed(rest + np.tensordot(weights[frame, columns], moved, axes=1), begin)
        turn, offset = rigid_fit(shape, placed(np.asarray(positions[frame], np.float64), record.matrices[frame]))
        rows[frame] = _located(turn, offset, begin, rows[frame - 1, 3:] if frame else None)
    size = max(float(np.ptp(placed(rest, begin), axis=0).max()), 1e-12)
    kept = thinned(rows / np.array([size] * 3 + [1.0] * 4), STEADY)
    for at in kept:
        copy.location, copy.rotation_quaternion = rows[at, :3], rows[at, 3:]
        for path in ("location", "rotation_quaternion"):
            copy.keyframe_insert(path, frame=thing.pliant.first + int(at))
    for data in (copy, copy.data.shape_keys):
        for curve in sample.curves_of(data):
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
            curve.update()
    return copy


def _bare_copy(thing, scene):
    """The same mesh with the same keys, at no parent, with no motion and no cache."""
    copy = thing.copy()
    copy.data = thing.data.copy()
    copy.name = f"{thing.name} keys"
    copy.animation_data_clear()
    copy.data.shape_keys.animation_data_clear()
    scene.collection.objects.link(copy)
    while copy.constraints:
        copy.constraints.remove(copy.constraints[0])
    for modifier in [each for each in copy.modifiers if each.name == sample.MODIFIER or each.type == "ARMATURE"]:
        copy.modifiers.remove(modifier)
    world = thing.matrix_world.copy()
    copy.parent = None
    copy.rotation_mode = "QUATERNION"
    copy.matrix_world = world
    copy.pliant.soft = False
    copy.pliant.cache = ""
    copy.pliant.state = "NONE"
    return copy


def _located(turn, offset, begin, before):
    """Location and quaternion (w first) of what was at `begin`, turned and moved; near to the quaternion before."""
    from mathutils import Matrix

    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn @ begin[:3, :3], turn @ begin[:3, 3] + offset
    location, rotation, _ = Matrix(matrix.tolist()).decompose()
    found = np.array(rotation)
    if before is not None and found @ before < 0.0:
        found = -found
    return np.concatenate([np.array(location), found])


def keep_frame(thing, frame):
    """The shape that it has at a frame, turned back to where the rest shape is, as a new key."""
    positions, record = stack.recorded(thing), stack.weights_of(thing)
    if positions is None or record is None:
        raise NotPossible(f"{thing.name}: there is no recording that fits it; Bake or Play first")
    at = min(max(frame - thing.pliant.first, 0), len(positions) - 1)
    matrix = record.matrices[at]
    rest, _ = sample.rest_and_poses(thing)
    here, home = placed(np.asarray(positions[at], np.float64), matrix), placed(rest, matrix)
    turn, offset = rigid_fit(home, here)
    inverse = np.linalg.inv(matrix)
    return new_key(thing, f"Frame {frame}", placed((here - offset) @ turn, inverse))


def new_key(thing, name, positions):
    """A key with these positions (N, 3), relative to the Basis."""
    if thing.data.shape_keys is None:
        thing.shape_key_add(name="Basis", from_mix=False)
    key = thing.shape_key_add(name=name, from_mix=False)
    write_key(thing, key, positions)
    return key


def write_key(thing, key, positions):
    """Positions in place of those of a key; in Edit Mode the mesh would write its own over it."""
    editing = thing.mode == "EDIT"
    if editing:
        bpy.ops.object.mode_set(mode="OBJECT")
    key.data.foreach_set("co", np.ascontiguousarray(positions, np.float32).ravel())
    thing.data.update()
    if editing:
        bpy.ops.object.mode_set(mode="EDIT")


def held_of(thing, scale):
    """What holds while the active key settles: vertices that were moved, where they are, and those of the pin group.
    Numbers of vertices and places (n, 3) as the solver takes them."""
    key, keys = thing.active_shape_key, thing.data.shape_keys
    if key is None or key == keys.reference_key:
        raise NotPossible(f"{thing.name}: choose a shape key other than the Basis and move some of its vertices")
    thing.update_from_editmode()
    rest, here = sample.coordinates(keys.reference_key.data), sample.coordinates(key.data)
    size = float(np.ptp(rest, axis=0).max())
    moved = np.linalg.norm(here - rest, axis=1) > MOVED * size
    if not moved.any():
        raise NotPossible(f'{thing.name}: the key "{key.name}" is as the Basis; move some of its vertices first')
    if moved.all():
        raise NotPossible(f'{thing.name}: all vertices of the key "{key.name}" were moved; nothing is left to settle')
    if thing.pliant.pin_group:
        moved |= sample.group_weights(thing, thing.pliant.pin_group) >= sample.PINNED
    vertices = np.flatnonzero(moved).astype(np.int32)
    return key, vertices, sample.to_solver(placed(here[vertices], thing.matrix_world), scale)
