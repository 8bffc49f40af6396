"""A bear falls on a sheet that is held by its corners; both are soft."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import mismatch, speed
from pliant.gallery.paint import BLUE, chequered_sheet
from pliant.gallery.touching import centres_of, overlap
from pliant.graph import Graph, graph_of

PARTICLES = {"bear": 80, "sheet": 256}
SIDE = 3.0  # metres
HIGH = 1.6  # metres of the sheet over the floor
DROP = 1.0  # metres under the feet


def bear() -> Graph:
    return graph_of(pliant.shapes.teddy(density=120), PARTICLES["bear"])


def sheet() -> Graph:
    plain = pliant.shapes.sheet(size=(SIDE, SIDE), cells=(48, 48), thickness=0.03)
    return graph_of(chequered_sheet(plain, BLUE, 0.375), PARTICLES["sheet"])


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.5)])
    cloth = pliant.OrientedParticles(particles=PARTICLES["sheet"], stiffness=1.5e6, damping=1)
    flat = world.add(sheet(), cloth, name="sheet", position=(0, HIGH, 0), friction=0.8)
    flat.pin([int((flat.body.rest @ (a, 0.0, b)).argmax()) for a in (-1, 1) for b in (-1, 1)])
    toy = pliant.OrientedParticles(particles=PARTICLES["bear"], stiffness=2e5, damping=1)
    actor = world.add(bear(), toy, name="bear", position=(0.1, 0, 0.05), friction=0.8)
    actor.positions[:, 1] += HIGH + DROP - actor.surface[:, 1].min()
    return world


def check(record: Record) -> list[Check]:
    bodies: dict[str, pliant.Body] = {"bear": bear(), "sheet": sheet()}
    last = record.frames[-1]
    middle = np.hypot(*bodies["sheet"].rest[:, [0, 2]].T) < 0.3
    sag = HIGH - np.array([frame.positions["sheet"][middle, 1].mean() for frame in record.frames])
    high = np.array([centres_of(bodies, frame)[0, 1] for frame in record.frames])
    feet = np.array([frame.positions["bear"][:, 1].min() for frame in record.frames]) - (HIGH - sag)
    first = int(high[record.times < 1.5].argmin())
    deep = max(overlap(bodies, frame) for frame in record.frames[::6])
    sheet_speed, bear_speed = (speed(bodies[name], last.velocities[name]) for name in ("sheet", "bear"))
    bent = mismatch(bodies["bear"], last.positions["bear"], bodies["bear"].rest)
    laden = float(sag[-30:].mean())
    return [
        Check("metres that the bear is thrown up again", m := float(high[first:].max() - high[first]), m > 0.25),
        Check("metres that the sheet gives way", m := float(sag.max()), m > 0.4),
        Check("metres that it gives way under the bear at rest", laden, laden > 0.3),
        Check("metres of the lowest part of the bear over the sheet, at any time", m := float(feet.min()), m > -0.05),
        Check("contact radii that they are inside one another, at any time", deep, deep < 1.0),
        Check("metres of the bear from its shape at the end", bent, bent < 0.1),
        Check("m/s of the bear at the end", bear_speed, bear_speed < 0.4),
        Check("m/s of the sheet at the end", sheet_speed, sheet_speed < 0.2),
    ]


EXHIBIT = Exhibit(
    name="trampoline",
    title="A bear on a trampoline",
    paper="Choi+17 Fig. 6",
    about="A bear falls on a sheet that is held by its corners. The sheet gives way and throws it up again.",
    seconds=7.0,
    build=build,
    check=check,
    stills=(0.0, 0.6, 0.8, 1.2, 7.0),
    camera=(0.45, 0.3, 1.0),
    substeps=4,
    columns=5,
)
