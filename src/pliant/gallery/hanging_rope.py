"""A rope falls over a rail."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import speed
from pliant.gallery.paint import RASPBERRY, banded
from pliant.graph import Graph, graph_of

PARTICLES = 60
LENGTH = 3.0  # metres
HEIGHT = 1.7  # at which it begins
RAIL = np.array([0.25, 1.5, 0.0])
HALF = np.array([0.0, 0.0, 0.35])  # of its length
RADIUS = 0.1


def rope() -> Graph:
    return graph_of(banded(pliant.shapes.rope(length=LENGTH, particles=121, radius=0.03), RASPBERRY, 0.15), PARTICLES)


def build() -> pliant.World:
    graph = rope()
    rail = pliant.Capsule(start=RAIL - HALF, end=RAIL + HALF, radius=RADIUS, friction=0.6)
    world = pliant.World(colliders=[pliant.Plane(), rail])
    settings = pliant.OrientedParticles(particles=PARTICLES, stiffness=4e5, damping=1.0)
    actor = world.add(graph, settings, name="rope", position=(0, HEIGHT, 0))
    actor.grab(particle=int(graph.rest[:, 0].argmin()), stiffness=3e4)
    return world


def check(record: Record) -> list[Check]:
    graph, last = rope(), record.frames[-1]
    order = np.argsort(graph.rest[:, 0])
    lengths, nearest = [], []
    for frame in record.frames:
        x = frame.positions["rope"][order]
        lengths.append(np.linalg.norm(np.diff(x, axis=0), axis=1).sum() / np.ptp(graph.rest[:, 0]))
        nearest.append(np.linalg.norm((x - RAIL)[:, :2], axis=1).min())
    x = last.positions["rope"][order]
    end = x[-10:]
    lean = np.degrees(np.arctan2(np.linalg.norm((end[-1] - end[0])[[0, 2]]), end[0, 1] - end[-1, 1]))
    still = speed(graph, last.velocities["rope"])
    return [
        Check("length, of that at rest, at most", s := float(max(lengths)), s < 1.25),
        Check("length at the end, of that at rest", s := float(lengths[-1]), 0.99 < s < 1.06),
        Check("metres to the middle of the rail, at least", d := float(min(nearest)), d > RADIUS),
        Check("metres that it sags before the rail", d := float(x[0, 1] - x[: PARTICLES // 2, 1].min()), d > 0.2),
        Check("metres that its end hangs under the rail", d := float(RAIL[1] - x[-1, 1]), d > 0.6),
        Check("degrees between its end and the upright", lean, lean < 10),
        Check("m/s at the end", still, still < 0.05),
    ]


EXHIBIT = Exhibit(
    name="hanging-rope",
    title="A rope over a rail",
    paper="Choi+17",
    about="A rope of sixty particles, held at one end, falls over a rail: rods, sheets and solids are the same to this "
    "method.",
    seconds=10.0,
    build=build,
    check=check,
    stills=(0.0, 0.35, 0.6, 0.9, 1.3, 10.0),
    camera=(0.3, 0.3, 1.0),
    substeps=3,
    columns=3,
)
