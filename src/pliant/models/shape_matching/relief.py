"""What lies between rest and a pose costs energy of its own; here it is found, so that it can be taken out.

Half-way between two shapes of a ring is their blend. Where a pose turns a cell far, that is a collapsed shape, and the
rings no longer fit together: whatever the positions, the goals of weight w keep a residual M(w) > 0, with M(0) = M(1) =
0. A body in the pose would have to climb over it on its way to rest, and near a strength of 1 the pull to rest,
(1/beta - 1) w^2 G, is too weak for that: it stays at 0.9 of a twist. M has nothing to do with how the body is deformed,
only with how shapes are blended, so it is subtracted:

    E(x) = min over w of  sum m~ |R q~(w) + c - x|^2  +  (1/beta - 1) w' G w  -  sum_k relief_k(w)
    relief_k(w) = 16 w_0^2 w_k^2 (a_k w_0 + b_k w_k)

This is still a minimum over w, so the force is still its gradient, with the same goals; only the weights are found with
f_k + 1/2 d relief / d w_k for f_k. M is of fourth order, because a blend differs from a bend by a second-order term
w_0 w_k; a and b are measured where it begins and where it ends. relief is never more than M, so E >= 0 with E = 0 at
rest, and at strength 1 in each pose, as before. (The half-way shape as one more pose would help as well, but would
double the cost, and stand in the table of weights.)
"""

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, diags_array
from scipy.sparse.linalg import splu
from scipy.spatial.transform import Rotation

from pliant.body import Body
from pliant.geometry.regions import Regions, proper_rotations, regions
from pliant.models.shape_matching.settings import ShapeMatching

Array = NDArray[np.float64]

NEAR = 1 / 8  # of the way from an end: there M is measured
SURE = 0.9  # of what was measured there: towards the end M may be a little less, and relief must not be more
# Of G, at most. Weights are found with the relief at the last ones: what is off shrinks by 16 M / G in each round.
MOST = 1 / 32
# Of the pull to rest, (1/beta - 1) G: M holds a body from 1/2 on (`needed`). It is known to some 15 %, and just below
# that the way to rest is nearly level. What is less is no obstacle, and is left as it is.
HOLDS = 1 / 4
ROUNDS = 100  # of relaxation, at most
STILL = 1e-3  # of the residual: a round that brings less is the last
LARGEST = 5_000  # particles: in a finer body a cell turns little, and the matrix is large
_kept: "WeakKeyDictionary[Body, dict[tuple[object, ...], Array]]" = WeakKeyDictionary()


def needed(body: Body, settings: ShapeMatching) -> bool:
    """Whether a residual could hold a body. E = 16 M w^2 (1 - w)^2 + (1/beta - 1) G w^2 falls all the way from 1 to 0
    unless M > (1/beta - 1) G / 2. Where each region has its own weights no rings have to fit together."""
    modes = settings.goals == "held", settings.weights == "exact", settings.rotation == "matched"
    free = settings.examples != "regions" and not settings.forced and settings.example_strength > 0
    weak = free and 1 / settings.example_strength - 1 < 2 * MOST
    return all(modes) and weak and bool(body.poses) and len(body.rest) <= LARGEST


def relief_of(
    body: Body,
    settings: ShapeMatching,
    group: NDArray[np.integer],
    kept: NDArray[np.bool_],
    free: list[int],
    weights: Array,
    grams: Array,
) -> Array:
    """(groups, K, 2) kg m^2: a and b of each group and pose.

    group (V,): the group of each region, or one number more for none; kept (V, K): which regions see a pose; free (K,):
    its number in the body; weights (V,): how much a region counts; grams (groups, K, K) kg m^2.
    """
    found = np.zeros((len(grams), len(free), 2))
    if not needed(body, settings):
        return found
    for k, number in enumerate(free):
        each = _residuals(body, number, kept[:, k], weights)
        total = np.stack([np.bincount(group, end, len(grams) + 1)[: len(grams)] for end in each], axis=1)
        gram = grams[:, k, k, None]
        holds = total.max(axis=1, keepdims=True) > HOLDS * (1 / settings.example_strength - 1) * gram
        found[:, k] = np.where(holds, np.minimum(SURE * total, MOST * gram), 0.0)
    return found


def _residuals(body: Body, number: int, kept: NDArray[np.bool_], weights: Array) -> Array:
    """(2, V) kg m^2: what each region has of M near rest and near a pose, over 16 w^2 (1 - w)^2."""
    known = _kept.setdefault(body, {})
    key = number, kept.tobytes(), weights.tobytes()
    if key not in known:
        r = regions(body.rest, body.masses, body.elements, body.kind)
        pose = list(body.poses.values())[number]
        shapes = r.shapes(pose) * np.repeat(kept, np.diff(r.starts))[:, None]
        solver, part = _solver(r, weights), 16 * NEAR**2 * (1 - NEAR) ** 2
        found = [
            _relaxed(r, r.offsets + w * shapes, weights, solver, part_of_the_way(r, pose, w)) / part
            for w in (NEAR, 1.0 - NEAR)
        ]
        known[key] = np.array(found)
    return known[key]


def part_of_the_way(r: Regions, pose: Array, w: float) -> Array:
    """(V, 3, 3): rotations of the regions, each about its own axis by a part of its angle: where relaxation begins.
    They are taken as seen from the mean rotation of the pose, which may stand anywhere."""
    rotations = proper_rotations(r.gradients(pose))
    mean = proper_rotations(rotations.mean(axis=0)[None])[0]
    return Rotation.from_rotvec(w * Rotation.from_matrix(mean.T @ rotations).as_rotvec()).as_matrix()


def _solver(r: Regions, weights: Array) -> object:
    """Of the matrix of sum_r weight_r sum_i m~_i |x_i - c_r - goal|^2, c_r the mean of x over the ring."""
    count = len(r.starts) - 1
    share = csr_array((r.effective[r.members], r.members, r.starts), shape=(count, count))
    matrix = diags_array(share.T @ weights) - share.T @ diags_array(weights / r.masses) @ share
    held = 1e-9 * matrix.diagonal().mean()  # where the body is as a whole is left open
    return splu(csc_array(matrix + held * diags_array(np.ones(count))))


def _relaxed(r: Regions, blended: Array, weights: Array, solver: object, rotations: Array) -> Array:
    """(V,): sum m~ |R q~ + c - x|^2 of each region, in the positions that make the sum of all least: positions and
    rotations by turns."""
    sizes, mass = np.diff(r.starts), r.effective[r.members]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    pull = mass * weights[owner]
    last = np.inf
    for _ in range(ROUNDS):
        goals = np.einsum("mij,mj->mi", rotations[owner], blended)
        side = np.stack([np.bincount(r.members, pull * goals[:, k], len(sizes)) for k in range(3)], axis=1)
        x = solver.solve(side)  # type: ignore[attr-defined]
        centres = np.add.reduceat(mass[:, None] * x[r.members], r.starts[:-1], axis=0) / r.masses[:, None]
        places = x[r.members] - centres[owner]
        moments = np.add.reduceat(mass[:, None, None] * places[:, :, None] * blended[:, None, :], r.starts[:-1], axis=0)
        rotations = proper_rotations(moments)
        goals = np.einsum("mij,mj->mi", rotations[owner], blended)
        left = np.add.reduceat(mass * np.square(goals - places).sum(axis=1), r.starts[:-1]) * weights
        if last - left.sum() <= STILL * left.sum():
            break
        last = float(left.sum())
    return left
