"""Two sheets fall on rails: one bends, the other folds."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import likeness, mismatch, speed
from pliant.gallery.paint import BLUE, RASPBERRY, Colour, chequered_sheet
from pliant.graph import Graph, graph_of

PARTICLES = 168
SIZE = (1.4, 1.2)  # metres
RAIL, RADIUS = 1.0, 0.06
DROP = 0.35
DEGREES = 130.0  # of the fold
SOFT = 0.18  # metres of the sheet's length that the fold takes
COLOURS: dict[str, Colour] = {"plain": BLUE, "fold": RASPBERRY}


def fold(rest: Array) -> Array:
    """Both halves turned down about the middle, flat but for a strip that bends."""
    half, curve = np.radians(DEGREES) / 2, SOFT / 2
    x = np.abs(rest[:, 0])
    angle = half * np.minimum(x / curve, 1)
    beyond = np.maximum(x - curve, 0)
    out = curve / half * np.sin(angle) + beyond * np.cos(half)
    down = curve / half * (1 - np.cos(angle)) + beyond * np.sin(half)
    return np.stack([np.sign(rest[:, 0]) * out, rest[:, 1] - down, rest[:, 2]], axis=1)


def sheet(name: str) -> Graph:
    body = chequered_sheet(pliant.shapes.sheet(size=SIZE, cells=(56, 48)), COLOURS[name], 0.2)
    graph = graph_of(body, PARTICLES)
    return graph.with_pose("fold", fold(body.rest)) if name == "fold" else graph


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane()])
    for place, name in enumerate(COLOURS):
        x = 1.7 * (place - 0.5)
        rail = pliant.Capsule(start=(x, RAIL, -0.75), end=(x, RAIL, 0.75), radius=RADIUS, friction=1.0)
        world.colliders.append(rail)
        settings = pliant.OrientedParticles(particles=PARTICLES, stiffness=2e6, example_strength=0.995, damping=2)
        world.add(sheet(name), settings, name=name, position=(x, RAIL + RADIUS + DROP, 0))
    return world


def bend(graph: Graph, positions: Array) -> float:
    """Degrees between the two halves, 0 where the sheet is flat."""
    ways = []
    for side in (-1, 1):
        half = side * graph.rest[:, 0] > SOFT / 2 + 0.05
        x = positions[half] - positions[half].mean(axis=0)
        normal = np.linalg.svd(x)[2][2]
        ways.append(normal * np.sign(normal @ (0, 1, 0)))
    return float(np.degrees(np.arccos(np.clip(ways[0] @ ways[1], -1, 1))))


def check(record: Record) -> list[Check]:
    graph, last = sheet("fold"), record.frames[-1]
    weight = record.weights("fold")
    falling = record.times < 0.25
    alike = likeness(graph, last.positions["fold"], "fold")
    still = max(speed(graph, last.velocities[name]) for name in COLOURS)
    return [
        Check("weight of the fold while it falls", w := float(weight[falling].max()), w < 0.05),
        Check("weight on the rail", w := float(weight[-1]), w > 0.7),
        Check("degrees between its halves", d := bend(graph, last.positions["fold"]), d > 90),
        Check("plain: degrees between its halves", d := bend(graph, last.positions["plain"]), d < 45),
        Check("likeness to the example (1: the same)", alike, alike > 0.7),
        Check("plain: metres from flat", d := mismatch(graph, last.positions["plain"], graph.rest), d < 0.1),
        Check("m/s at the end, the fastest", still, still < 0.05),
    ]


EXHIBIT = Exhibit(
    name="folding-sheet",
    title="A sheet that prefers a fold",
    paper="Choi+17 with examples",
    about="Two stiff sheets fall on rails. The blue one bends a little under its weight; the other one has a fold as "
    "its example and shuts like a book.",
    seconds=6.0,
    build=build,
    check=check,
    stills=(0.0, 0.3, 0.5, 6.0),
    camera=(0.25, 0.3, 1.0),
    substeps=3,
    columns=4,
)
