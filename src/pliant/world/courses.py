"""The course from pose to pose, and the forces that take a body along it.

Goals alone do not bring a body into a pose in time: it starts late, because it has mass, and then swings past. A soft
bar of two metres, led into a twist within 0.3 s, overshoots by half of it, whatever the curve of the weights. So while
weights change (cues.py) each particle gets the acceleration of its own course, as if it were carried:

    a = R (X(t + h) - X(t) - q (X(t) - X(t - h))) / h^2

X(t) is the shape between the poses, R how the body is turned, q what damping leaves of a velocity in a step. Then
springs have nothing to do on the way but to correct, and friction against the course takes up what they set swinging:
the model's own way between the poses is a little another one. The forces have no sum and no moment, so momentum is
kept, and when the course ends the body stands still in its pose.

Between poses every particle's neighbourhood turns and stretches evenly: F = exp(sum w_k log R_k) (1 + sum w_k (S_k -
1)), and the shape is the one whose edges are nearest to F times those at rest, all of them together (one sparse system,
the same for all shapes). What that misses of a pose itself is added in proportion. This need not be what the model
thinks best, only near.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.regions import proper_rotations, regions
from pliant.geometry.rings import rings

if TYPE_CHECKING:
    from pliant.world.actor import Actor
    from pliant.world.cues import Fade

Array = NDArray[np.float64]
NODES = np.linspace(0.0, 1.0, 5)  # of a course: shapes in between are on the polynomial through these
POLYNOMIALS = np.linalg.inv(np.vander(NODES, increasing=True))
# Dimensionless: how fast velocities beside the course die out, times its duration. A soft bar of oriented particles
# that was twisted is farther from the pose after 0.6 s than when it has settled, by 0.30 % of its diagonal without it,
# by 0.11 % with half, 0.07 % with this, 0.05 % with twice of it.
FRICTION = 10.0
LARGEST = 20_000  # particles: beyond, the system takes longer than the course; then goals alone lead
SMALL = 0.1  # sum of weights that change: the way of a twist of 90 degrees is then straight to a thousandth of it
KEPT, KEPT_BYTES = 64, 2**25  # courses and shapes of a body that are remembered
GROUND = 1e-9  # of a degree of the graph: what holds a piece that no edge joins to the others
_guides: "WeakKeyDictionary[Body, Guide]" = WeakKeyDictionary()


class Guide:
    """Shapes of a body between its poses."""

    def __init__(self, body: Body) -> None:
        self.masses, self.names = body.masses, tuple(body.poses)
        self._rest = _centred(body.rest, body.masses)
        starts, members = rings(body.elements, len(body.rest))
        owners = np.repeat(np.arange(len(body.rest)), np.diff(starts))
        once = owners < members
        self._edges = np.column_stack([owners[once], members[once]])
        ring = regions(body.rest, body.masses, body.elements, body.kind)
        poses = [laid_on(pose, self._rest, body.masses) for pose in body.poses.values()]
        found = [ring.polar(pose) for pose in poses]
        tree = _spanning_tree(starts, members)
        self._turns = np.array([_unwound(rotations, tree) for rotations, _ in found])  # (K, V, 3) rotation vectors
        self._stretches = np.array([stretches - np.eye(3) for _, stretches in found])  # (K, V, 3, 3)
        none = np.zeros(len(poses))
        self._missed = self._rest - self._bare(none)
        bare = [self._bare(weights) for weights in np.eye(len(poses))]
        self._missed_of = np.array([laid_on(p, b, body.masses) - b for p, b in zip(poses, bare, strict=True)])
        self._shapes: dict[tuple[float, ...], Array] = {}
        self._courses: dict[tuple[float, ...], Array] = {}

    @cached_property
    def _factor(self) -> tuple[Any, Any]:
        """Differences along edges (E, V), and the factors of their normal equations."""
        from scipy.sparse import csr_array, eye_array
        from scipy.sparse.linalg import splu

        edges, count = len(self._edges), len(self._rest)
        signs, rows = np.tile([-1.0, 1.0], edges), np.repeat(np.arange(edges), 2)
        along = csr_array((signs, (rows, self._edges.ravel())), shape=(edges, count))
        return along, splu((along.T @ along + GROUND * eye_array(count)).tocsc())

    def _bare(self, weights: Array) -> Array:
        """(V, 3): the shape whose edges are as the neighbourhoods want them."""
        from scipy.spatial.transform import Rotation

        turns = np.einsum("k,kvj->vj", weights, self._turns.reshape(-1, len(self._rest), 3))
        stretches = np.einsum("k,kvij->vij", weights, self._stretches.reshape(-1, len(self._rest), 3, 3))
        gradients = Rotation.from_rotvec(turns).as_matrix() @ (np.eye(3) + stretches)
        first, second = self._edges.T
        mean = 0.5 * (gradients[first] + gradients[second])
        wanted = np.einsum("eij,ej->ei", mean, self._rest[second] - self._rest[first])
        along, factor = self._factor
        return _centred(factor.solve(np.ascontiguousarray(along.T @ wanted)), self.masses)

    def shape(self, weights: Array) -> Array:
        """(V, 3) m: between rest and the poses (K,)."""
        key = tuple(weights.tolist())
        if key not in self._shapes:
            missed = (1.0 - weights.sum()) * self._missed + np.einsum("k,kvj->vj", weights, self._missed_of)
            _keep(self._shapes, key, self._bare(weights) + missed)
        return self._shapes[key]

    def course(self, before: Mapping[str, float], after: Mapping[str, float]) -> Array:
        """(NODES, V, 3): from some weights to others; straight where they are near, as when a slider is pulled: then
        there is one shape to be found for each change."""
        start, end = (np.array([weights.get(name, 0.0) for name in self.names]) for weights in (before, after))
        key = (*start.tolist(), *end.tolist())
        if key not in self._courses:
            if np.abs(end - start).sum() <= SMALL:
                first, last = self.shape(start), self.shape(end)
                shapes = [first + part * (last - first) for part in NODES]
            else:
                shapes = [self.shape(start + part * (end - start)) for part in NODES]
            _keep(self._courses, key, np.array(shapes))
        return self._courses[key]


def _keep(known: dict[tuple[float, ...], Array], key: tuple[float, ...], shapes: Array) -> None:
    """Remember shapes; the oldest are forgotten, they can be found again."""
    while known and (len(known) >= KEPT or len(known) * shapes.nbytes > KEPT_BYTES):
        known.pop(next(iter(known)))
    known[key] = shapes


def lead(actor: "Actor", fades: "tuple[Fade, ...]", time: float, h: float) -> Array | None:
    """(V, 3) m/s^2: what takes an actor along its course in the sub-step that begins at `time`; None: nothing does."""
    body = actor.body
    if not 1 < len(body.rest) <= LARGEST or not fades:
        return None
    if body not in _guides:
        _guides[body] = Guide(body)
    guide = _guides[body]
    kept = float(np.exp(-h * (actor.settings.damping + actor.settings.drag)))
    wanted, course, here = np.zeros_like(body.rest), np.zeros_like(body.rest), body.rest
    for fade in fades:
        soon, now, before = (_at_nodes(1.0 - fade.left(time + step)) for step in (h, 0.0, -h))
        shapes = guide.course(fade.before, fade.after)
        wanted += np.tensordot((soon - now - kept * (now - before)) / h**2, shapes, 1)
        course += np.tensordot(kept * (now - before) / h, shapes, 1)  # as damping has left it
        here = np.tensordot(now, shapes, 1)
    x, v = np.asarray(actor.positions, np.float64), np.asarray(actor.velocities, np.float64)
    rotation = _rotation(here, x, body.masses)
    stray = (1.0 - np.exp(-h * FRICTION / fades[-1].duration)) / h
    return _without_momentum(wanted @ rotation - stray * (v - course @ rotation), x, body.masses)


def _at_nodes(part: float) -> Array:
    """The share of each node in the shape at a part of the course."""
    shares: Array = part ** np.arange(len(NODES)) @ POLYNOMIALS
    return shares


def _without_momentum(accelerations: Array, x: Array, masses: Array) -> Array:
    """The same without what would move or turn the body as a whole."""
    arms = _centred(x, masses)
    free = _centred(accelerations, masses)
    moment = masses @ np.cross(arms, free)
    products = np.einsum("v,vi,vj->ij", masses, arms, arms)
    inertia = np.trace(products) * np.eye(3) - products
    return free - np.cross(np.linalg.pinv(inertia, rcond=1e-9, hermitian=True) @ moment, arms)


def laid_on(points: Array, there: Array, masses: Array) -> Array:
    """Points moved rigidly as near to others as can be, by mass."""
    return _centred(points, masses) @ _rotation(points, there, masses) + masses @ there / masses.sum()


def _rotation(points: Array, there: Array, masses: Array) -> Array:
    """(3, 3): `points @ rotation` is turned as the others are."""
    moments = (_centred(there, masses) * masses[:, None]).T @ _centred(points, masses)
    return proper_rotations(moments[None])[0].T


def _centred(points: Array, masses: Array) -> Array:
    return points - masses @ points / masses.sum()


def _spanning_tree(starts: NDArray[np.int32], members: NDArray[np.int32]) -> list[tuple[int, int]]:
    """(particle, the neighbour from which it was come to), of all particles but the first of each piece."""
    bounds, neighbours = starts.tolist(), members.tolist()
    seen, tree = [False] * (len(bounds) - 1), []
    for first in range(len(seen)):
        queue = [] if seen[first] else [first]
        seen[first] = True
        for own in queue:
            for other in neighbours[bounds[own] : bounds[own + 1]]:
                if not seen[other]:
                    seen[other] = True
                    queue.append(other)
                    tree.append((other, own))
    return tree


def _unwound(rotations: Array, tree: list[tuple[int, int]]) -> Array:
    """(V, 3) rotation vectors, with as many full turns as make neighbours alike: a rope may be twisted several times
    round."""
    from scipy.spatial.transform import Rotation

    vectors: Array = Rotation.from_matrix(rotations).as_rotvec()
    angles = np.linalg.norm(vectors, axis=1)
    axes = vectors / np.maximum(angles, 1e-300)[:, None]
    for own, other in tree:
        if angles[own] > 1e-9:
            turns = np.round((vectors[other] @ axes[own] - angles[own]) / (2.0 * np.pi))
            if turns:
                vectors[own] = (angles[own] + 2.0 * np.pi * turns) * axes[own]
    return vectors
