"""A sheet on a rod that swings to and fro."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import speed
from pliant.gallery.paint import BLUE, chequered_sheet
from pliant.graph import Graph, graph_of
from pliant.world.paths import Motion, rotation

PARTICLES = 256
SIDE = 1.2  # metres
HEIGHT = 1.75  # of the rod
TURN = np.radians(130)
KEYS = (0.4, 1.6, 2.4, 3.6)  # s: it begins to turn, has turned, goes back, is back
UPRIGHT = (0.5**0.5, 0.0, 0.0, 0.5**0.5)  # the sheet lies; this hangs it up


def sheet() -> Graph:
    plain = pliant.shapes.sheet(size=(SIDE, SIDE), cells=(48, 48), thickness=0.015)
    return graph_of(chequered_sheet(plain, BLUE, 0.2), PARTICLES)


def held(graph: Graph) -> list[int]:
    """Two corners of one side: near the axis, and far from it."""
    return [int((graph.skin.vertices @ (side, 0.0, -1.0)).argmax()) for side in (-1, 1)]


def carried(point: Array) -> Motion:
    """The way of a point of the rod, which turns about the upright axis through its end."""
    angles = pliant.Path(KEYS, [(0, 0, 0), (TURN, 0, 0), (TURN, 0, 0), (0, 0, 0)], smooth=True)

    def at(time: float) -> tuple[Array, Array]:
        turn = rotation((0, angles(time)[0][0], 0))
        return turn @ point - point, turn

    return at


def build() -> pliant.World:
    graph = sheet()
    middle = np.array([0.1 + SIDE / 2, HEIGHT, 0])
    rod = pliant.Capsule(start=(0, HEIGHT, 0), end=(0.2 + SIDE, HEIGHT, 0), radius=0.02, path=carried(middle))
    world = pliant.World(colliders=[pliant.Plane(), rod])
    settings = pliant.OrientedParticles(particles=PARTICLES, stiffness=6e5, damping=1.0, drag=1.0)
    hung = (middle[0], HEIGHT - SIDE / 2 - 0.04, 0)
    actor = world.add(graph, settings, name="sheet", position=hung, rotation=UPRIGHT)
    for vertex in held(graph):
        actor.grab(skin=vertex, stiffness=3e4, path=carried(actor.surface[vertex]))
    return world


def check(record: Record) -> list[Check]:
    graph = sheet()
    top, bottom = (graph.rest[:, 2] < -0.45 * SIDE), (graph.rest[:, 2] > 0.45 * SIDE)
    a, b = graph.edges.T
    rest = np.linalg.norm(graph.rest[a] - graph.rest[b], axis=1)
    swings, stretch, off = [], [], []
    for frame in record.frames:
        x = frame.positions["sheet"]
        turn = carried(np.zeros(3))(frame.time)[1]
        swings.append(((x[bottom].mean(axis=0) - x[top].mean(axis=0)) @ turn)[2])
        stretch.append((np.linalg.norm(x[a] - x[b], axis=1) / rest).max())
        off.append(np.abs((x[top] @ turn)[:, 2]).max())
    still = speed(graph, record.frames[-1].velocities["sheet"])
    return [
        Check("metres that its lower side trails behind the rod", d := float(max(swings)), d > 0.3),
        Check("metres that it swings on when the rod stops", d := float(-min(swings)), d > 0.3),
        Check("longest edge, of its length at rest", s := float(max(stretch)), s < 1.35),
        Check("metres that its upper side leaves the rod, at most", d := float(max(off)), d < 0.2),
        Check("metres from hanging straight at the end", d := float(abs(swings[-1])), d < 0.03),
        Check("m/s at the end", still, still < 0.05),
    ]


EXHIBIT = Exhibit(
    name="turning-sheet",
    title="A sheet on a turning rod",
    paper="Choi+17 Fig. 6",
    about="A sheet of 256 particles hangs by two corners from a rod. The rod turns and comes back; the sheet trails "
    "behind it and swings on.",
    seconds=10.0,
    build=build,
    check=check,
    stills=(0.0, 1.1, 1.7, 3.6),
    camera=(0.35, 0.35, 1.0),
    columns=4,
)
