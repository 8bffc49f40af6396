"""Files to open in the viewer."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

from pliant import shapes
from pliant.body import Body
from pliant.body.look import Image, Look, Material, Part
from pliant.files.take import Take, Track
from pliant.files.writing import write_take

SCENE = """\
title = "Up and away"
[world]
fps = 24
substeps = 4
[[colliders]]
type = "plane"
[[bodies]]
name = "cube"
position = [0, 0.5, 0]
colour = "#2040ff"
"""
KEYS = "[world.keys]\ngravity = [[0, [0, -9.81, 0]], [0.5, [0, -9.81, 0]], [0.6, [0, 20, 0]]]\n"
SHAPE = SCENE + '[bodies.shape]\ntype = "cuboid"\nsize = [0.5, 0.5, 0.5]\ncells = [2, 2, 2]\n'
RISING = SHAPE + KEYS  # its gravity turns round
FILE = SCENE + 'file = "box.glb"\n'


def green_over_blue() -> bytes:
    """A PNG whose upper half is green and whose lower half is blue."""
    pixels = np.zeros((32, 32, 3), np.uint8)
    pixels[:16, :, 1] = pixels[16:, :, 2] = 255
    file = io.BytesIO()
    Pillow.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def painted_box() -> Body:
    """A cube: magenta on top by its material, its sides by a picture."""
    body = shapes.cuboid((1.0, 1.0, 1.0), (2, 2, 2))
    skin = body.skin
    top = skin.vertices[skin.faces].mean(axis=1)[:, 1] > 0.45
    faces = np.concatenate([skin.faces[~top], skin.faces[top]])
    uv = np.column_stack([0.5 + 0.4 * skin.vertices[:, 0], 0.5 - 0.9 * skin.vertices[:, 1]])  # v goes down
    sides = int((~top).sum())
    look = Look(
        (Part("sides", 0, sides, 0), Part("top", sides, len(faces), 1)),
        (Material("picture", (1.0, 1.0, 1.0, 1.0), image=0), Material("plain", (1.0, 0.0, 1.0, 1.0))),
        (Image("halves", "image/png", green_over_blue()),),
    )
    return body.with_skin(replace(skin, faces=faces, uv=uv, colours=None, look=look))


def write_box(path: Path) -> Path:
    """The painted cube in a file of any kind."""
    body = painted_box()
    track = Track("box", body, body.rest[None].astype(np.float32), np.ones((1, 1, 1), np.float32), ("all",))
    write_take(Take("box", 60.0, (track,)), path)
    return path
