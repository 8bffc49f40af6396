# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong in an artist's file: handled, or told in one line."""

import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np

from cases import FRAMES, MODULE, add_group, add_key, bake, part, positions, suzanne, ticked


def line(operator):
    """The one line with which an operator refuses."""
    try:
        answer = operator()
    except RuntimeError as error:  # reports of errors are raised when scripts call
        said = str(error).removeprefix("Error: ").strip()
        assert "\n" not in said and "Traceback" not in said, said
        return said
    raise AssertionError(answer)


def test_registers_twice():
    solver = bpy.context.preferences.addons[MODULE].preferences.solver
    for _ in range(2):
        bpy.ops.preferences.addon_disable(module=MODULE)
        assert not hasattr(bpy.types.Object, "pliant") and not hasattr(bpy.types, "PLIANT_OT_bake")
        assert not any("pliant" in each.__module__ for each in bpy.app.handlers.depsgraph_update_post)
        bpy.ops.preferences.addon_enable(module=MODULE)
        bpy.context.preferences.addons[MODULE].preferences.solver = solver
        assert hasattr(bpy.types.Scene, "pliant") and hasattr(bpy.types, "PLIANT_PT_sidebar_main")


class Layout:
    """Takes what panels draw, and knows what Blender would not draw."""

    icons = set(bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())

    def __init__(self):
        self.texts = []

    def _drawn(self, text="", icon="NONE"):
        assert icon in self.icons, icon
        self.texts.append(text)

    def row(self, **_):
        return self

    column = box = row

    def label(self, text="", icon="NONE"):
        self._drawn(text, icon)

    def prop(self, owner, name, text="", icon="NONE", **_):
        assert name in owner.bl_rna.properties, name
        self._drawn(text, icon)

    def prop_search(self, owner, name, where, names, **_):
        assert name in owner.bl_rna.properties and names in where.bl_rna.properties
        self._drawn()

    def progress(self, factor=0.0, text=""):
        assert 0.0 <= factor <= 1.0
        self._drawn(text)

    def operator(self, name, text="", icon="NONE"):
        group, name = name.split(".")
        assert name in dir(getattr(bpy.ops, group)), name
        self._drawn(text, icon)
        return SimpleNamespace()


def drawn():
    """The texts of all panels that show themselves now."""
    layout = Layout()
    for panel in part("panels").CLASSES:
        if not hasattr(panel, "poll") or panel.poll(bpy.context):
            panel.draw(SimpleNamespace(layout=layout), bpy.context)
    return layout.texts


def test_panels_draw():
    own = bpy.context.preferences.addons[MODULE].preferences
    assert "Select a mesh" in drawn()
    bpy.ops.object.light_add()
    drawn()
    thing = suzanne()
    assert "Not baked" in drawn() and "squash  0%" in drawn()
    thing.pliant.collider = True
    thing.pliant.fixed_strength, thing.pliant.stiffness_group, thing.pliant.kind = True, "x", "shell"
    drawn()
    thing.pliant.stiffness_group, thing.pliant.kind, thing.pliant.collider = "", "auto", False
    bake()
    assert f"Baked ({FRAMES} frames)" in drawn()
    thing.pliant.density = 900
    assert f"Stale: bake again ({FRAMES} frames)" in drawn()
    named, own.solver = own.solver, "nowhere"
    assert any("there is no Pliant" in each for each in drawn()) and "    make wheel" in drawn()
    preferences = SimpleNamespace(layout=Layout(), bl_rna=own.bl_rna)
    part("preferences").PliantPreferences.draw(preferences, bpy.context)
    own.solver = named


class Window:
    """A context with a window, a timer and a status line, to press buttons in."""

    def __init__(self):
        self.window, self.scene, self.windows, self.said = self, bpy.context.scene, [], []
        self.window_manager = self.workspace = self
        self.timers = 0

    def event_timer_add(self, _seconds, window):
        self.timers += 1

    def event_timer_remove(self, _timer):
        self.timers -= 1

    def modal_handler_add(self, _button):
        pass

    def progress_begin(self, low, high):
        self.range = low, high

    def progress_update(self, value):
        assert self.range[0] <= value <= self.range[1]

    def progress_end(self):
        pass

    def status_text_set(self, text):
        self.said.append(text)


