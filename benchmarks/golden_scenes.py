"""Twelve short scenes that together go through all models and all kinds of contact, for golden.py and its test.

They use only what `pliant` promises: names, settings and arrays of the public interface. A scene is built, played in
steps of a 60th of a second, and changed at some steps (its cues). Nothing in it is left to chance: what is scattered is
scattered by a generator with a fixed seed. Each model is large enough in one of them that threads share its work, and
so are the bodies that meet in `mixture` and `crowd`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant import Body, Fem, OrientedParticles, Path, Plane, Rigid, ShapeMatching, World

Cue = Callable[[World], None]


@dataclass(frozen=True)
class Scene:
    """`build(precision=..., threads=...)` gives a world at its start; `cues` change it before a frame is played.
    brief: frames that show most of what it is for, for tests."""

    name: str
    build: Callable[..., World]
    frames: int
    brief: int
    substeps: int = 1
    cues: Mapping[int, Cue] = field(default_factory=dict)

    def play(self, world: World, first: int, last: int) -> Iterator[bytes]:
        """The positions of all actors, as bytes, after each frame from `first` to before `last`."""
        for number in range(first, last):
            if number in self.cues:
                self.cues[number](world)
            world.step(1 / 60, substeps=self.substeps)
            yield b"".join(np.ascontiguousarray(actor.positions).tobytes() for actor in world.actors)


# ---- bodies -------------------------------------------------------------------------------------------------


def bar() -> Body:
    """225 particles, with two poses."""
    plain = pliant.shapes.cuboid(size=(2, 1, 1), cells=(8, 4, 4), name="bar")
    twisted = plain.with_pose("twist", pliant.poses.twist(plain, degrees=90) * (0.8, 1, 1))
    return twisted.with_pose("bend", pliant.poses.bend(plain, degrees=60))


def short_bar() -> Body:
    """45 particles, with a pose."""
    plain = pliant.shapes.cuboid(size=(1, 0.5, 0.5), cells=(4, 2, 2), name="short bar")
    return plain.with_pose("twist", pliant.poses.twist(plain, degrees=90))


def cube(size: float = 0.5, cells: int = 2) -> Body:
    """27 particles, or more."""
    return pliant.shapes.cuboid(size=(size, size, size), cells=(cells, cells, cells), name="cube")


def brick() -> Body:
    """80 particles."""
    return pliant.shapes.cuboid(size=(0.4, 0.2, 0.28), cells=(4, 3, 3), name="brick")


def pebble(radius: float = 0.2) -> Body:
    return pliant.shapes.ball(particles=100, radius=radius, name="pebble")


def rope() -> Body:
    """With a coil as its pose."""
    plain = pliant.shapes.rope(length=2.0, particles=41)
    along = plain.rest[:, 0]
    coil = np.stack([0.5 * along, 0.2 * np.sin(6 * along), 0.2 * np.cos(6 * along)], axis=1)
    return plain.with_pose("coil", coil)


def cup() -> tuple[NDArray[Any], NDArray[Any]]:
    """A closed surface: a profile of a cup turned about y."""
    profile = np.array([(0.6, 0.0), (0.9, 0.8), (0.8, 0.8), (0.5, 0.1)])
    angles = 2 * np.pi * np.arange(32) / 32
    rings = [np.stack([r * np.cos(angles), np.full(32, y), r * np.sin(angles)], axis=1) for r, y in profile]
    vertices = np.concatenate([[(0, 0, 0)], *rings, [(0, 0.1, 0)]])
    faces = []
    for i in range(32):
        j = (i + 1) % 32
        faces.append((0, 1 + i, 1 + j))
        for ring in range(len(profile) - 1):
            a, b = 1 + 32 * ring + i, 1 + 32 * ring + j
            faces += [(a, a + 32, b), (b, a + 32, b + 32)]
        last = 1 + 32 * (len(profile) - 1)
        faces.append((len(vertices) - 1, last + j, last + i))
    return vertices, np.array(faces)


def turned(*vector: float) -> NDArray[np.float64]:
    """The quaternion of a rotation vector."""
    angle = float(np.linalg.norm(vector))
    return np.append(np.sin(angle / 2) * np.array(vector) / angle, np.cos(angle / 2))


LYING = turned(0.5, 0.2, 0.4)


# ---- one model at a time ------------------------------------------------------------------------------------


def shape_matching(**options: Any) -> World:
    """Every way to share weights and the paper's own formulas, without contact between bodies."""
    world = World(colliders=[Plane(friction=0.4, restitution=0.3)], contact=False, **options)
    left = {"left": lambda rest: rest[:, 0] < 0, "right": lambda rest: rest[:, 0] >= 0}
    ways = {
        "global": ShapeMatching(stiffness=0.6, example_strength=0.98),
        "regions": ShapeMatching(stiffness=0.6, examples="regions"),
        "groups": ShapeMatching(stiffness=0.6, examples=left),
        "paper": ShapeMatching(stiffness=0.4, weights="paper", rotation="paper", goals="paper"),
        "paper regions": ShapeMatching(stiffness=0.4, weights="paper", examples="regions", damping=0),
        "forced": ShapeMatching(stiffness=2.0, forced={"bend": 0.7}, forced_time=0.2, drag=0.5),
    }
    for number, (name, settings) in enumerate(ways.items()):
        world.add(bar(), settings, name=name, position=(3 * number, 1.6, 0), rotation=LYING)
    large = pliant.shapes.cuboid(size=(2, 1, 1), cells=(48, 20, 20), name="large")
    world.add(large, ShapeMatching(stiffness=2), name="large", position=(18, 1.6, 0), rotation=LYING)
    return world


