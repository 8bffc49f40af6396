"""A gummy bear with moods: pressed it protests, pulled it is proud."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Mask, Record
from pliant.gallery.measures import likeness, mismatch, speed
from pliant.gallery.paint import JADE, RASPBERRY, Colour

NAMES = {"plain": JADE, "moody": RASPBERRY}
MOODS = {"protest": 0.7, "proud": 1.9}  # mood -> s at which it is called
SEAT = 0.595  # metres from the floor up to the centre of mass
PLACES = {"plain": -0.95, "moody": 0.95}  # x
DENSITY = 600.0
GRIP = 3e4  # N/m of each handle on the crown
HAND = [0.2, 0.7, 0.9, 1.2, 1.4, 1.9, 2.1, 2.4], (0, -0.3, -0.3, 0, 0, 0.4, 0.4, 0)  # keys: s, m up


def ramp(values: Array, start: float, end: float) -> Array:
    """0 up to the start, 1 from the end on, smooth in between."""
    t = np.clip((values - start) / (end - start), 0, 1)
    return t * t * (3 - 2 * t)


def bear() -> pliant.Body:
    body = pliant.shapes.teddy(particles=340, density=DENSITY)
    for mood in (protest, proud):
        body = body.with_pose(mood.__name__, mood(body))
    return body


def taken(body: pliant.Body, *moves: tuple[Mask, tuple[float, float, float]]) -> Array:
    """How the bear sits when some of it is taken elsewhere: for each a mask of particles and how far (m) it is moved,
    on the left side (x < 0) mirrored. The static solver finds the rest."""
    side = np.where(body.rest[:, :1] < 0, -1.0, 1.0) * (1, 0, 0) + (0, 1, 1)
    handles = [(mask, body.rest[mask] + side[mask] * move) for mask, move in moves]
    return pliant.poses.settle(body, seat(body.rest), handles, grip=2, material="neo_hookean")


def seat(rest: Array) -> Mask:
    return (rest[:, 1] < -0.48) & (rest[:, 2] < 0.15)


def crown(rest: Array) -> Mask:
    """Of the head, between the ears."""
    return (rest[:, 1] > 0.58) & (np.abs(rest[:, 0]) < 0.25)


def hands(rest: Array) -> Mask:
    return (np.abs(rest[:, 0]) > 0.47) & (rest[:, 1] > -0.3) & (rest[:, 1] < 0.15)


def protest(body: pliant.Body) -> Array:
    """The head is pressed down, the arms fly up."""
    return taken(body, (crown(body.rest), (0, -0.28, 0)), (hands(body.rest), (0.2, 0.45, 0)))


def proud(body: pliant.Body) -> Array:
    """Tall and slender, with long ears."""
    rest, pose = body.rest, body.rest.copy()
    pose[:, 1] += 0.3 * ramp(rest[:, 1], -0.45, 0.3) + 0.9 * np.clip(rest[:, 1] - 0.5, 0, None)
    pose[:, [0, 2]] *= (1 - 0.22 * ramp(rest[:, 1], -0.5, -0.1))[:, None]
    return pose


def build() -> pliant.World:
    body = bear()
    world = pliant.World(colliders=[pliant.Plane(friction=0.8)])
    model = pliant.Fem(young=3e4, example_stiffness=20, manifold="strain", tolerance=1e-3, damping=4)
    hand = pliant.Path(HAND[0], [(0, up, 0) for up in HAND[1]], smooth=True)
    for name, colour in NAMES.items():
        played = body if name == "moody" else pliant.Body(body.rest, tets=body.tets, skin=body.skin, density=DENSITY)
        actor = world.add(gummy(played, colour), model, name=name, position=(PLACES[name], SEAT, 0))
        actor.pin(seat)
        for particle in np.flatnonzero(crown(body.rest)):
            actor.grab(int(particle), stiffness=GRIP, path=hand)
    return world


def gummy(body: pliant.Body, colour: Colour) -> pliant.Body:
    """Fur and cream in one colour; eyes, nose and mouth stay dark."""
    old = body.skin.colours
    assert old is not None
    dark = (old.sum(axis=1) < 1.0)[:, None]
    return body.with_skin(replace(body.skin, colours=np.where(dark, old, colour)))


def check(record: Record) -> list[Check]:
    body, last = bear(), record.frames[-1]
    checks = []
    for number, (mood, time) in enumerate(MOODS.items(), start=1):
        frame = record.at(time + 0.1)
        weights = frame.weights["moody"][0]
        alike = {name: likeness(body, frame.positions[name], mood) for name in NAMES}
        others = float(np.delete(weights, [0, number]).max())
        checks += [
            Check(f"{mood}: its weight", w := float(weights[number]), w > 0.5),
            Check(f"{mood}: weights of the other moods, at most", others, others < 0.25),
            Check(f"{mood}: likeness to it, less the plain bear's", a := alike["moody"] - alike["plain"], a > 0.12),
        ]
    bent = max(mismatch(body, last.positions[name], body.rest) for name in NAMES)
    still = max(speed(body, last.velocities[name]) for name in NAMES)
    return [
        *checks,
        Check("metres from the rest shape at the end, at most", bent, bent < 0.04),
        Check("m/s at the end, the faster", still, still < 0.2),
    ]


EXHIBIT = Exhibit(
    name="gummy-bear",
    title="A gummy bear with moods",
    paper="Martin+11 Fig. 9",
    about="The heads of two bears of finite elements are pressed and pulled. One is jelly and no more; the other has "
    "two examples: pressed it protests with its arms, pulled it sits up proud, with long ears.",
    seconds=3.0,
    build=build,
    check=check,
    stills=(0.0, *(round(time + 0.1, 2) for time in MOODS.values())),
    camera=(0.1, 0.2, 1.0),
    captions=("left jelly, right with moods", "pressed: protest", "pulled: proud"),
    columns=3,
)
