"""How stiff the clusters of a body are, in a 60th of a second and in a step (material.py derives it)."""

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.body.spacing import spacing
from pliant.models.clusters.constants import Whole, constants_of
from pliant.models.clusters.material import MOST_ALPHA, RATE
from pliant.models.clusters.settings import Clusters

Array = NDArray[np.float64]


def stiffnesses(whole: Whole, settings: Clusters) -> Array:
    """(C,) of the clusters: what a particle goes of the way to its goals in a 60th of a second."""
    value = settings.stiffness if settings.young is None else settings.young
    return value * np.array([cluster.share.stiffness for cluster in whole.clusters])


def alphas(whole: Whole, settings: Clusters, h: float) -> Array:
    """(C,) in a step of h. What would need a shorter step is as stiff as h allows: all of a body by the same factor,
    since clusters share their particles."""
    found = stiffnesses(whole, settings) * (RATE * h) ** 2
    most = 1.0 if settings.young is None else MOST_ALPHA
    return found / max(1.0, float(found.max(initial=0.0)) / most)


def longest_step(body: Body, settings: Clusters) -> float:
    """The longest sub-step (s) in which no particle goes too far (MOST_ALPHA). A bare `stiffness` makes do with any."""
    if settings.young is None:
        return np.inf
    hardest = float(stiffnesses(constants_of(body, settings), settings).max(initial=0.0))
    return float(np.sqrt(MOST_ALPHA / hardest)) / RATE if hardest > 0 else np.inf


def sound(body: Body, settings: Clusters, h: float) -> float:
    """How fast a push goes through it, m/s: within a cluster all at once, so through its length in a step; as through
    the material where there are several."""
    size = float(np.linalg.norm(body.size))
    if settings.clusters == 1:
        return size / h
    if settings.young is not None:
        return min(float(np.sqrt(settings.young / body.density)), size / h)
    return max(spacing(body), size / settings.clusters) * RATE * float(np.sqrt(settings.stiffness))
