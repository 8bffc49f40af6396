"""What bake and inspect take: a scene, an asset or an exhibit, and how to load it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.cli.names import known_exhibits
from pliant.runtime.errors import FileError, PliantError

if TYPE_CHECKING:
    from pliant.scene.schema import Scene
    from pliant.scene.show import Show

SCENE = ".toml"
GALLERY_PREFIX = "gallery:"
KINDS = ("solid", "shell", "rod")
STYLES = ("vertices", "weights", "skeleton")


@dataclass(frozen=True)
class Loading:
    """How a target is loaded and played; what is None is left to the target itself."""

    kind: str | None = None
    poses: dict[str, Path] = field(default_factory=dict)
    pose_folder: Path | None = None
    sample: tuple[float, ...] | None = None
    particles: int | None = None
    mesher: str | None = None
    fps: float | None = None
    substeps: int | None = None
    seconds: float | None = None
    seed: int | None = None
    threads: int | None = None
    precision: str | None = None
    changes: tuple[str, ...] = ()  # "key=value" each

    def given(self) -> dict[str, Any]:
        """What was said."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in values.items() if value not in (None, {}, ())}


def scene_from(target: str, loading: Loading) -> Scene | None:
    """The scene of a scene file, which also says what is to be written; None for assets and exhibits."""
    if Path(target).suffix.lower() != SCENE or target.startswith(GALLERY_PREFIX):
        return None
    from pliant.scene.targets import scene_for

    return scene_for(target, **_checked(loading))


def show_from(target: str, loading: Loading, scene: Scene | None = None) -> Show:
    """The show of a scene file, an asset, or `gallery:NAME`. scene: that of the file, if `scene_from` has read it."""
    if scene is not None:
        from pliant.scene.show import show_of

        return show_of(scene)
    given = _checked(loading)
    if not target.startswith(GALLERY_PREFIX):
        from pliant.scene.show import show_of

        return show_of(target, **given)
    (name,) = known_exhibits([target])
    given.pop("seed", None)  # nothing in an exhibit is left to chance
    for option in ("kind", "poses", "pose_folder", "sample", "particles", "mesher", "precision"):
        if option in given:
            said = {"kind": "as", "poses": "pose", "pose_folder": "poses"}.get(option, option)
            raise PliantError(f"{target}: an exhibit is built in and takes no --{said}; that is for files and scenes")
    from pliant.gallery.shows import show_of_exhibit

    return show_of_exhibit(name, **given)


def _checked(loading: Loading) -> dict[str, Any]:
    given = loading.given()
    for option, most in (("fps", 10_000), ("seconds", 100_000)):
        if not 0 < given.get(option, 1) <= most:
            raise PliantError(f"--{option} {given[option]:g}; give a number above 0, at most {most}")
    return given


def kind_and_style(values: Sequence[str]) -> tuple[str | None, str | None]:
    """`--as` says what a body is made as (solid, shell, rod) or what a .glb holds (vertices, weights, skeleton)."""
    kinds = [value for value in values if value in KINDS]
    styles = [value for value in values if value in STYLES]
    for value in values:
        if value not in KINDS + STYLES:
            known = "solid, shell or rod for the body, vertices, weights or skeleton for a .glb"
            raise PliantError(f'--as "{value}"; give {known}')
    for alike in (kinds, styles):
        if len(set(alike)) > 1:
            raise PliantError(f"--as {alike[0]} and --as {alike[1]} exclude each other; give one of them")
    return kinds[0] if kinds else None, styles[0] if styles else None


def body_kind(value: str | None) -> str | None:
    """`--as` where only a body is meant."""
    if value is not None and value not in KINDS:
        raise PliantError(f'--as "{value}"; give solid, shell or rod')
    return value


def check_picture(path: Path | None) -> None:
    """A picture is a .png in a place that can be written."""
    if path is None:
        return
    if path.suffix.lower() != ".png":
        raise FileError(f"{path}: a picture is written as .png; give it that ending")
    if path.is_dir():
        raise FileError(f"{path}: is a folder; give the name of a file")


def named_files(values: Sequence[str], option: str = "--pose") -> dict[str, Path]:
    """`--pose smile=bear_smile.obj`, any number of times."""
    found: dict[str, Path] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or not name.strip() or not path:
            raise PliantError(f'{option} "{value}"; give name=file, such as smile=bear_smile.obj')
        if name in found:
            raise PliantError(f'{option} "{name}" is given twice; give each pose a name of its own')
        found[name.strip()] = Path(path)
    return found


def numbers(text: str, option: str, count: int | None = None, between: str = ",") -> tuple[float, ...]:
    """Numbers with commas between them: `--camera 1,0.5,2`, `--sample 0.5,1`, `--size 1280x720`."""
    try:
        found = tuple(float(part) for part in text.split(between))
    except ValueError:
        found = ()
    if not found or (count is not None and len(found) != count) or not all(abs(f) < 1e9 for f in found):
        want = "numbers" if count is None else f"{count} numbers"
        raise PliantError(f'{option} "{text}"; give {want} with "{between}" between them')
    return found
