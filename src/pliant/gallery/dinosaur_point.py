"""A dinosaur comes back from a point."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import mismatch, speed
from pliant.graph import Graph, graph_of

PARTICLES = 100


def dinosaur() -> Graph:
    return graph_of(pliant.shapes.dinosaur(), PARTICLES)


def middle(graph: Graph) -> int:
    return int(np.linalg.norm(graph.rest - graph.rest.mean(axis=0), axis=1).argmin())


def build() -> pliant.World:
    graph = dinosaur()
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(graph, pliant.OrientedParticles(particles=PARTICLES, stiffness=4e5, damping=6), name="dinosaur")
    actor.positions[:] = graph.rest[middle(graph)]
    actor.pin([middle(graph)])
    return world


def check(record: Record) -> list[Check]:
    graph, last = dinosaur(), record.frames[-1]
    away = np.array([mismatch(graph, frame.positions["dinosaur"], graph.rest) for frame in record.frames])
    soon = float(record.times[np.flatnonzero(away < 0.1 * away[0])[0]]) if (away < 0.1 * away[0]).any() else np.inf
    farthest = float(np.linalg.norm(last.positions["dinosaur"] - graph.rest, axis=1).max())
    return [
        Check("metres from its shape at first, rms", float(away[0]), away[0] > 0.3),
        Check("seconds until a tenth of that is left", soon, soon < 2.0),
        Check("metres from its shape at the end, rms", float(away[-1]), away[-1] < 1e-3),
        Check("metres from where it would have been at rest, at most", farthest, farthest < 0.01),
        Check("m/s at the end", v := speed(graph, last.velocities["dinosaur"]), v < 0.01),
    ]


EXHIBIT = Exhibit(
    name="dinosaur-point",
    title="Back from a point",
    paper="Choi+17 Fig. 4",
    about="All hundred particles of a dinosaur begin in one point, and only the one in the middle is held. It unfolds "
    "to its rest shape.",
    seconds=5.0,
    build=build,
    check=check,
    stills=(0.02, 0.1, 0.2, 0.4, 0.8, 5.0),
    camera=(0.35, 0.2, 1.0),
    columns=6,
)
