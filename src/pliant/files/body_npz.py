"""NPZ with a whole body, for scenes that are saved: every number of it, the skin with its paint, poses and groups.

    about                          what is no array, as JSON in UTF-8: format, name, kind, density (kg/m^3),
                                   thickness (m), names of poses and groups, and how the skin is painted
    rest (V, 3) m                  elements (E, 4) tets, (E, 3) triangles or (E, 2) segments
    pose_particles (P, V, 3) m     group_members (G,): members of all groups, one after the other, as many as
                                   group_sizes says
    skin_rest (N, 3) m             skin_faces (M, 3), skin_indices, skin_weights (N, K), skin_offsets, skin_axes (N, 3)
    skin_uv (N, 2), skin_colours (N, 3), skin_twins (N,)      if it has any
    image_0, image_1, ...          its pictures, undecoded

The same body gives the same bytes. Nothing is unpickled, and nothing is believed of a size that the file cannot hold.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body, Skin
from pliant.body.checks import KIND_BY_CORNERS
from pliant.files import limits
from pliant.files.asset import Asset
from pliant.files.body_look import described, look_of
from pliant.files.gltf.item import TOP, Item, one_line
from pliant.files.npz_entries import Entries, write_entries
from pliant.geometry.binding import SLOTS
from pliant.runtime.errors import BodyError, FileError

BODY_FORMAT = "pliant body 1"
KIND_CORNERS = {kind: corners for corners, kind in KIND_BY_CORNERS.items()}
MOST_BODY_GROUPS = 10_000


def write_body(body: Body, path: Path) -> None:
    """A body as a file that `pliant.load` and scenes read back the same."""
    if body.kind not in KIND_CORNERS:
        raise BodyError(f'body "{body.name}" is a {body.kind}, which no file holds; write the body it was made from')
    skin = body.skin
    about: dict[str, Any] = {
        "format": BODY_FORMAT,
        "name": body.name,
        "kind": body.kind,
        "density": body.density,
        "thickness": body.thickness,
        "poses": list(body.poses),
        "groups": list(body.groups),
    }
    arrays: dict[str, NDArray[Any]] = {
        "rest": body.rest,
        "elements": body.elements,
        "pose_particles": np.array(list(body.poses.values())).reshape(-1, *body.rest.shape),
        "group_sizes": np.array([len(members) for members in body.groups.values()], np.int32),
        "group_members": np.concatenate([np.empty(0, np.int32), *body.groups.values()]).astype(np.int32),
        "skin_rest": skin.vertices,
        "skin_faces": skin.faces,
        "skin_indices": skin.indices,
        "skin_weights": skin.weights,
        "skin_offsets": skin.offsets,
        "skin_axes": skin.axes,
    }
    for name in ("uv", "colours", "twins"):
        if getattr(skin, name) is not None:
            arrays[f"skin_{name}"] = getattr(skin, name)
    if skin.look is not None:
        about["look"] = described(skin.look)
        for number, image in enumerate(skin.look.images):
            arrays[f"image_{number}"] = np.frombuffer(image.data, np.uint8)
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    write_entries(path, {"about": np.frombuffer(text, np.uint8), **arrays})


def read(path: Path, sample: Sequence[float] = ()) -> Asset:
    """The body as an asset: its particles are the vertices, and it brings its skin along."""
    entries = Entries(path)
    about = _about(path, entries)
    kind = about.text("kind")
    if kind not in KIND_CORNERS:
        raise about.wrong(f'kind is "{one_line(kind)}", "solid", "shell" or "rod" belongs there')
    rest = entries.floats("rest", (None, 3), limits.MOST_VERTICES)
    elements = entries.indices("elements", (None, KIND_CORNERS[kind]), limits.MOST_ELEMENTS)
    name = about.name(path.stem)
    try:
        asset = Asset(
            name=name,
            source=path,
            vertices=rest,
            faces=elements if kind == "shell" else np.zeros((0, 3), np.int32),
            tets=elements if kind == "solid" else None,
            segments=elements if kind == "rod" else None,
            poses=_poses(about, entries, len(rest)),
            groups=_groups(about, entries, len(rest)),
            skin=_skin(about, entries, kind, len(rest)),
            density=_positive(about, "density"),
            thickness=None if kind == "solid" else _positive(about, "thickness"),
        )
    except BodyError as error:
        raise FileError(f"{path}: {error}") from None
    return asset


def _about(path: Path, entries: Entries) -> Item:
    if "about" not in entries:
        what = "a recording" if "actors" in entries else "no body"
        raise FileError(f"{path}: this is {what}; give a mesh, or a body that Pliant has saved")
    data = entries.bytes("about")
    try:
        told = json.loads(data.decode("utf-8", "surrogatepass"))
    except ValueError:
        raise FileError(f"{path}: `about` is not JSON; save the body again") from None
    about = Item(path, TOP, told)
    if about.data.get("format") != BODY_FORMAT:
        told_format = one_line(about.data.get("format"))[:40]
        raise FileError(f'{path}: its format is "{told_format}"; this Pliant reads "{BODY_FORMAT}"')
    return about


def _names(about: Item, key: str, most: int) -> list[str]:
    """Names of things, each its own."""
    names = about.data.get(key, [])
    if not isinstance(names, list) or not all(isinstance(name, str) and name.strip() for name in names):
        raise about.wrong(f"{key} is no list of names")
    limits.check(about.path, key, len(names), most)
    if len(set(names)) < len(names):
        raise about.wrong(f"two {key} have the same name")
    return names


def _poses(about: Item, entries: Entries, count: int) -> dict[str, NDArray[np.float64]]:
    names = _names(about, "poses", limits.MOST_POSES)
    positions = entries.floats("pose_particles", (len(names), count, 3))
    return dict(zip(names, positions, strict=True))


def _groups(about: Item, entries: Entries, count: int) -> dict[str, NDArray[np.int32]]:
    names = _names(about, "groups", MOST_BODY_GROUPS)
    sizes = entries.indices("group_sizes", (len(names),))
    members = entries.indices("group_members", (None,))
    if (sizes < 1).any() or int(sizes.sum(dtype=np.int64)) != len(members):
        raise about.wrong(f"the groups have {len(members):,} members, which are not as many as their sizes say")
    if len(members) and (members.min() < 0 or members.max() >= count):
        raise about.wrong(f"a group has a particle that is not there; they run from 0 to {count - 1}")
    parts = np.split(members, np.cumsum(sizes)[:-1]) if names else []
    return {name: np.unique(part).astype(np.int32) for name, part in zip(names, parts, strict=True)}


def _skin(about: Item, entries: Entries, kind: str, count: int) -> Skin:
    vertices = entries.floats("skin_rest", (None, 3), limits.MOST_VERTICES)
    points = len(vertices)
    faces = entries.indices("skin_faces", (None, 3), limits.MOST_ELEMENTS)
    indices = entries.indices("skin_indices", (points, None))
    slots = indices.shape[1]
    if slots not in (range(4, SLOTS + 1, 4) if kind == "solid" else (4,)):
        raise about.wrong(f"the skin of a {kind} has {slots} particles a vertex, which do not belong there")
    if indices.size and indices.max() >= count:
        raise about.wrong(f"the skin rides on particle {indices.max()}; they run from 0 to {count - 1}")
    optional: dict[str, Any] = {}
    for name, columns in (("uv", 2), ("colours", 3)):
        if f"skin_{name}" in entries:
            optional[name] = entries.floats(f"skin_{name}", (points, columns))
    if "skin_twins" in entries:
        twins = entries.indices("skin_twins", (points,))
        if (twins < 0).any() or (twins > np.arange(points)).any():
            raise about.wrong("the skin has a vertex whose twin comes after it")
        optional["twins"] = twins
    look = about.item("look")
    if look is not None:
        optional["look"] = look_of(look, len(faces), entries.bytes)
    return Skin(
        vertices,
        faces,
        indices,
        entries.floats("skin_weights", (points, slots)),
        entries.floats("skin_offsets", (points, 3)),
        entries.floats("skin_axes", (points, 3)),
        kind,
        **optional,
    )


def _positive(about: Item, key: str) -> float:
    value = about.number(key, 0.0)
    if value <= 0:
        raise about.wrong(f"{key} is {value:g}, a number above 0 belongs there")
    return value
