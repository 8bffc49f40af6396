"""Parts of a body that are harder or softer than the rest: factors painted by its named groups."""

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from pliant.body import Body
from pliant.runtime.errors import SettingsError

# `float | int` rather than float: scenes take a setting that maps names to floats for weights of poses
Factor = Annotated[float, Field(gt=0, le=1e6)] | Annotated[int, Field(gt=0, le=1_000_000)]
Painted = Mapping[str, Factor]


def log_factors(body: Body, painted: Painted) -> NDArray[np.float64]:
    """(V,) the logarithm of the factor of each particle; where groups overlap, factors are multiplied.

    >>> tent = Body(np.eye(4, 3, -1), tets=[[0, 1, 2, 3]], groups={"top": [2], "half": [2, 3]})
    >>> np.exp(log_factors(tent, {"top": 3, "half": 0.5})).round(3).tolist()
    [1.0, 1.0, 1.5, 0.5]
    """
    found = np.zeros(len(body.rest))
    for name, factor in painted.items():
        found[body.groups[name]] += np.log(float(factor))
    return found


def check_painted(body: Body, painted: Painted, who: str, setting: str = "painted") -> None:
    """That the groups are the body's."""
    for name in painted:
        if name not in body.groups:
            have = ", ".join(body.groups) or "none"
            raise SettingsError(f'actor "{who}": {setting}: the body has no group "{name}" (it has {have})')
