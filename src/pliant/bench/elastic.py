"""The tables of [Martin+11] on meshes of as many unknowns: milliseconds, one thread."""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

import pliant
from pliant.bench.budget import WHOLE, Budget
from pliant.body import Body
from pliant.world import World

Row = dict[str, Any]
Progress = Callable[[str], None]
PAPER_STEP = 0.02  # s, as in the paper
STEPS, FALL_ROUNDS = 25, 5  # of a fall on the ground
SQUASHED = 8  # steps until examples are at work
REPEATS = 40  # of one assembly or iteration
# From the paper, one core of a desktop of 2009: unknowns, stiffness ratio, assembly, shortest and longest step (ms).
PAPER_SCENES = {
    "cuboid": (975, 40, 80, 528, 3064),
    "sneaker": (942, 20, 107, 680, 1288),
    "teddy": (828, 40, 59, 1333, 1410),
    "cylinder": (227, 20, 43, 502, 1214),
    "car": (1410, 50, 110, 2990, 3292),
    "balloon": (1320, 1000, 106, 125, 2196),
}
EXAMPLES = {1: (120, 244), 2: (124, 216), 3: (128, 213), 4: (132, 218), 8: (148, 220), 12: (165, 232)}


def elastic(progress: Progress, budget: Budget = WHOLE) -> Iterator[Row]:
    """Table 1: six bodies with examples fall on the ground, with each form of the manifold that is fast enough."""
    for name in budget.first(PAPER_SCENES):
        body = _body(name)
        unknowns, ratio, assembly, shortest, longest = PAPER_SCENES[name]
        for manifold in ("realised", "strain"):
            progress(f"finite elements, {name}, {manifold}")
            settings = pliant.Fem(young=1e5, example_stiffness=float(ratio), manifold=manifold)
            times, iterations, world = fall(body, settings, budget.count(STEPS), budget.count(FALL_ROUNDS))
            yield {
                "name": f"fem, {name}, {manifold}", "particles": len(body.rest), "unknowns": 3 * len(body.rest),
                "us_per_step": 1e3 * float(np.mean(times)),
                "ns_per_particle": 1e6 * float(np.mean(times)) / len(body.rest),
                "assembly_ms": assembly_time(world, budget.count(REPEATS)),
                "newton_ms": float(np.sum(times) / max(np.sum(iterations), 1)),
                "shortest_ms": min(times), "longest_ms": max(times), "iterations": float(np.mean(iterations)),
                "paper_unknowns": unknowns, "paper_assembly_ms": assembly, "paper_shortest_ms": shortest,
                "paper_longest_ms": longest, "x_paper": longest / max(times),
            }  # fmt: skip


def several(progress: Progress, budget: Budget = WHOLE) -> Iterator[Row]:
    """Table 2: the cuboid with one to twelve examples, a Newton iteration."""
    alone: dict[str, float] = {}
    for count, (paper_assembly, paper_solve) in budget.first(EXAMPLES.items(), 2):
        body = cuboid(count)
        for manifold in ("realised", "strain"):
            progress(f"finite elements, {count} examples, {manifold}")
            world = fall(body, pliant.Fem(young=1e5, manifold=manifold), budget.count(SQUASHED), rounds=1)[2]
            newton = newton_time(world, budget.count(REPEATS))
            first = alone.setdefault(manifold, newton)
            yield {
                "name": f"fem, {count} examples, {manifold}", "particles": len(body.rest), "newton_ms": newton,
                "x_one_example": newton / first, "paper_newton_ms": paper_assembly + paper_solve,
                "paper_x_one_example": (paper_assembly + paper_solve) / sum(EXAMPLES[1]),
            }  # fmt: skip


def growing(progress: Progress, budget: Budget = WHOLE) -> Iterator[Row]:
    """From a thousand tets to fifty thousand, without examples and with one."""
    for cells in budget.first(((4, 4, 12), (6, 6, 20), (9, 9, 30), (13, 13, 40), (14, 14, 52))):
        body = cuboid(1, cells)
        for settings in (pliant.Fem(example_stiffness=0.0), pliant.Fem(manifold="strain")):
            what = "one example" if settings.example_stiffness else "no example"
            progress(f"finite elements, {len(body.elements):,} tets, {what}")
            times, iterations, _ = fall(body, settings, budget.count(6), rounds=1)
            yield {
                "name": f"fem, {what}", "particles": len(body.rest), "tets": len(body.elements),
                "step_ms": float(np.mean(times)), "iterations": float(np.mean(iterations)),
                "us_per_tet": 1e3 * float(np.mean(times)) / len(body.elements),
            }  # fmt: skip


