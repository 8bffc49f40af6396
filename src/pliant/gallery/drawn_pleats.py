"""Two cloths are pushed together on a rail: one folds as it likes, the other in the pleats that were drawn for it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.gallery.cloth import LINEN, UPRIGHT, folds, rows_of, stretch, striped_sheet
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.paint import APRICOT, BLUE

Array = NDArray[np.float64]
SIZE, CELLS = (1.6, 1.2), (64, 32)  # m
PLEATS = 8
CLOSED = 0.55  # of its width, in the pose and at the end
TIME = 2.5  # s
HIGH = 1.5  # m of the rail
APART = 2.0  # m between the two


def pleated(rest: Array) -> Array:
    """Folded to and fro with nothing stretched: its length along the fold is that at rest, its width CLOSED of it."""
    fold = SIZE[0] / PLEATS / 2
    way = (rest[:, 0] + SIZE[0] / 2) / fold
    depth = fold * np.sqrt(1.0 - CLOSED**2)
    swing = np.abs((way + 0.5) % 2.0 - 1.0) - 0.5  # a zigzag between -1/2 and 1/2
    return np.column_stack([CLOSED * rest[:, 0], rest[:, 1] + depth * swing, rest[:, 2]])


def cloth(drawn: bool) -> pliant.Body:
    colour = APRICOT if drawn else BLUE
    plain = pliant.shapes.sheet(size=SIZE, cells=CELLS, thickness=0.008, density=40, name="cloth")
    body = striped_sheet(plain, PLEATS * (colour, LINEN), axis=0)
    return body.with_pose("pleats", pleated(body.rest)) if drawn else body


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane()], wind=(0, 0, 0))
    for name, side in (("plain", -1), ("drawn", 1)):
        fabric = pliant.MassSpring(young=1e5, bending=1.0, strain_limit=0.05, spring_damping=0.01, damping=1)
        middle = side * APART / 2
        actor = world.add(
            cloth(name == "drawn"), fabric, name=name, position=(middle, HIGH - SIZE[1] / 2, 0), rotation=UPRIGHT
        )
        # a breath of unevenness, the same for both: a sheet that is perfectly flat has no reason to fold
        actor.positions[:, 2] += 0.002 * np.sin(37.0 * actor.body.rest[:, 0]) * np.cos(11.0 * actor.body.rest[:, 2])
        for particle in rows_of(actor.body, 2)[1][0][:: CELLS[0] // PLEATS]:
            way = -(1.0 - CLOSED) * float(actor.body.rest[particle, 0])
            path = pliant.Path([0.0, TIME], [(0.0, 0.0, 0.0), (way, 0.0, 0.0)], smooth=True)
            actor.pin([int(particle)], path=path)
    return world


def check(record: Record) -> list[Check]:
    body, last = cloth(True), record.frames[-1]
    _, rows = rows_of(body, 2)
    lines = {name: last.positions[name][rows[CELLS[1] * 3 // 4]].astype(float) for name in ("plain", "drawn")}
    counted = {name: folds(line[:, 2], 0.03) for name, line in lines.items()}
    weight = float(record.weights("drawn")[-1])
    worst = max(stretch(body, last.positions[name].astype(float)) for name in lines)
    deep = float(np.ptp(lines["drawn"][:, 2]) / np.ptp(body.poses["pleats"][:, 1]))
    return [
        Check("drawn: weight of the pleats at the end", weight, weight > 0.6),
        Check("drawn: folds three quarters down", float(counted["drawn"]), counted["drawn"] >= PLEATS - 1),
        Check("drawn: depth of its pleats to those drawn", deep, 0.5 < deep < 1.5),
        Check("plain: folds there", float(counted["plain"]), counted["plain"] < counted["drawn"]),
        Check("largest stretch of both", worst, worst < 0.15),
    ]


EXHIBIT = Exhibit(
    name="drawn-pleats",
    title="Pleats that were drawn",
    paper="Nealen+06 with examples",
    about="Both cloths are pushed together by the same rings. The right one has an example: its pleats.",
    seconds=4.0,
    build=build,
    check=check,
    stills=(0.0, 1.5, 4.0),
    camera=(0.1, 0.25, 1.0),
    substeps=2,
    columns=1,
)
