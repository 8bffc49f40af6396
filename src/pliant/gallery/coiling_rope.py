"""Two ropes are pressed together lengthwise: one bows, the other coils."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import speed
from pliant.gallery.paint import APRICOT, BLUE, Colour, banded
from pliant.graph import Graph, graph_of

PARTICLES = 48
LENGTH = 2.4  # metres
FOOT = 0.04  # metres from the floor to the lower ends
TURNS = 4
RADIUS = 0.085  # of the coil
DOWN = 0.86  # metres by which the upper ends come down
KEYS = (0.5, 3.5, 4.5, 7.0)  # s: they begin to come down, are down, go up, are up
HOLD = 1e5  # N/m: the handles at the ends, which leave them free to turn
COLOURS: dict[str, Colour] = {"plain": BLUE, "coil": APRICOT}
UPRIGHT = (0.0, 0.0, 0.5**0.5, 0.5**0.5)


def coil(rest: Array) -> Array:
    """Points of a straight rope along x on a helix about it that begins and ends in the middle, none longer or
    shorter than before."""
    s = np.linspace(0, 1, 4001)
    grown = np.clip(4 * np.minimum(s, 1 - s), 0, 1)  # the coil has its full radius after a quarter of the length
    out, turn = RADIUS * grown**2 * (3 - 2 * grown), 2 * np.pi * TURNS * s
    side = np.stack([out * np.cos(turn), out * np.sin(turn)], axis=1)
    sideways = np.linalg.norm(np.diff(side, axis=0), axis=1)
    forward = np.concatenate([[0], np.cumsum(np.sqrt((LENGTH / 4000) ** 2 - sideways**2))])
    at = rest[:, 0] / LENGTH + 0.5
    along = np.interp(at, s, forward - forward[-1] / 2)
    return np.stack([along, np.interp(at, s, side[:, 0]), np.interp(at, s, side[:, 1])], axis=1)


def rope(name: str) -> Graph:
    body = banded(pliant.shapes.rope(length=LENGTH, particles=97, radius=0.035), COLOURS[name], 0.12)
    graph = graph_of(body, PARTICLES)
    return graph.with_pose("coil", coil(body.rest)) if name == "coil" else graph


def build() -> pliant.World:
    way = pliant.Path(KEYS, [(0, 0, 0), (0, -DOWN, 0), (0, -DOWN, 0), (0, 0, 0)], smooth=True)
    beam = pliant.Box(centre=(0.25, FOOT + LENGTH + 0.09, 0), half_size=(0.75, 0.05, 0.12), path=way)
    world = pliant.World(colliders=[pliant.Plane(), beam])
    start = rope("coil")
    lower, *_, upper = np.argsort(start.rest[:, 0]).tolist()
    for place, name in enumerate(COLOURS):
        settings = pliant.OrientedParticles(
            particles=PARTICLES, stiffness=3e7, example_strength=0.999, damping=8, drag=1
        )
        spot = (1.1 * place - 0.3, FOOT + LENGTH / 2, 0)
        actor = world.add(rope(name), settings, name=name, position=spot, rotation=UPRIGHT)
        # Nothing that is exactly straight knows where to bend: both begin very slightly coiled.
        bent = 0.03 * (start.poses["coil"] - start.rest) * (0, 1, 1)
        actor.positions[:] += np.stack([-bent[:, 1], bent[:, 0], bent[:, 2]], axis=1)
        actor.grab(lower, stiffness=HOLD)
        actor.grab(upper, stiffness=HOLD, path=way)
    return world


def windings(graph: Graph, positions: Array) -> float:
    """How often the middle half of an upright rope turns about the upright."""
    x = positions[np.argsort(graph.rest[:, 0])][PARTICLES // 4 : 3 * PARTICLES // 4]
    ways = np.diff(x[:, [0, 2]], axis=0)
    return float(abs(np.diff(np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]))).sum()) / (2 * np.pi))


def width(positions: Array) -> float:
    """Metres from the line between the ends to the particle farthest from it."""
    across = positions[:, [0, 2]] - positions[0, [0, 2]]
    return float(np.linalg.norm(across, axis=1).max())


def check(record: Record) -> list[Check]:
    graph = rope("coil")
    weight = record.weights("coil")
    down, last = record.at(KEYS[2]), record.frames[-1]
    before = record.times < KEYS[0]
    still = max(speed(graph, last.velocities[name]) for name in COLOURS)
    return [
        Check("weight of the coil before", w := float(weight[before].max()), w < 0.1),
        Check("weight when pressed together", w := float(weight[record.times == down.time][0]), w > 0.7),
        Check("windings of its middle half then", n := windings(graph, down.positions["coil"]), n > 1.5),
        Check("plain: windings of its middle half", n := windings(graph, down.positions["plain"]), n < 0.8),
        Check("metres that it is wide then", d := width(down.positions["coil"]), d < 0.2),
        Check("plain: metres that it bows out", d := width(down.positions["plain"]), d > 0.4),
        Check("weight at the end", w := float(weight[-1]), w < 0.1),
        Check("m/s at the end, the fastest", still, still < 0.05),
    ]


EXHIBIT = Exhibit(
    name="coiling-rope",
    title="A rope that prefers a coil",
    paper="Choi+17 with examples",
    about="Two ropes stand upright while their upper ends are brought down and up again. The blue one bows; the other "
    "one, which has a coil as its example, winds itself up.",
    seconds=9.0,
    build=build,
    check=check,
    stills=(0.0, 1.8, 2.5, 4.5, 5.8, 9.0),
    camera=(0.2, 0.25, 1.0),
    substeps=4,
)
