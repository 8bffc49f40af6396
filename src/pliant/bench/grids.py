"""Finite differences: what an evaluation and a product with the matrix cost, against the same in NumPy, and a step."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.bench.budget import WHOLE, Budget
from pliant.bench.clock import time_by_turns, time_world
from pliant.bench.springs import _several
from pliant.body import Body
from pliant.examples import convex_weights
from pliant.models.finite_differences.potential import Potential
from pliant.models.finite_differences.prepare import Player

Array = NDArray[np.float64]
Row = dict[str, Any]
SECONDS = 2.0


def grids(progress: Callable[[str], None], budget: Budget = WHOLE) -> Iterator[Row]:
    """A bar with an example, a pinned sheet and a rope: energy and gradient by our kernels and by NumPy; a step."""
    bar = pliant.shapes.cuboid(size=(1, 1, 3), cells=(8, 8, 24))
    bodies: list[tuple[str, Body]] = [
        ("bar", bar.with_pose("twist", pliant.poses.twist(bar, degrees=90, shorten=0.2))),
        ("sheet", pliant.shapes.sheet(cells=(31, 31), thickness=0.005)),
        ("rope", pliant.shapes.rope(particles=201)),
    ]
    for name, body in budget.first(bodies):
        progress(f"grids, {name} of {len(body.rest)} particles")
        world = pliant.World(contact=False)
        actor = world.add(body, pliant.FiniteDifferences())
        actor.pin([0])
        for _ in range(3):
            world.step(1 / 60)
        player = world._registry.packs["finite_differences"].players[0]
        x = actor.positions.astype(np.float64).reshape(-1)
        potential = Potential(player, np.zeros(player.weight_count))
        count = budget.count(20)

        def ours(x: Array = x, potential: Potential = potential) -> None:
            potential.evaluate(x)

        def twin(x: Array = x, player: Player = player) -> None:
            in_numpy(player, x)

        kernel_us, numpy_us = time_by_turns(
            [_several(ours, count), _several(twin, max(1, count // 10))], budget.seconds(SECONDS)
        )
        step_us = time_world(world, max(1, count // 5), budget.seconds(SECONDS))
        yield {
            "name": f"grids, {name}", "particles": len(body.rest), "us_per_step": step_us,
            "ns_per_particle": 1e3 * step_us / len(body.rest), "iteration_us": kernel_us, "twin_us": numpy_us,
            "x_twin": numpy_us / kernel_us,
        }  # fmt: skip


def vectors_of(player: Player, places: Array) -> Array:
    """(M, 3) differences of particles (V, 3)."""
    metric = player.metric
    products = metric.coefficients[:, None] * places[metric.particles]
    found: Array = np.add.reduceat(products, metric.starts[:-1], axis=0)
    return found


def descriptor(player: Player, u: Array) -> Array:
    """(N,) metric and curvature from the vectors (M, 3)."""
    metric = player.metric
    squares = np.square(u).sum(axis=1)
    shears = np.einsum("si,si->s", u[metric.shears[:, 0]], u[metric.shears[:, 1]])
    bent, p, q = (u[metric.bends[:, i]] for i in range(3))
    normals = np.cross(p, q)
    bends = np.einsum("bi,bi->b", normals, bent) / np.linalg.norm(normals, axis=1)
    sums = squares[metric.traces].sum(axis=1)
    return np.concatenate([squares[metric.lengths], shears, sums, bends, np.sqrt(squares[metric.bows])])


def in_numpy(player: Player, x: Array) -> tuple[float, Array]:
    """Energy (J) and gradient (3 V,), a line a formula. One group of poses, no handles."""
    metric, k = player.metric, player.stiffness
    u = vectors_of(player, x.reshape(-1, 3))
    values, goals, cost = descriptor(player, u), player.rest, 0.0
    beta = player.settings.example_strength
    if len(player.given) and beta > 0.0:
        change, gram = player.examples.change, player.examples.grams[0]
        w = convex_weights(gram, change @ (k * (values - player.rest)), beta)
        goals = goals + w @ change
        cost = 0.5 * (1.0 / beta - 1.0) * float(w @ gram @ w)
    pulls = k * (values - goals)
    stretch, shear, trace, bend, bow = np.split(pulls, np.cumsum(metric.sizes)[:-1])
    moved = np.zeros_like(u)
    np.add.at(moved, metric.lengths, 2.0 * stretch[:, None] * u[metric.lengths])
    one, two = metric.shears.T
    np.add.at(moved, one, shear[:, None] * u[two])
    np.add.at(moved, two, shear[:, None] * u[one])
    np.add.at(moved, metric.traces, 2.0 * trace[:, None, None] * u[metric.traces])
    b, p, q = (u[metric.bends[:, i]] for i in range(3))
    area = np.linalg.norm(np.cross(p, q), axis=1, keepdims=True)
    n = np.cross(p, q) / np.maximum(area, 1e-150)
    inside = b - np.einsum("bi,bi->b", n, b)[:, None] * n
    slopes = (n, np.cross(q, inside) / area, np.cross(inside, p) / area)
    for column, slope in enumerate(slopes):
        np.add.at(moved, metric.bends[:, column], bend[:, None] * slope)
    arcs = u[metric.bows]
    lengths = np.maximum(np.linalg.norm(arcs, axis=1, keepdims=True), 1e-150)
    np.add.at(moved, metric.bows, bow[:, None] * arcs / lengths)
    gradient = np.zeros((player.count, 3))
    wide = np.repeat(moved, np.diff(metric.starts), axis=0)
    np.add.at(gradient, metric.particles, metric.coefficients[:, None] * wide)
    return 0.5 * float(pulls @ (values - goals)) + cost, gradient.reshape(-1)
