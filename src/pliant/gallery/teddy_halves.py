"""A teddy bear whose halves obey their examples independently."""

from __future__ import annotations

import numpy as np

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import speed

HALVES = {"left": lambda rest: rest[:, 0] < 0, "right": lambda rest: rest[:, 0] >= 0}
HAND, FOOT = (-0.7, -0.15, 0.2), (0.6, -0.4, 0.45)  # metres from the bear's middle
REACH = [0.3, 1.3, 3.4, 4.2], [(0, 0, 0), (-0.5, 0.1, 0), (-0.5, 0.1, 0), (0, 0, 0)]  # keys of a path: s, m
STRIDE = [1.9, 2.8, 4.9, 5.7], [(0, 0, 0), (0.38, 0, 0), (0.38, 0, 0), (0, 0, 0)]
FIRST, BOTH, ONLY_RIGHT = 1.8, 3.3, 4.8


def bear() -> pliant.Body:
    """The examples widen the upper or the lower half of the bear and leave its middle plane alone: what the
    left side does costs the right side nothing."""

    def widened(rest: np.ndarray, share: np.ndarray) -> np.ndarray:
        return rest + np.outer(share * rest[:, 0] * np.abs(rest[:, 0]), (1, 0, 0))

    def upper(rest: np.ndarray) -> np.ndarray:
        rise = np.clip((rest[:, 1] + 0.4) / 0.3, 0, 1)
        return rise * rise * (3 - 2 * rise)

    bear = pliant.shapes.teddy()
    bear = bear.with_pose("reach", lambda rest: widened(rest, 1.1 * upper(rest)))
    return bear.with_pose("stride", lambda rest: widened(rest, 1.6 * (1 - upper(rest))))


def build() -> pliant.World:
    body = bear()
    world = pliant.World(gravity=(0, 0, 0))
    model = pliant.ShapeMatching(stiffness=2, example_strength=0.95, examples=HALVES, damping=4, drag=1)
    actor = world.add(body, model, name="teddy")
    actor.pin(lambda rest: np.linalg.norm(rest - (0, -0.2, 0), axis=1) < 0.2)
    for particles, path in grabbed(body):
        for particle in particles:
            actor.grab(int(particle), stiffness=220, path=path)
    return world


def grabbed(body: pliant.Body) -> list[tuple[np.ndarray, pliant.Path]]:
    """The particles of the left hand and of the right foot, and where they are taken."""

    def nearest(place: tuple[float, float, float]) -> np.ndarray:
        return np.argsort(np.linalg.norm(body.rest - place, axis=1))[:20]

    return [(nearest(place), pliant.Path(*keys, smooth=True)) for place, keys in ((HAND, REACH), (FOOT, STRIDE))]


def grips(frame: pliant.Frame) -> list[tuple[np.ndarray, np.ndarray]]:
    """What is held and where it is pulled to, for the picture: one ball for each handful of particles."""
    body = bear()
    now = frame.positions["teddy"]
    return [
        (now[held].mean(axis=0), body.rest[held].mean(axis=0) + path(frame.time)[0]) for held, path in grabbed(body)
    ]


def check(record: Record) -> list[Check]:
    body, last = bear(), record.frames[-1]

    def weight(time: float, half: int, pose: int) -> float:
        return float(record.at(time).weights["teddy"][half, pose])

    rest, reach, stride, left, right = 0, 1, 2, 0, 1
    ears = [ear(record, side, FIRST) for side in (-1, 1)]
    still = speed(body, last.velocities["teddy"])
    away = float(np.linalg.norm(last.positions["teddy"] - record.frames[0].positions["teddy"], axis=1).max())
    return [
        Check("left hand pulled: left half, weight of reaching", w := weight(FIRST, left, reach), w > 0.5),
        Check("left hand pulled: right half, weight of rest", w := weight(FIRST, right, rest), w > 0.95),
        Check("left ear goes out with its half, metres", ears[0], ears[0] > 0.06),
        Check("right ear meanwhile, metres", abs(ears[1]), abs(ears[1]) < ears[0] / 3),
        Check("right foot pulled: right half, weight of striding", w := weight(BOTH, right, stride), w > 0.4),
        Check("right foot pulled: left half's reaching changes by",
              w := abs(weight(BOTH, left, reach) - weight(FIRST, left, reach)), w < 0.1),
        Check("hand let go: left half, weight of rest", w := weight(ONLY_RIGHT, left, rest), w > 0.95),
        Check("hand let go: right half's striding changes by",
              w := abs(weight(ONLY_RIGHT, right, stride) - weight(BOTH, right, stride)), w < 0.1),
        Check("metres from where it began, at the end, at most", away, away < 0.02),
        Check("m/s at the end", still, still < 0.05),
    ]  # fmt: skip


def ear(record: Record, side: int, time: float) -> float:
    """How far an ear has gone out sideways (m): no handle touches it, only the example moves it."""
    before, now = (frame.positions["teddy"] for frame in (record.frames[0], record.at(time)))
    tip = int(np.argmax(before[:, 1] + 0.6 * side * before[:, 0]))
    return float(side * (now[tip, 0] - before[tip, 0]))


EXHIBIT = Exhibit(
    name="teddy-halves",
    title="A bear with two minds",
    paper="Koyama+12 Fig. 6",
    about="The left and the right half of a bear are groups of their own; two examples, reaching and "
    "striding. The hand that is pulled takes the ear of its side along and leaves the other half alone;"
    " so does the foot. No gravity; the belly is pinned.",
    seconds=7.0,
    build=build,
    check=check,
    stills=(0.0, FIRST, BOTH, ONLY_RIGHT),
    camera=(0.1, 0.15, 1.0),
    substeps=2,
    grips=grips,
)
