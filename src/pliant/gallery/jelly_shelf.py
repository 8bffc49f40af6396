"""Three times the same beams of jelly on a wall: warped modes, linear ones, and a nonlinear subspace."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.paint import APRICOT, BLUE, JADE, RASPBERRY, Colour, chequered

COLOURS: tuple[Colour, ...] = (BLUE, JADE, APRICOT, RASPBERRY)
YOUNG = (1.5e6, 6e5, 3e5, 1.6e5)  # Pa, from back to front
SHAPES = ("warped", "linear", "nonlinear")  # from left to right
LONG, WIDE, THICK = 1.8, 0.36, 0.18  # m
APART, BESIDE = 2.7, 0.62  # m from wall to wall, from beam to beam
SECONDS = 3.0


def beam(colour: Colour = BLUE) -> pliant.Body:
    body = pliant.shapes.cuboid(size=(LONG, THICK, WIDE), cells=(15, 2, 3), density=400, name="beam")
    return chequered(body, colour, 0.18)


def build() -> pliant.World:
    bodies = [beam(colour) for colour in COLOURS]
    lefts = [APART * (column - 1) - 0.4 for column in range(3)]
    middle = 0.5 * BESIDE * (len(YOUNG) - 1)
    walls = [pliant.Box(centre=(left - 0.09, 1.9, 0), half_size=(0.08, 0.35, middle + 0.35)) for left in lefts]
    world = pliant.World(colliders=walls, contact=False)
    for left, shapes in zip(lefts, SHAPES, strict=True):
        for row, (young, body) in enumerate(zip(YOUNG, bodies, strict=True)):
            settings = pliant.Modal(young=young, shapes=shapes, modes=20, damping=1.5, mode_damping=2e-3)
            place = (left + 0.5 * LONG, 1.9, BESIDE * row - middle)
            actor = world.add(body, settings, name=f"{shapes} {row + 1}", position=place)
            actor.pin(np.flatnonzero(body.rest[:, 0] < -0.499 * LONG).tolist())
    return world


def length(body: pliant.Body, positions: Array) -> float:
    """Of the middle of a beam, m."""
    stations = np.unique(body.rest[:, 0].round(5))
    middle = np.stack([positions[np.abs(body.rest[:, 0] - s) < 1e-4].mean(axis=0) for s in stations])
    return float(np.linalg.norm(np.diff(middle, axis=0), axis=1).sum())


def tip(body: pliant.Body, positions: Array) -> float:
    """How high the free end of a beam is, m."""
    return float(positions[body.rest[:, 0] > 0.499 * LONG, 1].mean())


def check(record: Record) -> list[Check]:
    body, checks = beam(), []
    last, soft = record.frames[-1], len(YOUNG)
    for shapes in SHAPES:
        heights = [tip(body, last.positions[f"{shapes} {row + 1}"]) for row in range(soft)]
        longest = max(length(body, frame.positions[f"{shapes} {soft}"]) / LONG for frame in record.frames)
        ordered = all(np.diff(heights) < 0)
        lower = heights[0] - heights[-1]
        checks.append(Check(f"{shapes}: metres that the softest hangs lower than the hardest", lower, ordered))
        if shapes == "linear":
            checks.append(Check(f"{shapes}: the softest grows to times its length, at least", longest, longest > 1.06))
        else:
            checks.append(Check(f"{shapes}: the softest grows to times its length, at most", longest, longest < 1.04))
    return checks


EXHIBIT = Exhibit(
    name="jelly-shelf",
    title="Beams of jelly, in modes",
    paper="Choi+05 and Barbic+05",
    about="Four beams on a wall, each softer than the one behind it, and the wall three times: with warped modes they "
    "bend and keep their size, with linear ones they swell, and a nonlinear subspace shows what is right. Twenty modes "
    "each.",
    seconds=SECONDS,
    build=build,
    check=check,
    stills=(0.0, 0.5, 3.0),
    camera=(0.25, 0.35, 1.0),
    substeps=4,
    columns=1,
)
