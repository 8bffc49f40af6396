"""A flag in the wind: it hangs, then a breeze comes up."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.cloth import LINEN, UPRIGHT, rows_of, stretch, striped_sheet
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.paint import APRICOT, BLUE

SIZE, CELLS = (1.8, 1.1), (54, 33)  # m
HIGH = 1.9  # m: the middle of the flag over the floor
WIND = pliant.Wind((9.0, 0.0, 1.5), gusts=0.25, gust_size=1.6)
POLE = 0.025  # m


def flag() -> pliant.Body:
    plain = pliant.shapes.sheet(size=SIZE, cells=CELLS, thickness=0.006, density=35, name="flag")
    return striped_sheet(plain, (BLUE, LINEN, APRICOT), axis=2)


def build() -> pliant.World:
    pole = pliant.Capsule((-SIZE[0] / 2 - POLE, 0.0, 0), (-SIZE[0] / 2 - POLE, HIGH + 0.65, 0), POLE)
    world = pliant.World(colliders=[pliant.Plane(), pole], wind=WIND)
    fabric = pliant.MassSpring(young=6e4, bending=0.05, strain_limit=0.08, spring_damping=0.003, damping=0)
    actor = world.add(flag(), fabric, position=(0, HIGH, 0), rotation=UPRIGHT)
    actor.pin(rows_of(actor.body, 0)[1][0].tolist())
    return world


def check(record: Record) -> list[Check]:
    body = flag()
    _, columns = rows_of(body, 0)
    blown = record.between(1.5, 4.0)
    end = np.array([frame.positions["flag"][columns[-1]] for frame in blown], float)
    out = end[:, :, 0].mean(axis=1) + SIZE[0] / 2
    sway = end[:, :, 2].mean(axis=1)
    swings = int((np.diff(np.sign(sway - sway.mean())) != 0).sum())
    low = HIGH - end[:, :, 1].mean(axis=1)
    worst = max(stretch(body, frame.positions["flag"].astype(float)) for frame in blown[::10])
    held = max(np.abs(f.positions["flag"][columns[0]] - record.frames[0].positions["flag"][columns[0]]).max()
               for f in blown)  # fmt: skip
    return [
        Check("metres that the free end stands out from the pole", m := float(out.mean()), m > 0.75 * SIZE[0]),
        Check("metres that it sags", m := float(low.mean()), m < 0.45),
        Check("metres that it waves from side to side", m := float(np.ptp(sway)), m > 0.15),
        Check("times that it goes through the middle", float(swings), swings >= 4),
        Check("largest stretch", worst, worst < 0.15),
        Check("metres that the pinned side has moved", float(held), held < 1e-5),
    ]


EXHIBIT = Exhibit(
    name="flag",
    title="A flag in the wind",
    paper="Nealen+06 3.5",
    about="Drag and lift on every triangle, by the velocity of the air against it. Gusts travel along with the wind.",
    seconds=4.0,
    build=build,
    check=check,
    stills=(1.0, 2.0, 3.0, 4.0),
    camera=(0.25, 0.12, 1.0),
    substeps=2,
    columns=4,
)
