"""Settings from the command line: `bodies.bear.model.stiffness=3`, or shorter `stiffness=3` for all bodies."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from pliant.runtime.errors import SceneError
from pliant.scene.load import LISTS, checked, names_in
from pliant.scene.locate import Key, split_key
from pliant.scene.save import plain
from pliant.scene.save import value as as_text
from pliant.scene.schema import Scene
from pliant.scene.schema_text import item

EVERY_ITEM = "*"
EVERY_BODY = "body"
SWITCHED = ("on", "off")  # a pose, as the page switches it
EITHER: dict[str | int, str] = {"young": "stiffness", "stiffness": "young"}  # both say how hard a body is


def with_overrides(scene: Scene, settings: Sequence[str] | Mapping[str, Any]) -> Scene:
    """The scene with some values replaced, each given as "key=value", or all as a mapping.

    A key is a path such as `world.gravity` or `bodies.bear.model.stiffness`: bodies and colliders by name or by number,
    `*` for all. A single word is a setting of all bodies' models, else of the world, else of all bodies, and
    `body.stiffness` one of all bodies or their models. `body.poses.squash=off` forces a pose to 0, `on` lets it be
    found. A value is written as in the file; quotes round text may be left out. What is set here is no longer keyed
    over time; `young` takes the place of a number for `stiffness`.
    """
    data, found = deepcopy(plain(scene)), dict(scene.origin.settings)
    for key, given in _pairs(settings):
        setting = f"{key}={as_text(given)}"
        for path in _set(data, key, given, setting, scene.model_dump(mode="json")):
            found.pop(path, None)
            found[path] = setting
    return checked(data, replace(scene.origin, settings=found, names=names_in(data)))


def _pairs(settings: Sequence[str] | Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(settings, Mapping):
        yield from settings.items()
        return
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise SceneError(f'"{setting}" sets nothing; give key=value, such as stiffness=3 or world.gravity=[0,-3,0]')
        yield key.strip(), value_of(text)


def value_of(text: str) -> Any:
    """A value as it is written in a scene file, or text without quotes.

    >>> value_of("[0, -3, 0]"), value_of("double")
    ([0, -3, 0], 'double')
    """
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError, KeyError):
        return text.strip()


def _set(data: dict[str, Any], key: str, value: Any, setting: str, full: dict[str, Any]) -> list[Key]:
    """Put a value where it belongs; returns these places."""
    try:
        parts = split_key(re.sub(r"^(\s*\w+)\.\*", r'\1."*"', key))
    except ValueError:
        raise SceneError(f'{setting}: "{key}" is no key; give one such as bodies.bear.model.stiffness') from None
    paths = [path for meant in _meant(parts, setting, full) for path in _resolved(meant, setting, full)]
    for path in paths:
        if path[2:3] == ("poses",) and len(path) == 4 and value in SWITCHED:
            _switch(data, path, value == "on", setting, full)
        else:
            _put(data, path, deepcopy(value), setting, full)
    return paths


def _switch(data: dict[str, Any], path: Key, on: bool, setting: str, full: dict[str, Any]) -> None:
    """A pose that is off keeps its name and its measures, but no weight. One that is on is as the scene has it."""
    kind, number, _, pose = path
    body = item(full[str(kind)], number)
    if body["shape"] is not None and pose not in body["poses"]:  # those of a file are known when it is read
        close = get_close_matches(str(pose), list(body["poses"]), n=1)
        meant = f'did you mean "{close[0]}"? ' if close else ""
        raise SceneError(f'{setting}: there is no pose "{pose}"; {meant}there are {", ".join(body["poses"]) or "none"}')
    said = item(item(data[str(kind)], number), "model")
    forced = said.get("forced") if isinstance(said, dict) else None
    if on:
        if isinstance(forced, dict):
            forced.pop(pose, None)
        return
    _put(data, (kind, number, "model", "forced", pose), 0.0, setting, full)
    keys = item(item(data[str(kind)], number), "model").get("keys")
    if isinstance(keys, dict) and isinstance(keys.get("forced"), dict):
        keys["forced"].pop(pose, None)


def _meant(parts: list[str], setting: str, full: dict[str, Any]) -> list[list[str]]:
    """What a single word stands for."""
    if parts[0] == EVERY_BODY and len(parts) > 1:
        own = list(dict.fromkeys(name for body in full["bodies"] for name in (*body["model"], *body)))
        if parts[1] not in own:
            raise _unknown(parts[1], own, setting)
        return [
            ["bodies", str(i), *(["model"] if parts[1] in body["model"] and parts[1] not in body else []), *parts[1:]]
            for i, body in enumerate(full["bodies"])
        ]
    if len(parts) > 1 or parts[0] in full:
        return [parts]
    word = parts[0]
    models = [["bodies", str(i), "model", word] for i, body in enumerate(full["bodies"]) if word in body["model"]]
    if models:
        return models
    if word in full["world"]:
        return [["world", word]]
    bodies = [["bodies", str(i), word] for i, body in enumerate(full["bodies"]) if word in body]
    if bodies:
        return bodies
    known = [*full, *full["world"]]
    for body in full["bodies"]:
        known += [*body["model"], *body]
    raise _unknown(word, known, setting)


def _unknown(word: str, known: Sequence[str], setting: str) -> SceneError:
    valid = [name for name in dict.fromkeys(known) if name not in ("keys", "type", "name")]
    close = get_close_matches(word, valid, n=1)
    meant = f'did you mean "{close[0]}"? ' if close else ""
    return SceneError(f'{setting}: there is no key "{word}"; {meant}valid are {", ".join(valid)}')


def _resolved(parts: list[str], setting: str, full: dict[str, Any]) -> Iterator[Key]:
    """Names and numbers of things in lists, and `*`, as numbers."""
    if len(parts) > 1 and parts[0] in LISTS:
        for number in _numbers(parts[0], parts[1], setting, full):
            yield (parts[0], number, *_inner(parts[2:], full[parts[0]][number]))
    else:
        yield tuple(_inner(parts, full))


def _numbers(kind: str, which: str, setting: str, full: dict[str, Any]) -> list[int]:
    things = full[kind]
    if which == EVERY_ITEM:
        return list(range(len(things)))
    names = {int(number): name for (what, number), name in names_in(full).items() if what == kind}
    found = [number for number, name in names.items() if name == which]
    if not found and which.isdecimal() and int(which) < len(things):
        found = [int(which)]
    if found:
        return found
    valid = [str(names.get(number, number)) for number in range(len(things))]
    close = get_close_matches(which, valid, n=1)
    meant = f'did you mean "{close[0]}"? ' if close else ""
    noun = {"bodies": "body", "colliders": "collider"}[kind]
    raise SceneError(f'{setting}: there is no {noun} "{which}"; {meant}valid are {", ".join(valid) or "none"}')


def _inner(parts: Sequence[str], data: Any) -> list[str | int]:
    """Numbers of items where there is a list."""
    path: list[str | int] = []
    for part in parts:
        is_item = isinstance(data, list) and part.isdecimal()
        step: str | int = int(part) if is_item else part
        path.append(step)
        data = item(data, step)
    return path


def _put(data: Any, path: Key, value: Any, setting: str, full: Any) -> None:
    """Set the value at a path. What was left to its defaults, or said in short, is written out on the way."""
    for part in path[:-1]:
        full = item(full, part)
        inner = item(data, part)
        if not isinstance(inner, dict | list):
            short = {"type": inner} if isinstance(inner, str) else {}
            inner = deepcopy(full) if isinstance(full, list) else short
            _assign(data, part, inner, setting)
        data = inner
    _assign(data, path[-1], value, setting)
    other = EITHER.get(path[-1]) if path[-2:-1] == ("model",) else None
    if other is not None and isinstance(value, int | float) and not isinstance(data.get(other), dict):
        data.pop(other, None)
    if isinstance(data, dict) and isinstance(keys := data.get("keys"), dict):
        keys.pop(path[-1], None)
        if not keys:
            del data["keys"]


def _assign(data: Any, part: str | int, value: Any, setting: str) -> None:
    try:
        data[part] = value
    except (IndexError, TypeError):
        count = f"there are {len(data)} items here" if isinstance(data, list) else "there is nothing in it to set"
        raise SceneError(f'{setting}: "{part}" cannot be set; {count}, numbered from 0') from None
