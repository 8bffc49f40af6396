"""A name for a show: the same for shows that play alike."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant import __version__
from pliant.body import Body
from pliant.scene.schema import Scene
from pliant.world import Mesh

if TYPE_CHECKING:
    from hashlib import _Hash


def show_key(
    scene: Scene, fps: float, substeps: int, bodies: Sequence[Body], meshes: Sequence[Mesh] = ()
) -> str:
    """A hash of everything that determines the motion: the version, the scene, and the bodies and meshes as they came
    out.

    How long it plays, on how many threads and what is written of it make no difference to the motion. Files count by
    what was made of them, so it does not matter where they are.
    """
    said = scene.model_dump(mode="json")
    del said["output"], said["title"], said["checks"]
    for name in ("seconds", "threads", "fps", "substeps"):
        del said["world"][name]
    for body in said["bodies"]:
        for name in ("file", "pose_folder"):
            del body[name]
    for collider in said["colliders"]:
        collider.pop("file", None)
    hashed = sha256()
    unlike = {id(body): body for body in bodies}
    order = [list(unlike).index(id(body)) for body in bodies]
    surfaces = [mesh.surface for mesh in meshes]
    _add(hashed, [__version__, fps, substeps, said, order, list(unlike.values()), *([surfaces] if surfaces else [])])
    return hashed.hexdigest()


def _add(hashed: "_Hash", value: Any) -> None:
    """Everything with its type and length before it, so that no two values look alike."""
    if isinstance(value, np.ndarray):
        hashed.update(f"a{value.dtype.str}{value.shape};".encode())
        hashed.update(np.ascontiguousarray(value).tobytes())
    elif is_dataclass(value) and not isinstance(value, type):
        hashed.update(f"d{type(value).__name__};".encode())
        for field in fields(value):
            _add(hashed, field.name)
            _add(hashed, getattr(value, field.name))
    elif isinstance(value, Mapping):
        hashed.update(f"m{len(value)};".encode())
        for key in value:
            _add(hashed, key)
            _add(hashed, value[key])
    elif isinstance(value, list | tuple):
        hashed.update(f"l{len(value)};".encode())
        for item in value:
            _add(hashed, item)
    else:
        data = value if isinstance(value, bytes) else repr(value).encode()
        hashed.update(f"{type(value).__name__}{len(data)};".encode())
        hashed.update(data)
