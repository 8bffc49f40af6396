"""A hundred and twenty gummy cubes, each of them one cluster of 27 particles that twists or squashes by example."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.gummy_bears import BOWL, bowl, inside
from pliant.gallery.measures import speed
from pliant.gallery.paint import APRICOT, BLUE, JADE, RASPBERRY, Colour, painted
from pliant.gallery.touching import centres_of

COLOURS: tuple[Colour, ...] = (RASPBERRY, JADE, APRICOT, (0.93, 0.78, 0.25), BLUE)
IN_A_LAYER, LAYERS = 15, 8
SIDE = 0.36  # metres
RISE = 0.6  # metres from layer to layer


def cube(colour: Colour = RASPBERRY) -> pliant.Body:
    body = painted(pliant.shapes.cuboid(size=(SIDE, SIDE, SIDE), cells=(2, 2, 2), name="cube"), colour)
    body = body.with_pose("twist", pliant.poses.twist(body, degrees=70, axis="y", shorten=0.35))
    return body.with_pose("squash", pliant.poses.squash(body, amount=0.35, axis="x"))


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.5), bowl()])
    bodies = [cube(colour) for colour in COLOURS]
    rng = np.random.default_rng(5)
    settings = pliant.Clusters(young=2e4, poisson=0.4, example_strength=0.97, damping=3)
    for number in range(IN_A_LAYER * LAYERS):
        layer, place = divmod(number, IN_A_LAYER)
        out = 1.25 * np.sqrt((place + 0.5) / IN_A_LAYER)  # a sunflower: evenly spread
        angle = 2.4 * place + 0.9 * layer
        turn = rng.normal(size=4)
        world.add(
            bodies[number % len(bodies)], settings, name=f"cube {number + 1}", friction=0.3,
            rotation=turn / np.linalg.norm(turn),
            position=(out * np.cos(angle), 1.2 + RISE * layer, out * np.sin(angle)),
        )  # fmt: skip
    return world


def check(record: Record) -> list[Check]:
    world = build()
    bodies = {actor.name: actor.body for actor in world.actors}
    last = record.frames[-1]
    centres = centres_of(bodies, last)
    out = np.hypot(centres[:, 0], centres[:, 2])
    fled = float((out > BOWL).mean())
    weights = np.max([[frame.weights[name][0, 1:] for name in bodies] for frame in record.frames], axis=0)
    before = max(float(frame.weights[name][0, 1:].max()) for name in bodies for frame in record.between(0.0, 0.05))
    through = min(float(inside(frame.positions[name]).min()) for frame in record.frames[::20] for name in bodies)
    still = float(np.median([speed(body, last.velocities[name]) for name, body in bodies.items()]))
    twisted, squashed = (float((weights[:, k] > 0.15).mean()) for k in (0, 1))
    return [
        Check("weight of any example before they land, at most", before, before < 0.1),
        Check("part of the cubes that twisted when they were hit", twisted, twisted > 0.3),
        Check("part of the cubes that squashed", squashed, squashed > 0.3),
        Check("part of the cubes that left the bowl", fled, fled < 0.25),
        Check("metres of the lowest particle over the bowl", through, through > -0.1),
        Check("m/s at the end, half of them slower", still, still < 0.4),
    ]


EXHIBIT = Exhibit(
    name="gummy-cubes",
    title="120 gummy cubes",
    paper="Mueller+05 with examples",
    about="A hundred and twenty gummy cubes are poured into a bowl. Each is a single quadratic cluster of 27 "
    "particles, and yet each twists or squashes as its two examples say.",
    seconds=3.0,
    build=build,
    check=check,
    stills=(0.0, 0.6, 3.0),
    camera=(0.3, 0.8, 1.0),
    substeps=2,
    columns=3,
)
