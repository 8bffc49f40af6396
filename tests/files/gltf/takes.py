"""Takes without a simulation: bodies that move by formulas, so that tests know what every frame holds."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from files.gltf.making import Making, png
from meshes import box, rope, sheet
from pliant.body import Body, Skin
from pliant.files.gltf import read
from pliant.files.take import Take, Track

FRAMES, FPS = 31, 30.0

Motion = Callable[[np.ndarray, float], np.ndarray]  # rest (V, 3) and a time from 0 to 1 -> positions (V, 3)


def still(rest: np.ndarray, time: float) -> np.ndarray:
    return rest + np.array([0.0, 2.0, 0.0])


def fly(rest: np.ndarray, time: float) -> np.ndarray:
    """Rigid: a throw with a spin about a slanted axis."""
    turn = Rotation.from_rotvec(np.array([1.0, 2.0, 0.5]) * 4 * time).as_matrix()
    return rest @ turn.T + [3 * time, 2 * time - 5 * time**2, 0.0]


def grow(rest: np.ndarray, time: float) -> np.ndarray:
    """Along a straight line."""
    return rest * (1 + 0.5 * time)


def wag(rest: np.ndarray, time: float) -> np.ndarray:
    """One end is held, the other swings."""
    free = np.maximum(rest[:, 2], 0.0)
    angle = 1.2 * np.sin(2 * np.pi * time)
    return rest + np.stack([angle * free**2, 0.3 * angle**2 * free**2, 0 * free], axis=1)


def tumble(rest: np.ndarray, time: float) -> np.ndarray:
    """Everything at once."""
    return fly(wag(rest, time), time)


def drop(rest: np.ndarray, time: float) -> np.ndarray:
    """Falls, is squashed, and lies still for the second half."""
    fall = min(time, 0.25)
    squash = 0.4 * np.clip((time - 0.25) / 0.25, 0.0, 1.0)
    return rest * [1 + squash, 1 - squash, 1 + squash] + [0.0, 1 - 16 * fall**2, 0.0]


MOTIONS = {motion.__name__: motion for motion in (still, fly, grow, wag, tumble, drop)}


def track(
    body: Body, motion: Motion, name: str = "actor", frames: int = FRAMES, weights: Any = None, groups: int = 1
) -> Track:
    times = np.linspace(0, 1, frames)
    positions = np.array([motion(body.rest, time) for time in times], dtype=np.float32)
    if weights is None:
        weights = np.zeros((frames, groups, 1 + len(body.poses)))
        weights[:, :, 0] = 1
    return Track(name, body, positions, np.asarray(weights, np.float32), tuple(f"group {k}" for k in range(groups)))


def take(*tracks: Track, name: str = "take") -> Take:
    return Take(name, FPS, tracks)


def solid(**options: Any) -> Body:
    return box(name="bar", **options)


def shell() -> Body:
    return sheet(name="cloth")


def rod() -> Body:
    return rope(name="cord")


def coloured() -> Body:
    body = solid()
    colours = np.random.default_rng(0).uniform(size=body.skin.vertices.shape)
    return body.with_skin(replace(body.skin, colours=colours))


def painted_file(path: Path) -> Path:
    """A box of two materials with pictures, coordinates and a seam, as an artist's file has it."""
    body = solid()
    points, faces = body.skin.vertices, body.skin.faces
    making = Making()
    red = making.add("images", name="red", mimeType="image/png", bufferView=making.view(png(255, 0, 0, 4)))
    bumps = making.add("images", name="bumps", mimeType="image/png", bufferView=making.view(png(128, 128, 255, 4)))
    sampler = making.add("samplers", magFilter=9729, minFilter=9987, wrapS=33071, wrapT=10497)
    making.add("textures", source=red, sampler=sampler)
    making.add("textures", source=bumps)
    making.add(
        "materials", name="fur", normalTexture={"index": 1, "scale": 0.5},
        pbrMetallicRoughness={"baseColorTexture": {"index": 0}, "metallicFactor": 0.0, "roughnessFactor": 0.9},
    )  # fmt: skip
    making.add(
        "materials", name="glass", alphaMode="BLEND", doubleSided=True,
        pbrMetallicRoughness={"baseColorFactor": [0.1, 0.2, 0.3, 0.5], "metallicFactor": 0.0},
        extensions={"KHR_materials_ior": {"ior": 1.4}},
    )  # fmt: skip
    primitives = []
    for material, part in enumerate((faces[: len(faces) // 2], faces[len(faces) // 2 :])):
        used, corners = np.unique(part, return_inverse=True)
        normals = body.skin.normals(points)[used].astype(np.float32)
        attributes = {
            "POSITION": making.positions(points[used].astype(np.float32)),
            "NORMAL": making.accessor(normals),
            "TEXCOORD_0": making.accessor((points[used][:, [0, 2]] * 0.4 + 0.5).astype(np.float32)),
        }
        indices = making.accessor(corners.reshape(-1).astype(np.uint16))
        primitives.append({"attributes": attributes, "indices": indices, "material": material})
    making.json["extensionsUsed"] = ["KHR_materials_ior"]
    making.scene(making.node(name="Box", mesh=making.add("meshes", name="Box", primitives=primitives)))
    return making.glb(path)


def painted(path: Path) -> Body:
    """That box as a body with the skin of the file."""
    asset = read(painted_file(path))
    body = solid()
    skin = Skin.bind(asset.vertices, asset.faces, body.rest, body.elements, "solid", asset.uv)
    places, twins = {}, np.empty(len(asset.vertices), np.int32)
    for vertex, place in enumerate(map(tuple, asset.vertices.round(6))):
        twins[vertex] = places.setdefault(place, vertex)
    return body.with_skin(replace(skin, look=asset.look, twins=twins))


def variants(folder: Path) -> dict[str, Take]:
    """Takes of every kind that writers meet."""
    bar = solid().with_pose("wide", lambda rest: rest * [1.5, 1, 1]).with_pose("tall", lambda rest: rest * [1, 1.5, 1])
    weights = np.random.default_rng(1).dirichlet((1, 1, 1), (FRAMES, 2))
    looked = painted(folder / "painted.glb")
    return {
        **{name: take(track(solid(), motion)) for name, motion in MOTIONS.items()},
        "shell": take(track(shell(), tumble)),
        "rod": take(track(rod(), tumble)),
        "coloured": take(track(coloured(), tumble)),
        "painted": take(track(looked, tumble)),
        "posed": take(track(bar, tumble, weights=weights, groups=2)),
        "several": take(*(track(bar, tumble, f"bar {k}") for k in range(3)), track(looked, fly, "box")),
        "one frame": take(track(solid(), tumble, frames=1)),
    }
