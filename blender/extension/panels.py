# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels: in the sidebar of the viewport, and in the tab Physics of the properties."""

import bpy

from . import job as jobs
from . import operators, stack
from .solver import REMEDY, NoSolver, command_of

STATES = {
    "NONE": ("Not baked", "RADIOBUT_OFF"),
    "PREVIEW": ("Played, not baked", "HIDE_OFF"),
    "PART": ("Stopped: Bake goes on", "PAUSE"),
    "BAKED": ("Baked", "CHECKMARK"),
    "CHANGED": ("Baked; something changed since: Check", "QUESTION"),
    "STALE": ("Stale: bake again", "ERROR"),
}
_looked = {}  # what was named: why there is no solver, or nothing


def state_of(thing):
    """Of its recording, with what is known to have changed since."""
    own = thing.pliant
    if own.state == "BAKED" and own.said != jobs.said_of(thing):
        return "STALE"
    if own.state == "BAKED" and thing.session_uid in jobs.changed:
        return "CHANGED"
    return own.state


def missing():
    """Why there is no solver; nothing if there is one. The disk is asked once."""
    own = jobs.preferences()
    named = own.solver if own is not None else ""
    if named not in _looked:
        try:
            command_of(bpy.path.abspath(named) if named else "")
            _looked[named] = ""
        except NoSolver as error:
            _looked[named] = str(error)
    return _looked[named]


class _Main:
    bl_label = "Pliant"

    def draw(self, context):
        layout, thing = self.layout, context.object
        why = missing()
        if why:
            box = layout.box()
            box.label(text=why, icon="ERROR")
            box.label(text="In the folder of Pliant:")
            for line in REMEDY:
                box.label(text="    " + line)
            box.operator("pliant.copy_remedy", icon="COPYDOWN")
        job = operators.running
        if job is not None:
            layout.progress(factor=job.part, text=f"{job.text} {job.part:.0%}   Esc stops")
        if thing is None:
            layout.label(text="Select a mesh")
            return
        own = thing.pliant
        if thing.type == "MESH" and own.soft:
            _soft(layout, thing)
        elif thing.type == "MESH":
            layout.operator("pliant.make_soft", icon="MOD_SOFT")
            _collider(layout, own)
        else:
            _collider(layout, own)


def _collider(layout, own):
    layout.prop(own, "collider")
    if own.collider:
        column = layout.column(align=True)
        column.prop(own, "friction")
        column.prop(own, "bounce")


def _soft(layout, thing):
    own, state = thing.pliant, state_of(thing)
    text, icon = STATES[state]
    layout.label(text=f"{text} ({own.baked} frames)" if own.baked else text, icon=icon)
    row = layout.row(align=True)
    row.scale_y = 1.4
    row.operator("pliant.play", icon="PLAY")
    row.operator("pliant.bake", icon="REC")
    row = layout.row(align=True)
    row.operator("pliant.check", icon="VIEWZOOM")
    row.operator("pliant.clear", icon="X")
    row.operator("pliant.make_rigid", icon="TRASH")


class _Keys:
    bl_label = "Examples"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH" and context.object.pliant.soft

    def draw(self, context):
        layout, thing = self.layout, context.object
        keys = thing.data.shape_keys
        if keys is None or len(keys.key_blocks) < 2:
            layout.label(text="No shape keys: it always comes back to rest", icon="INFO")
        else:
            live = stack.live_weights(thing, context.scene.frame_current)
            for key in keys.key_blocks[1:]:
                row = layout.row(align=True)
                row.prop(key, "mute", text="", icon="CHECKBOX_DEHLT" if key.mute else "CHECKBOX_HLT", emboss=False)
                row.progress(factor=live.get(key.name, 0.0), text=f"{key.name}  {live.get(key.name, 0.0):.0%}")
        layout.operator("pliant.weights_to_keys", icon="GRAPH")
        layout.operator("pliant.keep_frame", icon="SHAPEKEY_DATA")
        row = layout.row(align=True)
        row.operator("pliant.settle", icon="PHYSICS")
        row.operator("pliant.report", icon="INFO")
        for number, finding in enumerate(thing.pliant.findings):
            box = layout.box()
            row = box.row()
            row.label(text=f"{finding.pose}: {finding.text}", icon="ERROR")
            row.operator("pliant.select_finding", text="", icon="RESTRICT_SELECT_OFF").number = number
            box.label(text=finding.advice)


class _Body:
    bl_label = "Body"
    poll = _Keys.poll

    def draw(self, context):
        layout, thing = self.layout, context.object
        layout.use_property_split = True
        own = thing.pliant
        for name in ("model", "material", "kind", "particles"):
            layout.prop(own, name)
        if own.kind in ("shell", "rod"):
            layout.prop(own, "thickness")
        column = layout.column(align=True)
        column.active = own.material != "FITTING"
        column.prop(own, "young")
        column.prop(own, "damping")
        layout.prop(own, "density")
        layout.prop(own, "fixed_strength")
        if own.fixed_strength:
            layout.prop(own, "strength")
        layout.prop_search(own, "pin_group", thing, "vertex_groups")
        layout.prop_search(own, "stiffness_group", thing, "vertex_groups")
        if own.stiffness_group:
            layout.prop(own, "stiffness_times")
        layout.prop(own, "by_groups")
        column = layout.column(align=True)
        for name in ("friction", "bounce", "self_contact"):
            column.prop(own, name)


class _World:
    bl_label = "World"
    poll = _Keys.poll

    def draw(self, context):
        layout, own = self.layout, context.scene.pliant
        layout.use_property_split = True
        layout.prop(own, "floor")
        if own.floor:
            layout.prop(own, "floor_friction")
        for name in ("contact", "substeps", "precise"):
            layout.prop(own, name)
        scene = context.scene
        layout.label(text=f"Frames {scene.frame_start} to {scene.frame_end}, {scene.render.fps} a second, of the scene")


def _panels():
    """Each panel in both places."""
    made = []
    for place, space, region, where in (
        ("sidebar", "VIEW_3D", "UI", {"bl_category": "Pliant"}),
        ("physics", "PROPERTIES", "WINDOW", {"bl_context": "physics"}),
    ):
        main = f"PLIANT_PT_{place}_main"
        for kind in (_Main, _Keys, _Body, _World):
            name = main if kind is _Main else f"PLIANT_PT_{place}{kind.__name__.lower()}"
            parent = {} if kind is _Main else {"bl_parent_id": main}
            if kind in (_Body, _World):
                parent["bl_options"] = {"DEFAULT_CLOSED"} if kind is _World else set()
            about = {"bl_idname": name, "bl_space_type": space, "bl_region_type": region, "bl_label": kind.bl_label}
            made.append(type(name, (kind, bpy.types.Panel), {**about, **where, **parent}))
    return tuple(made)


CLASSES = _panels()


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)


def unregister():
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
    _looked.clear()
