"""Three tubes under a press: thick walls that buckle like thin ones, because an example says so."""

from __future__ import annotations

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import diamonds, height, likeness, speed, twist
from pliant.gallery.paint import APRICOT, BLUE, RASPBERRY, painted, striped

SHORTEN = 0.3
NAMES = {"plain": RASPBERRY, "buckle": APRICOT, "twist": BLUE}
PRESSED, SECONDS = 1.2, 2.4
KEYS = [0.2, 1.0, 1.3, 1.7], [(0, 0, 0), (0, -0.6, 0), (0, -0.6, 0), (0, 0.3, 0)]  # of the press: s, m
WAVES = 3


def tube() -> pliant.Body:
    """A coarse solid that carries the wall of the tube, as in the paper."""
    return pliant.shapes.cylinder(radius=0.5, height=2.0, particles=275, density=200, name="tube")


def poses(body: pliant.Body) -> dict[str, Array]:
    return {
        "buckle": pliant.poses.buckle(body, waves=WAVES, rows=4, depth=0.45, shorten=SHORTEN, keep_volume=False),
        "twist": pliant.poses.twist(body, 110, shorten=SHORTEN),
    }


def build() -> pliant.World:
    plain, press = tube(), pliant.Path(*KEYS, smooth=True)
    world = pliant.World(colliders=[pliant.Plane(friction=0.3)])
    examples = poses(plain)
    model = pliant.Fem(young=2e4, example_stiffness=20, manifold="strain", tolerance=1e-3, damping=4)
    for place, (name, colour) in enumerate(NAMES.items()):
        x = 1.7 * (place - 1)
        world.colliders.append(pliant.Box(centre=(x, 2.05, 0), half_size=(0.68, 0.04, 0.68), path=press, friction=0.3))
        body = (striped if name == "twist" else painted)(plain, colour)  # stripes would hide the diamonds
        body = body.with_pose(name, examples[name]) if name in examples else body
        world.add(body, model, name=name, position=(x, 1, 0))
    return world


def check(record: Record) -> list[Check]:
    plain = tube()
    for name, pose in poses(plain).items():
        plain = plain.with_pose(name, pose)
    before, pressed, last = record.times < KEYS[0][0], record.at(PRESSED), record.frames[-1]
    checks = []
    for name in plain.poses:
        at_first, under = float(record.weights(name)[before].max()), float(pressed.weights[name][0, 1])
        alike = likeness(plain, pressed.positions[name], name)
        checks += [
            Check(f"{name}: weight before", at_first, at_first < 0.25),
            Check(f"{name}: weight under the press", under, under > 0.6),
            Check(f"{name}: likeness to its example", alike, alike > 0.6),
        ]
    depths = {name: diamonds(plain, pressed.positions[name], margin=1) for name in NAMES}
    turns = {name: abs(twist(plain, pressed.positions[name])) for name in NAMES}
    still = max(speed(plain, last.velocities[name]) for name in NAMES)
    lowest = min(height(last.positions[name]) for name in NAMES)
    return [
        *checks,
        Check("buckle: depth of the diamonds (part of the radius)", d := depths["buckle"], d > 0.1),
        Check("the others have no diamonds, the deeper", d := max(depths["plain"], depths["twist"]), d < 0.02),
        Check("twist: degrees of the top against the bottom", t := turns["twist"], t > 60),
        Check("the others: degrees", t := max(turns["plain"], turns["buckle"]), t < 5),
        Check("metres tall at the end, the lowest (2 at first)", lowest, lowest > 1.75),
        Check("m/s at the end, the fastest", still, still < 0.2),
    ]


EXHIBIT = Exhibit(
    name="buckling-tube",
    title="A coarse solid that buckles like a shell",
    paper="Martin+11 Fig. 11",
    about="A thin tube is drawn on a coarse solid of finite elements and pressed together. Without an example it grows "
    "stout; with a buckled one it folds to the diamonds of a thin shell; with a twisted one it twists.",
    seconds=SECONDS,
    build=build,
    check=check,
    stills=(0.0, 0.8, PRESSED, SECONDS),
    camera=(0.12, 0.22, 1.0),
    substeps=2,
    columns=2,
)
