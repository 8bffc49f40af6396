"""A rope swings down between two posts and over a third."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import speed
from pliant.gallery.paint import RASPBERRY, painted
from pliant.graph import Graph, graph_of

PARTICLES = 60
POST = (0.35, -0.35, 0.0)
RADIUS = 0.12


def rope() -> Graph:
    return graph_of(painted(pliant.shapes.rope(length=3.0, particles=121, radius=0.03), RASPBERRY), PARTICLES)


def build() -> pliant.World:
    graph = rope()
    world = pliant.World(colliders=[pliant.Capsule(radius=RADIUS, length=1.0, position=POST, rotation=(0.7071, 0, 0, 0.7071))])
    settings = pliant.OrientedParticles(particles=PARTICLES, stiffness=1e6, damping=0.6)
    actor = world.add(graph, settings, name="rope")
    order = np.argsort(graph.rest[:, 0])
    actor.pin(order[:1])
    slack = pliant.Path([0, 1.5], [(0, 0, 0), (-1.2, 0, 0)], smooth=True)
    actor.pin(order[-1:], path=slack)
    return world


def check(record: Record) -> list[Check]:
    graph, last = rope(), record.frames[-1]
    order = np.argsort(graph.rest[:, 0])
    x = last.positions["rope"][order]
    length = float(np.linalg.norm(np.diff(x, axis=0), axis=1).sum() / np.ptp(graph.rest[:, 0]))
    away = np.linalg.norm((x - POST)[:, :2], axis=1).min()
    return [
        Check("length at the end, of that at rest", length, 0.97 < length < 1.1),
        Check("lowest point, metres under its ends", d := float(x[0, 1] - x[:, 1].min()), d > 0.5),
        Check("metres from the axis of the post, at least", away, RADIUS < away < RADIUS + 0.08),
        Check("m/s at the end", v := speed(graph, last.velocities["rope"]), v < 0.05),
    ]


EXHIBIT = Exhibit(
    name="hanging-rope",
    title="A rope over a post",
    paper="Choi+17 section 3",
    about="A rope of sixty particles is let down over a round post; the ends are pinned and one comes nearer.",
    seconds=8.0,
    build=build,
    check=check,
    stills=(0.0, 0.8, 1.6, 8.0),
    camera=(0.2, 0.15, 1.0),
    substeps=4,
    columns=2,
)
