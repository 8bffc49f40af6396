"""A bar of twenty particles in a row, twisted by twice a full turn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import chain_twist, mismatch, speed
from pliant.gallery.paint import APRICOT, chequered
from pliant.graph import Graph, graph_of

PARTICLES = 20
TURNED, BOWED, HELD, BACK = 3.0, 4.0, 4.5, 7.5  # s
AIM = 3e4  # N m


def bar() -> Graph:
    plain = pliant.shapes.cuboid(size=(2.4, 0.24, 0.24), cells=(40, 4, 4), name="bar")
    return graph_of(chequered(plain, APRICOT, 0.12), PARTICLES)


def end(graph: Graph, side: int) -> NDArray[np.intp]:
    """Vertices of the skin at an end of the bar."""
    x = side * graph.skin.vertices[:, 0]
    return np.flatnonzero(x > x.max() - 1e-6)


def tip(graph: Graph) -> int:
    """The vertex in the middle of the right end."""
    far = end(graph, 1)
    return int(far[np.linalg.norm(graph.skin.vertices[far, 1:], axis=1).argmin()])


def build() -> pliant.World:
    graph = bar()
    wall = pliant.Box(centre=(-1.32, 0, 0), half_size=(0.1, 0.35, 0.35))
    world = pliant.World(gravity=(0, 0, 0), colliders=[wall])
    actor = world.add(graph, pliant.OrientedParticles(particles=PARTICLES, stiffness=1e6, damping=3), name="bar")
    for vertex in end(graph, -1)[::5]:
        actor.grab(skin=int(vertex))
    full, still, aside = (4 * np.pi, 0, 0), (0, 0, 0), (-0.25, 0.4, 0)
    turns = pliant.Path([0, TURNED, HELD, BACK], turns=[still, full, full, still], smooth=True)
    bow = pliant.Path([TURNED, BOWED, HELD, BACK], [still, aside, aside, still], smooth=True)
    actor.grab(skin=tip(graph), path=bow)
    for direction in np.eye(3):
        actor.aim(direction, skin=tip(graph), stiffness=AIM, path=turns)
    return world


def check(record: Record) -> list[Check]:
    graph = bar()
    twists = np.array([chain_twist(graph, frame.rotations["bar"]) for frame in record.frames])
    order = np.argsort(graph.rest[:, 0])
    rest = np.linalg.norm(np.diff(graph.rest[order], axis=0), axis=1)
    held, last = record.at(HELD).positions["bar"][order], record.frames[-1]
    between = np.linalg.norm(np.diff(held, axis=0), axis=1) / rest
    turned = float(twists[np.abs(record.times - TURNED).argmin()])
    lost = mismatch(graph, last.positions["bar"], graph.rest)
    return [
        Check("degrees of twist when it is turned (720 asked)", turned, 690 < turned < 730),
        Check("largest change of the twist in a frame, degrees", t := float(np.abs(np.diff(twists)).max()), t < 15),
        Check("metres that its middle is lifted when bent", h := float(held[10, 1]), h > 0.1),
        Check("shortest distance of neighbours then, of that at rest", d := float(between.min()), d > 0.8),
        Check("degrees left at the end", t := float(abs(twists[-1])), t < 5),
        Check("metres from the rest shape at the end, rms", lost, lost < 0.005),
        Check("m/s at the end", v := speed(graph, last.velocities["bar"]), v < 0.02),
    ]


EXHIBIT = Exhibit(
    name="particle-twist",
    title="Twenty particles, two full turns",
    paper="Choi+17 Fig. 1",
    about="A bar of twenty ellipsoids in a row is twisted by 720 degrees and then bent, by one handle on a point and "
    "three on directions in the middle of its end; then it untwists.",
    seconds=9.0,
    build=build,
    check=check,
    stills=(0.0, 1.5, 3.0, 4.3, 6.0, 9.0),
    camera=(0.15, 0.35, 1.0),
    columns=3,
)
