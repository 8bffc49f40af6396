"""Bodies that a file holds whole: nothing is filled, bound or left out."""

from typing import Any

import numpy as np

from pliant.body.body import Body
from pliant.files.asset import Asset
from pliant.runtime.errors import FileError
from pliant.volume.dirty import MeshFacts, examine
from pliant.volume.rod import facts_of_wire
from pliant.volume.welding import weld


def ready(asset: Asset, kind: str | None, density: float | None, thickness: float | None) -> tuple[Body, MeshFacts]:
    """The body, and what there is to say about its surface. density, thickness: others than those of the file."""
    own, key, elements = _elements(asset)
    if kind not in (None, own):
        raise FileError(f"{asset.source}: it holds a {own}, which cannot be loaded as a {kind}; leave the kind out")
    assert asset.skin is not None and asset.density is not None
    options: dict[str, Any] = {key: elements}
    if own != "solid":
        options["thickness"] = asset.thickness if thickness is None else thickness
    body = Body(
        asset.vertices,
        poses=dict(asset.poses),
        density=asset.density if density is None else density,
        skin=asset.skin,
        name=asset.name or "body",
        groups=dict(asset.groups),
        **options,
    )
    return body, _facts(body)


def _elements(asset: Asset) -> tuple[str, str, Any]:
    if asset.tets is not None:
        return "solid", "tets", asset.tets
    if asset.segments is not None:
        return "rod", "segments", asset.segments
    return "shell", "triangles", asset.faces


def _facts(body: Body) -> MeshFacts:
    skin = body.skin
    if not len(skin.faces):
        return facts_of_wire(body.rest, len(skin.vertices))
    welded = weld(skin.vertices, skin.faces, {})
    points = np.ascontiguousarray(skin.vertices[welded.vertices], dtype=np.float64)
    return examine(len(skin.vertices), points, welded.faces)[0]
