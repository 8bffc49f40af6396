"""A balloon dog whose ears and tail swell when its nose is pressed."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Mask, Record
from pliant.gallery.measures import speed
from pliant.gallery.paint import BLUE, RASPBERRY, painted
from pliant.geometry.measures import volumes

NAMES = ("plain", "coupled")
COLOURS = (BLUE, RASPBERRY)
PRESS, HOLD, LEAVE = 0.9, 1.2, 1.6  # s: the board is closest, begins to leave, has left
START = 0.2
DEPTH = 0.26  # metres that the nose is pressed in
TAIL, EAR = 0.3, 0.22  # metres of their lengths that swell fully
GAP = 2.3  # metres from dog to dog
FEET = 0.537  # metres from the floor up to the centre of mass


def dog() -> pliant.Body:
    return pliant.shapes.balloon_dog(particles=440, density=1000)


def parts(rest: Array) -> dict[str, tuple[Array, Array]]:
    """How far along the nose, the ears and the tail each particle is (m), negative where it belongs to none of them,
    and the nearest point of the middle line of that part."""
    found = {}
    for name, start, end, reach in (
        ("nose", (0.39, 0.41, 0.0), (0.86, 0.355, 0.0), 0.2),
        ("left ear", (0.365, 0.44, 0.02), (0.22, 0.675, 0.145), 0.18),
        ("right ear", (0.365, 0.44, -0.02), (0.22, 0.675, -0.145), 0.18),
        ("tail", (-0.465, -0.02, 0.0), (-0.74, 0.415, 0.0), 0.2),
    ):
        a, b = np.array(start), np.array(end)
        axis = (b - a) / np.linalg.norm(b - a)
        along = (rest - a) @ axis
        foot = a + along[:, None] * axis
        near = np.linalg.norm(rest - foot, axis=1) < reach
        if "ear" in name:
            near &= rest[:, 2] * a[2] > 0
        found[name] = (np.where(near, along, -1.0), foot)
    return found


def swollen(body: pliant.Body) -> Array:
    """The nose is pressed in, and ears and tail, which are nowhere near it, are thick and long."""
    pose = body.rest.copy()
    for name, (along, foot) in parts(body.rest).items():
        within = along > 0
        if name == "nose":
            share = np.clip((along - 0.08) / 0.3, 0, 1) * within
            pose[:, 0] -= 0.7 * DEPTH * share
            pose[:, 1:] += (0.25 * share * (1 - share) * 4)[:, None] * (pose - foot)[:, 1:]
        else:
            full = TAIL if name == "tail" else EAR
            share = np.clip((along - 0.05) / full, 0, 1) * within
            pose += (0.8 * share)[:, None] * (pose - foot)
            axis = foot[within][along[within].argmax()] - foot[within][along[within].argmin()]
            pose += np.outer(0.35 * share * np.maximum(along, 0), axis / np.linalg.norm(axis))
    return pose


def coupled(body: pliant.Body) -> Mask:
    """The particles that obey the example: those of the nose, the ears and the tail."""
    return np.asarray(np.any([along > 0.05 for along, _ in parts(body.rest).values()], axis=0))


def build() -> pliant.World:
    plain = dog()
    world = pliant.World(gravity=(0, 0, 0), colliders=[pliant.Plane(friction=0.8)])
    way = pliant.Path([START, PRESS, HOLD, LEAVE], [(0, 0, 0)] + 2 * [(-DEPTH - 0.3, 0, 0)] + [(0, 0, 0)], smooth=True)
    for place, name in enumerate(NAMES):
        x = GAP * (place - 0.5)
        body = painted(plain, COLOURS[place])
        body = body.with_pose("swollen", swollen(plain)) if name == "coupled" else body
        groups = {"ends": coupled(plain)} if name == "coupled" else "global"
        model = pliant.Fem(
            young=1e4, example_stiffness=100, examples=groups, manifold="strain", tolerance=1e-3, damping=4
        )
        actor = world.add(body, model, name=name, position=(x, FEET, 0))
        # Held by the feet and by the neck: the nose is to be pressed, the dog not to be pushed over.
        actor.pin(lambda rest: (rest[:, 1] < -0.42) | (np.linalg.norm(rest - (0.36, 0.4, 0), axis=1) < 0.13))
        board = pliant.Box(centre=(x + 1.25, FEET + 0.36, 0), half_size=(0.04, 0.19, 0.19), friction=0.3, path=way)
        world.colliders.append(board)
    return world


def volume_of(body: pliant.Body, positions: Array, part: str) -> float:
    """Volume of a part over that at rest."""
    assert body.tets is not None
    inside = (parts(body.rest)[part][0] > 0.1)[body.tets].all(axis=1)
    now, before = (volumes(np.asarray(x, np.float64), body.tets)[inside].sum() for x in (positions, body.rest))
    return float(now / before)


def check(record: Record) -> list[Check]:
    body = dog()
    before, pressed, last = record.at(START), record.at(HOLD), record.frames[-1]
    grown = {n: {p: volume_of(body, pressed.positions[n], p) for p in parts(body.rest)} for n in NAMES}
    ears = {n: min(grown[n]["left ear"], grown[n]["right ear"]) for n in NAMES}
    tip = int(np.argmax(body.rest[:, 0]))
    pushed = [float(record.frames[0].positions[n][tip, 0] - pressed.positions[n][tip, 0]) for n in NAMES]
    end = max(abs(volume_of(body, last.positions[n], p) - 1) for n in NAMES for p in ("left ear", "right ear", "tail"))
    still = max(speed(body, last.velocities[n]) for n in NAMES)
    return [
        Check("weight of the example before", w := float(before.weights["coupled"][0, 1]), w < 0.1),
        Check("weight when the nose is pressed", w := float(pressed.weights["coupled"][0, 1]), w > 0.3),
        Check("metres that the noses are pressed in, the less", m := min(pushed), m > 0.8 * DEPTH),
        Check("volume of an ear, times that at rest", v := ears["coupled"], v > 1.6),
        Check("volume of the tail", v := grown["coupled"]["tail"], v > 1.6),
        Check("plain: volume of an ear", v := ears["plain"], abs(v - 1) < 0.1),
        Check("plain: volume of the tail", v := grown["plain"]["tail"], abs(v - 1) < 0.1),
        Check("metres that the back moves (it has no part in it)", m := back(body, record, pressed), m < 0.05),
        Check("what ears and tails keep at the end, of their volume", end, end < 0.15),
        Check("m/s at the end, the faster", still, still < 0.2),
    ]


def back(body: pliant.Body, record: Record, frame: pliant.Frame) -> float:
    chosen = (np.abs(body.rest[:, 0]) < 0.2) & (np.abs(body.rest[:, 1]) < 0.2)
    moved = frame.positions["coupled"][chosen] - record.frames[0].positions["coupled"][chosen]
    return float(np.linalg.norm(moved, axis=1).max())


EXHIBIT = Exhibit(
    name="balloon-nose",
    title="Press its nose, and the ears swell",
    paper="Martin+11 Fig. 8",
    about="Two balloon dogs are pressed on the nose. The second has one example for nose, ears and tail, parts that do "
    "not touch each other: its nose cannot go in unless ears and tail swell. The rest of the dog takes no part.",
    seconds=2.4,
    build=build,
    check=check,
    stills=(0.0, HOLD),
    camera=(0.2, 0.2, 1.0),
    substeps=4,
    captions=("at first", "pressed; left without, right with the example"),
)
