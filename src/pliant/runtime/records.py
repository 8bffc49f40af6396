"""Records: arrays that belong together go to a kernel as one argument.

A record is a named tuple whose fields say what they are. A kernel names it in its signature, and reads `rows.normal`
instead of the thirty-second of its arguments:

    @record
    class Masses(NamedTuple):
        mass: Reals  # (n,) kg
        inverse: Reals  # (n,) 1/kg

    invert = kernel("Masses i i")(invert)  # def invert(masses, first, last): ...

To hand over a record costs one to three microseconds more than to hand over its arrays, so it is made once for a step.
"""

from typing import Annotated, Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

# An array in the precision of the world; of doubles; of singles; of signed and unsigned whole numbers; single numbers.
Reals = Annotated[NDArray[Any], "x[]"]
Doubles = Annotated[NDArray[np.float64], "d[]"]
Singles = Annotated[NDArray[np.float32], "f[]"]
Wholes = Annotated[NDArray[np.int64], "i[]"]
Indices = Annotated[NDArray[np.uint32], "u[]"]
Double = Annotated[float, "d"]
Whole = Annotated[int, "i"]

Record = TypeVar("Record", bound=type)

_records: dict[str, tuple[Any, tuple[str, ...]]] = {}


def record(kind: Record) -> Record:
    """Make a named tuple known to signatures by its name."""
    hints = get_type_hints(kind, include_extras=True)
    known = _records.get(kind.__name__)
    if known is not None and known[0].__module__ != kind.__module__:
        raise ValueError(f"there is a record {kind.__name__} already, in {known[0].__module__}")
    _records[kind.__name__] = kind, tuple(hints[name].__metadata__[0] for name in kind._fields)  # type: ignore[attr-defined]
    return kind


def is_record(word: str) -> bool:
    """Whether a word of a signature names a record."""
    return word in _records


def fields_of(word: str) -> tuple[Any, tuple[str, ...]]:
    """The class of a record, and the words of its fields."""
    return _records[word]
