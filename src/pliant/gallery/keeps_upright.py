"""Three bars are dropped aslant: one is left alone, one keeps upright, one is in a vortex as well."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import speed

ASLANT = 50.0  # degrees from upright
AWAY = {"left alone": -2.6, "upright": 0.0, "upright in a vortex": 2.6}  # metres along x
TALL = 1.8  # metres


def bar() -> pliant.Body:
    return pliant.shapes.cuboid(size=(0.7, TALL, 0.7), cells=(3, 6, 3))


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.6)])
    tilt = Rotation.from_euler("z", ASLANT, degrees=True).as_quat()
    for name, x in AWAY.items():
        world.add(bar(), pliant.ShapeMatching(stiffness=5, damping=4), name=name, position=(x, 1.3, 0), rotation=tilt)
    whirl = pliant.Vortex((AWAY["upright in a vortex"], 0, 0), strength=6.0, inward=4.0, radius=0.6)
    world.fields = [whirl, *(pliant.Upright(name, strength=9.0) for name in AWAY if "upright" in name)]
    return world


def check(record: Record) -> list[Check]:
    body, last = bar(), record.frames[-1]
    top = body.rest[:, 1] > 0.49 * TALL
    high = {name: float(last.positions[name][top, 1].mean()) for name in AWAY}
    side = body.rest[:, 0] > 0.34
    first, now = (frame.positions["upright in a vortex"] for frame in (record.frames[-60], last))
    ways = [shape[side].mean(axis=0) - shape.mean(axis=0) for shape in (first, now)]
    turns = float(np.degrees(np.arccos(np.clip(ways[0] @ ways[1] / np.prod(np.linalg.norm(ways, axis=1)), -1, 1))))
    rest = speed(body, last.velocities["upright"])
    return [
        Check("metres of the top of the one that keeps upright", m := high["upright"], m > 0.9 * TALL),
        Check("metres of the top of the one that is left alone", m := high["left alone"], m < 0.7 * TALL),
        Check("metres of the top of the one in the vortex", m := high["upright in a vortex"], m > 0.8 * TALL),
        Check("degrees that the vortex turns it in its last second", turns, turns > 10),
        Check("m/s of the one that stands, at the end", rest, rest < 0.1),
    ]


EXHIBIT = Exhibit(
    name="keeps-upright",
    title="Bars that keep upright",
    paper="Koyama+12 with fields",
    about="Three bars fall aslant. A gentle torque keeps two of them upright, and a vortex spins one of these.",
    seconds=4.0,
    build=build,
    check=check,
    stills=(0.0, 0.5, 1.0, 4.0),
    camera=(0.3, 0.25, 1.0),
    substeps=4,
    columns=4,
)
