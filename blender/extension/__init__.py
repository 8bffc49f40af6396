# SPDX-License-Identifier: GPL-3.0-or-later
"""Pliant in Blender: shape keys are the examples of a soft body, and its motion comes back as ordinary animation.

The solver is a process of its own; nothing of it is imported here.
"""

from . import job, news, operators, panels, preferences, settings

PARTS = (settings, operators, panels, preferences, news)


def register():
    for part in PARTS:
        part.register()


def unregister():
    for part in reversed(PARTS):
        part.unregister()
    job.end_solver()
