"""What `pliant bench` runs. Compare numbers within one run only; other work on the machine spoils them."""

import difflib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import pliant
from pliant.bench.budget import QUICK, WHOLE, Budget
from pliant.bench.clock import H, moving, solving, stepping, time_by_turns, time_solve, time_world
from pliant.bench.clusters import clusters
from pliant.bench.contact import contact
from pliant.bench.elastic import elastic, growing, several
from pliant.bench.grids import grids
from pliant.bench.modes import modes
from pliant.bench.oriented import oriented
from pliant.bench.plain import Plain
from pliant.bench.rest import moving_and_resting
from pliant.bench.springs import springs
from pliant.bench.surfaces import surfaces
from pliant.bench.twin import Twin
from pliant.body import Body
from pliant.dynamics.state import State
from pliant.dynamics.step_context import StepContext
from pliant.models import Role, models
from pliant.runtime import jit
from pliant.runtime.errors import SettingsError
from pliant.runtime.processor import machine

Row = dict[str, Any]
Progress = Callable[[str], None]

GRIDS = {225: (4, 4, 8), 2025: (8, 8, 24)}
LARGE_BAR = (32, 32, 91)  # 100,188 particles
BAR_SIZES = ((4, 4, 8), (8, 8, 24), (16, 16, 68), LARGE_BAR, (64, 64, 236))
SCALING_SECONDS, THREADS_SECONDS = 24.0, 8.0


def run(names: list[str], progress: Progress = lambda text: None, quick: bool = False) -> list[Row]:
    """The rows of the named benchmarks, of all of them where none is named. quick: with so small a budget that they
    show only that everything runs."""
    for name in names:
        if name not in BENCHMARKS:
            close = difflib.get_close_matches(name, BENCHMARKS, n=1)
            meant = f'; did you mean "{close[0]}"?' if close else ""
            raise SettingsError(f'there is no benchmark "{name}"{meant} (there are: {", ".join(BENCHMARKS)})')
    progress("compiling")
    models()
    jit.make_ready("single")
    rows = []
    budget = QUICK if quick else WHOLE
    for name in names or BENCHMARKS:
        for row in BENCHMARKS[name](progress, budget):
            rows.append({**row, "machine": machine()})
    return rows


def bar(cells: tuple[int, int, int], examples: int) -> Body:
    """The paper's cuboid with up to four examples."""
    body = pliant.shapes.cuboid(size=(1, 1, 1 * cells[2] / cells[0]), cells=cells)
    poses: list[tuple[str, Callable[[Body], Any]]] = [
        ("twist", lambda b: pliant.poses.twist(b, degrees=90, shorten=0.25)),
        ("s", lambda b: pliant.poses.s_curve(b, degrees=50)),
        ("squash", lambda b: pliant.poses.squash(b, amount=0.3)),
        ("bend", lambda b: pliant.poses.bend(b, degrees=60)),
    ]
    for name, pose in poses[:examples]:
        body = body.with_pose(name, pose(body))
    return body


