"""Where a scene was written, so that what is wrong with it can be told by file and line."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pliant.runtime.errors import PliantError, SceneError
from pliant.scene.assets import SceneAssets
from pliant.scene.locate import BARE, Key, SourceSpan, locate


@dataclass(frozen=True, eq=False)
class Origin:
    """path and text: of the file, if there is one.  folder: what paths in the scene start from.  names: of things in
    lists, by their path, for messages.  settings: paths that were set by a `key=value` since, and by which.  assets:
    the files that were read for it and are not yet part of a world.

    All origins are equal: where a scene was written does not change what it says.
    """

    path: Path | None = None
    text: str = ""
    folder: Path = field(default_factory=Path)
    names: Mapping[Key, str] = field(default_factory=dict)
    settings: Mapping[Key, str] = field(default_factory=dict)
    assets: SceneAssets = field(default_factory=SceneAssets)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Origin)

    def __hash__(self) -> int:
        return 0

    @cached_property
    def _places(self) -> Mapping[Key, SourceSpan]:
        return locate(self.text)

    def line(self, key: Key) -> int | None:
        """The line of a key, or of the nearest table around it."""
        if self.path is None:
            return None
        for length in range(len(key), 0, -1):
            if place := self._places.get(key[:length]):
                return place.line
        return 1

    def setting(self, key: Key) -> str | None:
        """The `key=value` that last set a path, or something around it or in it."""
        found = None
        for path, text in self.settings.items():
            shorter = min(len(path), len(key))
            if path[:shorter] == key[:shorter]:
                found = text
        return found

    def where(self, key: Key) -> str:
        """`scene.toml:12: ` for a key, or the setting that put it there; empty for a scene made by a program."""
        if setting := self.setting(key):
            return f"{setting}: "
        if self.path is None:
            return ""
        return f"{shown_path(self.path)}:{self.line(key)}: "

    def dotted(self, key: Key) -> str:
        """A path as `--set` takes it: things in the scene's lists by name, items of other lists by number."""
        text = ""
        for length, part in enumerate(key, 1):
            if isinstance(part, int) and length == 2:
                part = self.names.get(key[:length], str(part))
            if isinstance(part, int):
                text += f"[{part}]"
            else:
                text += ("." if text else "") + (part if BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False))
        return text

    def error(self, key: Key, message: str) -> SceneError:
        """One line: where, which key, and what is wrong with it."""
        dotted = self.dotted(key)
        return SceneError(f"{self.where(key)}{dotted}{': ' if dotted else ''}{message}")

    @contextmanager
    def at(self, *key: str | int) -> Iterator[None]:
        """What goes wrong in the block is told with the place of a key."""
        try:
            yield
        except SceneError:
            raise
        except PliantError as error:
            raise self.error(key, str(error)) from error


def shown_path(path: Path) -> str:
    """As short as it can be said from here."""
    try:
        near = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if near.startswith("..") else near
