"""Weights for the whole bar, against weights for each region."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import layer_turns, speed
from pliant.gallery.paint import APRICOT, BLUE, chequered

COLOURS = {"global": APRICOT, "regions": BLUE}


def bar() -> pliant.Body:
    plain = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4), name="bar")
    pose = pliant.poses.twist(plain, 100, axis="y", shorten=0.35, keep_volume=False)
    return plain.with_pose("twist", pose)


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane()])
    for place, mode in enumerate(COLOURS):
        model = pliant.ShapeMatching(stiffness=4, example_strength=0.92, examples=mode, damping=8)
        body = chequered(bar(), COLOURS[mode], 0.25)
        world.add(body, model, name=mode, position=(1.9 * (place - 0.5), 1, 0))
    return world


def check(record: Record) -> list[Check]:
    body, last = bar(), record.frames[-1]
    steps = {mode: np.diff(layer_turns(body, last.positions[mode])) for mode in COLOURS}
    uneven = {mode: float(turn.std() / turn.mean()) for mode, turn in steps.items()}
    weights = last.weights["regions"][:, 1]
    low, high = weights[body.rest[:, 1] < -0.7].mean(), weights[body.rest[:, 1] > 0.7].mean()
    still = max(speed(body, last.velocities[mode]) for mode in COLOURS)
    return [
        Check("global: degrees of twist", t := float(steps["global"].sum()), t > 25),
        Check("regions: degrees of twist", t := float(steps["regions"].sum()), t > 25),
        Check("global: spread of the twist from layer to layer", uneven["global"], uneven["global"] < 0.08),
        Check("regions: spread of the twist from layer to layer", uneven["regions"], uneven["regions"] > 0.3),
        Check("regions: weight at the bottom, mean", float(low), low > 0.8),
        Check("regions: weight at the top, mean", float(high), high < 0.4),
        Check("m/s at the end, the faster", still, still < 0.02),
    ]


EXHIBIT = Exhibit(
    name="global-and-regions",
    title="One weight for all, or one for each region",
    paper="Koyama+12 Fig. 7",
    about="Two equal bars under their own weight. Left all regions share one weight and the bar twists "
    "evenly; right each region has its own, and the bar twists most at the bottom, which bears most.",
    seconds=8.0,
    build=build,
    check=check,
    stills=(0.0, 8.0),
    camera=(0.3, 0.3, 1.0),
    substeps=4,
    captions=("at first", "at rest; left one weight, right one for each region"),
)
