"""From what a scene says of a body to the body itself: read or made, posed, grouped and painted."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from inspect import signature
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant import poses, shapes
from pliant.body import Body
from pliant.runtime.errors import BodyError
from pliant.scene import needs
from pliant.scene.assets import Progress
from pliant.scene.locate import Key
from pliant.scene.makers import arguments
from pliant.scene.origin import Origin
from pliant.scene.schema import FilePose, OriginalPose, SampledPose, SceneBody
from pliant.scene.selection import chosen
from pliant.scene.values import rgb

if TYPE_CHECKING:
    from pliant.files.asset import Asset
    from pliant.volume import Embodied

# What of a scene's body decides what body it is; the rest is model and placement.
OF_THE_BODY = {
    "file", "shape", "file_poses", "pose_folder", "poses", "groups", "kind", "particles", "mesher", "density",
    "thickness", "colour",
}  # fmt: skip
MOST_CELLS = 1_000_000  # of a shape
PARTICLES = 600  # of a file, if not said


@dataclass(frozen=True, eq=False)
class BuiltBody:
    """A body ready to be put into a world.  embodied: what is known of it if it came from a file.  notes: what was left
    out or mended."""

    body: Body
    embodied: "Embodied | None" = None
    notes: tuple[str, ...] = ()


class BodyBuilder:
    """Makes bodies; what is said twice is made once."""

    def __init__(self, origin: Origin, progress: Progress = None) -> None:
        self.origin, self.progress = origin, progress
        self._made: dict[str, BuiltBody] = {}

    def build(self, said: SceneBody, key: Key) -> BuiltBody:
        same = said.model_dump_json(include=OF_THE_BODY)
        if same not in self._made:
            self._made[same] = self._make(said, key)
        return self._made[same]

    def _make(self, said: SceneBody, key: Key) -> BuiltBody:
        built = self._from_file(said, key) if said.file is not None else BuiltBody(self._from_shape(said, key))
        body = built.body
        for name, pose in said.poses.items():
            if hasattr(pose, "type"):
                with self.origin.at(*key, "poses", name):
                    body = body.with_pose(name, getattr(poses, pose.type)(body, **arguments(pose)))
        for name, selection in said.groups.items():
            with self.origin.at(*key, "groups", name):
                body = body.with_group(name, chosen(selection, body, "the group"))
        if said.colour is not None:
            body = painted(body, rgb(said.colour))
        return replace(built, body=body)

    def _from_shape(self, said: SceneBody, key: Key) -> Body:
        name = said.shape if isinstance(said.shape, str) else said.shape.type  # type: ignore[union-attr]
        make = getattr(shapes, name)
        values = {} if isinstance(said.shape, str) else arguments(said.shape)  # type: ignore[arg-type]
        takes = signature(make).parameters
        for common in ("particles", "density", "thickness"):
            value = getattr(said, common)
            if value is not None and common not in takes:
                own = ", ".join(each for each in takes if each != "name")
                raise self.origin.error((*key, common), f'the shape "{name}" takes none; it takes {own}')
            if value is not None:
                values[common] = value
        if prod(values.get("cells", ())) > MOST_CELLS:
            message = f"{prod(values['cells']):,} cells; give at most {MOST_CELLS:,} in all"
            raise self.origin.error((*key, "shape", "cells"), message)
        defaults = {each: p.default for each, p in takes.items()}
        count = needs.particles_of(name, values, defaults)
        fewer = ("shape", "cells") if "cells" in takes else ("particles",)
        with self.origin.at(*key, *fewer):
            filled = not {"cells", "radius"}.intersection(takes)  # sculpted
            needs.check_memory(needs.bytes_of_shape(name, count, filled), f"{count:,} particles", f"fewer {fewer[-1]}")
        with self.origin.at(*key, "shape"):
            body: Body = make(**values)
        return body

    def _from_file(self, said: SceneBody, key: Key) -> BuiltBody:
        asset = asset_of(said, key, self.origin)
        kept = self._kept(said, key, asset.poses)
        count = said.particles or PARTICLES
        with self.origin.at(*key, "particles"):
            need = needs.PARTICLE * count + needs.bytes_of_filling(count)
            needs.check_memory(need, f"{count:,} particles", "fewer particles")
        options = {name: getattr(said, name) for name in ("kind", "particles", "mesher", "density", "thickness")}
        with self.origin.at(*key, "file"):
            given = {name: value for name, value in options.items() if value is not None}
            made = self.origin.assets.embody(replace(asset, poses=kept), self.progress, **given)
        return BuiltBody(made.body, made, made.notes)

    def _kept(self, said: SceneBody, key: Key, found: Mapping[str, Any]) -> dict[str, Any]:
        """The poses of the file that are wanted, under the names that are wanted: the file's own first."""
        renamed = {name: source for name, pose in said.poses.items() if (source := source_of(name, pose)) is not None}
        taken = set(renamed.values())
        own = [name for name in found if name not in taken]
        if said.file_poses == "none":
            own = []
        elif isinstance(said.file_poses, list):
            for number, name in enumerate(said.file_poses):
                self._check_known(name, found, (*key, "file_poses", number))
            own = list(said.file_poses)
        kept = {name: found[name] for name in own}
        for name, source in renamed.items():
            self._check_known(source, found, (*key, "poses", name))
            if name in kept:
                message = "the file has a pose of that name; choose another, or leave the file's out with `file_poses`"
                raise self.origin.error((*key, "poses", name), message)
            kept[name] = found[source]
        return kept

    def _check_known(self, name: str, found: Mapping[str, Any], key: Key) -> None:
        if name not in found:
            close = get_close_matches(name, list(found), n=1)
            meant = f'did you mean "{close[0]}"? ' if close else ""
            there = ", ".join(f'"{each}"' for each in found) or "none"
            raise self.origin.error(key, f'the file has no pose "{name}"; {meant}it has {there}')


def asset_of(said: SceneBody, key: Key, origin: Origin) -> "Asset":
    """What is in the files of a body, read once for a scene."""
    assert said.file is not None
    folder = origin.folder
    files = {name: folder / pose.file for name, pose in said.poses.items() if isinstance(pose, FilePose)}
    times = sorted({pose.at for pose in said.poses.values() if isinstance(pose, SampledPose)})
    with origin.at(*key, "file"):
        poses_in = None if said.pose_folder is None else folder / said.pose_folder
        return origin.assets.read(folder / said.file, files, poses_in, times)


def source_of(name: str, pose: Any) -> str | None:
    """What a reader calls the pose that gets this name; None for one that is made."""
    if isinstance(pose, FilePose):
        return name
    if isinstance(pose, OriginalPose):
        return pose.original
    if isinstance(pose, SampledPose):
        return f"at {pose.at:g} s"
    return None


def files_of(said: SceneBody, folder: Path) -> list[Path]:
    """The files that a body is read from."""
    assert said.file is not None
    return [folder / said.file, *(folder / pose.file for pose in said.poses.values() if isinstance(pose, FilePose))]


def painted(body: Body, colour: tuple[float, float, float]) -> Body:
    """One colour all over, in place of colours and pictures."""
    if not len(body.skin.vertices):
        raise BodyError(f'body "{body.name}" has no skin to paint')
    colours: NDArray[np.float64] = np.tile(np.asarray(colour), (len(body.skin.vertices), 1))
    return body.with_skin(replace(body.skin, colours=colours, look=None))
