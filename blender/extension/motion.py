# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves from frame to frame: sampled by playing the scene once, a little at a time."""

from contextlib import contextmanager

import bpy
import numpy as np

from . import sample, stack
from .sample import Inputs, NotPossible, Soft, placed, to_solver

busy = False  # while the scene is played to be sampled, nothing that changes is news


def inputs_of(scene, only=None, frames=None):
    """A generator of (done, all); its value are the Inputs of the scene. only: these objects and no colliders."""
    things = sample.soft_objects(scene) if only is None else list(only)
    if not things:
        raise NotPossible("nothing is soft yet; select a mesh and press Make Soft")
    first = scene.frame_start
    count = scene.frame_end - first + 1 if frames is None else frames
    came_from, subframe = scene.frame_current, scene.frame_subframe
    with _only_deformers(things):
        try:
            made = yield from _sampled(scene, things, [] if only is not None else sample.colliders(scene), first, count)
        finally:
            _go_to(scene, came_from, subframe)
    return made


def _go_to(scene, frame, subframe=0.0):
    global busy
    busy = True
    try:
        scene.frame_set(frame, subframe=subframe)
    finally:
        busy = False


@contextmanager
def _only_deformers(things):
    """Modifiers from the first that changes the number of vertices on are out of the way, and our cache. They are
    remembered by name: a modifier of an object that was deleted meanwhile may not be touched, not even to find out."""
    hidden = []
    for thing in things:
        others = sample.first_of_others(thing)
        for place, modifier in enumerate(thing.modifiers):
            if (place >= others or modifier.name == sample.MODIFIER) and modifier.show_viewport:
                hidden.append((thing.session_uid, modifier.name))
    try:
        _show(hidden, False)
        yield
    finally:
        _show(hidden, True)


def _show(named, shown):
    """Modifiers, by the number of their object and their name, in the viewport or not."""
    global busy
    busy = True
    for uid, name in named:
        thing = stack.find(uid)
        modifier = None if thing is None else thing.modifiers.get(name)
        if modifier is not None:
            modifier.show_viewport = shown
    busy = False


def _sampled(scene, things, obstacles, first, count):
    scale = sample.unit(scene)
    _go_to(scene, first)
    graph = bpy.context.evaluated_depsgraph_get()
    notes, blocks, tables, watched = [], {}, [], []
    for number, thing in enumerate(things):
        sample.check(thing)
        table, own, pinned = sample.body_of(thing, scale)
        start = _evaluated(thing, graph, len(thing.data.vertices))
        own["start"] = to_solver(placed(start, thing.matrix_world), scale)
        blocks |= {f"bodies/{number}/{name}": block for name, block in own.items()}
        tables.append(table)
        watched.append(_Watched(thing, number, pinned, table["forced"], count))
    rigid, changing = [], []
    for thing in obstacles:
        mesh = _Obstacle(thing, graph, count)
        if mesh.faces is None:
            notes.append(f"{thing.name}: it has no faces to bump into; it is left out")
        else:
            (changing if mesh.may_change else rigid).append(mesh)
    for frame in range(count):
        if frame:
            _go_to(scene, first + frame)
            graph = bpy.context.evaluated_depsgraph_get()
        for each in watched:
            each.sample(frame, graph, scale)
        for each in (*rigid, *changing):
            each.sample(frame, graph)
        yield frame + 1, count
    head = sample.scene_head(scene, tables, scene.name)
    for each in watched:
        blocks |= each.blocks()
    for each in changing:
        if each.changes():
            place = len(tables)
            tables.append(each.as_body(place, blocks, scale))
        else:
            rigid.append(each)
    for number, each in enumerate(rigid):
        head["colliders"].append(each.as_collider(number, blocks, scale))
    if scene.pliant.floor:
        floor = {"name": "floor", "type": "plane", "friction": scene.pliant.floor_friction}
        head["colliders"].append(floor)
    softs = [each.soft for each in watched]
    return Inputs(head, blocks, softs, first, count, scale, notes)


def _evaluated(thing, graph, wanted=None):
    """The vertices (N, 3) of an object as its modifiers leave it, in its own space."""
    evaluated = thing.evaluated_get(graph)
    try:
        mesh = evaluated.to_mesh()
    except RuntimeError:
        mesh = None
    if mesh is None:
        return np.zeros((0, 3))
    found = sample.coordinates(mesh.vertices)
    evaluated.to_mesh_clear()
    if wanted is not None and len(found) != wanted:
        raise NotPossible(
            f"{thing.name}: a modifier before the first that deforms changes the number of vertices ({wanted:,} to "
            f"{len(found):,}); apply it, or move it below"
        )
    return found


