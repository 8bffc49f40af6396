"""A curtain is drawn to the side, and the wind comes in through the window."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.cloth import LINEN, UPRIGHT, folds, rows_of, stretch, striped_sheet
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.paint import JADE

SIZE, CELLS = (2.4, 1.9), (96, 48)  # m
HIGH = 2.1  # m of the rail
RINGS = 12  # particles from one ring to the next
DRAWN = 0.5  # of its width, at the end
TIME = 2.0  # s to draw it


def curtain() -> pliant.Body:
    plain = pliant.shapes.sheet(size=SIZE, cells=CELLS, thickness=0.005, density=60, name="curtain")
    return striped_sheet(plain, 12 * (JADE, LINEN), axis=0)


def build() -> pliant.World:
    rail = pliant.Capsule((-SIZE[0] / 2 - 0.1, HIGH + 0.03, 0), (SIZE[0] / 2 + 0.1, HIGH + 0.03, 0), 0.018)
    world = pliant.World(colliders=[pliant.Plane(), rail], wind=pliant.Wind((0.0, 0.0, 1.2), gusts=0.5, gust_size=1.2))
    fabric = pliant.MassSpring(young=1e5, bending=0.3, strain_limit=0.05, spring_damping=0.01, damping=0.3)
    actor = world.add(curtain(), fabric, position=(0, HIGH - SIZE[1] / 2, 0), rotation=UPRIGHT)
    top = rows_of(actor.body, 2)[1][0]
    left = -SIZE[0] / 2
    for number, particle in enumerate(top[::RINGS]):
        way = -(1.0 - DRAWN) * (float(actor.body.rest[particle, 0]) - left)
        # rings stand a little before and behind the rail, so that the folds between them know where to go
        aside = 0.004 * (-1) ** number
        path = pliant.Path([0.0, TIME], [(0.0, 0.0, 0.0), (way, 0.0, aside)], smooth=True)
        actor.pin([int(particle)], path=path)
    return world


def check(record: Record) -> list[Check]:
    body, last = curtain(), record.frames[-1]
    x = last.positions["curtain"].astype(float)
    _, rows = rows_of(body, 2)
    middle = x[rows[CELLS[1] // 2]]
    wide = float(np.ptp(middle[:, 0]))
    lowest = float(x[:, 1].min())
    deep = float(np.ptp(middle[:, 2]))
    return [
        Check("metres from side to side at half height, drawn", wide, wide < 0.65 * SIZE[0]),
        Check("folds at half height", f := float(folds(middle[:, 2], 0.03)), f >= 4),
        Check("metres that the folds are deep", deep, 0.08 < deep < 1.0),
        Check("metres of the hem over the floor", lowest, 0.05 < lowest < 0.5),
        Check("largest stretch", s := stretch(body, x), s < 0.15),
    ]


EXHIBIT = Exhibit(
    name="curtain",
    title="A curtain",
    paper="Nealen+06 3.5",
    about="Rings that are pinned to a rail draw it aside. The folds are its own: nothing was drawn.",
    seconds=4.0,
    build=build,
    check=check,
    stills=(0.0, 1.0, 2.0, 4.0),
    camera=(0.35, 0.18, 1.0),
    substeps=2,
    columns=4,
)
