"""Scenes from TOML."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pliant.runtime.errors import SceneError
from pliant.scene.locate import Key
from pliant.scene.mistakes import scene_error
from pliant.scene.origin import Origin, shown_path
from pliant.scene.schema import Scene

LARGEST_SCENE = 64 * 1024 * 1024  # bytes; a scene of this size is something else
LISTS = ("colliders", "bodies")


def load_scene(path: str | Path) -> Scene:
    """The scene in a file. Paths in it start from the file's folder."""
    path = Path(path)
    shown = shown_path(path)
    try:
        if path.stat().st_size > LARGEST_SCENE:
            raise SceneError(f"{shown}: {path.stat().st_size / 1e6:.0f} MB is no scene file; give a .toml file")
        raw = path.read_bytes()
    except FileNotFoundError:
        way = f"`pliant scene --new ASSET -o {path.name}` makes one"
        raise SceneError(f"{shown}: there is no such file; {way}") from None
    except OSError as error:
        raise SceneError(f"{shown}: cannot be read: {error.strerror or error}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SceneError(f"{shown}:{line}: this is not text in UTF-8; save it as UTF-8") from None
    return scene_from_text(text, path)


def scene_from_text(text: str, path: Path | None = None) -> Scene:
    """The scene in a TOML text. `path` is what messages call it, and paths in it start from its folder.

    >>> scene_from_text('[[bodies]]\\nshape = "teddy"\\n[bodies.model]\\nstifness = 3')
    Traceback (most recent call last):
    ...
    pliant.SceneError: bodies.teddy.model.stifness: there is no key "stifness"; did you mean "stiffness"? ...
    """
    text = text.replace("\r\n", "\n")
    data = parse(text, path)
    folder = Path() if path is None else path.parent
    return checked(data, Origin(path, text, folder, names_in(data)))


def parse(text: str, path: Path | None = None) -> dict[str, Any]:
    """What a TOML text says."""
    shown = "scene" if path is None else shown_path(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
        said = message[: place.start()] if place else message
        line, column = (int(place[1]), int(place[2])) if place and place[1] else _end(text)
        if said.startswith("Invalid initial character for a key") and text.split("\n")[line - 1][column - 1 :] == "":
            said = "A table in braces { } must stand on one line"
        if said.startswith("Illegal character '\\n'"):
            said = "A text in quotes must end on its line; three quotes take more lines"
        raise SceneError(f"{shown}:{line}:{column}: not TOML: {said[0].lower()}{said[1:]}") from None
    except RecursionError:
        raise SceneError(f"{shown}: nested too deeply") from None
    except ValueError as error:  # numbers with thousands of digits
        raise SceneError(f"{shown}: not TOML: {error}") from None


def _end(text: str) -> tuple[int, int]:
    lines = text.split("\n")
    return len(lines), len(lines[-1]) + 1


def checked(data: Mapping[str, Any], origin: Origin) -> Scene:
    """The scene that plain data say, or the one line that tells what is wrong with them."""
    try:
        scene = Scene.model_validate(data)
    except ValidationError as error:
        raise scene_error(error, data, origin) from None
    return scene.written_at(origin)


def names_in(data: Mapping[str, Any]) -> dict[Key, str]:
    """What the colliders and bodies of a scene are called, by their place."""
    names: dict[Key, str] = {}
    for kind in LISTS:
        things = data.get(kind)
        for number, thing in enumerate(things if isinstance(things, list) else []):
            if isinstance(thing, dict) and (name := _name(thing)):
                names[kind, number] = name
    return names


def _name(thing: Mapping[str, Any]) -> str | None:
    name, file, shape = thing.get("name"), thing.get("file"), thing.get("shape")
    if isinstance(name, str):
        return name
    if isinstance(file, str) and file:
        return Path(file).stem
    kind = shape.get("type") if isinstance(shape, dict) else shape
    return kind if isinstance(kind, str) else None
