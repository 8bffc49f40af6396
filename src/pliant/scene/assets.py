"""The files that a scene names, on their way to its world: each is read once, and made into a body once."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pliant.files.asset import Asset
    from pliant.files.numbering import Numbering
    from pliant.volume import Embodied

Progress = Callable[[int, int], None] | None
Stamp = tuple[tuple[str, int, int], ...]


class SceneAssets:
    """Kept from the command that names a file to the world that is built of it, and let go then, since files are large;
    the next reset of a page reads them anew. What has been changed on disk meanwhile is read again, too."""

    def __init__(self) -> None:
        self._read: dict[tuple[Any, ...], tuple[Stamp, Asset, Numbering]] = {}  # by file and times
        self._posed: dict[tuple[Any, ...], tuple[Stamp, Asset, Asset]] = {}  # with further poses, and without
        self._made: dict[tuple[Any, ...], tuple[Asset, Embodied]] = {}

    def read(
        self,
        path: Path,
        poses: Mapping[str, str | Path] | None = None,
        pose_folder: str | Path | None = None,
        sample: Sequence[float] | None = None,
    ) -> "Asset":
        """What is in a file; see `pliant.files.reading.read_asset`."""
        from pliant.files.reading import read_numbered
        from pliant.files.siblings import with_siblings

        key: tuple[Any, ...] = path.absolute(), tuple(sorted(sample or ()))
        stamp = _stamp([path])
        known = self._read.get(key)
        if known is None or known[0] != stamp:
            known = self._read[key] = stamp, *read_numbered(path, sample)
        _, asset, numbering = known
        if not poses and pose_folder is None:
            return asset
        further = {name: Path(file).absolute() for name, file in sorted((poses or {}).items())}
        folder = None if pose_folder is None else Path(pose_folder)
        key = *key, tuple(further.items()), folder
        inside = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
        stamp = _stamp([*further.values(), *inside])
        posed = self._posed.get(key)
        if posed is None or posed[0] != stamp or posed[2] is not asset:
            posed = self._posed[key] = stamp, with_siblings(asset, numbering, poses or {}, folder), asset
        return posed[1]

    def embody(self, asset: "Asset", progress: Progress = None, **options: Any) -> "Embodied":
        """The body made of an asset that was read here; see `pliant.volume.embody`."""
        from pliant.volume.embody import PARTICLES, embody

        told = {"particles": PARTICLES, **options}
        poses = tuple((name, id(array)) for name, array in asset.poses.items())
        key = id(asset.vertices), poses, tuple(sorted(told.items()))
        if key not in self._made:
            self._made[key] = asset, embody(asset, progress=progress, **told)  # the asset stays, and so do its ids
        return self._made[key][1]

    def let_go(self) -> None:
        """The world is built."""
        for known in (self._read, self._posed, self._made):
            known.clear()


def _stamp(files: Sequence[Path]) -> Stamp:
    """By which a change on disk is seen; what cannot be read is told by the reader."""
    try:
        return tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    except OSError:
        return ()
