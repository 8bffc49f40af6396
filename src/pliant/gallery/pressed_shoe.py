"""A shoe whose toe buckles and whose heel bulges, each by itself."""

from __future__ import annotations

from functools import cache

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Mask, Record
from pliant.gallery.measures import mismatch, speed

CANVAS, SOLE, STRIPE = (0.20, 0.42, 0.72), (0.93, 0.92, 0.88), (0.97, 0.78, 0.25)
NAMES = {"plain": -1.0, "examples": 1.0}  # x
TOE, HEEL = 0.6, 1.7  # s at which each is pressed most
SECONDS = 2.6
PARTICLES = 300


@cache
def shoe(particles: int = PARTICLES) -> pliant.Body:
    """A sneaker, 1.4 m long, as a coarse solid; the toe points along +x."""
    from pliant.geometry.distance import ellipsoid, mirror, rounded_box, subtract, torus, tube, union
    from pliant.shapes.sculpt import sculpt

    sole = union(
        rounded_box((0.05, 0.07, 0), (0.62, 0.07, 0.21), 0.06),
        ellipsoid((0.42, 0.07, 0), (0.32, 0.08, 0.26)),
        blend=0.06,
    )
    upper = union(
        ellipsoid((0.38, 0.15, 0), (0.34, 0.17, 0.23)),
        ellipsoid((0.05, 0.22, 0), (0.36, 0.24, 0.20)),
        ellipsoid((-0.33, 0.35, 0), (0.26, 0.33, 0.21)),
        blend=0.12,
    )
    opening = ellipsoid((-0.30, 0.70, 0), (0.20, 0.22, 0.13))
    field = subtract(union(sole, upper, blend=0.03), opening, blend=0.05)
    laces = [tube([(x, y - 0.12, -0.2), (x, y, 0), (x, y - 0.12, 0.2)], 0.03) for x, y in ((0.05, 0.47), (0.19, 0.41))]
    band = mirror(tube([(0.15, 0.3, 0.22), (0.0, 0.2, 0.22), (-0.4, 0.38, 0.22)], 0.035), axis=2)
    paint = [
        (SOLE, rounded_box((0, 0.04, 0), (1, 0.08, 1), 0.01)),
        (SOLE, ellipsoid((0.70, 0.12, 0), (0.20, 0.16, 0.3))),
        (STRIPE, band),
        (STRIPE, torus((-0.30, 0.62, 0), 0.19, 0.05)),
        *((SOLE, lace) for lace in laces),
    ]
    return sculpt(
        field, (-0.8, -0.1, -0.4), (0.9, 0.8, 0.4), cell=0.021, particles=particles, mirror=2, base=CANVAS, paint=paint,
        name="shoe",
    )  # fmt: skip


def height_of(body: pliant.Body) -> float:
    """Metres from the sole up to the centre of mass."""
    return float(-body.skin.vertices[:, 1].min())


def posed(particles: int = PARTICLES) -> pliant.Body:
    """With its two examples, each of which leaves the other half as it is."""
    body = shoe(particles)
    x, y, z = body.rest[:, 0], body.rest[:, 1] + height_of(body), body.rest[:, 2]
    outward = np.sign(z)

    def settled(still: Mask, *moves: tuple[Mask, Array]) -> Array:
        handles = [(mask, body.rest[mask] + move[mask]) for mask, move in moves]
        return pliant.poses.settle(body, still, handles, grip=2, material="neo_hookean")

    def by(dx: float, dy: float, dz: float) -> Array:
        return np.tile([dx, dy, dz], (len(x), 1))

    toe = settled(x < 0.08, ((x > 0.16) & (x < 0.42) & (y > 0.24), by(0, -0.15, 0)), (x > 0.55, by(-0.05, 0.2, 0)))
    sides = (np.abs(z) > 0.13) & (x < -0.2) & (y > 0.12) & (y < 0.42)
    heel = settled(
        (x > -0.1) | (y < 0.03),
        ((x < -0.15) & (y > 0.5), by(0, -0.17, 0)),
        ((x < -0.5) & (y > 0.12) & (y < 0.42), by(-0.12, 0, 0)),
        (sides, outward[:, None] * (0, 0, 0.1)),
    )
    return body.with_pose("toe", toe).with_pose("heel", heel)


def build() -> pliant.World:
    body, plain = posed(), shoe()
    high = height_of(body)
    world = pliant.World(colliders=[pliant.Plane(friction=0.8)])
    model = pliant.Fem(young=3e4, example_stiffness=20, manifold="strain", tolerance=1e-3, damping=4)
    for name, x in NAMES.items():
        world.add(body if name == "examples" else plain, model, name=name, position=(x, high, 0))
        for time, place, size, down in ((TOE, 0.27, 0.13, 0.68), (HEEL, -0.33, 0.22, 0.47)):
            offsets = [(0, 0, 0), (0, -down, 0), (0, -down, 0), (0, 0, 0)]
            way = pliant.Path([time - 0.45, time, time + 0.2, time + 0.45], offsets, smooth=True)
            stamp = pliant.Box(centre=(x + place, 0.9, 0), half_size=(size, 0.05, 0.3), path=way, friction=0.3)
            world.colliders.append(stamp)
    return world


def check(record: Record) -> list[Check]:
    body, last = posed(), record.frames[-1]
    tip = int(body.rest[:, 0].argmax())
    at_toe, at_heel = record.at(TOE + 0.15), record.at(HEEL + 0.15)

    def moved(frame: pliant.Frame, name: str, particle: int) -> Array:
        return frame.positions[name][particle] - record.frames[0].positions[name][particle]

    def weight(frame: pliant.Frame, pose: int) -> float:
        return float(frame.weights["examples"][:, pose].max())

    bent = max(mismatch(body, last.positions[name], body.rest) for name in NAMES)
    still = max(speed(body, last.velocities[name]) for name in NAMES)
    rises = {name: float(moved(at_toe, name, tip)[1]) for name in NAMES}
    wide = {name: float(np.ptp(at_heel.positions[name][body.rest[:, 0] < -0.2][:, 2])) for name in NAMES}
    return [
        Check("sets of weights (toe and heel apart)", n := float(len(last.weights["examples"])), n == 2),
        Check("toe pressed: weight of the toe", w := weight(at_toe, 1), w > 0.5),
        Check("toe pressed: weight of the heel", w := weight(at_toe, 2), w < 0.1),
        Check("toe pressed: the tip rises by metres", r := rises["examples"], r > 0.04),
        Check("plain: the tip rises by metres", r := rises["plain"], r < 0.02),
        Check("heel pressed: weight of the heel", w := weight(at_heel, 2), w > 0.5),
        Check("heel pressed: weight of the toe", w := weight(at_heel, 1), w < 0.1),
        Check("heel pressed: metres wide, more than the plain one", d := wide["examples"] - wide["plain"], d > 0.05),
        Check("metres from the rest shape at the end, at most", bent, bent < 0.04),
        Check("m/s at the end, the faster", still, still < 0.2),
    ]


EXHIBIT = Exhibit(
    name="pressed-shoe",
    title="A toe that buckles, a heel that bulges",
    paper="Martin+11 Fig. 7",
    about="Two shoes of coarse finite elements are pressed on the toe, then on the heel. The right one has two local "
    "examples, with weights of their own because they share no element: its toe curls up, its heel bulges.",
    seconds=SECONDS,
    build=build,
    check=check,
    stills=(TOE + 0.15, HEEL + 0.15),
    camera=(0.15, 0.3, 1.0),
    substeps=2,
    captions=("the toe is pressed; left without, right with examples", "the heel is pressed"),
    columns=2,
)
