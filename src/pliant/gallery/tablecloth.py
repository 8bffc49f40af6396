"""A square cloth falls over a round table and hangs in folds."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.cloth import folds, stretch
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import speed
from pliant.gallery.paint import RASPBERRY, chequered_sheet
from pliant.geometry.surfaces import ringed

SIDE, CELLS = 1.8, 64  # m
THICK = 0.008  # m
TOP, RADIUS = 0.8, 0.62  # m: of the table
RIM = 0.08  # m: its rim is round, so that edges of the cloth, which are straight, do not cut it off
# the outline of the table from its foot to the middle of its top: radius and height (m)
OUTLINE = [
    (0.34, 0.0), (0.34, 0.03), (0.3, 0.05), (0.08, 0.08), (0.06, 0.14), (0.06, 0.5), (0.12, 0.58),
    *((RADIUS - RIM + RIM * np.sin(a), TOP - RIM - RIM * np.cos(a)) for a in np.linspace(0.0, np.pi, 13)),
]  # fmt: skip
AROUND = 64


def table() -> pliant.Mesh:
    angle = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    circle = np.stack([np.cos(angle), np.zeros(AROUND), -np.sin(angle)], axis=1)
    rings = np.array([radius * circle + (0.0, height, 0.0) for radius, height in OUTLINE])
    vertices, faces = ringed(rings, closed=False)
    vertices[-2:] = (0.0, 0.0, 0.0), (0.0, TOP, 0.0)
    return pliant.Mesh(vertices, faces, friction=0.45, cells=128)


def cloth() -> pliant.Body:
    plain = pliant.shapes.sheet(size=(SIDE, SIDE), cells=(CELLS, CELLS), thickness=THICK, density=50, name="cloth")
    return chequered_sheet(plain, RASPBERRY, SIDE / 16)


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.6), table()], wind=(0, 0, 0))
    fabric = pliant.MassSpring(young=2e5, bending=0.03, strain_limit=0.05, spring_damping=0.01, damping=0.5)
    turn = np.radians(20)
    world.add(
        cloth(), fabric, position=(0, TOP + 0.03, 0), rotation=(0, np.sin(turn / 2), 0, np.cos(turn / 2)), friction=0.6
    )
    return world


def check(record: Record) -> list[Check]:
    body, last = cloth(), record.frames[-1]
    x = last.positions["cloth"].astype(float)
    away = np.hypot(x[:, 0], x[:, 2])
    on_top = np.hypot(*body.rest[:, [0, 2]].T) < 0.7 * RADIUS
    hem = np.argsort(np.arctan2(x[:, 2], x[:, 0]))
    border = np.abs(body.rest[:, [0, 2]]).max(axis=1) > SIDE / 2 - 1e-6
    line = away[hem][border[hem]]
    inside = float(table().distances(x).min())
    moving = speed(body, last.velocities["cloth"])
    return [
        Check("metres that the lowest corner hangs below the top", m := float(TOP - x[:, 1].min()), 0.45 < m < TOP),
        Check("metres that cloth on the top is above it", m := float(x[on_top, 1].mean() - TOP), -0.02 < m < 0.04),
        Check("folds of the hem", f := float(folds(line, 0.04)), f >= 4),
        Check("stretch that 99 of 100 edges are below", s := stretch(body, x, 0.99), s < 0.2),
        Check("metres that it is inside the table", max(0.0, -inside), inside > -0.02),
        Check("m/s at the end", moving, moving < 0.15),
    ]


EXHIBIT = Exhibit(
    name="tablecloth",
    title="A tablecloth",
    paper="Nealen+06 3.5",
    about="A square cloth falls over a round table. Its corners hang lowest, and between them it finds its own folds.",
    seconds=3.0,
    build=build,
    check=check,
    stills=(0.15, 0.4, 3.0),
    camera=(0.6, 0.42, 1.0),
    substeps=2,
)
