"""One bar, four ratios of the example's stiffness to the material's."""

from __future__ import annotations

import pliant
from pliant.gallery.exhibit import Check, Exhibit, Record
from pliant.gallery.measures import height, speed, twist
from pliant.gallery.paint import APRICOT, BLUE, JADE, RASPBERRY, chequered

RATIOS = {"0": 0.0, "0.5": 0.5, "2": 2.0, "40": 40.0}
COLOURS = (APRICOT, BLUE, JADE, RASPBERRY)


def bar() -> pliant.Body:
    plain = pliant.shapes.cuboid(size=(0.9, 2.7, 0.9), cells=(3, 9, 3), name="bar")
    return plain.with_pose("twist", pliant.poses.twist(plain, 110, axis="y", shorten=0.3, keep_volume=False))


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.3)])
    for place, (name, ratio) in enumerate(RATIOS.items()):
        model = pliant.Fem(young=6e4, example_stiffness=ratio, manifold="realised", tolerance=1e-4, damping=6)
        body = chequered(bar(), COLOURS[place], 0.3)
        world.add(body, model, name=name, position=(1.75 * (place - 1.5), 1.35, 0))
    return world


def check(record: Record) -> list[Check]:
    body, last = bar(), record.frames[-1]
    turns = [twist(body, last.positions[name]) for name in RATIOS]
    weights = [float(last.weights[name][0, 1]) for name in RATIOS]
    still = max(speed(body, last.velocities[name]) for name in RATIOS)
    checks = [Check("degrees of twist at ratio 0", turns[0], abs(turns[0]) < 1)]
    for name, before, now in zip(list(RATIOS)[1:], turns, turns[1:], strict=False):
        checks.append(Check(f"degrees of twist at ratio {name}", now, now > before + 5))
    return [
        *checks,
        Check("the stiffest, degrees", turns[-1], 45 < turns[-1] < 110),
        Check("its weight of the example", weights[-1], 0.4 < weights[-1] < 1),
        Check("metres tall, the lowest (2.7 at first)", h := min(height(last.positions[n]) for n in RATIOS), h > 1.6),
        Check("m/s at the end, the fastest", still, still < 0.05),
    ]


EXHIBIT = Exhibit(
    name="stiffness-ratios",
    title="The stiffness of the example: 0, 0.5, 2, 40 times the material's",
    paper="Martin+11 Fig. 5",
    about="Four bars of finite elements stand on the floor and sink under their own weight. The stiffer the example is "
    "against the material, the more of the weight is carried by twisting.",
    seconds=3.0,
    build=build,
    check=check,
    stills=(0.0, 3.0),
    camera=(0.15, 0.3, 1.0),
    captions=("at first", "at rest; ratio 0, 0.5, 2, 40"),
)
