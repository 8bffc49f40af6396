"""What every bake of a sweep reads, in one piece that can be sent to another machine: the scene and its files, named by
what is in them. A worker unpacks it once."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from pliant.files.whole import whole_folder
from pliant.runtime.errors import FileError
from pliant.scene import Scene, scene_from_text, scene_text
from pliant.scene.load import checked
from pliant.scene.save import plain

LARGEST_READ = 64 * 1024 * 1024  # bytes of a file that is searched for names of others
TEXT_KEYS = ("file", "pose_folder")  # of bodies and colliders: a path


@dataclass(frozen=True, eq=False)
class Assets:
    """text: of the scene, or empty for an exhibit.  exhibit: its name, or empty.  folder: of the scene, below the top
    of the files.  files: content by path, with slashes.  digest: a hash of all of it."""

    name: str
    text: str
    exhibit: str
    folder: str
    files: Mapping[str, bytes]
    digest: str

    @property
    def size(self) -> int:
        """Bytes that are sent."""
        return len(self.text) + sum(map(len, self.files.values()))

    def unpacked(self, place: Path) -> Path:
        """The folder of the scene in `place`, where all files are afterwards; written once."""
        top = place / f"assets-{self.digest[:16]}"
        if not top.is_dir():
            with whole_folder(top) as made:
                for name, content in self.files.items():
                    path = made / PurePosixPath(name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
                (made / self.folder).mkdir(parents=True, exist_ok=True)
        return top / self.folder

    def scene(self, folder: Path) -> Scene:
        """The scene, with its files below a folder where it was unpacked."""
        return scene_from_text(self.text, folder / f"{self.name}.toml")


def of_exhibit(name: str) -> Assets:
    """Exhibits are part of Pliant, which workers have."""
    return Assets(name, "", name, ".", {}, sha256(f"exhibit {name}".encode()).hexdigest())


def of_scene(scene: Scene, name: str, settings: Iterable[tuple[str, Any]] = ()) -> Assets:
    """A scene and all files that it reads, or would read with one of the settings."""
    folder = Path(os.path.abspath(scene.origin.folder))
    scene = _relative(scene, folder)
    named = [*_named(plain(scene)), *(value for key, value in settings if is_path(key) and isinstance(value, str))]
    paths = sorted({found for each in named for found in _with_companions(folder / each)})
    top = Path(os.path.commonpath([folder, *(path.parent for path in paths)]))
    files = {path.relative_to(top).as_posix(): path.read_bytes() for path in paths}
    text = scene_text(scene)
    below = folder.relative_to(top).as_posix()
    hashed = sha256(f"{text}\0{below}".encode())
    for path, content in files.items():
        hashed.update(f"\0{path}\0{len(content)}\0".encode() + sha256(content).digest())
    return Assets(name, text, "", below, files, hashed.hexdigest())


def is_path(key: str) -> bool:
    """Whether a setting names a file."""
    return key.rpartition(".")[2] in TEXT_KEYS


def portable(value: Any, folder: Path) -> Any:
    """A path as it can be said from the folder of the scene on any machine."""
    if isinstance(value, str) and os.path.isabs(value):
        return Path(os.path.relpath(value, folder)).as_posix()
    return value


def _relative(scene: Scene, folder: Path) -> Scene:
    data = plain(scene)
    changed = False
    for thing in (*data.get("bodies", []), *data.get("colliders", [])):
        for table in (thing, *(pose for pose in thing.get("poses", {}).values() if isinstance(pose, dict))):
            for key in TEXT_KEYS:
                if key in table and portable(table[key], folder) != table[key]:
                    table[key], changed = portable(table[key], folder), True
    return checked(data, scene.origin) if changed else scene


def _named(data: Mapping[str, Any]) -> list[str]:
    found = []
    for thing in (*data.get("bodies", []), *data.get("colliders", [])):
        found += [thing[key] for key in TEXT_KEYS if thing.get(key)]
        found += [pose["file"] for pose in thing.get("poses", {}).values() if isinstance(pose, dict) and "file" in pose]
    return found


def _with_companions(path: Path) -> list[Path]:
    """A file and those that it names: buffers of a .gltf, materials of an .obj and their pictures. A name that stands
    in the text of a file and is there is taken along; a folder is taken whole."""
    path = Path(os.path.normpath(path))
    if path.is_dir():
        return [each for each in sorted(path.rglob("*")) if each.is_file()]
    found: list[Path] = []
    ahead = [path]
    while ahead:
        here = ahead.pop()
        try:
            content = here.read_bytes() if here.stat().st_size <= LARGEST_READ else b""
        except OSError as error:
            raise FileError(f"{here}: cannot be read: {error.strerror or error}") from None
        found.append(here)
        for other in _neighbours(here):
            name = other.relative_to(here.parent).as_posix()
            if other not in found and other not in ahead and name.encode() in content:
                ahead.append(other)
    return found


def _neighbours(path: Path) -> list[Path]:
    """Files beside it, and in the folders beside it."""
    beside = [each for each in sorted(path.parent.iterdir()) if each != path]
    inside = [file for each in beside if each.is_dir() and not each.name.startswith(".") for file in _files_in(each)]
    return [each for each in beside if each.is_file()] + inside


def _files_in(folder: Path) -> list[Path]:
    try:
        return [each for each in sorted(folder.iterdir()) if each.is_file()]
    except OSError:
        return []
