"""Forty toys of a hundred particles each fall among twelve columns."""

from __future__ import annotations

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.pouring import bodies_of, check_crowd, pour, world_with_columns

KINDS = {"dinosaur": 100, "teddy": 100, "ball": 100, "torus": 100}


def build() -> pliant.World:
    world = world_with_columns()
    pour(world, KINDS, 10, scale=1.0)
    return world


def check(record: Record) -> list[Check]:
    world = build()
    particles = sum(len(body.rest) for body in bodies_of(world).values())
    return [
        Check("bodies", float(len(world.actors)), len(world.actors) == 52),
        Check("particles", float(particles), particles == 4120),
        *check_crowd(record, world),
    ]


EXHIBIT = Exhibit(
    name="crowd-of-52",
    title="Fifty-two bodies",
    paper="Choi+17 Fig. 7",
    about="Ten dinosaurs, ten bears, ten balls and ten rings of a hundred ellipsoids each fall on one another among "
    "twelve columns, which are soft as well.",
    seconds=3.0,
    build=build,
    check=check,
    stills=(0.0, 1.0, 3.0),
    camera=(0.3, 1.1, 1.0),
    substeps=6,
    columns=3,
)
