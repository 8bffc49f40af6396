"""Bars of two kinds come down a slope and pile up at its foot."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import likeness, speed
from pliant.gallery.paint import APRICOT, BLUE, chequered
from pliant.gallery.touching import centres_of, overlap

BARS = 10
STEEP = np.radians(24)
DOWN = np.array([np.cos(STEEP), -np.sin(STEEP), 0.0])  # along the slope
UP = np.array([np.sin(STEEP), np.cos(STEEP), 0.0])  # out of it
LENGTH = 13.0  # metres of the slope, whose foot is at x = 0
LANE = 1.5  # metres from one lane to the other
SECONDS = 6.0
TURN = (0.0, 0.0, -np.sin(STEEP / 2), np.cos(STEEP / 2))


def bar(kind: str) -> pliant.Body:
    """225 particles, upright, with one example: a twist, or an S."""
    plain = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4), name=kind)
    if kind == "twist":
        pose = pliant.poses.twist(plain, 90, axis="y", shorten=0.35, keep_volume=False)
        return chequered(plain, APRICOT, 0.25).with_pose("twist", pose)
    pose = pliant.poses.s_curve(plain, 60, axis="y", toward="x") * (1, 0.75, 1)
    return chequered(plain, BLUE, 0.25).with_pose("s", pose)


def names() -> dict[str, str]:
    """The bars and their kinds, taking turns."""
    return {f"{kind} {number // 2 + 1}": kind for number in range(BARS) for kind in [("twist", "s")[number % 2]]}


def build() -> pliant.World:
    slope = pliant.Box(
        centre=-0.5 * LENGTH * DOWN - 0.3 * UP, half_size=(0.5 * LENGTH, 0.3, 2.4), rotation=TURN, friction=0.25
    )
    world = pliant.World(colliders=[pliant.Plane(friction=0.3), slope])
    bodies = {kind: bar(kind) for kind in ("twist", "s")}
    for number, (name, kind) in enumerate(names().items()):
        row = number // 2
        lane = (number + row) % 2  # both kinds in either lane
        place = -(2.5 + 2.1 * row) * DOWN + (1.02 + 0.9) * UP + (0, 0, LANE * (lane - 0.5) + 0.25 * (row % 2 - 0.5))
        model = pliant.ShapeMatching(stiffness=4.5, example_strength=0.85, damping=2)
        world.add(bodies[kind], model, name=name, position=place, rotation=TURN, friction=0.3)
    return world


def check(record: Record) -> list[Check]:
    kinds = {kind: bar(kind) for kind in ("twist", "s")}
    bodies = {name: kinds[kind] for name, kind in names().items()}
    every, last = record.frames[::12], record.frames[-1]
    deep = np.array([overlap(bodies, frame) for frame in every])
    below = min(float(depths(frame.positions[name]).min()) for frame in every for name in bodies)
    before, after = centres_of(bodies, record.frames[0]), centres_of(bodies, last)
    landing = record.between(0.3, 1.0)
    active = {name: max(float(frame.weights[name][0, 1]) for frame in landing) for name in bodies}
    alike = {
        name: max(likeness(body, frame.positions[name], next(iter(body.poses))) for frame in landing)
        for name, body in bodies.items()
    }
    crossed = other_pose(kinds, landing)
    still = float(np.median([speed(body, last.velocities[name]) for name, body in bodies.items()]))
    particles = sum(len(body.rest) for body in bodies.values())
    gaps = [np.linalg.norm(a - b) for i, a in enumerate(after) for b in after[:i]]
    return [
        Check("particles", float(particles), particles == 2250),
        Check("weight of its example when it lands, the least of all", w := min(active.values()), w > 0.5),
        Check("likeness to its example then, the least of all", a := min(alike.values()), a > 0.35),
        Check("likeness to the example of the other kind then, at most", crossed, crossed < 0.35),
        Check("metres over slope and floor of the lowest particle", below, below > -0.05),
        Check("metres that the middle of the crowd comes down", m := float((before - after)[:, 1].mean()), m > 1.5),
        Check("contact radii that two are inside one another, at any time", d := float(deep.max()), d < 1.0),
        Check("contact radii that two are inside one another, at the end", d := float(deep[-1]), d < 0.5),
        Check("metres from middle to middle at the end, the nearest two", m := float(min(gaps)), m > 0.7),
        Check("m/s at the end, half of them slower", still, still < 0.4),
    ]


def depths(points: Array) -> Array:
    """Metres over the slope or the floor, whichever is higher there; besides the slope only the floor counts."""
    over = points @ UP
    return np.where((np.abs(points[:, 2]) < 2.2) & (points @ DOWN < -0.2), over, points[:, 1])


def other_pose(kinds: dict[str, pliant.Body], frames: tuple[pliant.Frame, ...]) -> float:
    """How much any bar is like the example that it does not have."""
    both = {"twist": kinds["s"], "s": kinds["twist"]}
    return max(
        likeness(both[kind], frame.positions[name], next(iter(both[kind].poses)))
        for frame in frames
        for name, kind in names().items()
    )


EXHIBIT = Exhibit(
    name="slope",
    title="Bars on a slope",
    paper="Koyama+12 Fig. 1c",
    about="Ten soft bars fall on a slope, 2,250 particles in all. Those with a twist for an example twist, those with "
    "an S bend; then they tumble down, push one another and pile up at its foot.",
    seconds=SECONDS,
    build=build,
    check=check,
    stills=(0.0, 0.56, 1.6, SECONDS),
    camera=(0.25, 0.45, 1.0),
    columns=2,
)
