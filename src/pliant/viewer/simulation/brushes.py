"""Soft brushes: they move the skin round a point, and carry along what is under it."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.regions import Regions, proper_rotations, regions
from pliant.viewer.protocol.studio_commands import BrushDraft
from pliant.viewer.simulation.ready_poses import skin_of

Array = NDArray[np.float64]

SWELL = 0.08  # of the brush's radius: how far a dab of full strength inflates


@dataclass(frozen=True, eq=False)
class Carrying:
    """What brushes need of a body, found once: its regions, the vertex of the skin nearest to each particle, and how
    deep (m) each lies under it at rest."""

    regions: Regions
    nearest: NDArray[np.int64]
    depth: Array


_carrying: "WeakKeyDictionary[Body, Carrying]" = WeakKeyDictionary()


def carrying_of(body: Body) -> Carrying:
    """Kept as long as the body."""
    if body not in _carrying:
        from scipy.spatial import cKDTree

        depth, nearest = cKDTree(body.skin.vertices).query(body.rest)
        found = regions(body.rest, body.masses, body.elements, body.kind)
        _carrying[body] = Carrying(found, np.asarray(nearest, np.int64), np.asarray(depth, np.float64))
    return _carrying[body]


def brushed_shape(body: Body, shape: Array, dab: BrushDraft) -> Array:
    """A shape (V, 3) after a dab. The reach is a ball round the point as it is drawn; it fades towards its edge."""
    skin = skin_of(body, shape)
    centre = skin[min(dab.vertex, len(skin) - 1)]
    share = fading(np.linalg.norm(shape - centre, axis=1), dab.radius)
    if dab.tool == "move":
        return shape + share[:, None] * np.array(dab.drag)
    if dab.tool in ("inflate", "deflate"):
        carrying = carrying_of(body)
        outward = body.skin.normals(skin)[carrying.nearest]
        less = 1.0 / (1.0 + (carrying.depth / dab.radius) ** 2)  # what lies deep follows less
        step = (1 if dab.tool == "inflate" else -1) * dab.strength * SWELL * dab.radius
        return shape + (share * less * step)[:, None] * outward
    wanted = fitted(carrying_of(body).regions, shape, rigid=dab.tool == "relax")
    return shape + (dab.strength * share)[:, None] * (wanted - shape)


def fading(distance: Array, radius: float) -> Array:
    """1 in the middle of a brush, 0 from its edge on, smooth in between.

    >>> fading(np.array([0.0, 0.5, 1.0, 2.0]), 1.0).tolist()
    [1.0, 0.5625, 0.0, 0.0]
    """
    left: Array = np.maximum(1.0 - (distance / radius) ** 2, 0.0)
    return left**2


def fitted(parts: Regions, shape: Array, rigid: bool) -> Array:
    """Where each particle (V, 3) would be if the regions round it were deformed as they are on the whole, which takes
    kinks out of a shape; `rigid`: if they were only moved and turned, which takes the strain out of it, too. What is
    deformed in the same way everywhere, or not at all, stays."""
    owners = np.repeat(np.arange(len(parts.masses)), np.diff(parts.starts))
    share = parts.effective[parts.members][:, None]
    centres = np.add.reduceat(share * shape[parts.members], parts.starts[:-1], axis=0) / parts.masses[:, None]
    gradients = parts.gradients(shape)
    rotations = proper_rotations(gradients)
    maps = rotations if rigid else gradients + rotations @ parts.missing
    there = centres[owners] + np.einsum("mij,mj->mi", maps[owners], parts.offsets)
    count = np.bincount(parts.members, minlength=len(shape))[:, None]
    total = np.stack([np.bincount(parts.members, there[:, k], len(shape)) for k in range(3)], axis=1)
    mean: Array = total / count
    return mean
