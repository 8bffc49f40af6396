"""A bowl of gummy bears that flop when they land."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import mismatch, speed
from pliant.gallery.paint import APRICOT, BLUE, JADE, RASPBERRY, Colour, painted
from pliant.gallery.touching import centres_of, overlap
from pliant.geometry.surfaces import quads_to_triangles
from pliant.graph import Graph, graph_of

COLOURS: tuple[Colour, ...] = (RASPBERRY, JADE, APRICOT, (0.93, 0.78, 0.25), BLUE)
BEARS = 12
PARTICLES = 40  # of a bear
IN_A_LAYER = 3
BOWL = 2.0  # metres: radius of its rim
THICK = 0.15
DEEP = 1.5  # metres from the rim to the bottom


def bowl() -> pliant.Mesh:
    """A profile of half an ellipse turned about y, thick enough to be solid."""
    angle = np.linspace(0, np.pi / 2, 25)
    inner = np.stack([BOWL * np.sin(angle), DEEP * (1 - np.cos(angle))], axis=1)
    outer = np.stack([(BOWL + THICK) * np.sin(angle), (DEEP + THICK) * (1 - np.cos(angle)) - THICK], axis=1)
    profile = np.concatenate([inner, outer[::-1]])
    turns = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    out, up = profile.T[:, :, None]
    vertices = np.stack([out * np.cos(turns), up + 0 * turns, out * np.sin(turns)], axis=-1).reshape(-1, 3)
    row, place = np.meshgrid(np.arange(len(profile) - 1), np.arange(72), indexing="ij")
    a, b = 72 * row + place, 72 * row + (place + 1) % 72
    quads = np.stack([a, a + 72, b + 72, b], axis=-1).reshape(-1, 4)
    return pliant.Mesh(vertices, quads_to_triangles(vertices, quads), position=(0, THICK, 0), friction=0.3, name="bowl")


def flop(rest: Array) -> Array:
    """Low and wide, arms and legs spread."""
    x, y, z = rest.T
    return np.stack([x + 0.55 * x * np.abs(x), 0.62 * y, 1.15 * z], axis=1)


def bear(colour: Colour = RASPBERRY) -> Graph:
    body = painted(pliant.shapes.teddy(), colour)
    return graph_of(body, PARTICLES).with_pose("flop", flop(body.rest))


def names() -> list[str]:
    return [f"bear {number + 1}" for number in range(BEARS)]


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.5), bowl()])
    bodies = [bear(colour) for colour in COLOURS]
    rng = np.random.default_rng(3)
    for number, name in enumerate(names()):
        layer, place = divmod(number, IN_A_LAYER)
        angle = 2 * np.pi * (place / IN_A_LAYER + 0.17 * layer)
        lean = np.array([*rng.uniform(-0.25, 0.25, 3), 1.0])
        model = pliant.OrientedParticles(
            particles=PARTICLES, stiffness=3e5, iterations=4, example_strength=0.97, damping=3
        )
        world.add(
            bodies[number % len(bodies)], model, name=name, scale=0.8, friction=0.3,
            rotation=lean / np.linalg.norm(lean),
            position=(0.85 * np.cos(angle), 1.1 + 1.35 * layer, 0.85 * np.sin(angle)),
        )  # fmt: skip
    return world


def check(record: Record) -> list[Check]:
    body = build().actors[0].body
    bodies = {name: body for name in names()}
    last = record.frames[-1]
    centres = centres_of(bodies, last)
    deep = np.array([overlap(bodies, frame) for frame in record.frames[::30]])
    fled = int((np.hypot(centres[:, 0], centres[:, 2]) > BOWL).sum())
    through = min(float(inside(frame.positions[name]).min()) for frame in record.frames[::10] for name in bodies)
    weights = [float(record.weights(name).max()) for name in bodies]
    before = max(float(frame.weights[name][0, 1]) for name in bodies for frame in record.between(0.0, 0.05))
    piled = float(centres[:, 1].max())
    still = float(np.median([speed(body, last.velocities[name]) for name in bodies]))
    bent = max(mismatch(body, last.positions[name], body.rest) for name in bodies)
    return [
        Check("weight of the flop before they land, at most", before, before < 0.1),
        Check("weight when they land, the least of all", w := min(weights), w > 0.3),
        Check("bears that have left the bowl", float(fled), fled == 0),
        Check("metres of the lowest particle over the bowl", through, through > -0.06),
        Check("metres of the highest middle at the end: they lie on one another", piled, piled > 0.95),
        Check("contact radii that two are inside one another, at the end", d := float(deep[-1]), d < 0.5),
        Check("metres from the rest shape at the end, at most", bent, bent < 0.2),
        Check("m/s at the end, half of them slower", still, still < 0.3),
    ]


def inside(points: Array) -> Array:
    """Metres of points over the inside of the bowl, about; above its rim nothing is asked."""
    out, low = np.hypot(points[:, 0], points[:, 2]) / BOWL, (DEEP + THICK - points[:, 1]) / DEEP
    return np.where(points[:, 1] > DEEP, 0.0, DEEP * (1 - np.hypot(out, np.maximum(low, 0))))


EXHIBIT = Exhibit(
    name="gummy-bears",
    title="A bowl of gummy bears",
    paper="Koyama+12 with contact",
    about="Twelve soft bears fall into a bowl and on one another. Their example is a bear that has flopped down with "
    "arms and legs spread: that is how they land.",
    seconds=4.0,
    build=build,
    check=check,
    stills=(0.0, 0.6, 1.1, 4.0),
    camera=(0.3, 0.8, 1.0),
    substeps=6,
    columns=4,
)
