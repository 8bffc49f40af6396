"""Worlds, bodies and measures that the tests of the world share."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pliant
from pliant.body import Body
from pliant.world import Actor, World

Maker = Callable[[], Body]


@cache
def bar() -> Body:
    return pliant.shapes.cuboid(size=(2, 1, 1), cells=(8, 4, 4))


@cache
def twist_bar() -> Body:
    """With a twist that also shortens, so that compression calls for it."""
    return bar().with_pose("twist", pliant.poses.twist(bar(), degrees=90) * (0.8, 1, 1))


@cache
def cube() -> Body:
    """27 particles."""
    return pliant.shapes.cuboid(size=(0.5, 0.5, 0.5), cells=(2, 2, 2), name="cube")


@cache
def ball() -> Body:
    return pliant.shapes.ball(particles=343)


@cache
def sheet() -> Body:
    return pliant.shapes.sheet(size=(1, 1), cells=(10, 10))


@cache
def rope() -> Body:
    return pliant.shapes.rope(particles=21)


@cache
def bear() -> Body:
    return pliant.shapes.teddy(particles=400)


def run(world: World, seconds: float, substeps: int = 1, step: float = 1 / 60) -> None:
    for _ in range(round(seconds / step)):
        world.step(step, substeps=substeps)


def speed(actor: Actor) -> float:
    """Root mean square by mass, m/s."""
    squares = (np.asarray(actor.velocities, np.float64) ** 2).sum(axis=1)
    return float(np.sqrt(actor.body.masses @ squares / actor.mass))


def momentum(actor: Actor) -> tuple[Any, Any]:
    """Linear, and angular about the origin."""
    x, v = np.asarray(actor.positions, np.float64), np.asarray(actor.velocities, np.float64)
    m = actor.body.masses[:, None]
    return (m * v).sum(axis=0), np.cross(x, m * v).sum(axis=0)


def same(before: Any, after: Any) -> bool:
    """Whether two snapshots hold the same bits."""
    a, b = before.kept, after.kept
    return (
        before.time == after.time
        and np.array_equal(a.x, b.x, equal_nan=True)
        and np.array_equal(a.v, b.v, equal_nan=True)
        and all(np.array_equal(p, q) for p, q in zip(a.contacts, b.contacts, strict=True))
        and all(np.array_equal(p, q) for name in a.own for p, q in zip(a.own[name], b.own[name], strict=True))
    )
