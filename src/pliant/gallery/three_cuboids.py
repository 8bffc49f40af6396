"""Three bars fall: one without an example, one with a twist, one with an S."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import height, likeness, speed, twist
from pliant.gallery.paint import APRICOT, BLUE, RASPBERRY, chequered

DROP = 1.0  # metres under the bars
LANDS = sqrt(2 * DROP / 9.81)
SHORTEN = 0.3  # both examples are shorter: that is what the impact finds in them
SWAY = 0.35  # metres that the S goes to either side
CELL = 0.3  # metres
NAMES = {"plain": RASPBERRY, "twist": APRICOT, "s": BLUE}


def bar() -> pliant.Body:
    """3 x 9 x 3 cells, upright, without an example."""
    return pliant.shapes.cuboid(size=(0.9, 9 * CELL, 0.9), cells=(3, 9, 3), density=400, name="bar")


def poses(body: pliant.Body) -> dict[str, Array]:
    twisted = pliant.poses.twist(body, 110, axis="y", shorten=SHORTEN, keep_volume=False)
    return {"twist": twisted, "s": bent_to_an_s(body)}


def bent_to_an_s(body: pliant.Body) -> Array:
    """Made by the static solver: the ends are pressed together, layers below and above the middle are pulled to either
    side, and the rest of the bar finds its place."""

    def layer(number: int) -> Callable[[Array], Any]:
        return lambda rest: np.abs(rest[:, 1] / CELL + 4.5 - number) < 0.1

    def moved(aside: float) -> Callable[[Array], Array]:
        return lambda rest: rest * (1, 1 - SHORTEN, 1) + (aside, 0, 0)

    pins = [(layer(number), moved(0)) for number in (0, 9)]
    handles = [(layer(number), moved(aside)) for number, aside in ((2, SWAY), (3, SWAY), (6, -SWAY), (7, -SWAY))]
    return pliant.poses.settle(body, pins, handles, grip=1)


def build() -> pliant.World:
    plain = bar()
    world = pliant.World(colliders=[pliant.Plane(friction=0.8)])
    examples = poses(plain)
    model = pliant.Fem(young=4e4, example_stiffness=40, manifold="strain", tolerance=1e-4, damping=2)
    for place, (name, colour) in enumerate(NAMES.items()):
        body = chequered(plain, colour, CELL)
        body = body.with_pose(name, examples[name]) if name in examples else body
        world.add(body, model, name=name, position=(2.3 * (place - 1), 1.35 + DROP, 0))
    return world


def sway(body: pliant.Body, positions: Array) -> float:
    """Metres that the lower half stands to one side and the upper half to the other: a sine fitted to all particles."""
    x = positions[:, 0] - positions[:, 0].mean()
    wave = -np.sin(2 * np.pi * body.rest[:, 1] / body.size[1])
    return float(x @ wave / (wave @ wave))


def check(record: Record) -> list[Check]:
    body = bar()
    for name, pose in poses(body).items():
        body = body.with_pose(name, pose)
    airborne, last = record.times < LANDS - 0.02, record.frames[-1]
    turns = {name: np.array([twist(body, f.positions[name]) for f in record.frames]) for name in NAMES}
    sways = {name: np.array([sway(body, f.positions[name]) for f in record.frames]) for name in NAMES}
    alike = {name: max(likeness(body, f.positions[name], name) for f in record.frames) for name in body.poses}
    flying = max(float(record.weights(name)[airborne].max()) for name in body.poses)
    lowest = min(height(last.positions[name]) for name in NAMES)
    still = max(speed(body, last.velocities[name]) for name in NAMES)
    return [
        Check("weights in free fall, at most", flying, flying < 0.02),
        Check("twist: weight, at most", w := float(record.weights("twist").max()), w > 0.6),
        Check("S: weight, at most", w := float(record.weights("s").max()), w > 0.8),
        Check("twist: degrees, at most", t := float(turns["twist"].max()), t > 70),
        Check("the others: degrees, at most", t := float(max(np.abs(turns[n]).max() for n in ("plain", "s"))), t < 8),
        Check("S: metres to either side, at most", s := float(sways["s"].max()), s > 0.1),
        Check("the others: metres", s := float(max(np.abs(sways[n]).max() for n in ("plain", "twist"))), s < 0.06),
        Check("likeness to their examples, the less", a := min(alike.values()), a > 0.6),
        Check("metres tall at the end, the lowest (2.7 at first)", lowest, lowest > 2.0),
        Check("m/s at the end, the fastest", still, still < 0.5),
    ]


EXHIBIT = Exhibit(
    name="three-cuboids",
    title="The same bar with no example, a twist, an S",
    paper="Martin+11 Fig. 6",
    about="Three soft bars of finite elements fall upright. The first has no example and is only pressed together; the "
    "second twists, the third bends to an S, because that is how their examples are shorter.",
    seconds=3.0,
    build=build,
    check=check,
    stills=(0.0, 0.55, 0.75, 3.0),
    camera=(0.12, 0.25, 1.0),
    columns=2,
)
