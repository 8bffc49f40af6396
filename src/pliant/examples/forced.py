"""Weights that are given instead of found."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.runtime.errors import SettingsError


def check_forced(body: Body, forced: Mapping[str, float], who: str) -> None:
    """Forced poses must be the body's own."""
    for name in forced:
        if name not in body.poses:
            have = ", ".join(body.poses) or "none"
            raise SettingsError(f'actor "{who}": forced: the body has no pose "{name}" (it has {have})')


def free_poses(names: Iterable[str], forced: Mapping[str, float]) -> list[int]:
    """The numbers of the poses whose weights are to be found."""
    return [number for number, name in enumerate(names) if name not in forced]


def given_weights(names: Iterable[str], forced: Mapping[str, float], free: float = 0.0) -> NDArray[np.float64]:
    """(K,) the forced weights, and `free` where a weight is to be found."""
    return np.array([forced.get(name, free) for name in names], dtype=np.float64)
