# SPDX-License-Identifier: GPL-3.0-or-later
"""Where recorded motion comes back: a Mesh Cache above the keys and what deforms, below what subdivides."""

import os
from pathlib import Path

import bpy

from . import cache, sample
from .sample import MODIFIER, NotPossible

FOLDER = "pliant_cache"


def find(uid):
    """The object of a session-wide number, whatever it is called now; None if it was deleted."""
    return next((each for each in bpy.data.objects if each.session_uid == uid), None)


def folder():
    """Where bakes are kept: beside the .blend file."""
    if not bpy.data.filepath:
        raise NotPossible("save the .blend file first: bakes are kept beside it")
    return Path(bpy.path.abspath("//")) / FOLDER


def plain(name):
    """A name that is a plain file on every system."""
    return "".join(c if c.isalnum() or c in "-_ " else "_" for c in name).strip()[:80] or "object"


def attach(thing, path, first):
    """The modifier that plays a cache, at its place in the stack."""
    modifier = thing.modifiers.get(MODIFIER)
    if modifier is None or modifier.type != "MESH_CACHE":
        modifier = thing.modifiers.new(MODIFIER, "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = str(path)
    modifier.time_mode, modifier.play_mode = "FRAME", "SCENE"
    modifier.frame_start, modifier.frame_scale = first, 1.0
    modifier.deform_mode, modifier.interpolation = "OVERWRITE", "LINEAR"
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    modifier.show_viewport = modifier.show_render = True
    here, wanted = thing.modifiers.find(modifier.name), sample.first_of_others(thing)
    place = wanted - 1 if here < wanted else wanted
    if here != place:
        thing.modifiers.move(here, place)
    return modifier


def detach(thing):
    modifier = thing.modifiers.get(MODIFIER)
    if modifier is not None:
        thing.modifiers.remove(modifier)


def shown_path(path):
    """Relative to the .blend file, if it lies beside it: then both can be moved together."""
    try:
        return bpy.path.relpath(str(path)) if bpy.data.filepath else str(path)
    except ValueError:  # on another drive
        return str(path)


def recorded(thing):
    """The positions (F, N, 3) that an object plays, in its own space; None without any that fit."""
    if not thing.pliant.cache:
        return None
    found = cache.read_cache(bpy.path.abspath(thing.pliant.cache))
    return found if found is not None and found.shape[1] == len(thing.data.vertices) else None


_weights = {}  # path: (when it was written, what is in it)


def weights_of(thing):
    """What is recorded beside the positions, read once."""
    if not thing.pliant.cache:
        return None
    path = Path(bpy.path.abspath(thing.pliant.cache)).with_suffix(".npz")
    try:
        stamp = os.stat(path).st_mtime_ns
    except OSError:
        return None
    if _weights.get(path, (None,))[0] != stamp:
        _weights[path] = stamp, cache.read_record(path)
    return _weights[path][1]


def live_weights(thing, frame):
    """Weight by key at a frame, the mean over groups."""
    record = weights_of(thing)
    if record is None or not len(record.weights):
        return {}
    at = min(max(frame - thing.pliant.first, 0), len(record.weights) - 1)
    return dict(zip(record.poses, record.weights[at].mean(axis=0)[1:].tolist()))
