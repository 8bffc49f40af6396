"""What makes arrays fit to be a body. A check returns read-only copies or says what to change."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.geometry.measures import areas, lengths, volumes
from pliant.runtime.errors import BodyError

Array = NDArray[np.float64]
Positions: TypeAlias = ArrayLike | Callable[[Array], ArrayLike]
Poses: TypeAlias = Mapping[str, Positions] | Iterable[tuple[str, Positions]]

KIND_BY_CORNERS = {4: "solid", 3: "shell", 2: "rod"}
ELEMENTS = {4: "tet", 3: "triangle", 2: "segment"}
FLAT = 1e-9  # of the cube of the longest edge: below it a tet has no inside worth the name


def frozen(values: Any, dtype: Any) -> NDArray[Any]:
    """A read-only copy, so that a body cannot be changed behind the back of what was prepared from it."""
    copy = np.array(values, dtype=dtype, order="C")
    copy.flags.writeable = False
    return copy


def floats(values: Any, what: str, columns: int = 3) -> Array:
    """A read-only (N, columns) array of finite numbers."""
    shape = f"(N, {columns})"
    try:
        array = frozen(values, np.float64)
    except (TypeError, ValueError):
        raise BodyError(f"{what}: these are not numbers; give an array of shape {shape}") from None
    if array.ndim != 2 or array.shape[1] != columns:
        raise BodyError(f"{what}: the shape is {array.shape}; give an array of shape {shape}")
    wrong = np.flatnonzero(~np.isfinite(array).all(axis=1))
    if len(wrong):
        row = ", ".join(f"{x:g}" for x in array[wrong[0]])
        raise BodyError(f"{what}: row {wrong[0]} is ({row}); every number must be finite")
    return array


def indices(values: Any, what: str, columns: int, count: int) -> NDArray[np.int32]:
    """A read-only (N, columns) array of whole numbers from 0 to count - 1."""
    array = np.asarray(values)
    if array.ndim != 2 or array.shape[1] != columns:
        raise BodyError(f"{what}: the shape is {array.shape}; give {columns} indices a row")
    if not np.issubdtype(array.dtype, np.integer):
        raise BodyError(f"{what}: the indices are {array.dtype}; give whole numbers")
    wrong = np.flatnonzero(((array < 0) | (array >= count)).any(axis=1))
    if len(wrong):
        raise BodyError(
            f"{what}: row {wrong[0]} is {tuple(array[wrong[0]].tolist())}; indices run from 0 to {count - 1}"
        )
    return frozen(array, np.int32)


def one_line(name: Any, what: str) -> str:
    """A name that people can read and programs can look up."""
    if not isinstance(name, str) or not name.strip():
        raise BodyError(f"{what} has the name {name!r}; give some letters")
    return name


def positive(value: Any, what: str, unit: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not (np.isfinite(number) and number > 0):
        raise BodyError(f"{what} is {value!r}; give a number above 0 ({unit})")
    return number


def mesh(rest: Array, tets: Any, triangles: Any, segments: Any, what: str) -> NDArray[np.int32]:
    """The one kind of elements that was given, none of them flat or inside out and no particle left over."""
    given = [(4, tets), (3, triangles), (2, segments)]
    given = [(corners, values) for corners, values in given if values is not None]
    if len(given) != 1:
        raise BodyError(
            f"{what}: {len(given)} kinds of elements given; give one of tets=, triangles=, segments="
        )
    corners, values = given[0]
    noun = ELEMENTS[corners]
    elements = indices(values, f"{what}: {noun}s", corners, len(rest))
    if len(elements) == 0:
        raise BodyError(f"{what} has no {noun}; give at least one")
    _no_flat_elements(rest, elements, noun, what)
    lonely = np.setdiff1d(np.arange(len(rest)), elements)
    if len(lonely):
        more = f" (and {len(lonely) - 1} more)" if len(lonely) > 1 else ""
        raise BodyError(
            f"{what}: particle {lonely[0]}{more} belongs to no {noun}; remove it or give it a {noun}"
        )
    return elements


def _no_flat_elements(rest: Array, elements: NDArray[np.int32], noun: str, what: str) -> None:
    corners = rest[elements]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    if noun == "segment":
        sizes, flat, unit = lengths(rest, elements), longest <= 0, "length 0 m"
    elif noun == "triangle":
        sizes = areas(rest, elements)
        flat, unit = sizes <= FLAT * longest**2, "area 0 m2"
    else:
        sizes = volumes(rest, elements)
        flat, unit = np.abs(sizes) <= FLAT * longest**3, "volume 0 m3"
    if flat.any():
        first = int(np.flatnonzero(flat)[0])
        raise BodyError(
            f"{what}: {noun} {first} {tuple(elements[first].tolist())} has {unit}; "
            f"remove it or move its corners apart ({_count(flat, noun)})"
        )
    if noun == "tet" and (sizes < 0).all():
        raise BodyError(
            f"{what}: all {len(sizes)} tets are inside out (tet 0 has volume {sizes[0]:.4g} m3); "
            f"swap two corners of every tet: tets[:, [0, 2, 1, 3]]"
        )
    if noun == "tet" and (sizes < 0).any():
        first = int(np.flatnonzero(sizes < 0)[0])
        raise BodyError(
            f"{what}: tet {first} {tuple(elements[first].tolist())} has volume {sizes[first]:.4g} m3; "
            f"swap two of its corners to make it positive ({_count(sizes < 0, noun)})"
        )


def _count(which: NDArray[np.bool_], noun: str) -> str:
    return f"{int(which.sum())} of {len(which)} {noun}s"


def named(
    pairs: Mapping[str, Any] | Iterable[tuple[str, Any]] | None, noun: str, what: str
) -> dict[str, Any]:
    """Named things in their order, each name once."""
    result: dict[str, Any] = {}
    items: Iterable[tuple[str, Any]] = pairs.items() if isinstance(pairs, Mapping) else (pairs or ())
    for name, value in items:
        one_line(name, f"{what}: a {noun}")
        if name in result:
            raise BodyError(f'{what}: two {noun}s are called "{name}"; rename one of them')
        result[name] = value
    return result


def pose(positions: Positions, rest: Array, what: str) -> Array:
    """The (V, 3) positions of a pose, from an array or a function of the rest positions."""
    given = positions(rest.copy()) if callable(positions) else positions
    array = floats(given, what)
    if len(array) != len(rest):
        raise BodyError(
            f"{what} has {len(array)} positions, the rest shape {len(rest)}; give one (x, y, z) per particle"
        )
    return array
