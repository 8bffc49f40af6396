"""A hundred and sixty-eight toys of few particles each fall among twelve columns."""

from __future__ import annotations

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.pouring import bodies_of, check_crowd, pour, world_with_columns

KINDS = {"dinosaur": 30, "teddy": 30, "ball": 30, "torus": 12}


def build() -> pliant.World:
    world = world_with_columns()
    pour(world, KINDS, 42, scale=0.7)
    return world


def check(record: Record) -> list[Check]:
    world = build()
    particles = sum(len(body.rest) for body in bodies_of(world).values())
    vertices = sum(len(body.skin.vertices) for body in bodies_of(world).values())
    return [
        Check("bodies", float(len(world.actors)), len(world.actors) == 180),
        Check("particles", float(particles), particles == 4404),
        Check("vertices of skin", float(vertices), vertices > 700_000),
        *check_crowd(record, world, jammed=0.005),
    ]


EXHIBIT = Exhibit(
    name="crowd-of-180",
    title="A hundred and eighty bodies",
    paper="Choi+17 Fig. 7",
    about="Dinosaurs, bears and balls of thirty ellipsoids and rings of twelve, forty-two of each, fall among twelve "
    "soft columns. More than 700,000 vertices of skin follow 4,404 particles.",
    seconds=3.0,
    build=build,
    check=check,
    stills=(0.0, 1.0, 3.0),
    camera=(0.3, 1.1, 1.0),
    substeps=6,
    columns=3,
)
