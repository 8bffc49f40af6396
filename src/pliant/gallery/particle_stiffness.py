"""Three bars under gravity, each twice as stiff as the one before."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import speed
from pliant.gallery.paint import BLUE, JADE, RASPBERRY, Colour, chequered
from pliant.graph import Graph, graph_of

BARS: dict[str, tuple[Colour, float]] = {"soft": (RASPBERRY, 1.0), "twice": (JADE, 2.0), "four times": (BLUE, 4.0)}
SOFT = 2e6  # Pa
PARTICLES = 20


def bar(colour: Colour) -> Graph:
    plain = pliant.shapes.cuboid(size=(2.4, 0.24, 0.24), cells=(40, 4, 4), name="bar")
    return graph_of(chequered(plain, colour, 0.12), PARTICLES)


def build() -> pliant.World:
    wall = pliant.Box(centre=(-1.3, 0, -0.7), half_size=(0.1, 0.35, 1.05))
    world = pliant.World(colliders=[wall])
    for number, (name, (colour, factor)) in enumerate(BARS.items()):
        graph = bar(colour)
        settings = pliant.OrientedParticles(particles=PARTICLES, stiffness=factor * SOFT, damping=3)
        actor = world.add(graph, settings, name=name, position=(0, 0, -0.7 * number))
        actor.pin(np.argsort(graph.rest[:, 0])[:2])
    return world


def check(record: Record) -> list[Check]:
    graph = bar(BLUE)
    tip = int(graph.rest[:, 0].argmax())
    last = record.frames[-1]
    droops = {name: float(graph.rest[tip, 1] - last.positions[name][tip, 1]) for name in BARS}
    soft, twice, four = droops.values()
    order = np.argsort(graph.rest[:, 0])
    rows = graph.rest[order], last.positions["soft"][order]
    lengths = [np.linalg.norm(np.diff(x, axis=0), axis=1).sum() for x in rows]
    fastest = max(speed(graph, last.velocities[name]) for name in BARS)
    return [
        Check("metres that the soft bar's tip hangs down", soft, 0.6 < soft < 2.3),
        Check("of that, the bar that is twice as stiff", r := twice / soft, 0.4 < r < 0.9),
        Check("of that, the bar that is four times as stiff", r := four / twice, 0.4 < r < 0.8),
        Check("length of the soft bar, of that at rest", r := lengths[1] / lengths[0], 0.97 < r < 1.05),
        Check("m/s at the end, at most", fastest, fastest < 0.02),
    ]


EXHIBIT = Exhibit(
    name="particle-stiffness",
    title="Three stiffnesses",
    paper="Choi+17 Fig. 2",
    about="Three bars of twenty particles are held at one end. Green is twice as stiff as red, blue four times; how "
    "far they hang down hardly depends on the step or on how many rounds the solver takes.",
    seconds=6.0,
    build=build,
    check=check,
    stills=(0.0, 0.5, 1.0, 6.0),
    camera=(0.5, 0.3, 1.0),
    columns=4,
)