def oriented_particles(**options: Any) -> World:
    """A solid, a rope and a sheet, each with poses or obstacles to bend over."""
    rail = pliant.Capsule(start=(3, 1, -1), end=(3, 1, 1), radius=0.15, friction=0.6)
    post = pliant.Sphere(centre=(6, 0.8, 0), radius=0.4, friction=0.2, restitution=0.5)
    world = World(colliders=[Plane(), rail, post], **options)
    cloth = pliant.shapes.sheet(size=(1.2, 1.2), cells=(12, 12))
    matter = OrientedParticles(particles=30, stiffness=2e5, example_strength=0.97)
    world.add(bar(), matter, name="solid", position=(0, 1.4, 0), rotation=LYING)
    world.add(rope(), matter.changed(particles=24), name="rope", position=(3.2, 1.5, 0))
    world.add(cloth, matter.changed(particles=64), name="sheet", position=(6, 1.5, 0.1))
    regions = OrientedParticles(particles=20, young=2e5, examples="regions", iterations=4)
    world.add(bar(), regions, name="regions", position=(9, 1.4, 0), rotation=LYING, restitution=0.5)
    return world


def elements(**options: Any) -> World:
    """All materials, manifolds and integrators, two at a time; one rests on another."""
    world = World(colliders=[Plane(friction=0.6)], **options)
    ways = {
        "realised": Fem(young=6e4, material="green", manifold="realised"),
        "strain": Fem(young=6e4, material="neo_hookean", manifold="strain"),
        "penalty": Fem(young=6e4, material="st_venant_kirchhoff", manifold="penalty", iterations=6),
        "linear": Fem(young=6e4, material="corotated", integrator="linear", example_stiffness=0),
        "symplectic": Fem(young=2e4, integrator="symplectic", example_stiffness=0),
        "conjugate": Fem(young=6e4, solver="conjugate", stiffness={}, damping=0.5),
    }
    for number, (name, settings) in enumerate(ways.items()):
        world.add(short_bar(), settings, name=name, position=(1.5 * number, 0.8, 0), rotation=LYING)
    world.add(short_bar(), Fem(young=2e5), name="upper", position=(0, 1.7, 0))
    large = pliant.shapes.cuboid(size=(1, 0.6, 0.6), cells=(18, 10, 10), name="large")
    world.add(large, Fem(young=2e5, integrator="linear"), name="large", position=(9.5, 0.8, 0), rotation=LYING)
    return world