def cuboid(progress: Progress, budget: Budget) -> Iterator[Row]:
    """The paper's cuboid: our kernel, the plain kernel, the NumPy twin, and the whole step of a world, in free space
    and on a floor under gravity."""
    for particles, cells in budget.first(GRIDS.items()):
        for examples in (1, 4):
            for mode in ("global", "regions"):
                what = f"cuboid, {examples} {mode}"
                progress(f"{what}, {particles} particles")
                body = bar(cells, examples)
                settings = pliant.ShapeMatching(examples=mode)
                steps, seconds = budget.count(60_000 // particles), budget.seconds(1.0)
                ours = time_solve(_solver(body, settings), body, np.float32, steps, budget.seconds(1.5))
                plain = Plain(body, settings, np.float32)
                slow = time_solve(
                    lambda x, y, p, plain=plain: plain.solve(x, y, p, H), body, np.float32, steps, seconds
                )
                twin = _twin(body, settings)
                yield {
                    "name": what, "particles": particles, "us_per_step": ours,
                    "ns_per_particle": 1e3 * ours / particles,
                    "world_us": time_world(free(body, settings), steps, seconds),
                    "floor_us": time_world(on_floor(body, settings), steps, seconds),
                    "plain_us": slow, "twin_us": twin, "x_plain": slow / ours, "x_twin": twin / ours,
                }  # fmt: skip


def free(body: Body, settings: Any) -> pliant.World:
    """A world without weight in which the body vibrates."""
    world = pliant.World(gravity=(0, 0, 0))
    world.add(body, settings)
    _set_moving(world)
    return world


def on_floor(body: Body, settings: Any) -> pliant.World:
    """A world in which it vibrates while it lies on a floor, under its weight; it may not sleep."""
    world = pliant.World(colliders=[pliant.Plane()])
    actor = world.add(body, settings, may_sleep=False)
    _set_moving(world)
    actor.positions[:, 1] -= actor.positions[:, 1].min()
    return world


def scaling(progress: Progress, budget: Budget) -> Iterator[Row]:
    """The same cost per particle from a small body to a million particles, one thread, all sizes by turns."""
    runs, counts = [], []
    for cells in budget.first(BAR_SIZES, 2):
        body = bar(cells, 1)
        counts.append(len(body.rest))
        progress(f"scaling, {counts[-1]:,} particles")
        settings = pliant.ShapeMatching()
        runs.append(solving(_solver(body, settings), body, np.float32, budget.count(max(4, 200_000 // counts[-1]))))
    progress("scaling, by turns")
    times = time_by_turns(runs, budget.seconds(SCALING_SECONDS))
    for count, each in zip(counts, times, strict=True):
        yield {
            "name": "scaling", "particles": count, "us_per_step": each, "ns_per_particle": 1e3 * each / count,
            "x_smallest": (each / count) / (times[0] / counts[0]),
        }  # fmt: skip


def threads(progress: Progress, budget: Budget) -> Iterator[Row]:
    """One thread against two, by turns: a whole step of a world with 100,000 particles."""
    body = bar(budget.instead(LARGE_BAR, BAR_SIZES[1]), 1)
    runs = []
    for count in (1, 2):
        world = pliant.World(gravity=(0, 0, 0), threads=count)
        world.add(body, pliant.ShapeMatching())
        _set_moving(world)
        runs.append(stepping(world, budget.count(10)))
    progress("threads, by turns")
    times = time_by_turns(runs, budget.seconds(THREADS_SECONDS))
    for count, each in zip((1, 2), times, strict=True):
        yield {
            "name": f"{count} threads", "particles": len(body.rest), "us_per_step": each,
            "ns_per_particle": 1e3 * each / len(body.rest), "x_one_thread": times[0] / each,
        }  # fmt: skip


def rest(progress: Progress, budget: Budget) -> Iterator[Row]:
    """The paper's cuboid in motion and at rest, in free space and on the floor."""
    for cells in budget.first(GRIDS.values()):
        yield from moving_and_resting(bar(cells, 1), progress, budget)


def crowd(progress: Progress, budget: Budget) -> Iterator[Row]:
    """A thousand bodies of 27 particles against one body of 27,000: whole steps of a world."""
    alone = None
    large, many = budget.instead((29, 1000), (8, 27))
    for cells, count in (((large,) * 3, 1), ((2, 2, 2), many)):
        body = bar(cells, 1)
        progress(f"crowd, {count} bodies")
        world = pliant.World(gravity=(0, 0, 0), contact=False)  # they are all in the same place
        for number in range(count):
            world.add(body, pliant.ShapeMatching(), name=f"body {number}")
        _set_moving(world)
        each = time_world(world, budget.count(10), budget.seconds(2.0))
        alone = alone or each
        particles = count * len(body.rest)
        yield {
            "name": f"{count} bodies", "particles": particles, "us_per_step": each,
            "ns_per_particle": 1e3 * each / particles, "x_one_body": each / alone,
        }  # fmt: skip


BENCHMARKS: dict[str, Callable[[Progress, Budget], Iterator[Row]]] = {
    "cuboid": cuboid, "scaling": scaling, "threads": threads, "rest": rest, "crowd": crowd,
    "oriented": oriented, "elastic": elastic, "elastic-examples": several, "elastic-scaling": growing,
    "springs": springs, "grids": grids, "surfaces": surfaces, "clusters": clusters, "modes": modes, "contact": contact,
}  # fmt: skip


def _solver(body: Body, settings: Any) -> Callable[..., None]:
    model = models()["shape_matching"]
    pack = model.prepare([Role("bar", body, settings, 0, np.array([0, 0, 0, 1.0]))], np.float32)
    own, context = model.memory.start(pack), StepContext.alone(State.empty([len(body.rest)], np.float32), H)

    def solve(x: Any, y: Any, p: Any) -> None:
        context.state.x, context.state.y, context.state.p = x, y, p
        model.solve(pack, own, context)

    return solve


def _twin(body: Body, settings: Any) -> float:
    twin = Twin(body, settings)
    still = np.zeros_like(body.rest)

    def solve(x: Any, y: Any, p: Any) -> None:
        here = x.reshape(-1, 4)[:, :3]
        p.reshape(-1, 4)[:, :3] = y.reshape(-1, 4)[:, :3] + twin.step(here, still, H)[0] - here

    return time_solve(solve, body, np.float64, 2, 0.0)


def _set_moving(world: Any) -> None:
    for actor in world.actors:
        x, v = moving(actor.body, np.float64)
        actor.positions[:] = x.reshape(-1, 4)[:, :3]
        actor.velocities[:] = v.reshape(-1, 4)[:, :3]