def test_a_timer_drives_it_and_esc_stops_it():
    operators, window, thing = part("operators"), Window(), suzanne()
    bpy.context.scene.frame_end = 4 + 40 * FRAMES

    class Button(operators._Run):
        kind = "bake"

        def report(self, *_):
            pass

    button, timer = Button(), SimpleNamespace(type="TIMER", value="NOTHING")
    assert button.invoke(window, None) == {"RUNNING_MODAL"} and window.timers == 1
    assert not bpy.ops.pliant.play.poll()  # one at a time
    job = operators.running
    while job.frames < 5:
        assert button.modal(window, timer) == {"PASS_THROUGH"}
        time.sleep(0.003)
    assert button.modal(window, SimpleNamespace(type="MOUSEMOVE", value="NOTHING")) == {"PASS_THROUGH"}
    assert button.modal(window, SimpleNamespace(type="ESC", value="PRESS")) == {"RUNNING_MODAL"}
    while (answer := button.modal(window, timer)) == {"PASS_THROUGH"}:
        time.sleep(0.003)
    assert answer == {"FINISHED"} and window.timers == 0 and operators.running is None and window.said[-1] is None
    assert thing.pliant.state in ("PART", "BAKED") and any("Simulating" in str(each) for each in window.said)
    button.invoke(window, None)
    bpy.ops.wm.read_homefile(use_empty=True)  # another file is opened meanwhile
    assert operators.running is None and button.modal(window, timer) == {"CANCELLED"} and window.timers == 0


def test_settings_outlive_undo_save_and_reload():
    thing = suzanne()
    own = thing.pliant
    own.model, own.material, own.pin_group = "fem", "JELLY", "held"
    young = own.young
    assert young > 1e4
    bpy.ops.ed.undo_push(message="before")
    own.particles = 333
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert bpy.data.objects["Suzanne"].pliant.particles == 120
    bpy.ops.ed.redo()
    assert bpy.data.objects["Suzanne"].pliant.particles == 333
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    own = bpy.data.objects["Suzanne"].pliant
    kept = (own.soft, own.model, own.material, own.pin_group, own.particles, own.young)
    assert kept == (True, "fem", "JELLY", "held", 333, young)


