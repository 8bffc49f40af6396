# SPDX-License-Identifier: GPL-3.0-or-later
"""What an artist does, by script: Suzanne with keys, groups, an armature and colliders, there and back."""

import shutil
import sys
import time
from importlib import import_module

import bpy
import numpy as np

MODULE = "bl_ext.user_default.pliant"
FRAMES = 24
FEW = 120  # particles: enough for a monkey that falls, and quick


def part(name):
    """A module of the extension."""
    return import_module(f"{MODULE}.{name}")


def fresh(folder):
    """An empty scene of some frames, saved; one folder, and so one solver, for all tests."""
    bpy.ops.wm.read_homefile(use_empty=True)
    shutil.rmtree(folder / "pliant_cache", ignore_errors=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 5, 5 + FRAMES - 1
    scene.frame_set(5)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"))


def positions(thing):
    """Vertices in the world, as every modifier leaves them."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    found = part("sample").placed(part("sample").coordinates(mesh.vertices), evaluated.matrix_world)
    evaluated.to_mesh_clear()
    return found


def add_key(thing, name, factors, relative=None):
    if thing.data.shape_keys is None:
        thing.shape_key_add(name="Basis", from_mix=False)
    key = thing.shape_key_add(name=name, from_mix=False)
    base = thing.data.shape_keys.reference_key if relative is None else relative
    points = part("sample").coordinates(base.data) * factors
    key.data.foreach_set("co", points.astype(np.float32).ravel())
    key.value = 0.0
    if relative is not None:
        key.relative_key = relative
    return key


def add_group(thing, name, chosen, weight=1.0):
    group = thing.vertex_groups.new(name=name)
    group.add([int(each) for each in np.flatnonzero(chosen)], weight, "REPLACE")
    return group


def suzanne(name="Suzanne", location=(0, 0, 2), **kept):
    """A monkey that is soft, with a key."""
    bpy.ops.mesh.primitive_monkey_add(location=location, **kept)
    thing = bpy.context.object
    thing.name = name
    add_key(thing, "squash", (1.2, 1.2, 0.6))
    assert bpy.ops.pliant.make_soft() == {"FINISHED"}
    thing.pliant.particles = FEW
    return thing


def keyed(owner, path, values, scene):
    for frame, value in values:
        setattr(owner, path, value)
        owner.keyframe_insert(path, frame=frame)
    scene.frame_set(scene.frame_start)


def ticked(job, ready):
    """A job until something is so, or until its end."""
    while not (job.tick(0.001) or ready()):
        time.sleep(0.003)
    return job


def bake():
    assert bpy.ops.pliant.bake() == {"FINISHED"}


class Captured:
    """What the solver said, beside what came of it in Blender."""

    def __enter__(self):
        self.job, self.frames, self.inputs = part("job").Job, [], None
        self._take, seen = self.job._take, self

        def take(job, inputs, number, blocks):
            seen.inputs = inputs
            seen.frames.append({name: np.array(block) for name, block in blocks.items()})
            seen._take(job, inputs, number, blocks)

        self.job._take = take
        return self

    def __exit__(self, *_):
        self.job._take = self._take


def test_suzanne_there_and_back():
    """Keys, a pinned group that an armature moves, a collider that moves: Blender shows what the solver computed."""
    scene = bpy.context.scene
    thing = suzanne()
    add_key(thing, "muted", (0.5, 0.5, 2.0)).mute = True
    add_key(thing, "longer", (1.0, 1.0, 1.1), relative=thing.data.shape_keys.key_blocks["squash"])
    rest = part("sample").coordinates(thing.data.vertices)
    top = rest[:, 2] > 0.6
    add_group(thing, "Bone", top)
    thing.pliant.pin_group = "Bone"
    bpy.ops.object.armature_add(location=(0, 0, 2))
    armature = bpy.context.object
    modifier = thing.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    bone = armature.pose.bones["Bone"]
    for frame, x in ((5, 0.0), (20, 0.5)):
        bone.location.x = x
        bone.keyframe_insert("location", frame=frame)
    thing.modifiers.new("Subdivision", "SUBSURF").levels = 1
    bpy.ops.mesh.primitive_cube_add(size=1, location=(2.4, 0, 2))
    cube = bpy.context.object
    cube.pliant.collider = True
    keyed(cube, "location", ((5, (2.4, 0, 2)), (20, (1.5, 0, 2))), scene)
    with Captured() as captured:
        bake()
    assert [each.name for each in thing.modifiers] == ["Armature", "Pliant", "Subdivision"]
    assert len(captured.frames) == FRAMES and captured.inputs.head["bodies"][0]["poses"] == ["squash", "longer"]
    longer = captured.inputs.blocks["bodies/0/poses/1"] - captured.inputs.blocks["bodies/0/vertices"]
    assert np.allclose(longer[:, 1], 0.06 * rest[:, 2], atol=1e-5)  # relative to squash, which is 0.6 times as high
    thing.modifiers["Subdivision"].show_viewport = False
    size = np.ptp(rest, axis=0).max()
    for number in (0, 7, FRAMES - 1):
        scene.frame_set(5 + number)
        wanted = part("sample").to_blender(captured.frames[number]["surface/0"].astype(float), 1.0)
        assert np.abs(positions(thing) - wanted).max() < 1e-5 * size
    moved = positions(thing)[top].mean(axis=0) - (rest[top].mean(axis=0) + np.array([0, 0, 2]))
    assert abs(moved[0] - 0.5) < 0.05 and np.abs(moved[1:]).max() < 0.05
    assert thing.pliant.state == "BAKED" and thing.pliant.baked == FRAMES
    assert bpy.ops.pliant.check() == {"FINISHED"} and thing.pliant.state == "BAKED"
    thing.data.shape_keys.key_blocks["squash"].data[0].co.x += 0.1
    assert bpy.ops.pliant.check() == {"FINISHED"} and thing.pliant.state == "STALE"


def test_forced_weights_come_back_as_curves():
    """An animated key value is a weight on cue; f-curves of the copy are what was recorded."""
    scene = bpy.context.scene
    thing = suzanne()
    add_key(thing, "tall", (0.8, 0.8, 1.4))
    key = thing.data.shape_keys.key_blocks["tall"]
    keyed(key, "value", ((5, 0.0), (12, 0.6), (24, 0.2)), scene)
    bake()
    record = part("stack").weights_of(thing)
    assert record.poses == ["squash", "tall"]
    tall = record.weights[:, 0, 2]
    assert abs(tall[-5] - 0.25) < 0.1 and tall.max() > 0.5
    assert bpy.ops.pliant.weights_to_keys() == {"FINISHED"}
    copy = bpy.data.objects["Suzanne keys"]
    assert copy.data is not thing.data and not any(each.type == "MESH_CACHE" for each in copy.modifiers)
    curves = {curve.data_path: curve for curve in part("sample").curves_of(copy.data.shape_keys)}
    off = 0.0
    for frame in range(FRAMES):
        for place, name in enumerate(record.poses):
            value = curves[f'key_blocks["{name}"].value'].evaluate(5 + frame)
            off = max(off, abs(value - record.weights[frame, 0, 1 + place]))
    assert off < 0.01, off
    for number in (0, 10, FRAMES - 1):  # and it moves along: as near as keys alone can come
        scene.frame_set(5 + number)
        apart = np.linalg.norm(positions(copy).mean(axis=0) - positions(thing).mean(axis=0))
        assert apart < 0.06, apart


def test_play_shows_what_is_there_and_bake_goes_on():
    """Play moves the timeline along and leaves a preview; a bake that is stopped goes on to the same motion."""
    scene = bpy.context.scene
    thing = suzanne()
    assert bpy.ops.pliant.play() == {"FINISHED"}
    assert thing.pliant.state == "PREVIEW" and scene.frame_current == scene.frame_end
    scene.frame_set(scene.frame_end)
    shown = positions(thing)
    job = part("job").Job(scene, "bake")
    ticked(job, lambda: job.frames > 2).cancel()
    job.run()
    if job.frames < FRAMES:  # else it was faster than the stop
        assert job.stopped and thing.pliant.state == "PART"
    job = part("job").Job(scene, "bake").run()
    assert not job.error and thing.pliant.state == "BAKED"
    scene.frame_set(scene.frame_end)
    assert np.array_equal(positions(thing), shown)


def test_report_select_keep_and_settle():
    thing = suzanne()
    keys = thing.data.shape_keys.key_blocks
    add_key(thing, "twin", (1.2, 1.2, 0.6001))
    assert bpy.ops.pliant.report() == {"FINISHED"}
    findings = thing.pliant.findings
    assert any(each.advice and each.vertices for each in findings), [each.text for each in findings]
    assert bpy.ops.pliant.select_finding(number=0) == {"FINISHED"} and thing.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert sum(each.select for each in thing.data.vertices) == len(findings[0].vertices.split())
    keys["twin"].mute = True
    bake()
    bpy.context.scene.frame_set(20)
    shape = positions(thing)
    assert bpy.ops.pliant.keep_frame() == {"FINISHED"}
    kept = part("sample").coordinates(keys["Frame 20"].data)
    turn, offset = part("cache").rigid_fit(kept, shape)
    assert np.abs(kept @ turn.T + offset - shape).max() < 1e-4
    bpy.ops.pliant.clear()
    rest = part("sample").coordinates(keys["Basis"].data)
    pulled = add_key(thing, "pulled", (1, 1, 1))
    places = rest.copy()
    places[rest[:, 2] > 0.6, 2] += 0.4
    places[rest[:, 2] < -0.6, 2] -= 0.1
    pulled.data.foreach_set("co", places.astype(np.float32).ravel())
    thing.active_shape_key_index = keys.find("pulled")
    assert bpy.ops.pliant.settle() == {"FINISHED"}
    settled = part("sample").coordinates(pulled.data)
    held = np.abs(rest[:, 2]) > 0.6
    assert np.abs(settled - places)[held].mean() < 0.05
    middle = np.abs(rest[:, 2]) < 0.3
    moved = settled[middle] - rest[middle]
    assert moved[:, 2].max() > 0.03  # the rest of the body went along


def test_several_meet():
    """Two monkeys, one above the other, and a mesh that bends as an obstacle."""
    low, high = suzanne("Low", (0, 0, 1)), suzanne("High", (0.1, 0, 3.2))
    bake()
    bpy.context.scene.frame_set(bpy.context.scene.frame_end)
    assert low.pliant.state == high.pliant.state == "BAKED"
    assert positions(high)[:, 2].mean() > positions(low)[:, 2].mean() + 0.5
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=12, y_subdivisions=12, size=3, location=(0, 0, 0.9))
    sheet = bpy.context.object
    wave = sheet.modifiers.new("Wave", "WAVE")
    wave.height = 0.2
    sheet.pliant.collider = True
    bpy.data.objects.remove(high)
    low.location.z = 2.4
    low.pliant.state = "NONE"
    bake()
    bpy.context.scene.frame_set(bpy.context.scene.frame_end)
    assert positions(low)[:, 2].min() > 0.5  # it lies on the sheet


if __name__ == "__main__":
    sys.exit("run.py runs these")
