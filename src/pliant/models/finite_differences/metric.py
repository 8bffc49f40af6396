"""What a grid measures of a deformation x(a), a its material coordinates (m): the metric tensor G_ij = x,i . x,j and
the curvature tensor B_ij = n . x,ij, and how much it costs to change them.

    solid   mu/4 |G - G0|^2 + lambda/8 tr(G - G0)^2                                  per volume
    sheet   the same with lambda' = 2 mu lambda / (lambda + 2 mu), times the thickness t, and for its bending
            D/2 ((1 - nu) |B - B0|^2 + nu tr(B - B0)^2),    D = E t^3 / 12 (1 - nu^2)    per area
    rope    E A/8 (G - G0)^2 + E I/2 (k - k0)^2,            k = |x,11|               per length

With the strain (G - 1) / 2 the first is Hooke's law. Derivatives are differences of second order: along an edge, or in
the middle of a face or a cell as the mean of its edges. Means alone miss what alternates from cell to cell, and edges
alone make a thin bar up to three times too hard to bend; a third of edges (of faces for what shears) and two thirds of
cells is Simpson's rule across a cell, so that bending and twisting energy is exact where it is linear."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.elastic.materials.lame import lame
from pliant.models.finite_differences.grid import Grid

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
OUTER, INNER = 1.0 / 3.0, 2.0 / 3.0  # Simpson's shares of the sides of a cell and of its middle


@dataclass(frozen=True, eq=False)
class Metric:
    """M vectors of differences u = sum of coefficients (1/m, or 1/m^2) times particles; vector m has those from
    starts[m] to starts[m + 1]. N numbers are made of them, the descriptor: lengths (L,): u . u; shears (S, 2): u . u';
    traces (T, 2 or 3): the sum of u . u; bends (B, 3) of
    sheets: n . u with the normal n of the other two; bows (R,) of ropes: |u|. stretch and bend (N,): what they weigh in
    the energy; one of them is 0."""

    starts: Ints
    particles: Ints
    coefficients: Array
    lengths: Ints
    shears: Ints
    traces: Ints
    bends: Ints
    bows: Ints
    stretch: Array
    bend: Array

    @property
    def sizes(self) -> tuple[int, int, int, int, int]:
        return len(self.lengths), len(self.shears), len(self.traces), len(self.bends), len(self.bows)

    def vectors_of(self) -> list[Ints]:
        """Which vectors each number is made of."""
        tables = (self.lengths[:, None], self.shears, self.traces, self.bends, self.bows[:, None])
        return [row for table in tables for row in table]


class _Vectors:
    """Difference vectors, as they are made."""

    def __init__(self, grid: Grid) -> None:
        self.grid, self.count = grid, 0
        self.particles: list[Ints] = []
        self.coefficients: list[Array] = []
        self.wide: list[Ints] = []

    def add(self, particles: Ints, coefficients: Array) -> Ints:
        """particles (..., W) and coefficients (W,) or alike -> the numbers of the vectors (...)."""
        shape, wide = particles.shape[:-1], particles.shape[-1]
        total = int(np.prod(shape))
        self.particles.append(particles.reshape(-1))
        self.coefficients.append(np.broadcast_to(coefficients, particles.shape).reshape(-1))
        self.wide.append(np.full(total, wide))
        self.count += total
        return (self.count - total + np.arange(total)).reshape(shape)

    def slope(self, along: int, span: tuple[int, ...]) -> Ints:
        """x,i in the middle of edges, faces or cells, which span these dimensions."""
        numbers, corners, signs = self.grid.numbers, [], []
        for corner in product((0, 1), repeat=len(span)):
            at = dict(zip(span, corner, strict=True))
            corners.append(numbers[tuple(_from(at[d], numbers.shape[d] - 1) if d in at else slice(None)
                                         for d in range(numbers.ndim))])  # fmt: skip
            signs.append(2 * at[along] - 1)
        step = self.grid.spacing[along] * 2 ** (len(span) - 1)
        return self.add(np.stack(corners, axis=-1), np.array(signs) / step)

    def slope_at_particles(self, along: int) -> Ints:
        """x,i at the particles of a sheet: a central difference, one-sided at the border."""
        numbers = np.moveaxis(self.grid.numbers, along, 0)
        first, last = np.append(0, np.arange(len(numbers) - 1)), np.append(np.arange(1, len(numbers)), len(numbers) - 1)
        steps = (last - first) * self.grid.spacing[along]
        pairs = np.stack([numbers[first], numbers[last]], axis=-1)
        slopes = np.array([-1.0, 1.0]) / steps[:, None, None]
        return np.moveaxis(self.add(pairs, np.broadcast_to(slopes, pairs.shape)), 0, along)

    def second(self, along: int) -> Ints:
        """x,ii at the particles that have neighbours on both sides."""
        numbers = np.moveaxis(self.grid.numbers, along, 0)
        three = np.stack([numbers[:-2], numbers[1:-1], numbers[2:]], axis=-1)
        return np.moveaxis(self.add(three, np.array([1.0, -2.0, 1.0]) / self.grid.spacing[along] ** 2), 0, along)


def _from(first: int, count: int) -> slice:
    return slice(first, first + count)


def metric_of(body: Body, grid: Grid, young: float, poisson: float) -> Metric:
    """All that is measured on a grid, and what it weighs for a material."""
    vectors = _Vectors(grid)
    lengths: list[tuple[Ints, Array]] = []
    shears: list[tuple[Ints, Array]] = []
    traces: list[tuple[Ints, Array]] = []
    bends: list[tuple[Ints, Array]] = []
    bows: list[tuple[Ints, Array]] = []
    mu, lam = lame(young, poisson)
    dimensions, thick = grid.dimensions, float(body.thickness or 0.0)
    every = tuple(range(dimensions))
    if dimensions == 1:
        edges = vectors.slope(0, (0,))
        lengths.append((edges, young * np.pi * thick**2 / 16.0 * measure(grid, every)))
        middle = vectors.second(0)
        bows.append((middle, np.full(len(middle), young * np.pi * thick**4 / 64.0 * grid.spacing[0])))
    else:
        across = thick if dimensions == 2 else 1.0
        lam = 2.0 * mu * lam / (lam + 2.0 * mu) if dimensions == 2 else lam
        whole = across * measure(grid, every)
        cells = [vectors.slope(i, every) for i in every]
        for i in every:
            lengths.append((vectors.slope(i, (i,)), OUTER * mu / 2.0 * across * measure(grid, (i,))))
            lengths.append((cells[i], INNER * mu / 2.0 * whole))
        for i in every:
            for j in range(i):
                at_cells = mu * whole if dimensions == 2 else INNER * mu * whole
                shears.append((np.stack([cells[i], cells[j]], axis=-1), at_cells))
                if dimensions == 3:
                    pair = np.stack([vectors.slope(i, (j, i)), vectors.slope(j, (j, i))], axis=-1)
                    shears.append((pair, OUTER * mu * measure(grid, (j, i))))
        traces.append((np.stack(cells, axis=-1), lam / 4.0 * whole))
        if dimensions == 2:
            rigidity = young * thick**3 / 12.0 / (1.0 - poisson**2)
            bends += _bends(vectors, cells, rigidity, poisson)
    wide = (0, 2, max(2, dimensions), 3, 0)
    parts = (lengths, shears, traces, bends, bows)
    tables = [_joined(part, width) for part, width in zip(parts, wide, strict=True)]
    weights = [weight for _, weight in tables]
    counts = [len(weight) for weight in weights]
    flat = np.arange(sum(counts)) < sum(counts[:3])
    both = np.concatenate(weights)
    starts = np.append(0, np.cumsum(np.concatenate(vectors.wide)))
    particles, coefficients = np.concatenate(vectors.particles), np.concatenate(vectors.coefficients)
    (squares, _), (angles, _), (sums, _), (curves, _), (arcs, _) = tables
    stretch, bend = np.where(flat, both, 0.0), np.where(flat, 0.0, both)
    return Metric(starts, particles, coefficients, squares, angles, sums, curves, arcs, stretch, bend)


def measure(grid: Grid, span: tuple[int, ...]) -> Array:
    """m, m^2 or m^3: what each edge, face or cell stands for. Those at the border of the grid stand for half."""
    amount = np.array(float(np.prod(grid.spacing)))
    for d, count in enumerate(grid.numbers.shape):
        shares = np.ones(count - 1)
        if d not in span:
            shares = np.append(0.5, np.append(np.ones(count - 2), 0.5))
        amount = np.multiply.outer(amount, shares)
    return amount


def _bends(vectors: _Vectors, cells: list[Ints], rigidity: float, poisson: float) -> list[tuple[Ints, Array]]:
    """B_11 and B_22 at particles, their sum where both are known, B_12 in cells. At a free border the moment across it
    vanishes, which leaves (1 - nu^2) of the rigidity along it."""
    grid = vectors.grid
    area = float(np.prod(grid.spacing))
    slopes = [vectors.slope_at_particles(i) for i in (0, 1)]
    inside = (slice(1, -1), slice(1, -1))
    found = []
    for i in (0, 1):
        along = [slice(None), slice(None)]
        along[i] = slice(1, -1)
        bent = vectors.second(i)
        weight = np.full(bent.shape, rigidity * (1.0 - poisson) * area)
        for side in (0, -1):
            border = [slice(None), slice(None)]
            border[1 - i] = slice(side, side + 1 or None)
            weight[tuple(border)] = 0.5 * rigidity * (1.0 - poisson**2) * area
        found.append((np.stack([bent, *(each[tuple(along)] for each in slopes)], axis=-1), weight))
    numbers, (d0, d1) = grid.numbers, grid.spacing**2
    five = [numbers[inside], numbers[:-2, 1:-1], numbers[2:, 1:-1], numbers[1:-1, :-2], numbers[1:-1, 2:]]
    both = vectors.add(np.stack(five, axis=-1), np.array([-2 / d0 - 2 / d1, 1 / d0, 1 / d0, 1 / d1, 1 / d1]))
    weight = np.full(both.shape, rigidity * poisson * area)
    found.append((np.stack([both, *(each[inside] for each in slopes)], axis=-1), weight))
    corners = np.stack([numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, :-1], numbers[1:, 1:]], axis=-1)
    mixed = vectors.add(corners, np.array([1.0, -1.0, -1.0, 1.0]) / area)
    found.append((np.stack([mixed, *cells], axis=-1), np.full(mixed.shape, 2.0 * rigidity * (1.0 - poisson) * area)))
    return found


def _joined(parts: list[tuple[Ints, Array]], wide: int) -> tuple[Ints, Array]:
    """Tables of vectors and their weights, one below the other; empty ones if there are none."""
    shape = (-1, wide) if wide else (-1,)
    if not parts:
        return np.zeros((0, wide) if wide else 0, np.int64), np.zeros(0)
    rows = np.concatenate([table.reshape(shape) for table, _ in parts]).astype(np.int64)
    return rows, np.concatenate([np.asarray(weight).reshape(-1) for _, weight in parts])
