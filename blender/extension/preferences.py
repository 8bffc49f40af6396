# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the solver is."""

import bpy
from bpy.props import IntProperty, StringProperty

from . import panels
from .solver import REMEDY


class PliantPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    solver: StringProperty(
        name="Solver",
        subtype="FILE_PATH",
        description="The command pliant, a Python that has it, or the folder of its source; empty: found by itself",
    )
    threads: IntProperty(name="Threads", default=1, min=1, max=64, description="The result is the same for any number")

    def draw(self, context):
        self.layout.prop(self, "solver")
        self.layout.prop(self, "threads")
        why = panels.missing()
        if why:
            self.layout.label(text=why, icon="ERROR")
            for line in REMEDY:
                self.layout.label(text="    " + line)


def register():
    bpy.utils.register_class(PliantPreferences)


def unregister():
    bpy.utils.unregister_class(PliantPreferences)