def cuboid(examples: int, cells: tuple[int, int, int] = (4, 4, 12)) -> Body:
    """The bar of 975 unknowns, with a twist and up to eleven other poses."""
    body = pliant.shapes.cuboid(size=(1, 1, 3), cells=cells)
    p = pliant.poses
    poses: list[Any] = [
        p.twist(body, degrees=90, shorten=0.2), p.s_curve(body, degrees=40), p.squash(body, amount=0.25),
        p.bend(body, degrees=50), p.twist(body, degrees=-90, shorten=0.2), p.stretch(body, amount=0.2),
        p.bend(body, degrees=-50), p.twist(body, degrees=45, shorten=0.1), p.bulge(body), p.shear(body),
        p.s_curve(body, degrees=-40), p.squash(body, amount=0.1),
    ]  # fmt: skip
    for number, pose in enumerate(poses[:examples]):
        body = body.with_pose(f"pose {number}", pose)
    return body


def _body(name: str) -> Body:
    """One of as many unknowns as the paper's of that name, with an example."""
    match name:
        case "cuboid":
            body = cuboid(1)
        case "sneaker":
            body = pliant.shapes.cuboid(size=(0.5, 0.25, 1.5), cells=(5, 3, 12))
        case "balloon":
            body = pliant.shapes.balloon_dog(particles=440)
        case _:
            particles = {"teddy": 276, "cylinder": 76, "car": 470}[name]
            body = getattr(pliant.shapes, name)(particles=particles)
    return body if body.poses else body.with_pose("bend", pliant.poses.bend(body, degrees=40))


def fall(
    body: Body, settings: Any, steps: int = STEPS, rounds: int = FALL_ROUNDS
) -> tuple[list[float], list[int], World]:
    """A body that falls on the ground with 3 m/s: milliseconds and Newton iterations of each step, the best of several
    falls, which are all the same."""
    world = World(colliders=[pliant.Plane()], precision="double")
    lowest = float(body.rest[:, 1].min())
    actor = world.add(body, settings, position=(0, 0.05 - lowest, 0), velocity=(0, -3, 0))
    times, iterations = np.full(steps, np.inf), [0] * steps
    start = world.snapshot()
    world.step(PAPER_STEP)  # what is made once is made
    for _ in range(rounds):
        world.restore(start)
        for step in range(steps):
            begin = perf_counter()
            world.step(PAPER_STEP)
            times[step] = min(times[step], 1e3 * (perf_counter() - begin))
            iterations[step] = actor.solver.iterations
    return times.tolist(), iterations, world


def assembly_time(world: World, repeats: int) -> float:
    """Energy, gradient and Hessian of the material and the examples, and the sparse matrix filled: milliseconds."""
    player, objective, x = _halted(world)
    values = player.pattern.values()

    def assemble() -> None:
        objective.expand(x)
        objective.fill(values)

    return _best(assemble, repeats)


def newton_time(world: World, repeats: int) -> float:
    """A whole Newton iteration where the fall was halted: assembly, factors, direction, and one try: milliseconds."""
    _, objective, x = _halted(world)

    def iterate() -> None:
        _, gradient = objective.expand(x)
        step, _ = objective.direction(gradient)
        objective.attempt(x + step, 1.0)

    return _best(iterate, repeats)


def _halted(world: World) -> tuple[Any, Any, Any]:
    """The solve of the only actor, as if a step were under way: its player, what is minimised, and where it is."""
    from pliant.elastic.objective import Objective
    from pliant.models.fem.memory import of_manifold

    player = world._registry.packs["fem"].players[0]
    x = np.asarray(world.actors[0].positions, np.float64).reshape(-1)
    player.manifold.begin(of_manifold(player, world._registry.state.own["fem"][0]), x)
    objective = Objective(
        player.potential, player.system, inertia=player.role.body.masses / PAPER_STEP**2, goal=x + 0.001,
        springs=player.springs,
        fixed=player.fixed, companion=player.manifold,
    )  # fmt: skip
    return player, objective, x


def _best(task: Callable[[], None], rounds: int) -> float:
    best = np.inf
    for _ in range(rounds):
        begin = perf_counter()
        task()
        best = min(best, perf_counter() - begin)
    return 1e3 * float(best)
