"""From a file to a body: tets, shells or rods of about as many particles as wanted, and the poses of the file in them.

bear = load("bear.glb")                          # Body
whole = load_whole("bear.glb", particles=1200)   # Embodied: the body, how near each pose came, and what was mended
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pliant.body import Body
from pliant.files.reading import read_asset
from pliant.runtime.errors import FileError
from pliant.volume.embody import Embodied, embody
from pliant.volume.filling.fit import Fit

__all__ = ["Embodied", "Fit", "embody", "load", "load_whole"]


def load(path: str | Path, **options: Any) -> Body:
    """The body in a file: .glb, .gltf, .usd, .obj, .ply, .stl, .vtk, .msh, .node. Its shape keys become poses.

    Options: poses={"smile": "smile.obj"}, pose_folder, sample=[0.5, 1.0] (times of an animation); kind="solid", "shell"
    or "rod"; particles=600; mesher="lattice" or "wild"; density, thickness; cache, progress. See `load_whole`.
    """
    return load_whole(path, **options).body


def load_whole(
    path: str | Path,
    *,
    poses: Mapping[str, str | Path] | None = None,
    pose_folder: str | Path | None = None,
    sample: Sequence[float] | None = None,
    **options: Any,
) -> Embodied:
    """The body in a file with everything there is to say about it.

    poses: name -> a file with the same mesh in another shape; pose_folder: a folder of such files; sample: times (s)
    at which an animation in the file is looked at. The other options are those of `embody`.
    """
    asset = read_asset(path, poses=poses, pose_folder=pose_folder, sample=sample)
    made = embody(asset, **options)
    if poses and not any(name in made.body.poses for name in poses):
        reasons = [note for note in made.notes if any(f'"{name}"' in note for name in poses)]
        raise FileError(f"{path}: none of the poses that were asked for can be used: {'; '.join(reasons)}")
    return made
