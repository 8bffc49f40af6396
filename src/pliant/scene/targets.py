"""Scenes for what people name: a scene file, an asset, or a scene, with what they want otherwise."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pliant.runtime.errors import SceneError
from pliant.scene.assets import Progress
from pliant.scene.default import further_poses, scene_of
from pliant.scene.load import load_scene
from pliant.scene.overrides import with_overrides
from pliant.scene.schema import Scene

SCENE = ".toml"
OF_THE_WORLD = ("seconds", "seed", "precision", "threads")
OF_THE_OUTPUT = ("frames", "fps")
OF_FILES = ("kind", "particles", "mesher", "density", "thickness")
OF_ONE_FILE = ("poses", "pose_folder", "sample")
KNOWN_OPTIONS = (*OF_THE_WORLD, *OF_THE_OUTPUT, "substeps", *OF_FILES, *OF_ONE_FILE, "changes")


def scene_for(target: str | Path | Scene, *, progress: Progress = None, **overrides: Any) -> Scene:
    """The scene of a .toml file, of an asset, or one that is there already, with the overrides of `show_of`. progress:
    told how far it is with the body of an asset, which is made to find its size."""
    for name in overrides:
        if name not in KNOWN_OPTIONS:
            close = get_close_matches(name, KNOWN_OPTIONS, n=1)
            meant = f'; did you mean "{close[0]}"?' if close else ""
            raise SceneError(f'there is no override "{name}"{meant} (valid: {", ".join(KNOWN_OPTIONS)})')
    given = {name: value for name, value in overrides.items() if value is not None}
    if isinstance(target, Scene):
        scene = target
    elif Path(target).suffix.lower() == SCENE:
        scene = load_scene(target)
    else:
        options = {name: given.pop(name) for name in (*OF_FILES, *OF_ONE_FILE) if name in given}
        scene = scene_of(target, progress=progress, **options)
    scene = with_overrides(scene, _changes(scene, given))
    # Last, so that a setting which was named has the last word.
    return with_overrides(scene, given.get("changes", {}))


def _changes(scene: Scene, given: Mapping[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {f"world.{name}": given[name] for name in OF_THE_WORLD if name in given}
    changes |= {f"output.{name}": given[name] for name in OF_THE_OUTPUT if name in given}
    if "seconds" in given and "frames" not in given and scene.output.frames is not None:
        fps = given.get("fps", scene.output.fps or scene.world.fps)
        changes["output.frames"] = round(given["seconds"] * fps) + 1
    if "substeps" in given:  # of each frame that leaves, however many the world has
        fps = given.get("fps", scene.output.fps or scene.world.fps)
        changes |= {"world.fps": fps, "world.substeps": given["substeps"]}
    files = [number for number, body in enumerate(scene.bodies) if body.file is not None]
    for name in OF_FILES:
        if name in given:
            _some(files, name)
            changes |= {f"bodies.{number}.{name}": given[name] for number in files}
    asked = {name: given[name] for name in OF_ONE_FILE if name in given}
    if asked:
        name = next(iter(asked))
        _some(files, name)
        if len(files) > 1:
            raise SceneError(f"{name}: {len(files)} bodies of the scene are from files; write it into the scene file")
        body = scene.bodies[files[0]].model_dump(mode="json", exclude_unset=True)
        for key, value in further_poses(**asked).items():
            changes[f"bodies.{files[0]}.{key}"] = {**body.get("poses", {}), **value} if key == "poses" else value
    return changes


def _some(files: Sequence[int], name: str) -> None:
    if not files:
        raise SceneError(f"{name}: the scene has no body from a file; leave it out")
