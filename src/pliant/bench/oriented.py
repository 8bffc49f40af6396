"""The table of [Choi+17] on its own scenes: milliseconds a frame of a 30th of a second, one thread."""

from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

import pliant
from pliant.bench.budget import WHOLE, Budget
from pliant.body import Body
from pliant.graph import graph_of
from pliant.models.oriented_particles import layout as at
from pliant.models.oriented_particles.batched_step import BATCH_ROW, batched_step
from pliant.models.oriented_particles.kernels import BOTH_HALVES, GLOBAL_HALF, advance
from pliant.models.oriented_particles.solve import batch_arrays, single_arrays
from pliant.world import World

Row = dict[str, Any]
FRAME_SECONDS = 1 / 30  # s, as in the paper
TIMED_ROUNDS = 300
# ms a frame, local and global, on a laptop of 2017: one core, but four for the crowd
PAPER_MS = {"bar": 0.34, "dinosaur": 0.94, "sheet": 2.21, "180 bodies": 12.15}


def oriented(progress: Callable[[str], None], budget: Budget = WHOLE) -> Iterator[Row]:
    """A bar, a dinosaur and a sheet at 1 x 10, and 180 bodies of 25 particles at 6 x 2, without contact."""
    scenes: list[tuple[str, Body, int, int, int, int]] = [
        ("bar", pliant.shapes.cuboid(size=(10, 1, 1), cells=(40, 4, 4)), 20, 1, 1, 10),
        ("dinosaur", pliant.shapes.dinosaur(), 100, 1, 1, 10),
        ("sheet", pliant.shapes.sheet(), 256, 1, 1, 10),
        ("180 bodies", pliant.shapes.teddy(), 25, 180, 6, 2),
    ]
    for name, body, particles, bodies, substeps, iterations in scenes:
        progress(f"oriented particles, {name}")
        graph = graph_of(body, particles)
        world = World(contact=False)
        settings = pliant.OrientedParticles(particles=particles, iterations=iterations, stiffness=1e5)
        for number in range(bodies):
            world.add(graph, settings, position=(3.0 * (number % 14), 0, 3.0 * (number // 14)))
        rng = np.random.default_rng(0)
        for actor in world.actors:  # shaken, so that every particle has something to do
            actor.velocities[:] += 0.3 * actor.body.size.max() * rng.normal(size=actor.velocities.shape)
        rounds = budget.count(TIMED_ROUNDS)
        whole = _best(partial(world.step, FRAME_SECONDS, substeps), rounds)
        local, placed = _halves(world, rounds) if bodies == 1 else (None, None)
        if local is None or placed is None:
            both = _iterations(world, FRAME_SECONDS / substeps, rounds) * substeps
        else:
            both = local + placed
        edges = len(graph.elements)
        yield {
            "name": f"oriented, {name}", "particles": bodies * particles, "edges": bodies * edges,
            "us_per_step": 1e3 * whole, "ns_per_particle": 1e6 * whole / (bodies * particles),
            "local_ms": local, "global_ms": placed, "iterations_ms": both, "frame_ms": whole,
            "paper_ms": PAPER_MS[name],
            "x_paper": PAPER_MS[name] / whole,
        }  # fmt: skip


def _halves(world: World, rounds: int) -> tuple[float, float]:
    """The local and the global half of all iterations of a frame (ms). The global one is timed by itself; the local one
    is what is left of both, because rotations that no position follows take more turns than they do in earnest."""
    state, pack = world._registry.state, world._registry.packs["oriented_particles"]
    arrays = single_arrays(pack, state.own["oriented_particles"], state, FRAME_SECONDS)
    kept = state.kept()

    def run(halves: int) -> float:
        def once() -> None:
            state.put_back(kept)
            advance(*arrays, halves, 0, 1)

        return _best(once, rounds)

    nothing, both, placed = run(0), run(BOTH_HALVES), run(GLOBAL_HALF)
    return both - placed, placed - nothing


def _iterations(world: World, h: float, rounds: int) -> float:
    """The iterations of all bodies in a sub-step, local and global (ms): a solve with them against one without.
    The paper's figure of a crowd counts these; a frame of ours has flight, rotation, damping and Python beside them."""
    state, pack = world._registry.state, world._registry.packs["oriented_particles"]
    kept, y = state.kept(), state.y.copy()
    heads = pack.ints[: at.HEAD * len(pack.players)].reshape(-1, at.HEAD)
    wanted = heads[:, at.ITERATIONS].copy()
    lanes = batch_arrays(pack, pack.batches, state, h)
    scratch = world._registry.scratch.room(0, pack.scratch_size, pack.floats.dtype)

    def run(iterations: Any) -> float:
        heads[:, at.ITERATIONS] = iterations
        best = np.inf
        for _ in range(rounds):
            state.put_back(kept)
            state.y[:] = y
            begin = perf_counter()
            batched_step(*lanes, scratch, 0, len(pack.batches) // BATCH_ROW)
            best = min(best, perf_counter() - begin)
        return 1e3 * float(best)

    return run(wanted) - run(0)


def _best(task: Callable[[], None], rounds: int) -> float:
    """Milliseconds of the fastest of many calls."""
    best = np.inf
    for _ in range(rounds):
        begin = perf_counter()
        task()
        best = min(best, perf_counter() - begin)
    return 1e3 * float(best)
