"""Springs: what an iteration costs, against the same in NumPy, and a whole step of cloth."""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.bench.budget import WHOLE, Budget
from pliant.bench.clock import Run, time_by_turns, time_world
from pliant.body import Body
from pliant.examples import convex_weights
from pliant.models.mass_spring.potential import Potential
from pliant.models.mass_spring.prepare import Player

Array = NDArray[np.float64]
Row = dict[str, Any]
CLOTH_CELLS = (31, 99)  # cells of a cloth along a side: 1,024 and 10,000 particles
SECONDS = 2.0


def springs(progress: Callable[[str], None], budget: Budget = WHOLE) -> Iterator[Row]:
    """A pinned cloth and a solid bar with an example: energy and gradient by our kernels and by NumPy, and a step."""
    bar = pliant.shapes.cuboid(size=(1, 1, 3), cells=(8, 8, 24))
    cases: list[tuple[str, Body]] = [("bar", bar.with_pose("twist", pliant.poses.twist(bar, degrees=90, shorten=0.2)))]
    cases += [("cloth", pliant.shapes.sheet(cells=(side, side), thickness=0.005)) for side in CLOTH_CELLS]
    for name, body in budget.first(cases):
        progress(f"springs, {name} of {len(body.rest)} particles")
        world = pliant.World(contact=False)
        actor = world.add(body, pliant.MassSpring())
        actor.pin([0])
        for _ in range(3):
            world.step(1 / 60)
        player = world._registry.packs["mass_spring"].players[0]
        x = actor.positions.astype(np.float64).reshape(-1)
        potential = Potential(player, np.zeros(player.weight_count), 0.0, x)
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
            "name": f"springs, {name}", "particles": len(body.rest), "us_per_step": step_us,
            "ns_per_particle": 1e3 * step_us / len(body.rest), "iteration_us": kernel_us, "twin_us": numpy_us,
            "x_twin": numpy_us / kernel_us,
        }  # fmt: skip


def in_numpy(player: Player, x: Array) -> tuple[float, Array]:
    """Energy (J) and gradient (3 V,) of springs and what bends, a line a formula. One group of poses, no handles."""
    network, places, k = player.network, x.reshape(-1, 3), player.stiffness
    apart = places[network.edges[:, 1]] - places[network.edges[:, 0]]
    lengths = np.linalg.norm(apart, axis=1)
    arcs = np.einsum("bk,bki->bi", network.coefficients, places[network.bows])
    bends = np.linalg.norm(arcs, axis=1)
    angles, slopes = angles_of(network.hinges, places)
    values = np.concatenate([lengths, bends, angles])
    goals = player.rest
    cost = 0.0
    beta = player.settings.example_strength
    if len(player.given) and beta > 0.0:
        change, gram = player.examples.change, player.examples.grams[0]
        w = convex_weights(gram, change @ (k * (values - player.rest)), beta)
        goals = goals + w @ change
        cost = 0.5 * (1.0 / beta - 1.0) * float(w @ gram @ w)
    off = values - goals
    pulls = k * off
    springs, straight = len(lengths), len(lengths) + len(bends)
    gradient = np.zeros_like(places)
    along = (pulls[:springs] / lengths)[:, None] * apart
    np.add.at(gradient, network.edges[:, 1], along)
    np.add.at(gradient, network.edges[:, 0], -along)
    arc = (pulls[springs:straight] / np.maximum(bends, 1e-150))[:, None] * arcs
    np.add.at(gradient, network.bows, network.coefficients[:, :, None] * arc[:, None, :])
    np.add.at(gradient, network.hinges, pulls[straight:, None, None] * slopes)
    return 0.5 * float(pulls @ off) + cost, gradient.reshape(-1)


def angles_of(hinges: NDArray[np.int64], places: Array) -> tuple[Array, Array]:
    """(H,) rad, and their gradients (H, 4, 3)."""
    a, b, c, d = (places[hinges[:, i]] for i in range(4))
    edge, square = b - a, np.square(b - a).sum(axis=1)
    n, m = np.cross(edge, c - a), np.cross(d - a, edge)
    length = np.sqrt(square)
    angles = np.arctan2((np.cross(n, m) * edge).sum(axis=1) / length, (n * m).sum(axis=1))
    one, two = (-(length / np.square(each).sum(axis=1))[:, None] * each for each in (n, m))
    s, t = (((corner - a) * edge).sum(axis=1)[:, None] / square[:, None] for corner in (c, d))
    slopes = np.stack([(s - 1.0) * one + (t - 1.0) * two, -s * one - t * two, one, two], axis=1)
    return angles, slopes


def _several(task: Callable[[], None], count: int) -> Run:
    """The same some times over."""

    def once() -> list[float]:
        times = []
        for _ in range(count):
            start = perf_counter()
            task()
            times.append(perf_counter() - start)
        return times

    return once
