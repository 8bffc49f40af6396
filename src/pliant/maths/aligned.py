"""Memory for kernels: arrays that begin at a cache line."""

from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

LINE = 64  # bytes of a cache line, and of the widest vector register
PAGE = 4096
_turn = count()


def aligned_zeros(size: int, dtype: Any) -> NDArray[Any]:
    """Zeros that begin at a cache line, so that no row of 16 numbers straddles two. Large arrays all begin at the same
    place of a page by nature, where a write to one delays reads of another; so each is shifted by a few lines."""
    width = np.dtype(dtype).itemsize
    memory = np.zeros(size * width + LINE + PAGE, np.uint8)
    start = -memory.ctypes.data % LINE + LINE * (13 * next(_turn) % (PAGE // LINE))
    return memory[start : start + size * width].view(dtype)
