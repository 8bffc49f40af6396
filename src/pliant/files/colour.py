"""Between colours as files of bytes have them (sRGB) and light (linear), both 0 to 1."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def to_linear(coded: ArrayLike) -> Array:
    """Light of sRGB values.

    >>> to_linear([0.0, 0.5, 1.0]).round(3).tolist()
    [0.0, 0.214, 1.0]
    """
    values = np.clip(np.nan_to_num(np.asarray(coded, dtype=np.float64)), 0.0, 1.0)
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def to_srgb(light: ArrayLike) -> Array:
    """sRGB values of light: the way back."""
    values = np.clip(np.nan_to_num(np.asarray(light, dtype=np.float64)), 0.0, 1.0)
    return np.where(values <= 0.0031308, values * 12.92, 1.055 * values ** (1 / 2.4) - 0.055)
