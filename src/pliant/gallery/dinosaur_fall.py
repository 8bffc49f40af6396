"""A dinosaur falls on the floor."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import mismatch, speed
from pliant.graph import Graph, graph_of

PARTICLES = 100
DROP = 0.8  # metres under the tail
LANDS = (2 * DROP / 9.81) ** 0.5
TILT = (0.0, 0.0, 0.26, 0.966)  # head up


def dinosaur() -> Graph:
    return graph_of(pliant.shapes.dinosaur(), PARTICLES)


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.6)])
    settings = pliant.OrientedParticles(particles=PARTICLES, stiffness=3e5, iterations=3, damping=1.5)
    actor = world.add(dinosaur(), settings, name="dinosaur", rotation=TILT)
    actor.positions[:, 1] += DROP - actor.surface[:, 1].min()
    return world


def check(record: Record) -> list[Check]:
    graph, last = dinosaur(), record.frames[-1]
    away = np.array([mismatch(graph, frame.positions["dinosaur"], graph.rest) for frame in record.frames])
    lowest = min(float(frame.positions["dinosaur"][:, 1].min()) for frame in record.frames)
    reach = float(graph.ellipsoids.radii.min())
    falling = float(away[record.times < LANDS - 0.03].max())
    return [
        Check("metres from its shape in free fall, rms, at most", falling, falling < 1e-3),
        Check("metres at the impact, rms", w := float(away.max()), w > 0.04),
        Check("metres at the end, rms", w := float(away[-1]), w < 0.06),
        Check("lowest centre of a particle, metres above the floor", lowest, lowest > 0.5 * reach),
        Check("m/s at the end", v := speed(graph, last.velocities["dinosaur"]), v < 0.02),
    ]


EXHIBIT = Exhibit(
    name="dinosaur-fall",
    title="A dinosaur falls",
    paper="Choi+17 Fig. 5",
    about="A hundred ellipsoids fall on the floor, three sub-steps of three rounds a frame. Friction brakes them where "
    "they touch, and turns them.",
    seconds=8.0,
    build=build,
    check=check,
    stills=(0.0, 0.45, 0.55, 0.65, 1.1, 8.0),
    camera=(0.35, 0.25, 1.0),
    substeps=3,
    columns=6,
)
