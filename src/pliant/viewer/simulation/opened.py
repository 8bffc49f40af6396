"""Assets and scene files in the viewer: to pages and sessions they look like exhibits."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any

from pliant.runtime.errors import FileError, PliantError

if TYPE_CHECKING:
    from pliant.gallery.exhibit import Exhibit
    from pliant.scene.schema import Scene
    from pliant.scene.show import Show

Tell = Callable[[int, int], None]

SCENE = ".toml"
FPS = 60.0  # frames that are shown; the steps of a scene stay as fine as it asks


@dataclass(frozen=True, eq=False)
class Opened:
    """name: in addresses.  title: for people.  options: what `show_of` is told.  enclosed: it came through a page, so
    that it may lead to nothing outside its folder, and no message tells where that folder is."""

    name: str
    path: Path
    options: Mapping[str, Any] = field(default_factory=dict)
    enclosed: bool = False
    title: str = ""
    paper: str = ""
    _read: dict[tuple[int, int], "Scene"] = field(default_factory=dict, repr=False)  # the last, by time and size

    @property
    def is_asset(self) -> bool:
        """Whether it is a mesh rather than a scene, which was arranged."""
        return self.path.suffix.lower() != SCENE

    @property
    def about(self) -> str:
        kind = "A scene" if self.path.suffix.lower() == SCENE else "Dropped on the floor"
        return f"{kind}, from {self.path.name}."

    def stage(self, progress: Tell | None = None) -> "Show":
        """Read and built anew each time: a reset shows what has been changed in the file."""
        from pliant.scene.build import stage

        try:
            return stage(self._scene(progress), None, progress)
        except PliantError as error:
            raise self._plainly(error) from error

    def scene(self) -> "Scene":
        """What is played; the one that was built last, unless the file has been changed."""
        try:
            return self._scene()
        except PliantError as error:
            raise self._plainly(error) from error

    def checked(self) -> "Opened":
        """The same with its title. Everything is read once, so that a file which cannot be shown is refused before
        anything starts."""
        from pliant.scene.body_builder import asset_of

        try:
            scene = self._scene()
            for number, body in enumerate(scene.bodies):
                if body.file is not None:
                    asset_of(body, ("bodies", number), scene.origin)
            for number, collider in enumerate(scene.colliders):
                if collider.type == "mesh":
                    with scene.origin.at("colliders", number, "file"):
                        scene.origin.assets.read(scene.origin.folder / collider.file)
        except PliantError as error:
            raise self._plainly(error) from error
        return replace(self, title=scene.title or self.path.stem)

    def _scene(self, progress: Tell | None = None) -> "Scene":
        """Read again only if the file has changed: for an asset, which is read to find its size, that takes long."""
        try:
            stamp = self.path.stat().st_mtime_ns, self.path.stat().st_size
        except OSError:
            return self._scene_anew(progress)  # which tells what is wrong
        if stamp not in self._read:
            scene = self._scene_anew(progress)
            self._read.clear()
            self._read[stamp] = scene
        return self._read[stamp]

    def _scene_anew(self, progress: Tell | None) -> "Scene":
        from pliant.scene.targets import scene_for

        if self.path.suffix.lower() != SCENE:
            return scene_for(self.path, progress=progress, fps=FPS, **self.options)
        from pliant.scene.load import load_scene

        scene = load_scene(self.path)
        if self.enclosed:
            check_enclosed(scene)
        return scene_for(scene, fps=FPS, **self.options)

    def _plainly(self, error: PliantError) -> PliantError:
        if not self.enclosed:
            return error
        text = str(error)
        for folder in (self.path.parent, self.path.parent.resolve()):
            text = text.replace(f"{folder}{os.sep}", "").replace(str(folder), "the folder")
        return FileError(text)


def check_enclosed(scene: "Scene") -> None:
    """That a scene names only files in its own folder."""
    listed: list[tuple[tuple[str | int, ...], Any]] = []
    for number, collider in enumerate(scene.colliders):
        listed.append((("colliders", number, "file"), getattr(collider, "file", None)))
    for number, body in enumerate(scene.bodies):
        whose = ("bodies", number)
        listed += [((*whose, "file"), body.file), ((*whose, "pose_folder"), body.pose_folder)]
        listed += [((*whose, "poses", name, "file"), getattr(pose, "file", None)) for name, pose in body.poses.items()]
    for key, path in listed:
        if path is not None and leads_out(str(path)):
            message = "leads out of the folder; drop the files that the scene needs together with it"
            raise scene.origin.error(key, message)


def leads_out(path: str) -> bool:
    """Whether a path, of any kind of machine, could be of a file outside the folder that it starts from.

    >>> [leads_out(each) for each in ("bear.glb", "poses/smile.obj", "../bear.glb", "/etc/passwd", "C:bear.glb")]
    [False, False, True, True, True]
    """
    told = PureWindowsPath(path)  # takes both kinds of slashes
    return bool(told.anchor) or ".." in told.parts or path.startswith("~") or "\0" in path


def show_for(exhibit: "Exhibit | Opened", progress: Tell | None = None) -> "Show":
    """The show of whatever a session plays."""
    if isinstance(exhibit, Opened):
        return exhibit.stage(progress)
    from pliant.gallery.shows import show_of_exhibit

    return show_of_exhibit(exhibit)
