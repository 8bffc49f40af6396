"""From Young's modulus and Poisson's ratio to the two numbers of a material."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", float, NDArray[np.float64])


def lame(young: Number, poisson: float) -> tuple[Number, Number]:
    """Lamé's mu and lambda (Pa): for small strains e every material here has the energy density mu |e|^2 + lambda/2
    tr(e)^2, so that a bar pulled gently answers with Young's modulus and narrows by Poisson's ratio.

    >>> lame(1e5, 0.25)
    (40000.0, 40000.0)
    """
    return young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
