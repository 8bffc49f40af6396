"""One bar, four strengths of the example."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import height, speed, twist
from pliant.gallery.paint import APRICOT, BLUE, JADE, RASPBERRY, chequered

STRENGTHS = {"0": 0.0, "0.6": 0.6, "0.8": 0.8, "0.9": 0.9}
COLOURS = (APRICOT, BLUE, JADE, RASPBERRY)


def bar() -> pliant.Body:
    plain = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4), name="bar")
    pose = pliant.poses.twist(plain, 90, axis="y", shorten=0.35, keep_volume=False)
    return plain.with_pose("twist", pose)


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane()])
    for place, (name, strength) in enumerate(STRENGTHS.items()):
        model = pliant.ShapeMatching(stiffness=2, example_strength=strength, damping=8)
        body = chequered(bar(), COLOURS[place], 0.25)
        world.add(body, model, name=name, position=(1.75 * (place - 1.5), 1, 0))
    return world


def check(record: Record) -> list[Check]:
    body, last = bar(), record.frames[-1]
    turns = [twist(body, last.positions[name]) for name in STRENGTHS]
    weights = [float(last.weights[name][0, 1]) for name in STRENGTHS]
    lowest = min(height(last.positions[name]) for name in STRENGTHS)
    still = max(speed(body, last.velocities[name]) for name in STRENGTHS)
    checks = [Check("degrees of twist at strength 0", turns[0], abs(turns[0]) < 1)]
    for name, before, now in zip(list(STRENGTHS)[1:], turns, turns[1:], strict=False):
        checks.append(Check(f"degrees of twist at strength {name}", now, now > before + 2))
    return [
        *checks,
        Check("the strongest, degrees", turns[-1], 45 < turns[-1] < 95),
        Check("weights rise with the strength, least step", w := float(np.diff(weights).min()), w > 0.03),
        Check("metres tall, the lowest (2 at first)", lowest, lowest > 1.2),
        Check("m/s at the end, the fastest", still, still < 0.02),
    ]


EXHIBIT = Exhibit(
    name="strength-sweep",
    title="The strength of the example: 0, 0.6, 0.8, 0.9",
    paper="Koyama+12 Fig. 5",
    about="Four bars stand on the floor and sink under their own weight. The more of the example's weight is "
    "kept, the further they twist; without any the bar is only pressed together.",
    seconds=10.0,
    build=build,
    check=check,
    stills=(0.0, 10.0),
    camera=(0.15, 0.3, 1.0),
    substeps=2,
    captions=("at first", "at rest; strength 0, 0.6, 0.8, 0.9"),
)
