"""Cars drive into one another: each answers by its own example."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.car_crash import COLOURS, car, poses, repainted
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import likeness, mismatch, speed
from pliant.gallery.touching import overlap

SPEED = 7.0  # m/s of each
LANE = 2.4  # metres from pair to pair
START = 1.6  # metres from the middle
PAIRS = (("plain", "tail up"), ("banana", "squash"))
HITS = (START - 0.95) / SPEED


def build() -> pliant.World:
    plain = car()
    examples = poses(plain)
    world = pliant.World(colliders=[pliant.Plane(friction=0.2)])
    for lane, pair in enumerate(PAIRS):
        for side, name in zip((-1, 1), pair, strict=True):
            body = repainted(plain, COLOURS[name])
            body = body.with_pose(name, examples[name]) if name in examples else body
            model = pliant.ShapeMatching(stiffness=10, example_strength=0.98, damping=5)
            world.add(
                body, model, name=name, position=(START * side, -plain.rest[:, 1].min(), LANE * (lane - 0.5)),
                rotation=(0, 0, 0, 1) if side < 0 else (0, 1, 0, 0), velocity=(-SPEED * side, 0, 0), friction=0.2,
            )  # fmt: skip
    return world


def check(record: Record) -> list[Check]:
    body = car()
    for name, pose in poses(body).items():
        body = body.with_pose(name, pose)
    bodies = {name: body for name in COLOURS}
    impact, last = record.between(HITS, HITS + 0.5), record.frames[-1]
    checks = []
    for name in body.poses:
        weight = record.weights(name)
        before, hit = weight[record.times < HITS - 0.02].max(), max(f.weights[name][0, 1] for f in impact)
        own = max(likeness(body, f.positions[name], name) for f in impact)
        checks += [
            Check(f"{name}: weight before they meet, at most", before, before < 0.1),
            Check(f"{name}: weight when they meet, at most", hit, hit > 0.4),
            Check(f"{name}: likeness to its example (1: the same)", own, own > 0.5),
        ]
    for pair in PAIRS:
        apart = min(float(np.subtract(*(f.positions[name][:, 0].mean() for name in pair[::-1]))) for f in record.frames)
        pushed = [np.mean([body.masses @ f.velocities[name][:, 0] for name in pair]) for f in impact]
        drift = float(np.abs(pushed).max()) / body.mass
        checks += [
            Check(f"{pair[0]} and {pair[1]}: metres from middle to middle, the least", apart, apart > 0.8),
            Check(f"{pair[0]} and {pair[1]}: m/s of both together, at most (0 before)", drift, drift < 0.05 * SPEED),
        ]
    deep = max(overlap(bodies, frame) for frame in record.frames[::10])
    bent = max(mismatch(body, last.positions[name], body.rest) for name in COLOURS)
    still = max(speed(body, last.velocities[name]) for name in COLOURS)
    return [
        *checks,
        Check("contact radii that two are inside one another, at any time", deep, deep < 1.0),
        Check("metres from the rest shape at the end, at most", bent, bent < 0.05),
        Check("m/s at the end, the fastest", still, still < 0.5),
    ]


EXHIBIT = Exhibit(
    name="cars-meet",
    title="Cars against one another",
    paper="Koyama+12 Fig. 9 with contact",
    about="Four cars in two lanes drive into one another. The one without an example is only pressed together; the "
    "others throw up the tail, bend to a banana, or squash; then they roll back as they were.",
    seconds=3.0,
    build=build,
    check=check,
    stills=(0.0, 0.17, 0.25, 0.4),
    camera=(0.1, 0.55, 1.0),
    substeps=5,
    columns=2,
)
