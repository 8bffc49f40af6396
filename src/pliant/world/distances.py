"""How far a body is from the poses that were drawn: what a weight does not tell.

The distance to a pose is the root mean square distance of the skin, over its area, from the skin in that pose, when the
pose is laid on it as well as a rigid motion can; as a part of the diagonal of the body at rest. A body that is played
with other particles than it has (a graph) is compared with what was drawn, not with what its particles can carry.
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.measures import areas, diagonal
from pliant.graph import Graph

Array = NDArray[np.float64]
_kept: "WeakKeyDictionary[Body, Drawn]" = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Drawn:
    """The skin at rest and in each pose.  shares (N,): of the area, at rest.  moments (1 + K, N, 3): the shares times
    the shape, about its centre.  spreads (1 + K,) m^2: mean square distance from that.  diagonal: m, at rest."""

    shares: Array
    moments: Array
    spreads: Array
    diagonal: float


def drawn_of(body: Body) -> Drawn:
    """Made at the first use of a body."""
    if body not in _kept:
        _kept[body] = _make(body)
    return _kept[body]


def pose_distances(body: Body, surface: Array) -> Array:
    """(1 + K,): of a skin (N, 3) from rest and from each pose, in diagonals.

    With M = sum of shares x q^T the best rotation leaves |x|^2 + |q|^2 - 2 (s1 + s2 +- s3) of its singular values, the
    last with the sign of det M: the rotation itself is not needed."""
    drawn = drawn_of(body)
    x = surface - drawn.shares @ surface
    products = np.swapaxes(drawn.moments, 1, 2) @ x
    singular = np.linalg.svd(products, compute_uv=False)
    singular[:, 2] *= np.where(np.linalg.det(products) < 0.0, -1.0, 1.0)
    spread = float(drawn.shares @ np.square(x).sum(axis=1))
    squares = np.maximum(spread + drawn.spreads - 2.0 * singular.sum(axis=1), 0.0)
    return np.sqrt(squares) / drawn.diagonal


def _make(body: Body) -> Drawn:
    skin = body.skin
    shares = _area_shares(skin.vertices, skin.faces)
    shapes = np.stack([skin.vertices, *(_drawn_pose(body, name) for name in body.poses)])
    centred = shapes - np.einsum("n,knj->kj", shares, shapes)[:, None]
    spreads = np.einsum("n,knj,knj->k", shares, centred, centred)
    return Drawn(shares, shares[:, None] * centred, spreads, diagonal(skin.vertices))


def _drawn_pose(body: Body, name: str) -> Array:
    """The skin in a pose, of what a graph was made from where that has the pose."""
    source = body.source if isinstance(body, Graph) else None
    if source is not None and name in source.poses and len(source.skin.vertices) == len(body.skin.vertices):
        return source.surface(name)
    return body.surface(name)


def _area_shares(vertices: Array, faces: NDArray[np.int32]) -> Array:
    """Each vertex has a third of its triangles, so that a skin that is cut finer somewhere weighs no more there."""
    thirds = np.repeat(areas(vertices, faces) / 3.0, 3)
    shares = np.bincount(faces.ravel(), thirds, minlength=len(vertices))
    return shares / shares.sum() if shares.sum() > 0.0 else np.full(len(vertices), 1.0 / len(vertices))
