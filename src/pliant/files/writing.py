"""From a take to a file: which writer it takes."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.runtime.errors import FileError

if TYPE_CHECKING:
    from pliant.files.take import Take

# By ending, or by the name of a folder. Modules are imported when they are needed: some take long, some are extras.
WRITERS = {
    ".glb": "pliant.files.gltf:write",
    ".usd": "pliant.files.usd:write",
    ".usda": "pliant.files.usd:write",
    ".usdc": "pliant.files.usd:write",
    ".usdz": "pliant.files.usd:write",
    ".pc2": "pliant.files.pc2:write",
    ".npz": "pliant.files.npz:write",
    ".csv": "pliant.files.weights_csv:write",
    "obj": "pliant.files.obj:write",
}
STYLES = ("vertices", "weights", "skeleton")
WRITE_ELSEWHERE = {
    ".gltf": "give .glb, which is the same in one file",
    ".obj": "one .obj holds one frame; name a folder `obj`, such as frames/obj",
    ".png": "one .png holds one frame; name a folder `png`, such as frames/png",
    ".fbx": "give .glb or .usdc, which Blender, Unity and Unreal open",
    ".abc": "give .usdc, which Blender, Maya and Houdini open",
    ".mdd": "give .pc2, which the same programs read",
    ".gif": "give .mp4",
    ".mov": "give .mp4",
    ".mp4": "films are drawn by `pliant bake`",
    ".html": "pages are made by `pliant bake`",
    ".htm": "give .html",
}


def writer_of(path: str | Path) -> str:
    """Which writer a path asks for, as "module:function".

    >>> writer_of("falls.glb"), writer_of("frames/obj/")
    ('pliant.files.gltf:write', 'pliant.files.obj:write')
    """
    path = Path(path)
    ending = path.suffix.lower()
    kind = ending or path.name.lower()
    if kind in WRITERS:
        return WRITERS[kind]
    if kind in WRITE_ELSEWHERE:
        raise FileError(f"{path}: {kind} cannot be written; {WRITE_ELSEWHERE[kind]}")
    known = ", ".join(name for name in WRITERS if name.startswith("."))
    if kind == "png":
        raise FileError(f"{path}: pictures are drawn by `pliant bake`; to write a take give {known} or a folder `obj`")
    what = f"{ending} is not a format" if ending else "a name without ending is not one"
    raise FileError(f"{path}: {what} that can be written; give {known}, or a folder named `obj`")


def write_take(
    take: "Take",
    path: str | Path,
    *,
    style: str | None = None,
    tolerance: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write what the actors did, in the format that the path's ending names; it appears whole or not at all.

    style: of a .glb, "vertices" for what was simulated to the last vertex, "weights" for small files with the artist's
    own shape keys, "skeleton" for oriented particles as joints; if not said, each actor is a skeleton or else vertices.
    tolerance: of a .glb, how far a vertex may be off between the frames that are kept, as a
    part of the body's diagonal. progress: called with frames done and all.
    """
    path = Path(path)
    module, _, function = writer_of(path).partition(":")
    if style is not None and style not in STYLES:
        raise FileError(f'{path}: the style is "{style}"; give "vertices", "weights" or "skeleton"')
    if not take.tracks or not take.frames:
        raise FileError(f"{path}: there is nothing to write; the take has no {'frame' if take.tracks else 'actor'}")
    options: dict[str, Any] = {"progress": progress}
    if path.suffix.lower() == ".glb":
        options["style"] = style
        if tolerance is not None:
            options["tolerance"] = tolerance
    elif style == "weights":
        raise FileError(f'{path}: the style "{style}" is for .glb; weights.csv has the weights alone')
    elif style == "skeleton":
        raise FileError(f'{path}: the style "{style}" is for .glb; an .npz has the joints alone')
    getattr(import_module(module), function)(take, path, **options)