def rigid(**options: Any) -> World:
    """A tower that is hit, something that spins, something that bounces."""
    world = World(colliders=[Plane(friction=0.6, restitution=0.4)], **options)
    for number in range(5):
        world.add(cube(), Rigid(), name=f"crate {number}", position=(0, 0.25 + 0.5 * number, 0), friction=0.6)
    world.add(pebble(), Rigid(mass=200), name="shot", position=(-4, 1.2, 0.1), velocity=(14, 1, 0))
    spin = {"angular_velocity": (1, 9, 2), "restitution": 0.6}
    world.add(brick(), Rigid(), name="spinner", position=(3, 0.8, 0), **spin)
    world.add(pliant.shapes.torus(particles=200), Rigid(), name="ring", position=(5, 1.5, 0), rotation=LYING)
    return world


# ---- contact ------------------------------------------------------------------------------------------------


def all_kinds() -> list[tuple[Body, Any]]:
    return [
        (cube(0.4, 3), ShapeMatching(stiffness=2, damping=5)),
        (pebble(), OrientedParticles(particles=24, iterations=3, damping=4)),
        (brick(), Rigid()),
        (cube(0.4, 3), Fem(young=2e5, damping=5)),
    ]


def poured(world: World, count: int, wide: int = 3) -> World:
    """Bodies of all models in layers, each turned its own way."""
    random, kinds = np.random.default_rng(11), all_kinds()
    for number in range(count):
        layer, place = divmod(number, wide * wide)
        aside, back = random.uniform(-0.04, 0.04, 2)
        position = (0.62 * (place // wide) + aside, 0.5 + 0.62 * layer, 0.62 * (place % wide) + back)
        body, settings = kinds[number % len(kinds)]
        given = {"friction": 0.3 + 0.1 * (number % 3), "restitution": 0.2 * (number % 2)}
        world.add(body, settings, name=f"{number}", position=position, rotation=random.normal(size=4), **given)
    return world


def mixture(**options: Any) -> World:
    """All models fall on one another between four walls."""
    walls = [pliant.Box(centre=(x, 2, 0.6), half_size=(0.5, 2, 2), friction=0.3) for x in (-0.95, 2.2)]
    walls += [pliant.Box(centre=(0.6, 2, z), half_size=(2, 2, 0.5)) for z in (-0.95, 2.2)]
    return poured(World(colliders=[Plane(), *walls], **options), 40)


def impacts(**options: Any) -> World:
    """Bodies of two models fly at one another, without gravity: every pair of models, with and without restitution."""
    world = World(gravity=(0, 0, 0), **options)
    kinds = all_kinds()
    pairs = [(one, other) for one in range(len(kinds)) for other in range(one, len(kinds))]
    for number, (one, other) in enumerate(pairs):
        given = {"friction": 0.4, "restitution": 0.5 * (number % 2)}
        high = 2.0 * number
        body, settings = kinds[one]
        world.add(body, settings, name=f"{number} one", position=(-0.5, high, 0), velocity=(2, 0, 0), **given)
        body, settings = kinds[other]
        world.add(body, settings, name=f"{number} other", position=(0.3, high + 0.1, 0.06), rotation=LYING, **given)
    return world


def self_contact(**options: Any) -> World:
    """A rope that falls on itself, a sheet that folds, a bar that bends until its ends meet."""
    world = World(colliders=[Plane(friction=0.4), pliant.Capsule((4, 0.6, -1), (4, 0.6, 1), radius=0.05)], **options)
    matter = OrientedParticles(particles=40, stiffness=5e4, iterations=4)
    world.add(rope(), matter, name="rope", position=(0, 1.1, 0), rotation=turned(0, 0, 1.5), self_contact=True)
    cloth = pliant.shapes.sheet(size=(1.2, 0.6), cells=(12, 6))
    world.add(cloth, matter.changed(particles=50), name="sheet", position=(4.1, 0.75, 0), self_contact=True)
    supple = pliant.shapes.cuboid(size=(2.4, 0.2, 0.4), cells=(16, 2, 3), name="strip")
    strip = world.add(supple, ShapeMatching(stiffness=0.3), name="strip", position=(8, 1.2, 0), self_contact=True)
    ends = [int(np.argmin(supple.rest[:, 0])), int(np.argmax(supple.rest[:, 0]))]
    for end, way in zip(ends, (1.1, -1.1), strict=True):
        strip.grab(end, path=Path([0, 1.5], [(0, 0, 0), (way, -0.3, 0)]))
    return world


def crowd(**options: Any) -> World:
    """Nothing but oriented particles, which go through all sub-steps in one call: on one another and into a heap."""
    world = World(colliders=[Plane(friction=0.5)], **options)
    random = np.random.default_rng(5)
    ring = pliant.shapes.torus(radius=0.25, tube=0.1, particles=120)
    toys = [(pebble(), 24), (ring, 24), (cube(0.4, 3), 20)]
    for number in range(96):
        body, particles = toys[number % len(toys)]
        settings = OrientedParticles(particles=particles, stiffness=2.5e5, iterations=2, damping=4)
        angle, out, high = 2.4 * number, 0.35 + 0.5 * (number % 3), 0.4 + 0.05 * number
        position = (out * np.cos(angle), high, out * np.sin(angle))
        world.add(body, settings, name=f"{number}", position=position, rotation=random.normal(size=4), friction=0.4)
    return world


def pile(**options: Any) -> World:
    """Stacks that fall asleep: of soft cubes, of bricks, and of one on the other."""
    world = World(colliders=[Plane(friction=0.7)], **options)
    calm = ShapeMatching(stiffness=1, damping=20)
    round_ones = OrientedParticles(particles=12, iterations=3, damping=10)
    world.add(cube(), calm, name="lower", position=(0, 0.25, 0))
    world.add(cube(), calm, name="upper", position=(0.02, 0.76, 0))
    world.add(brick(), Rigid(), name="brick", position=(2, 0.1, 0))
    world.add(cube(0.4), calm, name="on the brick", position=(2, 0.41, 0))
    world.add(pebble(), round_ones, name="pebble", position=(4, 0.2, 0))
    world.add(brick(), Rigid(), name="alone", position=(6, 0.1, 0))
    return world


def throw(world: World) -> None:
    world["alone"].velocities[:] = (-5, 1.5, 0)
    world["alone"].wake()


def grab(world: World) -> None:
    world["upper"].grab(0, stiffness=3e4).move_to((0.5, 1.5, 0))


def tilt(world: World) -> None:
    world.gravity = (2.0, -9.81, 0.5)


# ---- obstacles, pins and handles ----------------------------------------------------------------------------


def moving_obstacles(**options: Any) -> World:
    """A paddle that turns, a ball that is driven in, a rod that sweeps, a floor that rises."""
    sweep = Path([0, 1, 2], [(0, 0, 0), (1.5, 0, 0), (0, 0, 0)], smooth=True)
    spin = Path([0, 2], turns=[(0, 0, 0), (0, 3, 0)])
    colliders = [
        Plane(friction=0.6, path=Path([0, 0.5, 1], [(0, 0, 0), (0, 0.15, 0), (0, 0, 0)])),
        pliant.Box(centre=(0, 0.6, 0), half_size=(1.2, 0.5, 0.08), path=spin, friction=0.3),
        pliant.Sphere(centre=(2.2, 0.4, 0), radius=0.35, path=sweep, restitution=0.4),
        pliant.Capsule((2, 0.2, 2), (4, 0.2, 2), radius=0.15, path=Path([0, 2], [(0, 0, 0), (0, 0, -3)])),
    ]
    world = World(colliders=colliders, **options)
    for number, (body, settings) in enumerate(all_kinds()):
        world.add(body, settings, name=f"near {number}", position=(0.9 * number - 0.4, 0.5, 0.6))
        world.add(body, settings, name=f"far {number}", position=(0.9 * number + 0.6, 0.5, -0.7), rotation=LYING)
    return world


def mesh_obstacles(**options: Any) -> World:
    """A cup that is carried about and tipped, an open sheet as a slope, a closed mesh as a stone."""
    carried = Path([0.5, 1.5, 2.5], [(0, 0, 0), (0.6, 0.2, 0), (0.6, 0.2, 0)], [(0, 0, 0), (0, 0, 0), (0, 0, -1.2)])
    slope = np.array([[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]], dtype=float)
    colliders = [
        Plane(),
        pliant.Mesh(*cup(), cells=40, path=carried, friction=0.3),
        pliant.Mesh(slope, np.array([[0, 2, 1], [0, 3, 2]]), position=(3, 0.8, 0), rotation=turned(0, 0, 0.4)),
        pliant.Mesh(*cup(), cells=32, scale=0.6, position=(6, 0.5, 0), rotation=turned(3.1, 0, 0), restitution=0.6),
    ]
    world = World(colliders=colliders, **options)
    for number, (body, settings) in enumerate(all_kinds()):
        high, aside = 0.6 + 0.45 * number, 0.1 * (number - 1.5)
        world.add(body, settings, name=f"in the cup {number}", position=(aside, high, -aside), scale=0.7)
        world.add(body, settings, name=f"on the slope {number}", position=(2.8, high + 0.9, aside))
    world.add(bar(), ShapeMatching(stiffness=2), name="on the stone", position=(6, 1.5, 0), rotation=LYING)
    return world


def holds(**options: Any) -> World:
    """Pins that stay and that move, handles on particles and on the skin, aims, forces; forced poses, new settings."""
    world = World(colliders=[Plane()], **options)
    wave = Path([0, 0.8, 1.6], [(0, 0, 0), (0.3, 0.5, 0), (-0.2, 0.1, 0)], [(0, 0, 0), (1, 0, 0), (0, 0, 0)])
    soft = ShapeMatching(young=4e4, example_strength=0.95)
    matter = OrientedParticles(particles=20, stiffness=2e5)
    held = {"matched": soft, "oriented": matter, "elements": Fem(young=1e5)}
    for number, (name, settings) in enumerate(held.items()):
        actor = world.add(short_bar(), settings, name=name, position=(0, 1.2, 1.5 * number))
        actor.pin(lambda rest: rest[:, 0] < -0.4, path=wave)
        actor.grab(skin=int(actor.body.skin.vertices[:, 0].argmax()), stiffness=2e3).move_to((0.6, 1.8, 1.5 * number))
        actor.push((0, 0, 40))
    hung = world.add(rope(), matter, name="rope", position=(3, 2, 0))
    hung.pin([0])
    hung.aim((0, 1, 0), particle=len(hung.body.rest) - 1, path=wave)
    dragged = world.add(brick(), Rigid(), name="brick", position=(3, 0.3, 2))
    dragged.grab(0, stiffness=4e3, path=Path([0, 2], [(0, 0, 0), (1, 1, 0)]))
    return world


def force_a_pose(world: World) -> None:
    world["matched"].settings = world["matched"].settings.changed(forced={"twist": 0.8}, forced_time=0.3)


def soften(world: World) -> None:
    world["oriented"].settings = world["oriented"].settings.changed(stiffness=5e4, damping=6)
    world["elements"].push(None)


SCENES = (
    Scene("shape matching", shape_matching, 120, 24, substeps=2),
    Scene("oriented particles", oriented_particles, 120, 45),
    Scene("finite elements", elements, 60, 12),
    Scene("rigid bodies", rigid, 150, 60, substeps=2),
    Scene("mixture", mixture, 120, 40, substeps=2),
    Scene("impacts", impacts, 60, 30),
    Scene("self-contact", self_contact, 120, 60, substeps=2),
    Scene("crowd", crowd, 150, 40, substeps=3),
    Scene("pile", pile, 300, 200, substeps=2, cues={180: throw, 220: grab, 260: tilt}),
    Scene("moving obstacles", moving_obstacles, 120, 40),
    Scene("mesh obstacles", mesh_obstacles, 120, 40, substeps=2),
    Scene("holds", holds, 120, 60, cues={40: force_a_pose, 80: soften}),
)
