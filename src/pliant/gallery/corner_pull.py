"""Two bars of which only the surface is known, each pulled at a corner: shapes that follow at once, without inertia."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.gallery.all_models import ends_twist
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.paint import APRICOT, BLUE, chequered

APART = 2.6  # m
TWIST = 80.0  # degrees, of the example
TIMES = (0.2, 1.0, 1.6, 1.9)  # s: the pull begins, is whole, begins to end, has ended
HARD = 3e5  # N/m: the hand


def bar(twists: bool) -> pliant.Body:
    body = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4))
    body = chequered(body, APRICOT if twists else BLUE, 0.25)
    return body.with_pose("twist", twisted(body)) if twists else body


def twisted(body: pliant.Body) -> NDArray[np.float64]:
    """Twisted by its upper end: the lower one is as at rest."""
    half = np.radians(TWIST) / 2
    bent = pliant.poses.twist(body, degrees=TWIST, axis="y")
    turn = np.array([[np.cos(half), 0, np.sin(half)], [0, 1, 0], [-np.sin(half), 0, np.cos(half)]])
    return np.asarray(bent @ turn.T)


def corner(body: pliant.Body) -> int:
    return int(np.argmax(body.rest @ (1.0, 1.0, 1.0)))


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane()])
    way = twisted(bar(True))[corner(bar(True))] - bar(True).rest[corner(bar(True))]
    for name, side in (("plain", -1), ("twists", 1)):
        body = bar(name == "twists")
        actor = world.add(
            body, pliant.Boundary(young=1e6, example_strength=0.99), name=name, position=(side * APART / 2, 1, 0)
        )
        actor.pin(np.flatnonzero(body.rest[:, 1] < -0.999).tolist())
        offsets = [(0.0, 0.0, 0.0), tuple(way), tuple(way), (0.0, 0.0, 0.0)]
        actor.grab(corner(body), stiffness=HARD, path=pliant.Path(list(TIMES), offsets, smooth=True))
    return world


def check(record: Record) -> list[Check]:
    actors = {actor.name: actor for actor in build().actors}
    pulled = record.between(TIMES[1] + 0.1, TIMES[2])[-1]
    turns = {}
    for name, actor in actors.items():
        turns[name] = abs(ends_twist(actor.body.skin, actor.body.skin.deform(pulled.positions[name])))
    weight = record.weights("twists")
    start, end = record.frames[0], record.frames[-1]
    back = max(float(np.abs(end.positions[name] - start.positions[name]).max()) for name in actors)
    return [
        Check("weight of the twist while it is pulled", w := float(weight.max()), w > 0.5),
        Check("degrees of twist with the example", turns["twists"], turns["twists"] > 40),
        Check("degrees of twist without", turns["plain"], turns["plain"] < 0.75 * turns["twists"]),
        Check("weight at the end", e := float(weight[-1]), e < 0.15),
        Check("metres from where it was at the end", back, back < 0.1),
    ]


EXHIBIT = Exhibit(
    name="corner-pull",
    title="Pulled at a corner",
    paper="Nealen+06 with examples",
    about="Boundary elements: the surface alone, in balance with the hand in every frame. The right bar has "
    "an example, a twist.",
    seconds=3.5,
    build=build,
    check=check,
    stills=(0.0, 0.6, 1.5, 3.5),
    camera=(0.35, 0.35, 1.0),
)
