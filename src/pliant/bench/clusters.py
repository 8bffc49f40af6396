# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""A thousand bodies of one cluster each: our kernel, a plain scalar one, the NumPy twin, and a whole step of a world.

The plain kernel is as one would write it first: a body at a time, the same functions and the same descriptors, the same
precision. It finds its rotation by a few warm-started quaternion iterations [Mueller+16], its weights by clamping, and
it does without the volume, all of which cost less than what the real kernels do."""

from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np

import pliant
from pliant.bench.budget import Budget
from pliant.bench.clock import H, moving
from pliant.bench.clusters_twin import ClustersTwin
from pliant.bench.plain import _rotate as rotate
from pliant.body import Body
from pliant.dynamics.step_context import StepContext
from pliant.models import models
from pliant.models.clusters.constants import constants_of
from pliant.runtime.jit import kernel

DICE = 1000


@kernel("x[] x[] x[] x[] x[] x[] x[] x[] x[] d i i i")
def plain_step(x, p, phi, masses, kept, shapes, gram, quaternions, weights, alpha, bodies, functions, poses):
    """A body after the other."""
    n = len(masses)
    fit = np.empty((functions, 3), x.dtype)
    blend = np.empty((functions, 3), x.dtype)
    a = np.empty(9, x.dtype)
    r = np.empty(9, x.dtype)
    c = np.empty(3, x.dtype)
    for body in range(bodies):
        first = 4 * n * body
        q = quaternions[4 * body : 4 * body + 4]
        for i in range(3):
            c[i] = 0
            for j in range(n):
                c[i] += masses[j] * x[first + 4 * j + i]
            for b in range(functions):
                total = x.dtype.type(0)
                for j in range(n):
                    total += masses[j] * phi[j * functions + b] * (x[first + 4 * j + i] - c[i])
                fit[b, i] = total
        for turn in range(2):
            for b in range(functions):
                for i in range(3):
                    blend[b, i] = shapes[3 * b + i]
                    for k in range(poses):
                        blend[b, i] += weights[poses * body + k] * shapes[3 * functions * (k + 1) + 3 * b + i]
            for i in range(3):
                for j in range(3):
                    a[3 * i + j] = 0
                    for b in range(functions):
                        a[3 * i + j] += kept[b] * fit[b, i] * blend[b, j]
            rotate(a, q, r, 3)
            if turn == 1:
                break
            for k in range(poses):
                along = x.dtype.type(0)
                for b in range(functions):
                    for j in range(3):
                        seen = r[j] * fit[b, 0] + r[3 + j] * fit[b, 1] + r[6 + j] * fit[b, 2] - shapes[3 * b + j]
                        along += kept[b] * seen * shapes[3 * functions * (k + 1) + 3 * b + j]
                weights[poses * body + k] = min(max(along / gram[k], x.dtype.type(0)), x.dtype.type(1))
        for b in range(functions):
            for i in range(3):
                aim = r[3 * i] * blend[b, 0] + r[3 * i + 1] * blend[b, 1] + r[3 * i + 2] * blend[b, 2]
                fit[b, i] += kept[b] * (aim - fit[b, i])
        for j in range(n):
            for i in range(3):
                goal = c[i]
                for b in range(functions):
                    goal += fit[b, i] * phi[j * functions + b]
                p[first + 4 * j + i] += x.dtype.type(alpha) * (goal - x[first + 4 * j + i])


def die() -> Body:
    """27 particles and two examples."""
    body = pliant.shapes.cuboid(size=(0.2, 0.2, 0.2), cells=(2, 2, 2))
    body = body.with_pose("twist", pliant.poses.twist(body, degrees=60, axis="y", shorten=0.3))
    return body.with_pose("squash", body.rest * (1.2, 0.7, 1.2))


def crowd_of(count: int, floor: bool = False) -> pliant.World:
    """Bodies that vibrate, next to each other; without contact between them."""
    colliders = [pliant.Plane((0, -0.2, 0))] if floor else []
    world = pliant.World(gravity=(0, -9.81 if floor else 0, 0), colliders=colliders, contact=False, threads=1)
    body, settings = die(), pliant.Clusters(stiffness=0.5, damping=1)
    for number in range(count):
        world.add(body, settings, position=(0.4 * (number % 32), 0, 0.4 * (number // 32)), may_sleep=False)
    for actor in world.actors:
        x, v = moving(actor.body, np.float64)
        actor.positions[:] += x.reshape(-1, 4)[:, :3] - body.rest
        actor.velocities[:] = v.reshape(-1, 4)[:, :3]
    return world


def clusters(progress: Callable[[str], None], budget: Budget) -> Iterator[dict[str, Any]]:
    """A thousand dice with two examples, in processor time of this process: the least of many steps."""
    count = budget.instead(DICE, 64)
    steps = budget.count(200)
    progress(f"clusters, {count} bodies")
    world, model = crowd_of(count), models()["clusters"]
    world.step(H)
    registry = world._registry
    pack, state = registry.packs["clusters"], registry.state
    context = StepContext.alone(state, H)
    ours = _least(lambda: model.solve(pack, state.own["clusters"], context), steps)
    body, settings = die(), pliant.Clusters(stiffness=0.5)
    cluster = constants_of(body, settings).clusters[0]
    shapes = np.concatenate([cluster.rest[None], cluster.poses]).astype(np.float32).ravel()
    gram = np.einsum("b,kbi->k", cluster.share.kept, np.square(cluster.poses)).astype(np.float32)
    turned = np.tile(np.array([0, 0, 0, 1], np.float32), count)
    arrays = [each.astype(np.float32).ravel() for each in (cluster.basis.phi, cluster.masses, cluster.share.kept)]
    weights = np.zeros(2 * count, np.float32)
    p = state.p.copy()
    slow = _least(lambda: plain_step(state.x, p, *arrays, shapes, gram, turned, weights, 0.5, count, 9, 2), steps // 4)
    twin = ClustersTwin(body, settings)
    numpy = count * _least(lambda: twin.step(body.rest * (1.1, 0.9, 1.0), body.rest, H), budget.count(20))
    free, lying = (_least(partial_step(crowd_of(count, floor)), steps) for floor in (False, True))
    yield {
        "name": "clusters", "bodies": count, "particles": 27 * count, "us_per_step": ours,
        "world_us": free, "floor_us": lying,
        "plain_us": slow, "twin_us": numpy, "x_plain": slow / ours, "x_twin": numpy / ours,
    }  # fmt: skip


def partial_step(world: pliant.World) -> Callable[[], Any]:
    return lambda: world.step(H)


def _least(task: Callable[[], Any], times: int) -> float:
    """Microseconds of processor time."""
    best = np.inf
    for _ in range(max(3, times)):
        start = process_time()
        task()
        best = min(best, process_time() - start)
    return 1e6 * best
