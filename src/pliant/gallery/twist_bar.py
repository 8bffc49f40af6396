"""A bar that twists when it lands."""

from __future__ import annotations

from math import sqrt

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import height, likeness, speed, twist
from pliant.gallery.paint import APRICOT, chequered

DROP = 1.6  # metres under the bar
LANDS = sqrt(2 * DROP / 9.81)


def bar(cells: tuple[int, int, int] = (4, 8, 4)) -> pliant.Body:
    """Upright, with the twist as its example."""
    plain = pliant.shapes.cuboid(size=(1, 2, 1), cells=cells, name="bar")
    plain = chequered(plain, APRICOT, 0.25)
    return plain.with_pose("twist", pliant.poses.twist(plain, 90, axis="y", shorten=0.35, keep_volume=False))


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.8)])
    model = pliant.ShapeMatching(stiffness=6, example_strength=0.88, damping=1.5)
    world.add(bar(), model, name="bar", position=(0, 1 + DROP, 0))
    return world


def check(record: Record) -> list[Check]:
    body = bar()
    weight = record.weights("bar")
    turns = np.array([twist(body, frame.positions["bar"]) for frame in record.frames])
    airborne = record.times < LANDS - 0.02
    impact = (record.times > LANDS) & (record.times < LANDS + 0.5)
    peak = int(np.flatnonzero(impact)[turns[impact].argmax()])
    after = (record.times > record.times[peak]) & (record.times < record.times[peak] + 0.6)
    last, alike = record.frames[-1], likeness(body, record.frames[peak].positions["bar"], "twist")
    still = speed(body, last.velocities["bar"])
    return [
        Check("weight of the twist in free fall, at most", w := weight[airborne].max(), w < 0.02),
        Check("weight at the impact, at most", w := weight[impact].max(), w > 0.8),
        Check("degrees of twist at the impact", t := turns[peak], t > 60),
        Check("likeness to the example there (1: the same)", alike, alike > 0.6),
        Check("degrees left when it springs back", t := turns[after].min(), abs(t) < 0.25 * turns[peak]),
        Check("degrees left at the end", t := turns[-1], abs(t) < 0.25 * turns[peak]),
        Check("metres tall at the end (2 at first)", h := height(last.positions["bar"]), h > 1.7),
        Check("m/s at the end", still, still < 0.05),
    ]


EXHIBIT = Exhibit(
    name="twist-bar",
    title="A bar that twists when it lands",
    paper="Koyama+12 Fig. 1",
    about="A soft bar falls upright. Its one example is a twisted, shortened bar: pressed together by the "
    "impact it twists, springs back and untwists.",
    seconds=8.0,
    build=build,
    check=check,
    stills=(0.0, 0.5, 0.6, 0.66, 0.72, 0.8, 0.9, 1.2),
    camera=(0.55, 0.36, 1.0),
    substeps=4,
)
