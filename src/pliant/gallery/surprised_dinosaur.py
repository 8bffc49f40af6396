"""Two dinosaurs under a press: one is squashed, the other is surprised as well."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import likeness, mismatch, speed
from pliant.graph import Graph, graph_of

PARTICLES = 120
SOLES = 0.593  # metres from the soles up to the centre of mass
BACK = 0.9  # metres: how high the back is
DOWN = 0.28  # metres that the press goes down after it touches the back
KEYS = (0.3, 0.9, 2.0, 2.4)  # s: the press starts, is down, goes up, is up
LIFT = 0.25  # metres over the back before
GAP = 2.6  # metres from one to the other
NAMES = ("plain", "surprised")


def ramp(values: Array, start: float, end: float) -> Array:
    """0 up to the start, 1 from the end on, smooth in between."""
    t = np.clip((values - start) / (end - start), 0, 1)
    return t * t * (3 - 2 * t)


def surprised(rest: Array) -> Array:
    """Low on spread legs, the neck stretched, the head large, the tail up."""
    x, y, z = (rest + np.array([0, SOLES, 0])).T.copy()
    # From the shoulders through the neck to the head, and from the hips to the end of the tail.
    forward = x + 0.8 * (y - 0.6)
    neck, trunk = ramp(forward, 0.35, 1.15), 1 - ramp(np.abs(x + 0.05), 0.45, 0.7)
    # The head grows about its middle.
    grown = 1 + 0.4 * ramp(forward, 1.0, 1.25)
    x, y, z = 0.77 + grown * (x - 0.77), 1.3 + grown * (y - 1.3), grown * z
    # The legs are pressed together and stand apart, the trunk is lower and wider.
    feet = trunk * ramp(-y, -0.5, -0.05)
    y -= 0.45 * np.minimum(y, 0.35) + 0.2 * np.clip(y - 0.35, 0, 0.55)
    x += 0.4 * feet * (x + 0.05)
    z *= 1 + 0.5 * feet + 0.2 * trunk * (1 - neck) * (1 - feet)
    # The neck is stretched and upright.
    x, y = x - 0.3 * neck, y + 0.62 * neck
    # The tail is bent to an arc.
    along, across, bend = np.maximum(-0.5 - x, 0), y - 0.32, 1.7
    turn = bend * along
    arc_x, arc_y = -0.5 - np.sin(turn) / bend + across * np.sin(turn), 0.32 + (1 - np.cos(turn)) / bend
    return np.stack([np.where(along > 0, arc_x, x), np.where(along > 0, arc_y + across * np.cos(turn), y), z], axis=1)


def dinosaur(name: str) -> Graph:
    body = pliant.shapes.dinosaur()
    graph = graph_of(body, PARTICLES)
    return graph.with_pose("surprised", surprised(body.rest)) if name == "surprised" else graph


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.2)])
    way = pliant.Path(KEYS, [(0, 0, 0), (0, -LIFT - DOWN, 0), (0, -LIFT - DOWN, 0), (0, 0, 0)], smooth=True)
    for place, name in enumerate(NAMES):
        x = GAP * (place - 0.5)
        press = pliant.Box(centre=(x - 0.08, BACK + LIFT + 0.1, 0), half_size=(0.3, 0.1, 0.4), friction=0.3, path=way)
        world.colliders.append(press)
        settings = pliant.OrientedParticles(particles=PARTICLES, stiffness=3e6, example_strength=0.94, damping=4)
        world.add(dinosaur(name), settings, name=name, position=(x, SOLES, 0))
    return world


def check(record: Record) -> list[Check]:
    graph, last = dinosaur("surprised"), record.frames[-1]
    weight = record.weights("surprised")
    before, pressed = record.times < KEYS[0], record.at(KEYS[2])
    head, tail = int((graph.rest[:, 0] + graph.rest[:, 1]).argmax()), int(graph.rest[:, 0].argmin())

    def rise(name: str, particle: int) -> float:
        return float(pressed.positions[name][particle, 1] - record.frames[0].positions[name][particle, 1])

    alike = {name: likeness(graph, pressed.positions[name], "surprised") for name in NAMES}
    bent = max(mismatch(graph, last.positions[name], graph.rest) for name in NAMES)
    still = max(speed(graph, last.velocities[name]) for name in NAMES)
    return [
        Check("weight of the surprise before", w := float(weight[before].max()), w < 0.15),
        Check("weight under the press", w := float(weight[record.times == pressed.time][0]), w > 0.6),
        Check("likeness to the example (1: the same)", a := alike["surprised"], a > 0.6),
        Check("plain: likeness to it", a := alike["plain"], a < 0.4),
        Check("metres that the head rises", h := rise("surprised", head), h > 0.1),
        Check("plain: metres that the head rises", h := rise("plain", head), h < 0.0),
        Check("metres that the tail rises", h := rise("surprised", tail), h > 0.15),
        Check("plain: metres that the tail rises", h := rise("plain", tail), h < 0.1),
        Check("weight at the end", w := float(weight[-1]), w < 0.15),
        Check("metres from the rest shape at the end, rms, at most", bent, bent < 0.05),
        Check("m/s at the end, the fastest", still, still < 0.05),
    ]


EXHIBIT = Exhibit(
    name="surprised-dinosaur",
    title="A dinosaur that looks surprised when squashed",
    paper="Choi+17 with examples",
    about="A press comes down on two dinosaurs. The left one is squashed, no more; the right one has an example and "
    "stretches neck and tail, spreads its legs, and calms down when the press has gone.",
    seconds=6.0,
    build=build,
    check=check,
    stills=(0.0, 2.0, 6.0),
    camera=(0.35, 0.25, 1.0),
    substeps=3,
    columns=3,
)
