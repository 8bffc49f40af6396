"""Values keyed over time: the animation tracks of a scene."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np
from pydantic import AfterValidator, Field

from pliant.scene.choices import by_type
from pliant.scene.values import Array, Degrees, Seconds, Table, Vector, listed, made_table, matrix, mistake, worded

FREE = "free"
Between: TypeAlias = Literal["linear", "smooth", "step"]
Key: TypeAlias = tuple[float, Any]  # seconds and a number, a vector or "free"


def _rising(keys: list[Key]) -> list[Key]:
    for number, ((before, _), (after, _)) in enumerate(pairwise(keys), 1):
        if after <= before:
            raise mistake(f"a key at {after:g} s follows one at {before:g} s; times must rise", number)
    return keys


def keys_of(value: Any) -> Any:
    """The type of a list of keys whose values are of a type."""
    key = listed(tuple[Seconds, value], "a key [seconds, value]")
    keys = worded(Annotated[list[key], Field(min_length=1)], "keys [[seconds, value], ...]")  # type: ignore[valid-type]
    return Annotated[keys, AfterValidator(_rising)]


def _between() -> Any:
    return Field(
        "linear", description="the way from key to key: straight, easing out and in, or a jump when the next key comes"
    )


def keyed(value: Any, name: str) -> Any:
    """The type of a track: keys alone, or a table of keys and the way between them. `name` is what the table is
    called in the schema."""
    keys = keys_of(value)
    about = Field(description="[seconds, value] in the order of time; before the first and after the last it rests")
    fields = {"keys": (keys, about), "between": (Between, _between())}
    table = made_table(name, "Keys, and the way between them.", fields)
    return by_type(list=keys, table=table)


class PathTable(Table):
    """Motion over time, from where a thing was placed or taken hold of."""

    if TYPE_CHECKING:
        move: list[Key] | None
        turn: list[Key] | None
    else:
        move: keys_of(Vector) | None = Field(
            None, description="offsets [[seconds, [x, y, z]], ...]", json_schema_extra={"unit": "m"}
        )
        turn: keys_of(Degrees) | None = Field(
            None,
            description="turns about its own centre [[seconds, [x, y, z]], ...], as in `rotation`",
            json_schema_extra={"unit": "degrees"},
        )
    between: Between = _between()


if TYPE_CHECKING:
    MotionPath: TypeAlias = list[Key] | PathTable
else:
    MotionPath = by_type(list=keys_of(Vector), table=PathTable)


@dataclass(frozen=True, eq=False)
class AnimationTrack:
    """Keys that can be asked for a value at any time: a number, a vector, or None while it is free."""

    times: tuple[float, ...]
    values: tuple[Any, ...]
    between: str

    @staticmethod
    def of(given: Any) -> "AnimationTrack":
        """From what a scene says: keys, or a table with keys."""
        if isinstance(given, Table):
            return AnimationTrack.through(given.keys, given.between)  # type: ignore[attr-defined]
        return AnimationTrack.through(given, "linear")

    @staticmethod
    def through(keys: Sequence[Key], between: str) -> "AnimationTrack":
        values = (None if value == FREE else np.asarray(value, dtype=np.float64) for _, value in keys)
        return AnimationTrack(tuple(time for time, _ in keys), tuple(values), between)

    def __call__(self, time: float) -> Any:
        """
        >>> track = AnimationTrack.through([(0, 1.0), (2, 3.0)], "linear")
        >>> track(-1), track(0.5), track(9)
        (1.0, 1.5, 3.0)
        """
        after = bisect_right(self.times, time)
        before = max(after - 1, 0)
        here = self.values[before]
        there = self.values[min(after, len(self.times) - 1)]
        if here is None:
            return None
        # What is free next is held until then: there is no way from a number to none.
        if there is None or there is here or self.between == "step" or time <= self.times[before]:
            return here.tolist() if here.ndim else float(here)
        s = (time - self.times[before]) / (self.times[after] - self.times[before])
        if self.between == "smooth":
            s = s * s * (3.0 - 2.0 * s)
        value = (1.0 - s) * here + s * there
        return value.tolist() if value.ndim else float(value)


@dataclass(frozen=True, eq=False)
class KeyedMotion:
    """A path as the world asks for it, with the seconds since it began: offset (3,) m and rotation (3, 3)."""

    move: AnimationTrack
    turn: AnimationTrack
    begin: float = 0.0

    @staticmethod
    def of(given: MotionPath, begin: float = 0.0) -> "KeyedMotion":
        """The keys count from the beginning of the scene, whenever the thing was taken hold of."""
        table = given if isinstance(given, PathTable) else None
        move, turn = (table.move, table.turn) if table else (given, None)
        still = [(0.0, (0.0, 0.0, 0.0))]
        between = table.between if table else "linear"
        moving = AnimationTrack.through(move or still, between)  # type: ignore[arg-type]
        return KeyedMotion(moving, AnimationTrack.through(turn or still, between), begin)

    def __call__(self, seconds: float) -> tuple[Array, Array]:
        time = self.begin + seconds
        return np.asarray(self.move(time)), matrix(tuple(self.turn(time)))
