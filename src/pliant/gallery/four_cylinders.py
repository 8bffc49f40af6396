"""Four tubes under four presses, each with an example of its own."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import diamonds, height, likeness, speed, twist
from pliant.gallery.paint import APRICOT, BLUE, JADE, RASPBERRY, painted, striped

SHORTEN = 0.3
COLOURS = {"buckle": APRICOT, "twist": BLUE, "bulge": JADE, "bellows": RASPBERRY}
PRESSED, SECONDS = 1.9, 3.8
KEYS = [0.2, 1.6, 2.0, 2.7], [(0, 0, 0), (0, -0.6, 0), (0, -0.6, 0), (0, 0.3, 0)]  # of the press: s, m


def tube() -> pliant.Body:
    return pliant.shapes.cylinder(radius=0.5, height=2.0, name="tube")


def poses(body: pliant.Body) -> dict[str, np.ndarray]:
    """The four examples, all shorter by the same part: that is what the press finds in them."""
    bulge = pliant.poses.bulge(body, 0.5, width=1.0) * (1, 1 - SHORTEN, 1)
    return {
        "buckle": pliant.poses.buckle(body, waves=3, rows=4, depth=0.45, shorten=SHORTEN, keep_volume=False),
        "twist": pliant.poses.twist(body, 110, shorten=SHORTEN),
        "bulge": bulge,
        "bellows": bellows(body),
    }


def bellows(body: pliant.Body, folds: int = 4, depth: float = 0.16) -> np.ndarray:
    """Rings that go in and out along the tube, as on a concertina."""
    wide = 1.1 - depth * np.cos(2 * np.pi * folds * (body.rest[:, 1] / body.size[1] + 0.5))
    return body.rest * np.stack([wide, np.full_like(wide, 1 - SHORTEN), wide], axis=1)


def build() -> pliant.World:
    plain, press = tube(), pliant.Path(*KEYS, smooth=True)
    world = pliant.World(colliders=[pliant.Plane(friction=0.3)])
    for place, (name, pose) in enumerate(poses(plain).items()):
        x = 1.7 * (place - 1.5)
        world.colliders.append(pliant.Box(centre=(x, 2.05, 0), half_size=(0.68, 0.04, 0.68), path=press, friction=0.3))
        paint = painted if name == "buckle" else striped  # stripes would hide the diamonds
        body = paint(plain, COLOURS[name]).with_pose(name, pose)
        model = pliant.ShapeMatching(stiffness=58, example_strength=0.94, damping=5)
        world.add(body, model, name=name, position=(x, 1, 0))
    return world


def check(record: Record) -> list[Check]:
    plain = tube()
    for name, pose in poses(plain).items():
        plain = plain.with_pose(name, pose)
    pressed, last = record.at(PRESSED), record.frames[-1]
    checks = []
    for name in COLOURS:
        alike = {other: likeness(plain, pressed.positions[name], other) for other in COLOURS}
        own, nearest = alike[name], max(alike, key=alike.__getitem__) == name
        checks += [
            Check(f"{name}: weight under the press", w := float(pressed.weights[name][0, 1]), w > 0.6),
            Check(f"{name}: likeness to its example, nearest of the four", own, nearest and own > 0.6),
        ]
    turn = twist(plain, pressed.positions["twist"])
    still = max(speed(plain, last.velocities[name]) for name in COLOURS)
    left = max(float(last.weights[name][0, 1]) for name in COLOURS)
    lowest = min(height(last.positions[name]) for name in COLOURS)
    depth, *others = (diamonds(plain, pressed.positions[name], margin=3) for name in COLOURS)
    return [
        *checks,
        Check("twist: degrees of the top against the bottom", turn, turn > 60),
        Check("buckle: depth of the diamonds (part of the radius)", depth, depth > 0.1),
        Check("the others have no diamonds, the deepest", max(others), max(others) < 0.02),
        Check("weight left when all is over, the largest", left, left < 0.3),
        Check("metres tall at the end, the lowest (2 at first)", lowest, lowest > 1.8),
        Check("m/s at the end, the fastest", still, still < 0.1),
    ]


EXHIBIT = Exhibit(
    name="four-cylinders",
    title="Four tubes under the press",
    paper="Koyama+12 Fig. 8",
    about="Four tubes of the same material under the same press. Their examples differ: one buckles to "
    "diamonds, one twists, one bulges, one folds like a concertina; all come back.",
    seconds=SECONDS,
    build=build,
    check=check,
    stills=(0.0, 1.0, PRESSED, SECONDS),
    camera=(0.12, 0.22, 1.0),
    substeps=8,
    columns=2,
)
