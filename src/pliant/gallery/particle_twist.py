"""A bar of twenty particles in a row, twisted by twice a full turn."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import chain_twist, mismatch, speed
from pliant.gallery.paint import APRICOT, chequered
from pliant.graph import Graph, graph_of

PARTICLES = 20
TURNED, HELD, BACK = 3.0, 4.5, 7.5  # s
AIM = 3e4  # N m


def bar() -> Graph:
    plain = pliant.shapes.cuboid(size=(2.4, 0.24, 0.24), cells=(40, 4, 4), name="bar")
    return graph_of(chequered(plain, APRICOT, 0.12), PARTICLES)


def end(graph: Graph, side: int) -> Array:
    """Vertices of the skin at an end of the bar."""
    x = side * graph.skin.vertices[:, 0]
    return np.flatnonzero(x > x.max() - 1e-6)


def tip(graph: Graph) -> int:
    """The vertex in the middle of the right end."""
    far = end(graph, 1)
    return int(far[np.linalg.norm(graph.skin.vertices[far, 1:], axis=1).argmin()])


def build() -> pliant.World:
    graph = bar()
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(graph, pliant.OrientedParticles(particles=PARTICLES, stiffness=1e6, damping=3), name="bar")
    for vertex in end(graph, -1)[::5]:
        actor.grab(skin=int(vertex))
    turns = pliant.Path([0, TURNED, HELD, BACK], turns=[(0, 0, 0), (4 * np.pi, 0, 0), (4 * np.pi, 0, 0), (0, 0, 0)])
    bow = pliant.Path([0, TURNED, HELD, BACK], [(0, 0, 0), (-0.25, 0.35, 0), (-0.25, 0.35, 0), (0, 0, 0)], smooth=True)
    actor.grab(skin=tip(graph), path=bow)
    for direction in np.eye(3):
        actor.aim(direction, skin=tip(graph), stiffness=AIM, path=turns)
    return world


def check(record: Record) -> list[Check]:
    graph = bar()
    twists = np.array([chain_twist(graph, frame.rotations["bar"]) for frame in record.frames])
    held = record.at(HELD)
    steps = np.abs(np.diff(twists))
    last = record.frames[-1]
    lost = mismatch(graph, last.positions["bar"], graph.rest)
    between = np.linalg.norm(np.diff(held.positions["bar"][np.argsort(graph.rest[:, 0])], axis=0), axis=1)
    rest = np.linalg.norm(np.diff(graph.rest[np.argsort(graph.rest[:, 0])], axis=0), axis=1)
    return [
        Check("degrees of twist when it is held (720 asked)", t := float(twists[record.times == held.time][0]), t > 600),
        Check("largest jump of the twist in a frame, degrees", t := float(steps.max()), t < 25),
        Check("shortest distance of neighbours then, of that at rest", d := float((between / rest).min()), d > 0.6),
        Check("degrees left at the end", t := float(abs(twists[-1])), t < 10),
        Check("metres from the rest shape at the end, rms", lost, lost < 0.01),
        Check("m/s at the end", v := speed(graph, last.velocities["bar"]), v < 0.02),
    ]


EXHIBIT = Exhibit(
    name="particle-twist",
    title="Twenty particles, two full turns",
    paper="Choi+17 Fig. 1",
    about="A bar of twenty ellipsoids in a row is twisted by 720 degrees and bent by one handle on a point and three on "
    "directions at the middle of its end, and comes back.",
    seconds=9.0,
    build=build,
    check=check,
    stills=(0.0, 1.5, 3.0, 4.4, 6.0, 9.0),
    camera=(0.15, 0.35, 1.0),
    columns=3,
)
