"""Four cars hit a wall: one without examples, three with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import likeness, mismatch, speed
from pliant.gallery.paint import APRICOT, BLUE, JADE, RASPBERRY, Colour

SPEED = 9.0  # m/s
WALL = 2.0  # x of its face
LANE = 1.65  # metres from car to car
COLOURS = {"plain": RASPBERRY, "tail up": APRICOT, "banana": BLUE, "squash": JADE}
HITS = 0.12  # s, when the bumpers touch


def car() -> pliant.Body:
    return pliant.shapes.car()


def poses(body: pliant.Body) -> dict[str, np.ndarray]:
    """What the examples have in common is that they are shorter: the wall finds that in them."""
    return {
        "tail up": tail_up(body),
        "banana": pliant.poses.bend(body, 75, axis="x", toward="-y") * (0.85, 1, 1),
        "squash": pliant.poses.squash(body, 0.4, axis="x"),
    }


def tail_up(body: pliant.Body) -> np.ndarray:
    """The bonnet crumples to two thirds of its length and the tail swings up."""
    x, y, z = body.rest.T
    front = np.clip((x + 0.2) / 1.1, 0, 1)
    crumpled = np.stack([x - 0.38 * front**2, y * (1 + 0.35 * front), z * (1 + 0.25 * front)], axis=1)
    back = np.clip(-(x - 0.1), 0, None)
    return crumpled + np.stack([0.35 * back**2, 0.75 * back**2, 0 * back], axis=1)


def build() -> pliant.World:
    plain = car()
    wall = pliant.Box(centre=(WALL + 0.15, 0.45, 0), half_size=(0.15, 0.45, 1.5 * LANE + 0.6), friction=0.3)
    world = pliant.World(colliders=[pliant.Plane(friction=0.2), wall])
    examples = poses(plain)
    for place, (name, colour) in enumerate(COLOURS.items()):
        body = repainted(plain, colour)
        body = body.with_pose(name, examples[name]) if name in examples else body
        model = pliant.ShapeMatching(stiffness=10, example_strength=0.98, damping=6)
        spot = (0, -plain.rest[:, 1].min(), LANE * (place - 1.5))
        world.add(body, model, name=name, position=spot, velocity=(SPEED, 0, 0))
    return world


def repainted(body: pliant.Body, colour: Colour) -> pliant.Body:
    """The red of the car in another colour; glass, tyres and lamps stay as they are."""
    old = body.skin.colours
    assert old is not None
    red = np.median(old, axis=0)
    share = np.clip(1.5 - np.linalg.norm(old - red, axis=1) / 0.3, 0, 1)[:, None]
    return body.with_skin(replace(body.skin, colours=np.clip(old + share * (np.asarray(colour) - red), 0, 1)))


def check(record: Record) -> list[Check]:
    body = car()
    for name, pose in poses(body).items():
        body = body.with_pose(name, pose)
    impact, last = record.between(HITS, HITS + 0.5), record.frames[-1]
    alike = {
        name: {pose: max(likeness(body, f.positions[name], pose) for f in impact) for pose in body.poses}
        for name in COLOURS
    }
    checks = [
        Check(f'plain: likeness to "{pose}", at most', alike["plain"][pose], alike["plain"][pose] < 0.5)
        for pose in body.poses
    ]
    for name in body.poses:
        weight = record.weights(name)
        before, hit = weight[record.times < HITS - 0.02].max(), max(f.weights[name][0, 1] for f in impact)
        own = alike[name][name]
        others = max(value for pose, value in alike[name].items() if pose != name)
        checks += [
            Check(f"{name}: weight on the way to the wall, at most", before, before < 0.1),
            Check(f"{name}: weight at the wall, at most", hit, hit > 0.8),
            Check(f"{name}: likeness to its example (1: the same)", own, own > 0.7),
            Check(f"{name}: likeness to the other examples", others, others < 0.6),
        ]
    tails = {name: tail_rise(body, impact, name) for name in ("plain", "tail up")}
    bent = max(mismatch(body, last.positions[name], body.rest) for name in COLOURS)
    still = max(speed(body, last.velocities[name]) for name in COLOURS)
    return [
        *checks,
        Check("plain: the tail rises by metres", tails["plain"], tails["plain"] < 0.15),
        Check("tail up: the tail rises by metres", tails["tail up"], tails["tail up"] > 0.3),
        Check("metres from the rest shape at the end, at most", bent, bent < 0.04),
        Check("m/s at the end, the fastest", still, still < 0.1),
    ]


def tail_rise(body: pliant.Body, frames: tuple[pliant.Frame, ...], name: str) -> float:
    """The height that the tail gains over the middle of the car while it is at the wall."""
    tail, middle = body.rest[:, 0] < -0.7, np.abs(body.rest[:, 0]) < 0.2
    gaps = [f.positions[name][tail, 1].mean() - f.positions[name][middle, 1].mean() for f in frames]
    return float(max(gaps) - (body.rest[tail, 1].mean() - body.rest[middle, 1].mean()))


EXHIBIT = Exhibit(
    name="car-crash",
    title="Four cars and a wall",
    paper="Koyama+12 Fig. 9",
    about="Four cars of the same material drive into a wall at the same speed. The first has no examples and is"
    " only pressed together; the others throw up the tail, bend to a banana, or squash; then all are as"
    " before.",
    seconds=4.0,
    build=build,
    check=check,
    stills=(0.0, 0.2, 0.3),
    camera=(-0.1, 0.64, 1.0),
    substeps=5,
    columns=3,
)
