"""A ring of jelly falls over a post."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import mismatch, speed
from pliant.gallery.paint import JADE, striped
from pliant.graph import Graph, graph_of

PARTICLES = 24


def ring() -> Graph:
    return graph_of(striped(pliant.shapes.torus(radius=0.5, tube=0.18), JADE, 10), PARTICLES)


def build() -> pliant.World:
    post = pliant.Capsule(start=(0, -0.2, 0), end=(0, 0.34, 0), radius=0.16, friction=0.2)
    world = pliant.World(colliders=[pliant.Plane(friction=0.5), post])
    settings = pliant.OrientedParticles(particles=PARTICLES, stiffness=2.5e4, damping=1.0)
    world.add(ring(), settings, name="ring", position=(0.16, 1.0, 0.06), rotation=(0.1, 0, 0.2, 0.97))
    return world


def check(record: Record) -> list[Check]:
    graph, last = ring(), record.frames[-1]
    away = np.array([mismatch(graph, frame.positions["ring"], graph.rest) for frame in record.frames])
    centre = graph.masses @ last.positions["ring"] / graph.mass
    return [
        Check("metres from its shape at the impact, rms", w := float(away.max()), w > 0.03),
        Check("metres from its shape at the end, rms", w := float(away[-1]), w < 0.05),
        Check("metres of its middle from the post at the end", d := float(np.hypot(centre[0], centre[2])), d < 0.36),
        Check("height of its middle at the end", h := float(centre[1]), 0.05 < h < 0.3),
        Check("m/s at the end", v := speed(graph, last.velocities["ring"]), v < 0.05),
    ]


EXHIBIT = Exhibit(
    name="jelly-torus",
    title="A ring of jelly",
    paper="Choi+17 Fig. 7",
    about="A soft ring of twenty-four particles falls over a post and wobbles to rest round it.",
    seconds=6.0,
    build=build,
    check=check,
    stills=(0.0, 0.2, 0.27, 0.35, 0.42, 0.5, 6.0),
    camera=(0.5, 0.33, 1.0),
    substeps=3,
    columns=7,
)
