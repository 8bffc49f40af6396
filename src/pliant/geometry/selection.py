"""A selection of particles, however it is written: indices, a boolean mask, or a function of the rest
shape.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.runtime.errors import BodyError

Selection: TypeAlias = ArrayLike | Callable[[NDArray[np.float64]], ArrayLike]


def select(selection: Selection, rest: NDArray[np.float64], what: str = "selection") -> NDArray[np.int32]:
    """The selected particles as rising indices, each once. `what` names the selection in errors.

    >>> rest = np.array([[0.0, 0, 0], [0, 1, 0], [0, 2, 0]])
    >>> select([2, 0, 2], rest).tolist()
    [0, 2]
    >>> select([False, True, True], rest).tolist()
    [1, 2]
    >>> select(lambda x: x[:, 1] < 1.5, rest).tolist()
    [0, 1]
    """
    count = len(rest)
    chosen = np.atleast_1d(np.asarray(selection(rest) if callable(selection) else selection))
    if chosen.size == 0:
        raise BodyError(f"{what} holds no particle; select at least one of 0 to {count - 1}")
    if chosen.ndim != 1:
        raise BodyError(
            f"{what} has shape {chosen.shape}; give a flat list of indices or a mask of {count} values"
        )
    if chosen.dtype == bool:
        if len(chosen) != count:
            raise BodyError(
                f"{what} is a mask of {len(chosen)} values; there are {count} particles, give one value each"
            )
        if not chosen.any():
            raise BodyError(f"{what} holds no particle; widen the condition so that at least one is true")
        return np.flatnonzero(chosen).astype(np.int32)
    if not np.issubdtype(chosen.dtype, np.integer):
        raise BodyError(f"{what} holds {chosen.dtype} values; give whole-number indices or a boolean mask")
    wrong = chosen[(chosen < 0) | (chosen >= count)]
    if len(wrong):
        raise BodyError(f"{what} holds particle {wrong[0]}; there are {count}, numbered 0 to {count - 1}")
    return np.unique(chosen).astype(np.int32)
