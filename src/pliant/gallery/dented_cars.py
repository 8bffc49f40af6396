"""Four cars, four hits: the dents stay, as they were drawn."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.car_crash import car, repainted
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import mismatch, speed
from pliant.gallery.paint import APRICOT, BLUE, JADE, RASPBERRY

LANE = 2.0  # metres from car to car
COLOURS = {"nose": RASPBERRY, "corner": APRICOT, "roof": BLUE, "tail": JADE}
SPEED = 7.0  # m/s


def dents(body: pliant.Body) -> dict[str, np.ndarray]:
    """What the sculptor drew: a crumpled nose, a corner pressed in, a roof pressed down, a tail folded up."""
    x, y, z = body.rest.T
    front, tail = np.clip((x - 0.15) / 0.75, 0, 1), np.clip((-x - 0.3) / 0.6, 0, 1)
    left = front * np.clip((z + 0.1) / 0.5, 0, 1)
    top = np.clip((y - 0.05) / 0.3, 0, 1) * np.clip(1 - (x + 0.1) ** 2 / 0.4, 0, 1)
    return {
        "nose": np.stack([x - 0.35 * front**2, y + 0.16 * front * (1 - front) * 4, z * (1 + 0.2 * front)], axis=1),
        "corner": np.stack([x - 0.45 * left, y + 0.1 * left, z - 0.2 * left], axis=1),
        "roof": np.stack([x, y - 0.3 * top, z * (1 + 0.15 * top)], axis=1),
        "tail": np.stack([x + 0.3 * tail**2, y + 0.2 * tail**2, z], axis=1),
    }


def build() -> pliant.World:
    plain = car()
    for name, pose in dents(plain).items():
        plain = plain.with_pose(name, pose)
    low = -plain.rest[:, 1].min()
    lanes = dict(zip(COLOURS, LANE * (np.arange(4) - 1.5), strict=True))
    post = lanes["corner"] + 0.32
    world = pliant.World(
        colliders=[
            pliant.Plane(friction=0.4),
            pliant.Box(centre=(2.15, 0.3, lanes["nose"]), half_size=(0.15, 0.3, 0.7), friction=0.3),
            pliant.Capsule(start=(2.0, 0, post), end=(2.0, 0.5, post), radius=0.16, friction=0.1),
            pliant.Box(centre=(-2.15, 0.3, lanes["tail"]), half_size=(0.15, 0.3, 0.7), friction=0.3),
        ]
    )
    model = pliant.ShapeMatching(
        stiffness=10, example_strength=0.9, damping=6, examples="regions",
        plasticity=pliant.Plasticity(yield_point=0.1, creep=60),
    )  # fmt: skip
    for name, colour in COLOURS.items():
        velocity = {"roof": 0.0, "tail": -SPEED}.get(name, SPEED)
        world.add(repainted(plain, colour), model, name=name, position=(0, low, lanes[name]), velocity=(velocity, 0, 0))
    ball = pliant.shapes.ball(radius=0.3, particles=100)
    world.add(ball, pliant.Rigid(mass=300), name="ball", position=(-0.1, 3.2, lanes["roof"]))
    return world


def check(record: Record) -> list[Check]:
    body, last = car(), record.frames[-1]
    checks = []
    for name in COLOURS:
        stays = dict(zip(dents(body), last.weights[name].mean(axis=0)[1:].tolist(), strict=True))
        own = stays.pop(name)
        bent = mismatch(body, last.positions[name], body.rest)
        checks += [
            Check(f"{name}: how much of its own dent is left, at least 0.2", own, own > 0.2),
            Check(f"{name}: and of any other, as a part of that", max(stays.values()) / own, max(stays.values()) < own),
            Check(f"{name}: metres from the shape it had", bent, bent > 0.03),
        ]
    still = max(speed(body, last.velocities[name]) for name in COLOURS)
    return [*checks, Check("m/s at the end, the fastest", still, still < 0.02)]


EXHIBIT = Exhibit(
    name="dented-cars",
    title="Dents that stay",
    paper="Koyama+12 with plasticity",
    about="Four cars of one material have the same four poses, and each of their regions keeps of them what a hit made"
    " of it: into a wall, with a corner against a post, a ball on the roof, backwards into a wall. The dents stay, as"
    " they were drawn.",
    seconds=4.0,
    build=build,
    check=check,
    stills=(0.0, 0.3, 4.0),
    camera=(0.25, 0.8, 0.9),
    substeps=5,
    columns=3,
)
