# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of docs/blender.md, drawn by Blender from what the extension makes there and then.

    .venv-blender/5.0.1/bin/python blender/pictures.py EXTENSION.zip PLIANT docs/pictures [fall|settle]
"""

import math
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "tests"))

from run import USER, installed  # noqa: I001 (first: it gives Blender a user's folder of its own)

import bpy
import cases
import numpy as np

SAMPLES = 48
SKIN, SHAPE = (0.86, 0.36, 0.16), (0.25, 0.45, 0.75)  # of what is simulated, and of what was drawn


def material(name, colour):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = next(node for node in made.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = 0.45
    return made


def statue(thing, shape, place, colour):
    """A copy that stands still, of a shape (N, 3) in the world."""
    mesh = thing.data.copy()
    copy = bpy.data.objects.new("statue", mesh)
    if mesh.shape_keys:
        copy.shape_key_clear()
    bpy.context.scene.collection.objects.link(copy)
    mesh.vertices.foreach_set("co", (shape + np.array(place)).astype(np.float32).ravel())
    mesh.materials.clear()
    mesh.materials.append(material("statue", colour))
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    copy.modifiers.new("Subdivision", "SUBSURF").levels = 2
    copy.modifiers["Subdivision"].render_levels = 2
    return copy


def stage(width, middle, size, height=1.0):
    """A floor, a sky, a camera that sees so much of the x axis."""
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_plane_add(size=200)
    bpy.context.object.data.materials.append(material("floor", (0.9, 0.9, 0.9)))
    world = bpy.data.worlds.new("sky")
    scene.world = world
    world.use_nodes = True
    back = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
    back.inputs["Color"].default_value = (1, 1, 1, 1)
    back.inputs["Strength"].default_value = 0.7
    bpy.ops.object.light_add(type="SUN", rotation=(math.radians(40), 0, math.radians(30)))
    bpy.context.object.data.energy = 2.0
    bpy.context.object.data.angle = 0.3
    bpy.ops.object.camera_add(location=(middle, -30, height + 8.5), rotation=(math.radians(74), 0, 0))
    camera = bpy.context.object
    camera.data.type, camera.data.ortho_scale = "ORTHO", width
    scene.camera = camera
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", SAMPLES
    scene.cycles.use_denoising = True
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.threads_mode, scene.render.threads = "FIXED", 2
    for name in dir(scene.render):  # no file and no time of where it was made in the picture
        if name.startswith("use_stamp_"):
            setattr(scene.render, name, False)


def render(path):
    bpy.context.scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def shown(thing, frame):
    bpy.context.scene.frame_set(frame)
    return cases.positions(thing)


def keep(thing, shapes):
    """Nothing is in the picture but the statues of these shapes (shape, place, colour)."""
    for each in shapes:
        statue(thing, *each)
    for each in [thing, *(each for each in bpy.data.objects if each.name.startswith("Suzanne"))]:
        each.hide_render = True


def fall(out):
    """Rest, key, and moments of a bake."""
    scene = bpy.context.scene
    thing = cases.suzanne(location=(0, 0, 2.6))
    thing.pliant.particles = 500
    scene.frame_start, scene.frame_end = 1, 60
    cases.bake()
    keys = thing.data.shape_keys.key_blocks
    rest, key = (cases.part("sample").coordinates(keys[name].data) for name in ("Basis", "squash"))
    record = cases.part("stack").weights_of(thing)
    deepest = 1 + int(record.weights[:, 0, 1].argmax())
    frames = [1, max(2, deepest - 5), deepest, min(deepest + 7, 60)]
    shapes = [(rest, (-8.4, 0, 1.0), SHAPE), (key, (-5.2, 0, 0.62), SHAPE)]
    shapes += [(shown(thing, frame), (-1.6 + 3.1 * place, 0, 0), SKIN) for place, frame in enumerate(frames)]
    keep(thing, shapes)
    stage(20.0, -0.3, (1400, 420), 1.2)
    render(out / "blender-fall.png")


def settle(out):
    """A key as it was pulled, and as it settled."""
    thing = cases.suzanne(location=(0, 0, 0))
    thing.pliant.particles = 800
    keys = thing.data.shape_keys.key_blocks
    rest = cases.part("sample").coordinates(keys["Basis"].data)
    pulled = rest.copy()
    top, chin = rest[:, 2] > 0.75, rest[:, 2] < -0.75
    pulled[top] += (0.35, 0, 0.6)
    pulled[chin] -= (0.2, 0, 0.1)
    key = cases.add_key(thing, "pulled", (1, 1, 1))
    key.data.foreach_set("co", pulled.astype(np.float32).ravel())
    thing.active_shape_key_index = keys.find("pulled")
    assert bpy.ops.pliant.settle() == {"FINISHED"}
    settled = cases.part("sample").coordinates(key.data)
    keep(thing, [(rest, (-3.4, 0, 1.2), SHAPE), (pulled, (0, 0, 1.2), SHAPE), (settled, (3.4, 0, 1.2), SKIN)])
    stage(10.5, 0.0, (1200, 420), 1.4)
    render(out / "blender-settle.png")


def main():
    package, solver, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]).absolute()
    installed(package, solver)
    for draw in (fall, settle):
        if len(sys.argv) > 4 and draw.__name__ not in sys.argv[4:]:
            continue
        cases.fresh(Path(tempfile.mkdtemp(dir=USER)))
        draw(out)


if __name__ == "__main__":
    main()
    os._exit(0)
