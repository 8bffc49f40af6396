"""One car with four poses meets four obstacles, and each finds its own pose."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import likeness, mismatch, speed

FLOOR = 0.375  # metres from the floor up to the car's centre of mass
LANES = {"wall": -3.9, "press": -1.1, "gate": 1.4, "rail": 3.9}  # obstacle -> x where it is
POSES = {"wall": "tail up", "press": "flat", "gate": "slim", "rail": "banana"}
SPEEDS = {"wall": (8.0, 0, 0), "rail": (0, -3.2, 0)}  # m/s: one drives, one falls, two stand
MEET, HOLD, LEAVE = 0.36, 0.5, 0.75  # s: the obstacles are closest, begin to leave, have left


def poses(body: pliant.Body) -> dict[str, Array]:
    """Shorter with the tail up; roof down and sprawling; narrow and tall; bent over, and longer."""
    x, y, z = body.rest.T
    front, back = np.clip((x + 0.3) / 1.2, 0, 1), np.clip(0.1 - x, 0, None)
    tail_up = np.stack([x - 0.42 * front**2 + 0.3 * back**2, y * (1 + 0.3 * front) + 0.75 * back**2, z], axis=1)
    flat = np.stack([1.1 * x, np.where(y < 0, 0.75, 0.3) * y, z * (1.3 - 0.6 * np.clip(y, -0.3, 0.3))], axis=1)
    slim = np.stack([1.1 * x, 1.4 * y, 0.55 * z], axis=1)
    bent = pliant.poses.bend(body, 70, axis="x", toward="-y")
    return {"tail up": tail_up, "flat": flat, "slim": slim, "banana": bent}


def car() -> pliant.Body:
    body = pliant.shapes.car(density=800)
    for name, pose in poses(body).items():
        body = body.with_pose(name, pose)
    return body


def way(offset: tuple[float, float, float]) -> pliant.Path:
    """To the car, a rest there, and back."""
    return pliant.Path([0.05, MEET, HOLD, LEAVE], [(0, 0, 0), offset, offset, (0, 0, 0)], smooth=True)


def build() -> pliant.World:
    body = car()
    wall = pliant.Box(centre=(LANES["wall"] + 1.15, 0.45, 0), half_size=(0.12, 0.45, 0.7), friction=0.3)
    press = pliant.Box(centre=(LANES["press"], 1.15, 0), half_size=(0.7, 0.06, 0.55), path=way((0, -0.67, 0)))
    rail = pliant.Capsule(start=(LANES["rail"], 0.24, -0.6), end=(LANES["rail"], 0.24, 0.6), radius=0.15, friction=0.3)
    world = pliant.World(colliders=[pliant.Plane(friction=0.2), wall, press, rail])
    for side in (-1, 1):
        place = (LANES["gate"], 0.3, 0.8 * side)
        world.colliders.append(pliant.Box(centre=place, half_size=(0.8, 0.13, 0.1), path=way((0, 0, -0.56 * side))))
    model = pliant.Fem(young=4e4, example_stiffness=20, manifold="strain", tolerance=1e-3, damping=3)
    spots = {"wall": (-1.5, FLOOR), "press": (0, FLOOR), "gate": (0, FLOOR), "rail": (0, FLOOR + 1.0)}
    for name, (x, y) in spots.items():
        world.add(body, model, name=name, position=(LANES[name] + x, y, 0), velocity=SPEEDS.get(name, (0, 0, 0)))
    return world


def check(record: Record) -> list[Check]:
    body, last = car(), record.frames[-1]
    checks = []
    for name, pose in POSES.items():
        number = 1 + list(body.poses).index(pose)
        frame = max(record.frames, key=lambda f: float(f.weights[name][0, number]))
        weights = frame.weights[name][0]
        others = float(np.delete(weights, [0, number]).max())
        alike = {each: likeness(body, frame.positions[name], each) for each in body.poses}
        nearest = max(alike, key=alike.__getitem__) == pose
        checks += [
            Check(f"{name}: weight of {pose}", w := float(weights[number]), w > 0.5),
            Check(f"{name}: weights of the other poses then, at most", others, others < 0.25),
            Check(f"{name}: likeness to {pose}, nearest of the four", alike[pose], nearest and alike[pose] > 0.4),
        ]
    bent = max(mismatch(body, last.positions[name], body.rest) for name in LANES)
    still = max(speed(body, last.velocities[name]) for name in LANES)
    return [
        *checks,
        Check("metres from the rest shape at the end, at most", bent, bent < 0.06),
        Check("m/s at the end, the fastest", still, still < 0.5),
    ]


EXHIBIT = Exhibit(
    name="car-obstacles",
    title="Four obstacles, four poses",
    paper="Martin+11 Fig. 10",
    about="Four times the same car of finite elements, with the same four example poses. The wall makes it throw up "
    "its tail, the press makes it sprawl, the gate makes it tall, the rail bends it: each obstacle finds its own pose.",
    seconds=2.2,
    build=build,
    check=check,
    stills=(0.0, 0.33),
    camera=(0.12, 0.35, 1.0),
    substeps=2,
    columns=1,
)
