"""Poses that were found, as a file that `pliant bake`, `pliant.load` and other programs open."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pliant.body import Body
from pliant.files.asset import Asset
from pliant.runtime.errors import FileError
from pliant.volume.embody import Embodied, embody
from pliant.volume.filling.fit import Fit

ENDINGS = (".glb", ".npz")


@dataclass(frozen=True, eq=False)
class SavedPoses:
    """path: what was written. fits: how well each pose comes over into the volume. notes: what there is to say."""

    path: Path
    fits: tuple[Fit, ...]
    notes: tuple[str, ...]


def check_poses_path(path: Path, source: Path) -> None:
    """That poses of what is in `source` can be written there."""
    if path.resolve() == source.resolve():
        raise FileError(f"{path}: is the file that the poses are for; give another name")
    if path.suffix.lower() not in ENDINGS:
        raise FileError(
            f"{path}: poses are written as .glb (the surface) or .npz (the body); give one of these endings"
        )
    if path.is_dir():
        raise FileError(f"{path}: is a folder; give the name of a file")


def save_asset_poses(asset: Asset, path: Path, **options: Any) -> SavedPoses:
    """The asset and its poses as a .glb, or the body that is made of it as an .npz. options: of `embody`, which is
    asked in any case: it tells how well each pose is reached, and a bake finds the volume made."""
    check_poses_path(path, asset.source)
    whole = path.suffix.lower() == ".npz"
    made: Embodied | None = None
    try:
        made = embody(asset, **options)
    except FileError as error:
        if whole:
            raise
        notes: tuple[str, ...] = (*asset.notes, f"no body can be made of it yet: {error}")
    else:
        notes = made.notes
    if whole and made is not None:
        save_body_poses(made.body, path)
    else:
        from pliant.files.gltf.shapes import write_asset_shapes

        write_asset_shapes(asset, path)
    return SavedPoses(path, made.fits if made else (), notes)


def save_body_poses(body: Body, path: Path) -> None:
    """A body with its poses as an .npz, or its skin with them as a .glb."""
    if path.suffix.lower() == ".npz":
        from pliant.files.body_npz import write_body

        write_body(body, path)
    else:
        from pliant.files.gltf.shapes import write_body_shapes

        write_body_shapes(body, path)