class _Watched:
    """A soft object while the scene plays: where it is, where its pinned vertices are, the values of forced keys."""

    def __init__(self, thing, number, pinned, forced, count):
        self.thing, self.number, self.pinned, self.forced = thing, number, pinned, forced
        self.places = None if pinned is None else np.empty((count, len(pinned), 3), np.float32)
        self.values = np.empty((len(forced), count), np.float32)
        self.soft = Soft(thing.session_uid, thing.name, len(thing.data.vertices), np.empty((count, 4, 4)))

    def sample(self, frame, graph, scale):
        evaluated = self.thing.evaluated_get(graph)
        matrix = np.array(evaluated.matrix_world)
        if abs(np.linalg.det(matrix[:3, :3])) < 1e-12:
            raise NotPossible(f"{self.thing.name}: it is scaled to nothing at some frame; give it a scale")
        self.soft.matrices[frame] = matrix
        if self.places is not None:
            here = _evaluated(self.thing, graph, self.soft.vertices)[self.pinned]
            self.places[frame] = to_solver(placed(here, matrix), scale)
        keys = evaluated.data.shape_keys or self.thing.data.shape_keys
        for row, name in enumerate(self.forced):
            self.values[row, frame] = keys.key_blocks[name].value

    def blocks(self):
        """What stays where it is needs one frame only."""
        found, prefix = {}, f"bodies/{self.number}/"
        if self.places is not None:
            still = (self.places == self.places[0]).all()
            found[prefix + "pins/0"] = self.places[:1] if still else self.places
        for row, values in enumerate(self.values):
            found[f"{prefix}forced/{row}"] = values[:1] if (values == values[0]).all() else values
        return found


class _Obstacle:
    """A collider while the scene plays: rigid as long as it is, else followed vertex by vertex."""

    def __init__(self, thing, graph, count):
        self.thing = thing
        evaluated = thing.evaluated_get(graph)
        self.faces = None
        try:
            mesh = evaluated.to_mesh()
        except RuntimeError:
            mesh = None
        if mesh is not None:
            faces = sample.triangles(mesh)
            self.faces = faces.copy() if len(faces) else None
            self.count = len(mesh.vertices)
            evaluated.to_mesh_clear()
        keys = getattr(thing.data, "shape_keys", None)
        self.may_change = bool(len(thing.modifiers)) or (keys is not None and keys.animation_data is not None)
        self.matrices, self.places, self.frames = np.empty((count, 4, 4)), None, count
        self.begin = None

    def sample(self, frame, graph):
        evaluated = self.thing.evaluated_get(graph)
        self.matrices[frame] = np.array(evaluated.matrix_world)
        if frame and not self.may_change:
            return
        here = _evaluated(self.thing, graph)
        if len(here) != self.count:
            raise NotPossible(f"{self.thing.name}: its number of vertices changes over time; a collider has to keep it")
        here = placed(here, self.matrices[frame])
        if frame == 0:
            self.begin = here
        if self.may_change:
            if self.places is None:
                self.places = np.empty((self.frames, self.count, 3), np.float32)
            self.places[frame] = here

    def changes(self):
        """Whether its shape does, beyond moving as a whole."""
        size = np.ptp(self.begin, axis=0).max()
        turns = self._turns()
        moved = np.einsum("fxy,ny->fnx", turns, self.begin - self.matrices[0, :3, 3]) + self.matrices[:, None, :3, 3]
        return bool(np.abs(moved - self.places).max() > sample.SAME_SHAPE * size)

    def _turns(self):
        """(F, 3, 3) from the first frame to each; not of unit length where the scale changes."""
        return self.matrices[:, :3, :3] @ np.linalg.inv(self.matrices[0, :3, :3])

    def as_collider(self, number, blocks, scale):
        turns = self._turns()
        spread = np.abs(turns @ turns.transpose(0, 2, 1) - np.eye(3)).max()
        if spread > 1e-3:
            raise NotPossible(
                f"{self.thing.name}: its scale is animated; give it a shape key instead, or keep the scale"
            )
        origin = self.matrices[:, :3, 3]
        faces = self.faces[:, ::-1] if np.linalg.det(self.matrices[0, :3, :3]) < 0 else self.faces
        blocks[f"colliders/{number}/vertices"] = to_solver(self.begin - origin[0], scale)
        blocks[f"colliders/{number}/faces"] = faces
        turned = sample.AXES @ turns @ sample.AXES.T
        motion = np.concatenate([to_solver(origin, scale), quaternions(turned)], axis=1)
        blocks[f"colliders/{number}/motion"] = motion[:1] if (motion == motion[0]).all() else motion
        own = self.thing.pliant
        return {"name": self.thing.name, "friction": own.friction, "restitution": own.bounce}

    def as_body(self, number, blocks, scale):
        """A sheet that is held everywhere: bodies bump into it as into one another."""
        prefix = f"bodies/{number}/"
        blocks[prefix + "vertices"] = to_solver(self.begin, scale)
        blocks[prefix + "faces"] = self.faces
        blocks[prefix + "groups/0"] = np.arange(self.count, dtype=np.int32)
        blocks[prefix + "pins/0"] = to_solver(self.places, scale)
        own = self.thing.pliant
        return {
            "name": f"{self.thing.name} (collider)",
            "kind": "shell",
            "particles": min(max(self.count, 100), sample.SHEET_PARTICLES),
            "groups": ["all"],
            "pins": [{"group": "all"}],
            "friction": own.friction,
            "restitution": own.bounce,
        }


def quaternions(matrices):
    """(F, 4) x, y, z, w of rotations (F, 3, 3)."""
    from mathutils import Matrix

    found = [Matrix(each.tolist()).to_quaternion() for each in matrices]
    return np.array([[q.x, q.y, q.z, q.w] for q in found])
