"""Two carpets fall over a log: one hangs down on both sides, the other takes the curl of its example and wraps it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.gallery.cloth import LINEN, rows_of, stretch, striped_sheet
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.paint import BLUE, RASPBERRY

Array = NDArray[np.float64]
SIZE, CELLS, THICK = (2.1, 0.9), (42, 18), 0.03  # m
RADIUS, HIGH = 0.34, 1.3  # m: the log, and its axis over the floor
CURL = 0.36  # m: the radius of the example
APART = 1.3  # m between the middles of the two
DROP = 0.25  # m above the log


def curled(rest: Array) -> Array:
    """Bent downwards round an axis along z; nothing is stretched."""
    angle = rest[:, 0] / CURL
    return np.column_stack([CURL * np.sin(angle), CURL * (np.cos(angle) - 1.0), rest[:, 2]])


def carpet(prefers: bool) -> pliant.Body:
    plain = pliant.shapes.sheet(size=SIZE, cells=CELLS, thickness=THICK, density=50, name="carpet")
    body = striped_sheet(plain, 7 * (RASPBERRY if prefers else BLUE, LINEN), axis=0)
    return body.with_pose("curl", curled(body.rest)) if prefers else body


def build() -> pliant.World:
    log = pliant.Capsule((0, HIGH, -1.6), (0, HIGH, 1.6), RADIUS, friction=0.8)
    world = pliant.World(colliders=[pliant.Plane(), log])
    for name, side in (("plain", -1), ("prefers", 1)):
        weave = pliant.FiniteDifferences(young=2e5, poisson=0.2, damping=3, example_strength=0.999)
        place = (0, HIGH + RADIUS + DROP, side * APART / 2)
        world.add(carpet(name == "prefers"), weave, name=name, position=place)
    return world


def opening(places: Array) -> float:
    """Metres from one end of a carpet to the other."""
    _, columns = rows_of(carpet(False), 0)
    return float(np.linalg.norm(places[columns[-1]].mean(axis=0) - places[columns[0]].mean(axis=0)))


def check(record: Record) -> list[Check]:
    last = record.frames[-1]
    places = {name: last.positions[name].astype(float) for name in ("plain", "prefers")}
    apart = {name: opening(at) for name, at in places.items()}
    weight = float(record.weights("prefers")[-1])
    falling = float(record.weights("prefers")[record.times < 0.15].max())
    worst = max(stretch(carpet(False), at, 0.99) for at in places.values())
    return [
        Check("weight of the curl while it falls, at most", falling, falling < 0.1),
        Check("weight of the curl at the end", weight, weight > 0.6),
        Check("metres between its ends with the example", apart["prefers"], apart["prefers"] < 1.5 * RADIUS),
        Check("metres between them without", apart["plain"], apart["plain"] > 2.2 * RADIUS),
        Check("strain of the edges, all but one in a hundred", worst, worst < 0.1),
    ]


EXHIBIT = Exhibit(
    name="wrapped-log",
    title="A carpet that wraps itself",
    paper="Nealen+06 with examples",
    about="Both carpets fall over the same log. The red one has an example, a curl: the fall begins it, "
    "and the example carries it on.",
    seconds=3.0,
    build=build,
    check=check,
    stills=(0.0, 0.45, 3.0),
    camera=(0.55, 0.14, 1.0),
    substeps=2,
)
