"""The twin: shape matching with examples in plain NumPy, a line an equation, in double precision.

The kernels are tested against it, and `pliant bench` shows what they gain over it. It shares nothing with them but the
body, and what blends between poses cost (relief.py, plain NumPy): rings, masses, rotations (by singular values) and
weights (by trying every face) are all made here once more.
No contact, no pins.
"""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.geometry.regions import smallest_rotation
from pliant.geometry.selection import select
from pliant.models.shape_matching.relief import relief_of
from pliant.models.shape_matching.settings import ShapeMatching

Array = NDArray[np.float64]
MISSING_AXIS = {"solid": 1e-6, "shell": 1e-2, "rod": 1e-2}  # part of the largest eigenvalue: thinner axes are missing
UNSEEN = 2e-3  # a pose that differs from rest by less, as a part of the rings' own size, is no example
JUMPED, JUMP_ROUNDS = 0.1, 16  # a weight that moves so far in a step is found in so many rounds
IN_A_LINE = 1e-9  # second singular value over the first: below it a region is straight
SINGULAR = 1e-6  # part of the largest eigenvalue of L^T L below which examples count as dependent


class Twin:
    """One body and its settings, ready to be stepped; `x` and `v` (V, 3) stay with the caller.

    >>> import pliant
    >>> bar = pliant.shapes.cuboid(cells=(1, 1, 2))
    >>> twin = Twin(bar, ShapeMatching(stiffness=0.5))
    >>> x, v = twin.step(bar.rest, np.zeros_like(bar.rest), 1 / 60, acceleration=(0, -3600, 0))
    >>> bool(np.allclose(x - bar.rest, (0, -1, 0))), bool(np.allclose(v, (0, -60, 0)))
    (True, True)
    """

    def __init__(self, body: Body, settings: ShapeMatching, rotation: ArrayLike | None = None) -> None:
        self.body, self.settings = body, settings
        self.groups = example_groups(body, settings)
        rings: list[set[int]] = [{i} for i in range(len(body.rest))]
        for element in body.elements.tolist():
            for i in element:
                rings[i].update(element)
        self.sizes = np.array([len(ring) for ring in rings])
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        self.members = np.concatenate([sorted(ring) for ring in rings])
        # m~_i = m_i / |N_i|; a particle is in as many regions as its own region has members
        self.m = (body.masses / self.sizes)[self.members]
        self.q = self.offsets(body.rest)[0]
        moments = self.sum(self.m[:, None, None] * self.q[:, :, None] * self.q[:, None, :])
        values, axes = np.linalg.eigh(moments)
        kept = values > MISSING_AXIS[body.kind] * values[:, -1:]
        inverse = np.where(kept, 1 / np.where(kept, values, 1), 0)
        self.inverses = np.einsum("rik,rk,rjk->rij", axes, inverse, axes)  # A_qq^-1
        self.missing = np.einsum("rik,rk,rjk->rij", axes, ~kept, axes)  # P
        # what is remembered from step to step: rotations, and weights (groups, K)
        self.turn: Array = np.tile(np.eye(3), (len(rings), 1, 1))
        polar = [self.polar(self.moments(pose)) for pose in body.poses.values()]
        self.stretches = np.array([s - np.eye(3) for _, s in polar]).reshape(-1, len(rings), 3, 3)  # S^k - S^0
        shapes = [self.shape(pose, *turned) for pose, turned in zip(body.poses.values(), polar, strict=True)]
        self.shapes = np.array(shapes).reshape(-1, len(self.members), 3)  # u^k = q^k - q
        # a pose is seen by what its weight is found from: the paper's sees stretches, whatever the goals are
        compared = [self.stretched(s) for _, s in polar] if settings.weights == "paper" else self.shapes
        sizes = np.array([self.sum(self.m * np.square(u).sum(axis=1)) for u in compared]).reshape(-1, len(rings))
        whole = self.sum(self.m * np.square(self.q).sum(axis=1))
        if settings.examples != "regions":
            sizes, whole = np.tile(sizes.sum(axis=1)[:, None], len(rings)), whole.sum()
        unseen = sizes <= UNSEEN**2 * whole
        self.stretches[unseen] = 0
        self.shapes[np.repeat(unseen, self.sizes, axis=1)] = 0
        each = np.einsum("krij,lrij->rkl", self.stretches, self.stretches)
        if settings.weights == "exact":
            each = self.sum(np.einsum("m,kmi,lmi->mkl", self.m, self.shapes, self.shapes))
        self.grams = regular(np.array([each[group].sum(axis=0) for group in self.groups]))
        number = np.full(len(rings), len(self.groups))
        for g, group in enumerate(self.groups):
            number[group] = g
        every = list(range(len(body.poses)))
        kept = ~unseen.T & (number < len(self.groups))[:, None]
        self.relief = relief_of(body, settings, number, kept, every, np.ones(len(rings)), self.grams)
        self.before = np.zeros((len(self.groups), len(body.poses)))
        self.settled = False
        if rotation is not None:
            self.turn = np.tile(np.asarray(rotation, dtype=np.float64), (len(rings), 1, 1))

    def shape(self, pose: Array, rotation: Array, stretch: Array) -> Array:
        """u^k (M, 3) of one pose: where the members of a ring are in its frame, or where its stretch takes them."""
        if self.settings.goals == "paper":
            return self.stretched(stretch)
        return np.einsum("mji,mj->mi", np.repeat(rotation, self.sizes, axis=0), self.offsets(pose)[0]) - self.q

    def stretched(self, stretch: Array) -> Array:
        """S q - q (M, 3): how far a stretch moves the members of each ring."""
        return np.einsum("mij,mj->mi", np.repeat(stretch, self.sizes, axis=0), self.q) - self.q

    def sum(self, rows: Array) -> Array:
        """Of each region: the sum over its members."""
        return np.add.reduceat(rows, self.starts, axis=0)

    def offsets(self, x: Array) -> tuple[Array, Array]:
        """p_i = x_i - c_r of every member, and c_r = sum m~_i x_i / sum m~_i."""
        x0 = np.repeat(x, self.sizes, axis=0)  # far from the origin the differences keep their digits
        shift = self.sum(self.m[:, None] * (x[self.members] - x0)) / self.sum(self.m)[:, None]
        return x[self.members] - x0 - np.repeat(shift, self.sizes, axis=0), x + shift

    def moments(self, x: Array) -> Array:
        """A_pq = sum m~_i p_i q_i^T."""
        return self.sum(self.m[:, None, None] * self.offsets(x)[0][:, :, None] * self.q[:, None, :])

    def polar(self, moments: Array) -> tuple[Array, Array]:
        """(1) A_r = A_pq A_qq^-1 = R_r S_r; along an axis that the region lacks nothing is stretched."""
        a = moments @ self.inverses
        r = self.rotations(a)
        s = np.swapaxes(r, 1, 2) @ a
        return r, (s + np.swapaxes(s, 1, 2)) / 2 + self.missing

    def blended(self, weights: Array) -> Array:
        """q~ = q + sum w_k u^k of every member (M, 3)."""
        q = self.q.copy()
        everywhere = np.zeros((len(self.sizes), weights.shape[1]))
        for group, row in zip(self.groups, weights, strict=True):
            everywhere[group] = row
        return q + np.einsum("mk,kmi->mi", np.repeat(everywhere, self.sizes, axis=0), self.shapes)

    def matched(self, x: Array, weights: Array) -> Array:
        """The rotations that carry the blended rings best to where their members are."""
        p, q = self.offsets(x)[0], self.blended(weights)
        return self.rotations(self.sum(self.m[:, None, None] * p[:, :, None] * q[:, None, :]))

    def rotations(self, matrices: Array) -> Array:
        """The nearest rotations; of a straight ring, the one of them that turns least against the last."""
        turned = proper_rotations(matrices)
        u, s, vt = np.linalg.svd(matrices)
        for r in np.flatnonzero(s[:, 1] <= IN_A_LINE * s[:, 0]):
            turned[r] = smallest_rotation(self.turn[r] @ vt[r, 0], u[r, :, 0]) @ self.turn[r]
        return turned

    def settled_weights(self, x: Array) -> Array:
        """Weights and rotations by turns: one round follows a motion, several begin one."""
        first = w = self.weights(x, self.before)
        restless = np.abs(w - self.before).max(axis=1, initial=0.0) > JUMPED
        restless = np.full(len(w), True) if not self.settled else restless & (self.settings.examples != "regions")
        if self.settings.weights == "exact" and restless.any():
            for _ in range(1, JUMP_ROUNDS):
                w = np.where(restless[:, None], self.weights(x, w), first)
        return w

    def weights(self, x: Array, before: Array) -> Array:
        """The weights (groups, K) of the poses: (6)(7) with the paper's clamp, or those that make the sum of
        m~ |R q~ + c - x|^2 least, R matched to the weights of the last step."""
        if not len(self.shapes):
            return np.zeros((len(self.groups), 0))
        strength, plain = self.settings.example_strength, self.polar(self.moments(x))
        if self.settings.weights == "paper":
            strain = plain[1] - np.eye(3)
            f = np.array([np.einsum("krij,rij->k", self.stretches[:, g], strain[g]) for g in self.groups])
            return strength * np.array([clamped(w) for w in np.linalg.solve(self.grams, f[:, :, None])[:, :, 0]])
        r = plain[0] if self.settings.rotation == "paper" else self.matched(x, before)
        back = np.einsum("mji,mj->mi", np.repeat(r, self.sizes, axis=0), self.offsets(x)[0]) - self.q
        each = self.sum(np.einsum("m,mi,kmi->mk", self.m, back, self.shapes))
        f = np.array([each[group].sum(axis=0) for group in self.groups]) + 0.5 * self.relieved(before)[1]
        return nearest_convex(self.grams, strength * f)

    def relieved(self, w: Array) -> tuple[Array, Array]:
        """sum_k 16 w_0^2 w_k^2 (a_k w_0 + b_k w_k) of each group, and its gradient (groups, K)."""
        rest = 1.0 - w.sum(axis=1, keepdims=True)
        a, b = np.moveaxis(self.relief, 2, 0)
        value = 16 * rest**2 * w**2 * (a * rest + b * w)
        own = 16 * rest**2 * (2 * w * (a * rest + b * w) + b * w**2)
        of_rest = 16 * w**2 * (2 * rest * (a * rest + b * w) + a * rest**2)
        return value.sum(axis=1), own - of_rest.sum(axis=1, keepdims=True)

    def goals(self, x: Array) -> tuple[Array, Array, Array]:
        """(3) g_i (V, 3), the mean of R_r q~_i + c_r over the regions that hold i; the weights; and the rotations."""
        w = self.settled_weights(x)
        r = self.matched(x, w) if self.settings.rotation == "matched" else self.polar(self.moments(x))[0]
        centres = np.repeat(self.offsets(x)[1], self.sizes, axis=0)
        goals = np.zeros_like(x)
        turned = np.einsum("mij,mj->mi", np.repeat(r, self.sizes, axis=0), self.blended(w))
        np.add.at(goals, self.members, turned + centres)
        return goals / self.sizes[:, None], w, r

    def step(self, x: ArrayLike, v: ArrayLike, h: float, acceleration: ArrayLike = 0.0) -> tuple[Array, Array]:
        """(4)(5) Positions and velocities a step of `h` seconds later. The spring constant of the scheme is alpha / h^2
        per kg, so alpha grows with h^2; `stiffness` is what it is at 60 Hz."""
        before: Array = np.asarray(x, dtype=np.float64)
        alpha = min(1.0, self.settings.stiffness * (60 * h) ** 2)
        goals, self.before, self.turn = self.goals(before)
        self.settled = True
        pull = alpha * (goals - before) / h + h * np.asarray(acceleration, dtype=np.float64)
        speed: Array = np.asarray(v, dtype=np.float64) + pull
        after: Array = before + h * speed
        rigid = rigid_velocities(after, speed, self.body.masses)
        speed = rigid + np.exp(-self.settings.damping * h) * (speed - rigid)
        return after, np.exp(-self.settings.drag * h) * speed


