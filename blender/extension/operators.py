# SPDX-License-Identifier: GPL-3.0-or-later
"""The buttons."""

import bpy
from bpy.props import IntProperty

from . import job as jobs
from . import keys, sample, stack
from .job import Job
from .sample import NotPossible
from .solver import REMEDY

TOLD = 5  # notes of the solver that are shown
MOST_SELECTED = 200_000
running = None  # the job that is under way


class _OnMesh:
    """A button for the active mesh."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH" and running is None

    def execute(self, context):
        try:
            return self.act(context, context.object)
        except NotPossible as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}


class PLIANT_OT_make_soft(_OnMesh, bpy.types.Operator):
    """Make this mesh a soft body that prefers its shape keys"""

    bl_idname, bl_label = "pliant.make_soft", "Make Soft"

    def act(self, context, thing):
        sample.check(thing)
        thing.pliant.soft = True
        thing.pliant.collider = False
        return {"FINISHED"}


class PLIANT_OT_make_rigid(_OnMesh, bpy.types.Operator):
    """Let it be as it was; its keys and groups stay"""

    bl_idname, bl_label = "pliant.make_rigid", "Remove"

    def act(self, context, thing):
        thing.pliant.soft = False
        _clear(thing)
        return {"FINISHED"}


class PLIANT_OT_clear(_OnMesh, bpy.types.Operator):
    """Take the recorded motion away; the files stay until they are written again"""

    bl_idname, bl_label = "pliant.clear", "Clear"

    def act(self, context, thing):
        _clear(thing)
        return {"FINISHED"}


def _clear(thing):
    stack.detach(thing)
    own = thing.pliant
    own.cache = own.digest = own.said = ""
    own.state, own.baked = "NONE", 0


class PLIANT_OT_weights_to_keys(_OnMesh, bpy.types.Operator):
    """Animate the shape keys of a copy as they were recorded: ordinary f-curves, thinned"""

    bl_idname, bl_label = "pliant.weights_to_keys", "Weights to Keys"

    def act(self, context, thing):
        copy = keys.weights_to_keys(thing, context.scene)
        self.report({"INFO"}, f'"{copy.name}" has the motion as keys')
        return {"FINISHED"}


class PLIANT_OT_keep_frame(_OnMesh, bpy.types.Operator):
    """Keep the shape of this frame as a shape key"""

    bl_idname, bl_label = "pliant.keep_frame", "Keep Frame as Key"

    def act(self, context, thing):
        key = keys.keep_frame(thing, context.scene.frame_current)
        self.report({"INFO"}, f'"{key.name}" is a shape key now')
        return {"FINISHED"}


class PLIANT_OT_select_finding(_OnMesh, bpy.types.Operator):
    """Select the vertices that this is about"""

    bl_idname, bl_label = "pliant.select_finding", "Select"
    number: IntProperty()

    def act(self, context, thing):
        if not 0 <= self.number < len(thing.pliant.findings):
            raise NotPossible(f"{thing.name}: there is no such finding any more; press Report again")
        chosen = {int(each) for each in thing.pliant.findings[self.number].vertices.split()}
        if thing.mode == "EDIT":
            bpy.ops.object.mode_set(mode="OBJECT")
        mesh = thing.data
        mesh.polygons.foreach_set("select", [False] * len(mesh.polygons))
        mesh.edges.foreach_set("select", [False] * len(mesh.edges))
        mesh.vertices.foreach_set("select", [each in chosen for each in range(len(mesh.vertices))])
        context.tool_settings.mesh_select_mode = (True, False, False)
        bpy.ops.object.mode_set(mode="EDIT")
        return {"FINISHED"}


class PLIANT_OT_copy_remedy(bpy.types.Operator):
    """Copy the two commands that install the solver"""

    bl_idname, bl_label = "pliant.copy_remedy", "Copy Commands"

    def execute(self, context):
        context.window_manager.clipboard = "\n".join(REMEDY)
        return {"FINISHED"}


class _Run:
    """A button that starts a job: a little of it at each tick of a timer, so that the interface never stands still.
    Without a window it runs to its end."""

    bl_options = {"REGISTER", "UNDO"}
    kind = ""

    @classmethod
    def poll(cls, context):
        return running is None

    def job(self, context):
        return Job(context.scene, self.kind)

    def ended(self, context, job):
        """What to do with what came of it."""

    def execute(self, context):
        try:
            job = self.job(context).run()
        except NotPossible as error:
            return self._refuse(error)
        return self._finish(context, job)

    def invoke(self, context, _event):
        global running
        if context.window is None:
            return self.execute(context)
        try:
            running = self.job(context)
        except NotPossible as error:
            return self._refuse(error)
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        manager.progress_begin(0, 100)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        global running
        job = running
        if job is None:  # another file was opened
            return self._leave(context)
        if event.type == "ESC" and event.value == "PRESS":
            job.cancel()
            return {"RUNNING_MODAL"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        ended = job.tick()
        context.window_manager.progress_update(int(100 * job.part))
        context.workspace.status_text_set(f"Pliant: {job.text} {job.part:.0%}   Esc stops")
        _redraw(context)
        if not ended:
            return {"PASS_THROUGH"}
        self._leave(context)
        return self._finish(context, job)

    def _leave(self, context):
        global running
        running = None
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        return {"CANCELLED"}

    def _refuse(self, error):
        self.report({"ERROR"}, str(error))
        return {"CANCELLED"}

    def _finish(self, context, job):
        for note in job.notes[:TOLD]:
            self.report({"INFO"}, note)
        if job.error and job.error != jobs.CANCELLED:
            self.report({"ERROR"}, job.error)
            return {"CANCELLED"}
        self.ended(context, job)
        _redraw(context)
        return {"FINISHED"}


def _redraw(context):
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in ("VIEW_3D", "PROPERTIES"):
                area.tag_redraw()


class PLIANT_OT_play(_Run, bpy.types.Operator):
    """Compute it and show it while it is computed; Esc stops it"""

    bl_idname, bl_label, kind = "pliant.play", "Play", "play"


class PLIANT_OT_bake(_Run, bpy.types.Operator):
    """Compute the frame range and keep it beside the file; one that was stopped goes on"""

    bl_idname, bl_label, kind = "pliant.bake", "Bake", "bake"


class PLIANT_OT_check(_Run, bpy.types.Operator):
    """Compare what was baked with what would be baked now"""

    bl_idname, bl_label, kind = "pliant.check", "Check", "check"

    def ended(self, context, job):
        digest = job.inputs.digest
        for soft in job.inputs.softs:
            own = stack.find(soft.uid).pliant
            if own.digest and own.state in ("BAKED", "STALE"):
                own.state = "BAKED" if own.digest == digest else "STALE"
                if own.state == "BAKED":
                    own.said = jobs.said_of(own.id_data)
                    jobs.changed.discard(soft.uid)


class _RunOnMesh(_Run):
    @classmethod
    def poll(cls, context):
        thing = context.object
        return running is None and thing is not None and thing.type == "MESH" and thing.pliant.soft


class PLIANT_OT_report(_RunOnMesh, bpy.types.Operator):
    """Tell the quality of the keys as examples"""

    bl_idname, bl_label, kind = "pliant.report", "Report", "report"

    def job(self, context):
        self._thing = context.object
        return Job(context.scene, "report", context.object)

    def ended(self, context, job):
        head, blocks = job.result
        findings = self._thing.pliant.findings
        findings.clear()
        for number, said in enumerate(head["bodies"][0]["findings"]):
            one = findings.add()
            one.pose, one.text, one.advice = said["pose"], said["text"], said["advice"]
            one.vertices = " ".join(map(str, blocks[f"findings/0/{number}"][:MOST_SELECTED].tolist()))
        self.report({"INFO"}, f"{len(findings)} findings" if len(findings) else "nothing to mend")


class PLIANT_OT_settle(_RunOnMesh, bpy.types.Operator):
    """Hold the vertices of the active key that were moved, and the pinned ones; let statics find the others"""

    bl_idname, bl_label, kind = "pliant.settle", "Settle", "settle"
    gravity: bpy.props.BoolProperty(name="Gravity", description="It sags while it is held")

    def job(self, context):
        self._thing = context.object
        key, vertices, places = keys.held_of(context.object, sample.unit(context.scene))
        self._key = key.name
        job = Job(context.scene, "settle", context.object)
        job.held, job.gravity = (vertices, places), self.gravity
        return job

    def ended(self, context, job):
        key = self._thing.data.shape_keys.key_blocks.get(self._key)
        if key is not None and job.result is not None:
            keys.write_key(self._thing, key, job.result)


CLASSES = (
    PLIANT_OT_make_soft, PLIANT_OT_make_rigid, PLIANT_OT_clear, PLIANT_OT_weights_to_keys, PLIANT_OT_keep_frame,
    PLIANT_OT_select_finding, PLIANT_OT_copy_remedy, PLIANT_OT_play, PLIANT_OT_bake, PLIANT_OT_check,
    PLIANT_OT_report, PLIANT_OT_settle,
)  # fmt: skip


def stop():
    """What is under way is left, such as when another file is opened."""
    global running
    if running is not None and not running.done:
        running.abandon()
    running = None


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)


def unregister():
    stop()
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
