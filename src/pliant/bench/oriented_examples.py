"""Example poses on a graph of oriented particles: what a particle expects of its neighbours, and by which weights.

The paper's deformation energy asks of the directed edge i -> j that R_i (X_j - X_i) is x_j - x_i and that R_i is R_j.
A pose k says the same with other numbers, seen from particle i: the offset D^k = (R_i^k)^T (X_j^k - X_i^k) and the
relative turn Q^k = (R_i^k)^T R_j^k. Blends of the poses, D = sum w_k D^k and Q = sum w_k Q^k with the rest pose
D^0 = X_j - X_i and Q^0 = 1 as k = 0, put into the energy make a body that prefers them.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from pliant.bench.oriented_arrays import Array, Indices, Particles
from pliant.bench.twin import nearest_convex, regular

Groups = str | Mapping[str, Sequence[int]]


class Examples:
    """The rest pose and the example poses of all directed edges, and the groups of owners that share weights.

    `examples` is "global", "regions" (each particle by itself) or named groups; a particle in none goes back to rest.
    """

    def __init__(self, particles: Particles, owner: Indices, other: Indices, examples: Groups = "global") -> None:
        everyone = np.arange(len(particles.rest))
        if examples == "global":
            groups = [everyone]
        elif isinstance(examples, str):
            groups = list(everyone[:, None])
        else:
            groups = [np.asarray(chosen, dtype=np.int64) for chosen in examples.values()]
        self.edges_of = [np.flatnonzero(np.isin(owner, group)) for group in groups]
        self.owner, self.other = owner, other
        self.volumes, self.moments = particles.volumes[other], particles.moments[other]
        identity = np.tile(np.eye(3), (len(everyone), 1, 1))
        poses = [self.seen(particles.rest, identity), *map(self.seen, particles.centres, particles.turns)]
        self.offsets = np.array([offsets for offsets, _ in poses])  # D^k (1 + K, 2 E, 3)
        self.turns = np.array([turns for _, turns in poses])  # Q^k (1 + K, 2 E, 3, 3)

    def seen(self, x: Array, turns: Array) -> tuple[Array, Array]:
        """Offset and turn of every neighbour, as its owner sees them: R_i^T (x_j - x_i) and R_i^T R_j."""
        back = np.swapaxes(turns[self.owner], 1, 2)
        return np.einsum("eij,ej->ei", back, x[self.other] - x[self.owner]), back @ turns[self.other]

    def product(self, a: tuple[Array, Array], b: tuple[Array, Array]) -> Array:
        """Of each edge: v_j D_a . D_b + tr(Q_a Abar_j Q_b^T), the inner product whose square is the energy."""
        turns = np.einsum("eij,ejk,eik->e", a[1], self.moments, b[1])
        return self.volumes * (a[0] * b[0]).sum(axis=1) + turns

    def weights(self, x: Array, turns: Array, strength: float = 1.0) -> Array:
        """Of each group: the convex weights (1 + K), rest first, whose blend has the least energy in the state x, R.

        R_i leaves lengths as they are, so the energy of an edge is the square of sum w_k P^k - P, P = (D, Q) as seen by
        its owner: with the rest pose taken off, a least-squares problem over the simplex. A strength below 1 pulls
        to rest:  w' G w / strength - 2 f w  is least.
        """
        count = len(self.offsets) - 1
        found = np.zeros((len(self.edges_of), 1 + count))
        found[:, 0] = 1
        if count == 0:
            return found
        offsets, relative = self.seen(x, turns)
        strain = offsets - self.offsets[0], relative - self.turns[0]
        poses = [(self.offsets[k] - self.offsets[0], self.turns[k] - self.turns[0]) for k in range(1, 1 + count)]
        grams = np.array([[self.product(a, b) for b in poses] for a in poses])  # (K, K, 2 E)
        sides = np.array([self.product(a, strain) for a in poses])
        size = self.product((self.offsets[0], self.turns[0]), (self.offsets[0], self.turns[0]))
        for row, edges in zip(found, self.edges_of, strict=True):
            if len(edges):
                scale = size[edges].sum()  # makes it a problem without units
                gram, side = grams[:, :, edges].sum(axis=2) / scale, sides[:, edges].sum(axis=1) / scale
                row[1:] = nearest_convex(regular(gram[None]), strength * side[None])[0]
                row[0] = 1 - row[1:].sum()
        return found

    def blend(self, weights: Array) -> tuple[Array, Array]:
        """D = sum w_k D^k (2 E, 3) and Q = sum w_k Q^k (2 E, 3, 3) by the weights of each edge's owner."""
        offsets, turns = self.offsets[0].copy(), self.turns[0].copy()
        for row, edges in zip(weights, self.edges_of, strict=True):
            offsets[edges] = np.tensordot(row, self.offsets[:, edges], 1)
            turns[edges] = np.tensordot(row, self.turns[:, edges], 1)
        return offsets, turns