def example_groups(body: Body, settings: ShapeMatching) -> list[NDArray[np.int64]]:
    """The regions that share weights; a region in none of the groups goes back to rest."""
    everyone = np.arange(len(body.rest))
    if settings.examples == "global":
        return [everyone]
    if isinstance(settings.examples, str):
        return list(everyone[:, None])
    named = settings.examples.items()
    return [everyone[select(body.groups[s] if isinstance(s, str) else s, body.rest, name)] for name, s in named]


def regular(grams: Array) -> Array:
    """Equal or dependent examples make L^T L (N, K, K) singular: eigenvalues are lifted to a part of the largest."""
    if not grams.size:
        return grams
    values, axes = np.linalg.eigh(grams)
    values = np.maximum(values, SINGULAR * np.maximum(values[:, -1:], 1e-12))
    return np.einsum("gik,gk,gjk->gij", axes, values, axes)


def proper_rotations(matrices: Array) -> Array:
    """The rotations nearest to matrices (N, 3, 3): with A = U diag(s) V^T, R = U diag(1, 1, +-1) V^T, det R = 1."""
    u, _, vt = np.linalg.svd(matrices)
    u[:, :, 2] *= np.sign(np.linalg.det(u) * np.linalg.det(vt))[:, None]
    return u @ vt


