# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender tells: another file, another frame, something that changed after a bake."""

import bpy
from bpy.app.handlers import persistent

from . import job as jobs
from . import motion, operators

_frame = None  # that was last seen: what changes with it is no news


@persistent
def _another_file(*_):
    operators.stop()
    jobs.changed.clear()


@persistent
def _something_changed(scene, graph):
    """Objects that take part, and what carries them: a bake of theirs may be stale."""
    global _frame
    if motion.busy or operators.running is not None:
        return
    if scene.frame_current != _frame:
        _frame = scene.frame_current
        return
    baked = [each for each in scene.objects if each.pliant.soft and each.pliant.state == "BAKED"]
    if baked and any(_matters(update) for update in graph.updates):
        jobs.changed.update(each.session_uid for each in baked)


def _matters(update):
    thing = update.id
    if isinstance(thing, bpy.types.Object):
        taking_part = thing.pliant.soft or thing.pliant.collider or thing.type == "ARMATURE"
        return taking_part and (update.is_updated_geometry or update.is_updated_transform)
    return isinstance(thing, bpy.types.Key)


HANDLERS = (("load_pre", _another_file), ("depsgraph_update_post", _something_changed))


def register():
    for name, handler in HANDLERS:
        getattr(bpy.app.handlers, name).append(handler)


def unregister():
    for name, handler in HANDLERS:
        handlers = getattr(bpy.app.handlers, name)
        if handler in handlers:
            handlers.remove(handler)
