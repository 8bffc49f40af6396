"""Takes for tests: bodies that rise and grow, painted in many ways."""

import numpy as np

from files.gltf.making import png
from meshes import box, rope, sheet
from pliant.body import Body, Skin
from pliant.body.look import Image, Look, Material, Part
from pliant.files.take import Take, Track


def track(body: Body, name: str = "bear", frames: int = 4, groups: tuple[str, ...] = ("all",)) -> Track:
    """Rises by a metre each frame and grows."""
    moved = np.stack([body.rest * (1 + frame) + (0, frame, 0) for frame in range(frames)])
    weights = np.random.default_rng(7).random((frames, len(groups), 1 + len(body.poses)))
    return Track(name, body, moved.astype(np.float32), weights.astype(np.float32), groups)


def take(*tracks: Track, fps: float = 24.0, name: str = "falls") -> Take:
    return Take(name, fps, tracks)


def posed() -> Body:
    return box().with_pose("wide", lambda rest: rest * (2, 1, 1)).with_pose("tall", lambda rest: rest * (1, 1, 2))


def painted(look: Look | None = None, coloured: bool = False) -> Body:
    """A box whose skin is split along the edges between its sides: uv jump there, shading does not."""
    plain = box().skin
    corners = plain.vertices[plain.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    side = np.argmax(np.abs(normals), axis=1) * 2 + (normals.max(axis=1) > 0)
    pairs, faces = np.unique(plain.faces * 6 + side[:, None], return_inverse=True)
    first = pairs // 6
    twins = np.array([int(np.flatnonzero(first == each)[0]) for each in first])
    across = np.array([(1, 2), (0, 2), (0, 1)])[(pairs % 6) // 2]
    uv = np.take_along_axis(plain.vertices[first], across, axis=1) + 0.25 * (pairs % 6)[:, None]
    rows = first[twins]
    skin = Skin(
        plain.vertices[first], faces.reshape(-1, 3), plain.indices[rows], plain.weights[rows], uv=uv, look=look,
        colours=np.abs(plain.vertices[first]) if coloured else None, twins=twins,
    )  # fmt: skip
    return box().with_skin(skin)


def faces_of(body: Body) -> int:
    return len(body.skin.faces)


def plain_look(faces: int) -> Look:
    """Half of it painted with a picture, half with a colour, and a few faces with nothing."""
    materials = (
        Material("fur", (1.0, 0.5, 0.25, 1.0), 0.25, 0.75, 0, double_sided=True),
        Material("glass", (0.25, 0.5, 0.75, 0.5), 0.0, 0.125),
    )
    parts = (Part("front", 0, faces // 2, 0), Part("back side", faces // 2, faces - 4, 1), Part("", faces - 4, faces))
    return Look(parts, materials, (Image("fur", "image/png", png(200, 100, 50)),))


def gltf_look(faces: int) -> Look:
    """As a glTF file with all its maps gives it."""
    told = {
        "alphaMode": "MASK", "alphaCutoff": 0.25, "emissiveFactor": [1, 1, 0.5],
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 1}},
        "normalTexture": {"index": 2}, "occlusionTexture": {"index": 1}, "emissiveTexture": {"index": 3},
    }  # fmt: skip
    images = tuple(Image(name, "image/png", png(number, 0, 0)) for number, name in enumerate("abcd"))
    textures = ({"source": 0, "sampler": 0}, {"source": 1}, {"source": 2}, {"source": 3})
    glowing = Material("dull", (1.0, 1.0, 1.0, 1.0), gltf={"emissiveFactor": [0.5, 0, 0]})
    material = Material("all", (1.0, 1.0, 1.0, 1.0), 1.0, 0.5, 0, gltf=told)
    parts = (Part("one", 0, 10, 0), Part("two", 10, faces, 1))
    return Look(parts, (material, glowing), images, textures, ({"wrapS": 33071},))


def all_takes() -> dict[str, Take]:
    """Every kind of take there is."""
    sides = faces_of(painted())
    return {
        "plain": take(track(posed())),
        "crowd": take(track(posed(), "bear"), track(posed(), "bear", groups=("left", "right")), fps=29.97),
        "thin": take(track(sheet(), "Vorhang Ä"), track(rope(), "熊"), name="1 / 2"),
        "painted": take(track(painted(plain_look(sides)))),
        "coloured": take(track(painted(plain_look(sides), coloured=True))),
        "unpainted": take(track(painted(None, coloured=True))),
        "gltf": take(track(painted(gltf_look(sides)))),
        "still": take(track(posed(), frames=1)),
    }