def nearest_convex(grams: Array, b: Array) -> Array:
    """argmin 1/2 w^T G w - b^T w with w_k >= 0 and sum w_k <= 1, for each of N (K, K) matrices and (K,) vectors.

    The minimum lies inside some face of the simplex, where it is the minimum of that face's plane. So every face is
    tried, and the one is kept whose point breaks the conditions of Karush, Kuhn and Tucker least: no weight negative,
    the rest pose's w_0 = 1 - sum w_k among them, and no weight outside the face that would rather grow.

    >>> nearest_convex(np.eye(2)[None], np.array([[0.25, 3.0]])).tolist()
    [[0.0, 1.0]]
    """
    count, k = b.shape
    best, least = np.zeros((count, k)), np.full(count, np.inf)
    scale = np.einsum("nkk->nk", grams).max(axis=1)
    for free in (list(c) for size in range(k + 1) for c in combinations(range(k), size)):
        for rest_is_free in (True, False):
            n = len(free)
            if n + rest_is_free == 0:
                continue
            # with the rest pose the weights need no sum; without it a multiplier makes the sum 1
            border = np.tile([[0.0 if rest_is_free else 1.0]], (count, n, 1))
            corner = np.full((count, 1, 1), 1.0 if rest_is_free else 0.0)
            matrix = np.block([[grams[:, free][:, :, free], border], [np.swapaxes(border, 1, 2), corner]])
            right = np.concatenate([b[:, free], np.ones((count, 1))], axis=1)
            w = np.zeros((count, k))
            w[:, free] = np.linalg.solve(matrix, right[:, :, None])[:, :n, 0]
            slope = b - np.einsum("nij,nj->ni", grams, w)
            gap = np.maximum(slope.max(axis=1), 0) - np.einsum("nk,nk->n", slope, w)
            broken = np.maximum.reduce([-w.min(axis=1), w.sum(axis=1) - 1, gap / scale])
            better = broken < least
            best[better], least[better] = w[better], broken[better]
    return best


def clamped(w: Array) -> Array:
    """The paper's way to weights (K,) that are not negative: the most negative one is set to zero and its amount shared
    by those still in play, the rest pose's w_0 among them.

    >>> clamped(np.array([-0.5, 0.75])).tolist()
    [0.0, 0.5]
    """
    all_weights = np.append(w, 1 - w.sum())
    playing = np.ones(len(all_weights), dtype=bool)
    while playing.sum() > 1 and all_weights[playing].min() < 0:
        worst = np.flatnonzero(playing)[all_weights[playing].argmin()]
        playing[worst] = False
        all_weights[playing] += all_weights[worst] / playing.sum()
        all_weights[worst] = 0
    return all_weights[:-1]


def rigid_velocities(x: Array, v: Array, masses: Array) -> Array:
    """The rigid motion v_cm + omega x r (V, 3) that has the same momentum and angular momentum."""
    r = x - masses @ x / masses.sum()
    drift = masses @ v / masses.sum()
    spin = masses @ np.cross(r, v)
    inertia = np.einsum("n,ni,nj->ij", masses, r, r)
    inertia = np.trace(inertia) * np.eye(3) - inertia
    return drift + np.cross(np.linalg.pinv(inertia, rcond=1e-12, hermitian=True) @ spin, r)
