"""The shape of a body as another file shows it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.graph import Graph
from pliant.poses import settle
from pliant.runtime.errors import FileError, PliantError

if TYPE_CHECKING:
    from pliant.viewer.simulation.origin import SessionOrigin
    from pliant.world import Actor

Array = NDArray[np.float64]

FROM_FILE = "from a file"


def shape_in_file(origin: "SessionOrigin", actor: "Actor", path: str) -> Array:
    """Where the particles (V, 3) of an actor are in a file of the same mesh. A body that came from a file is filled
    again with this one as a pose; of another the skin is sculpted, and what carries it follows."""
    body = _again(origin, actor, Path(path))
    if body is None:
        return _sculpted(actor.body, Path(path))
    shape = np.asarray(body.poses[FROM_FILE], np.float64)
    if len(shape) == len(actor.body.rest):
        return shape
    if isinstance(actor.body, Graph) and actor.body.source is not None and len(shape) == len(actor.body.source.rest):
        centres: Array = actor.body.gather(shape)[0]
        return centres
    raise FileError(f"{Path(path).name}: the body has other particles than its file gives now; open the file again")


def _again(origin: "SessionOrigin", actor: "Actor", path: Path) -> Body | None:
    """The body as its scene makes it, with one more pose; None if no file is named there, or one of its own format,
    whose numbers no other file shares."""
    from pliant.scene.body_builder import BodyBuilder
    from pliant.scene.schema import FilePose, names_of

    scene = origin.scene
    said = next((each for each in scene.bodies if actor.name in names_of(each)), None) if scene is not None else None
    if scene is None or said is None or said.file is None or Path(said.file).suffix.lower() == ".npz":
        return None
    posed = said.model_copy(update={"poses": {**said.poses, FROM_FILE: FilePose(file=str(path.absolute()))}})
    try:
        body = BodyBuilder(scene.origin).build(posed, ("bodies", scene.bodies.index(said))).body
    except PliantError as error:
        folder = f"{path.absolute().parent}{os.sep}"
        raise FileError(str(error).rpartition(folder)[2]) from error
    finally:
        scene.origin.assets.let_go()
    return body if said.scale == 1 else body.scaled(said.scale)


def _sculpted(body: Body, path: Path) -> Array:
    from pliant.files.reading import read_asset

    vertices = np.asarray(read_asset(path).vertices, np.float64)
    wanted = len(body.skin.vertices)
    if len(vertices) != wanted:
        raise FileError(
            f"{path.name}: it has {len(vertices):,} vertices, the skin of this body {wanted:,}; save the body, reshape "
            "that mesh without adding vertices, and take it here"
        )
    if body.tets is None:
        raise FileError(f"{path.name}: only solids follow a sculpted skin; this body is a {body.kind}")
    return settle(body, surface=vertices)