def test_a_killed_solver_loses_nothing():
    scene = bpy.context.scene
    thing = suzanne()
    scene.frame_end = 4 + 100 * FRAMES
    jobs = part("job")
    job = jobs.Job(scene, "bake")
    folder = Path(bpy.path.abspath("//"))
    ticked(job, lambda: job.frames >= 60 and list(folder.glob("**/checkpoint.npz")))
    os.kill(jobs._solver.process.pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
    job.run()
    assert "the solver has ended" in job.error and "goes on where it was" in job.error, job.error
    assert thing.pliant.state == "PART" and thing.pliant.baked >= 60
    again = jobs.Job(scene, "bake")
    ticked(again, lambda: hasattr(again, "begun")).cancel()
    again.run()
    assert not again.error and again.begun > 0, again.error
    assert thing.pliant.baked >= 60, (thing.pliant.baked, thing.pliant.state, again.frames, again.begun)


def test_renamed_deleted_changed_while_it_runs():
    scene = bpy.context.scene
    thing = suzanne()
    job = part("job").Job(scene, "bake")
    ticked(job, lambda: job.frames > 1)
    thing.name = "Another"
    job.run()
    assert not job.error and thing.pliant.state == "BAKED"
    other = suzanne("Other", (4, 0, 2))
    job = part("job").Job(scene, "bake")
    ticked(job, lambda: job.frames > 1)
    bpy.data.objects.remove(other)
    job.run()
    assert not job.error and thing.pliant.state == "BAKED"
    sampled = part("job").Job(scene, "bake")
    sampled.tick(0.0001)
    bpy.data.objects.remove(thing)
    sampled.run()
    assert "\n" not in sampled.error and sampled.done


def test_scaled_mirrored_and_carried():
    """Scale that differs by axis, a mirror, a parent that moves: the motion is that of the world."""
    scene = bpy.context.scene
    carrier = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(carrier)
    thing = suzanne()
    thing.parent = carrier
    thing.scale, thing.rotation_euler = (-1.5, 0.7, 1.0), (0.3, 0.2, 0.5)
    carrier.keyframe_insert("location", frame=5)
    carrier.location.x = 2.0
    carrier.keyframe_insert("location", frame=20)
    scene.frame_set(5)
    before = positions(thing)
    bake()
    scene.frame_set(5)
    assert np.abs(positions(thing) - before).max() < 1e-4
    scene.frame_set(5 + FRAMES - 1)
    lower = positions(thing)
    assert lower[:, 2].mean() < before[:, 2].mean() - 0.3 and abs(lower[:, 0].mean() - before[:, 0].mean()) < 0.5
    thing.scale.z = 0.0
    bpy.context.view_layer.update()
    assert "scaled to nothing" in line(bpy.ops.pliant.bake)


def test_modifiers_and_edit_mode():
    thing = suzanne()
    bevel = thing.modifiers.new("Bevel", "BEVEL")
    bake()
    assert thing.modifiers[0].name == "Pliant" and bevel.show_viewport
    bpy.ops.object.mode_set(mode="EDIT")
    thing.pliant.state = "NONE"
    bake()
    assert thing.mode == "EDIT" and thing.pliant.state == "BAKED"


def test_one_line_each():
    scene = bpy.context.scene
    assert "nothing is soft yet" in line(bpy.ops.pliant.bake)
    empty = bpy.data.objects.new("Empty", bpy.data.meshes.new("Empty"))
    scene.collection.objects.link(empty)
    bpy.context.view_layer.objects.active = empty
    assert "no vertices" in line(bpy.ops.pliant.make_soft)
    empty.data.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
    assert "no faces" in line(bpy.ops.pliant.make_soft)
    thing = suzanne()
    assert "choose a shape key other than the Basis" in line(lambda: _settle(thing, 0))
    assert "move some of its vertices" in line(lambda: _settle_unmoved(thing))
    assert "Bake or Play first" in line(bpy.ops.pliant.keep_frame)
    assert "Bake or Play first" in line(bpy.ops.pliant.weights_to_keys)
    thing.pliant.pin_group = "gone"
    assert 'no vertex group "gone"' in line(bpy.ops.pliant.bake)
    add_group(thing, "gone", np.zeros(507, bool))
    assert "holds no vertex" in line(bpy.ops.pliant.bake)
    thing.pliant.pin_group = ""
    add_group(thing, "hard", np.arange(507) < 200)
    thing.pliant.stiffness_group, thing.pliant.model = "hard", "oriented_particles"
    assert "painted stiffness" in line(bpy.ops.pliant.bake)
    thing.pliant.stiffness_group, thing.pliant.model = "", "shape_matching"
    own = bpy.context.preferences.addons[MODULE].preferences
    named, own.solver = own.solver, "nowhere"
    part("job").end_solver()
    assert "there is no Pliant" in line(bpy.ops.pliant.bake)
    own.solver = named


def _settle(thing, index):
    thing.active_shape_key_index = index
    return bpy.ops.pliant.settle()


def _settle_unmoved(thing):
    add_key(thing, "same", (1, 1, 1))
    return _settle(thing, len(thing.data.shape_keys.key_blocks) - 1)


def test_a_hundred_thousand_vertices():
    scene = bpy.context.scene
    scene.frame_end = 8
    bpy.ops.mesh.primitive_uv_sphere_add(segments=400, ring_count=252, location=(0, 0, 1.2))
    thing = bpy.context.object
    assert len(thing.data.vertices) > 100_000
    bpy.ops.pliant.make_soft()
    thing.pliant.particles = 120
    bake()
    assert thing.pliant.baked == 4 and np.isfinite(positions(thing)).all()
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.pliant.make_soft()
    assert "save the .blend file first" in line(bpy.ops.pliant.bake)
