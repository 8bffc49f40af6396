"""A sheet on a rod that turns."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.paint import BLUE, painted
from pliant.graph import Graph, graph_of

PARTICLES = 256
TURN = 6.0  # s: half a turn there and half a turn back


def sheet() -> Graph:
    return graph_of(painted(pliant.shapes.sheet(size=(1.2, 1.2), thickness=0.015, name="sheet"), BLUE), PARTICLES)


def held(graph: Graph) -> list[int]:
    """Two corners of one side."""
    return [int((graph.skin.vertices @ (-1.0, 0.0, side)).argmax()) for side in (-1, 1)]


def rod_path(side: float) -> pliant.Path:
    """The way of an end of the rod that turns about the y axis."""
    times = np.linspace(0, TURN, 61)
    angle = np.pi * np.sin(np.pi * times / TURN) ** 2
    offsets = 0.6 * side * np.stack([np.sin(angle), np.zeros(61), np.cos(angle) - 1.0], axis=1)
    return pliant.Path(times, offsets)


def build() -> pliant.World:
    graph = sheet()
    world = pliant.World()
    settings = pliant.OrientedParticles(particles=PARTICLES, stiffness=2e4, damping=0.5)
    actor = world.add(graph, settings, name="sheet", position=(0, 1.6, 0))
    for vertex, side in zip(held(graph), (-1, 1), strict=True):
        actor.grab(skin=vertex, stiffness=2e4, path=rod_path(side))
    return world


def check(record: Record) -> list[Check]:
    graph = sheet()
    far = int(graph.rest[:, 0].argmax())
    start = record.frames[0].positions["sheet"]
    hang = record.at(1.0).positions["sheet"]
    # how far the free edge lags behind the rod, seen from above
    near = int(graph.rest[:, 0].argmin())
    mid = record.at(0.55 * TURN)
    lag = np.linalg.norm((mid.positions["sheet"][far] - mid.positions["sheet"][near])[[0, 2]])
    edges = graph.edges
    lengths = [
        np.linalg.norm(f.positions["sheet"][edges[:, 0]] - f.positions["sheet"][edges[:, 1]], axis=1) for f in record.frames
    ]
    rest = np.linalg.norm(graph.rest[edges[:, 0]] - graph.rest[edges[:, 1]], axis=1)
    stretch = float(max((length / rest).max() for length in lengths))
    return [
        Check("metres that the free side has swung down after a second", d := float(start[far, 1] - hang[far, 1]), d > 0.5),
        Check("metres that it trails while the rod turns", float(lag), lag > 0.05),
        Check("longest edge, of its length at rest", stretch, stretch < 2.0),
        Check("metres that the held side is from the rod at the end",
              d := float(np.linalg.norm(record.frames[-1].positions["sheet"][near] - start[near])), d < 0.3),
    ]  # fmt: skip


EXHIBIT = Exhibit(
    name="turning-sheet",
    title="A sheet on a turning rod",
    paper="Choi+17 Fig. 6",
    about="A sheet of 256 particles hangs by two corners from a rod that turns by half a turn and back.",
    seconds=7.0,
    build=build,
    check=check,
    stills=(0.0, 1.0, 2.5, 3.3, 4.5, 7.0),
    camera=(0.7, 0.3, 1.0),
    columns=3,
)
