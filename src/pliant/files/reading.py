"""From a path to an asset: which reader it takes, and what to say when it cannot be read."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.files.limits import MOST_BYTES
from pliant.runtime.errors import FileError, PliantError

if TYPE_CHECKING:
    from pliant.files.asset import Asset
    from pliant.files.numbering import Numbering

# Modules are imported when a file of theirs is read: some need packages that take long to import or are extras.
READERS = {
    ".glb": "pliant.files.gltf:read",
    ".gltf": "pliant.files.gltf:read",
    ".usd": "pliant.files.usd:read",
    ".usda": "pliant.files.usd:read",
    ".usdc": "pliant.files.usd:read",
    ".usdz": "pliant.files.usd:read",
    ".obj": "pliant.files.obj:read",
    ".ply": "pliant.files.ply:read",
    ".stl": "pliant.files.stl:read",
    ".vtk": "pliant.files.vtk:read",
    ".msh": "pliant.files.msh:read",
    ".node": "pliant.files.tetgen:read",
    ".ele": "pliant.files.tetgen:read",
    ".npz": "pliant.files.body_npz:read",
}
READ_ENDINGS = tuple(READERS)
ANIMATED = (".glb", ".gltf", ".usd", ".usda", ".usdc", ".usdz")

# Files that people have and Pliant has not learnt to read: what to do instead.
READ_ELSEWHERE = {
    ".blend": "in Blender: File, Export, glTF 2.0",
    ".fbx": "import it into Blender and export it as glTF 2.0",
    ".dae": "import it into Blender and export it as glTF 2.0",
    ".abc": "import it into Blender and export it as glTF 2.0 or USD",
    ".ma": "export it from Maya as USD",
    ".mb": "export it from Maya as USD",
    ".max": "export it from 3ds Max as glTF or USD",
    ".vtu": "save it as a legacy .vtk file",
    ".vtp": "save it as a legacy .vtk file",
    ".off": "convert it to .ply or .obj",
}


def read_asset(
    path: str | Path,
    *,
    poses: Mapping[str, str | Path] | None = None,
    pose_folder: str | Path | None = None,
    sample: Sequence[float] | None = None,
) -> "Asset":
    """What is in a file: its mesh, its poses and how it is painted.

    poses: name -> a file that has the same mesh in another shape. pose_folder: a folder of such files; each pose is
    called after its file, less what the names have in common. sample: times (s) at which an animation in the file is
    looked at; each becomes a pose called "at 1.25 s".
    """
    path = Path(path)
    if not poses and pose_folder is None:
        times = _times(path, sample)
        return guarded(path, lambda: _checked(path, times))
    from pliant.files.siblings import with_siblings

    asset, numbering = read_numbered(path, sample)
    return with_siblings(asset, numbering, poses or {}, None if pose_folder is None else Path(pose_folder))


def read_numbered(path: str | Path, sample: Sequence[float] | None = None) -> tuple["Asset", "Numbering"]:
    """What is in a file, and how it numbers its points: so files that show it in further poses are understood."""
    path = Path(path)
    times = _times(path, sample)
    found: tuple[Asset, Numbering] = guarded(path, lambda: _numbered(path, times))
    return found


def _times(path: Path, sample: Sequence[float] | None) -> tuple[float, ...]:
    """Times (s) to look at, of a file that may have an animation."""
    ending, times = _ending(path), tuple(float(time) for time in sample or ())
    if times and ending not in ANIMATED:
        raise FileError(f"{path}: {ending} files have no animation to sample; give a .glb or .usd file")
    return times


def guarded(path: Path, read: Callable[[], Any]) -> Any:
    """What `read` makes of the file. Whatever goes wrong in it becomes a FileError of one line."""
    import numpy as np

    _present(path)
    try:
        with np.errstate(all="ignore"):  # what overflows is caught as a number that is not finite
            return read()
    except PliantError:
        raise
    except MemoryError:
        raise FileError(f"{path}: there is not enough memory to read it; make it simpler") from None
    except RecursionError:
        raise FileError(f"{path}: it is nested too deeply to be read; export it again") from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {one_line(error.strerror or error)}") from error
    except Exception as error:
        what = one_line(error) or type(error).__name__
        raise FileError(
            f"{path}: cannot be read as {path.suffix.lower()}, it may be damaged ({what}); export it again"
        ) from error


def reader_module(path: Path) -> Any:
    """The module that reads files with this ending."""
    return import_module(READERS[_ending(path)].partition(":")[0])


def one_line(text: object) -> str:
    """A text of others, fit to stand in a message of ours."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    return line if len(line) <= 200 else line[:197] + "..."


def _checked(path: Path, times: tuple[float, ...]) -> "Asset":
    from pliant.files.checks import checked

    module, _, function = READERS[_ending(path)].partition(":")
    return checked(getattr(import_module(module), function)(path, times))


def _numbered(path: Path, times: tuple[float, ...]) -> tuple["Asset", "Numbering"]:
    """The asset and how the file numbers its points; where a format has no numbering of its own, as its vertices."""
    import numpy as np

    from pliant.files.checks import checked
    from pliant.files.numbering import Numbering, of_elements

    module = reader_module(path)
    if hasattr(module, "read_numbered"):
        asset, numbering = module.read_numbered(path)
        return checked(asset), numbering
    asset = _checked(path, times)
    elements = asset.tets if asset.tets is not None else asset.faces
    return asset, Numbering(asset.vertices, np.arange(len(asset.vertices)), lambda: of_elements(elements))


def read_numbering(path: Path) -> "Numbering":
    """The points of a file that gives a pose."""
    module = reader_module(path)

    def read() -> "Numbering":
        return module.read_numbering(path) if hasattr(module, "read_numbering") else _numbered(path, ())[1]

    result: Numbering = guarded(path, read)
    return result


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending in READERS:
        return ending
    known = ", ".join(READ_ENDINGS)
    if ending in READ_ELSEWHERE:
        raise FileError(f"{path}: {ending} files cannot be read; {READ_ELSEWHERE[ending]}")
    if path.is_dir():
        raise FileError(f"{path}: this is a folder; name a file in it ({known})")
    raise FileError(f"{path}: {ending or 'a name without ending'} is not a format that can be read; give {known}")


def _present(path: Path) -> None:
    try:
        if path.is_dir():
            raise FileError(f"{path}: this is a folder; name a file in it")
        if not path.exists():
            raise FileError(f"{path}: there is no such file{_guess(path)}")
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{path}: cannot be read: {one_line(error)}") from error
    if size == 0:
        raise FileError(f"{path}: the file is empty; export it again")
    if size > MOST_BYTES:
        raise FileError(f"{path}: the file has {size / 1e9:.1f} GB, at most {MOST_BYTES / 1e9:g} GB are read")


def _guess(path: Path) -> str:
    """What may have been meant: a file with nearly the same name, or with another ending."""
    try:
        near = [other for other in path.parent.iterdir() if other.suffix.lower() in READERS and other.is_file()]
    except OSError:
        return "; check the name" if path.parent.exists() else f"; nor is there a folder {path.parent}"
    stems = get_close_matches(path.stem, {other.stem for other in near}, n=1)
    alike = [other for other in sorted(near) if other.stem in stems]
    alike.sort(key=lambda other: other.suffix.lower() != path.suffix.lower())  # of the same ending first
    return f"; did you mean {alike[0].name}?" if alike else "; check the name"
