"""The kernels do what the plain twin does, step after step."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pliant
from pliant.bench.oriented_arrays import DirectionHandle, Particles, PositionHandle
from pliant.bench.oriented_twin import OrientedTwin
from pliant.models.oriented_particles.network import network_of

H = 1 / 30
PLAIN = pliant.shapes.cuboid(size=(2, 1, 1), cells=(4, 2, 2))
POSED = PLAIN.with_pose("twist", pliant.poses.twist(PLAIN, degrees=60)).with_pose("flat", PLAIN.rest * [1.3, 0.7, 0.9])
BODIES = {
    "bar": (pliant.shapes.cuboid(size=(10, 1, 1), cells=(20, 2, 2)), 20),
    "solid": (PLAIN, 15),
    "sheet": (pliant.shapes.sheet(), 24),
    "rope": (pliant.shapes.rope(), 9),
    "single": (PLAIN, 1),
    "poses": (POSED, 12),
}


def pair(body: pliant.Body, particles: int, precision: str = "double", **options: object) -> tuple:
    """An actor, deformed, moving and spinning by chance, and its twin."""
    world = pliant.World(precision=precision)
    settings = pliant.OrientedParticles(particles=particles, stiffness=1e6, damping=0, drag=0, **options)
    actor = world.add(body, settings)
    rng = np.random.default_rng(1)
    shape = actor.positions.shape
    actor.positions[:] += 0.05 * rng.normal(size=shape)
    actor.rotations[:] = Rotation.from_rotvec(0.4 * rng.normal(size=shape)).as_quat()
    actor.velocities[:], actor.angular_velocities[:] = rng.normal(size=shape), 3 * rng.normal(size=shape)
    arrays = Particles.of(actor.body)
    lengths = np.linalg.norm(np.diff(arrays.rest[arrays.edges], axis=1), axis=2)
    k = 1e6 / (2 * lengths.mean() ** 2) if len(lengths) else 0.0  # of Young's modulus: see the README of the model
    twin = OrientedTwin(
        arrays,
        k,
        iterations=settings.iterations,
        examples=groups_of(actor),
        example_strength=settings.example_strength,
    )
    twin.x, twin.v, twin.omega = (
        np.array(a, float) for a in (actor.positions, actor.velocities, actor.angular_velocities)
    )
    twin.R = turns(actor)
    turn_sets = network_of(actor.body).turn_sets  # particles that are no neighbours turn together
    twin.order = [int(i) for turn_set in turn_sets for i in turn_set[1 : 1 + turn_set[0]]]
    assert sorted(twin.order) == list(range(len(twin.x)))
    return actor, twin


def groups_of(actor: pliant.Actor) -> object:
    """As the twin wants them: groups of the graph's own particles."""
    if isinstance(actor.settings.examples, str):
        return actor.settings.examples
    graph = actor.body
    chosen = {name: select(graph.source.rest).astype(float) for name, select in actor.settings.examples.items()}
    return {name: np.flatnonzero(graph.shares.means @ mask > 0.5) for name, mask in chosen.items()}


def turns(actor: pliant.Actor) -> NDArray[np.float64]:
    return Rotation.from_quat(actor.rotations).as_matrix()


def agree(actor: pliant.Actor, twin: OrientedTwin, steps: int = 6, atol: float = 1e-9) -> None:
    for _ in range(steps):
        actor.world.step(H)
        twin.step(H)
        np.testing.assert_allclose(actor.positions, twin.x, atol=atol)
        np.testing.assert_allclose(turns(actor), twin.R, atol=10 * atol)
        np.testing.assert_allclose(actor.velocities, twin.v, atol=100 * atol)
        np.testing.assert_allclose(actor.angular_velocities, twin.omega, atol=1000 * atol)


@pytest.mark.parametrize("name", BODIES)
def test_in_free_fall(name):
    agree(*pair(*BODIES[name]))


def test_in_single_precision():
    agree(*pair(*BODIES["bar"], precision="single"), atol=2e-5)


@pytest.mark.parametrize("iterations", [1, 3, 40])
def test_with_other_iterations(iterations):
    agree(*pair(*BODIES["solid"], iterations=iterations))


@pytest.mark.parametrize("name", ["bar", "solid", "sheet"])
def test_pinned(name):
    actor, twin = pair(*BODIES[name])
    actor.pin([0, 3])
    twin.pins = {i: (twin.x[i].copy(), twin.R[i].copy()) for i in (0, 3)}
    agree(actor, twin)


HALVES = {"left": lambda rest: rest[:, 0] < -0.2, "right": lambda rest: rest[:, 0] > 0.2}


@pytest.mark.parametrize("examples", ["global", "regions", HALVES], ids=["global", "regions", "halves"])
@pytest.mark.parametrize("strength", [1.0, 0.6])
def test_with_examples(examples, strength):
    actor, twin = pair(*BODIES["poses"], examples=examples, example_strength=strength)
    actor.positions[:] += 0.6 * (actor.body.poses["flat"] - actor.body.rest)
    twin.x = np.array(actor.positions, float)
    most = 0.0
    for _ in range(4):
        agree(actor, twin, steps=1, atol=1e-8)
        np.testing.assert_allclose(actor.weights, twin.weights, atol=1e-7)
        most = max(most, float(twin.weights[:, 1:].max()))
    assert most > 0.05


@pytest.mark.parametrize("name", ["bar", "solid"])
def test_grabbed_and_aimed(name):
    """Points and directions of the skin, carried by several particles, and one of a single particle."""
    actor, twin = pair(*BODIES[name])
    for vertex, shift in ((0, (0.3, 0.5, 0.1)), (7, (-0.2, 0, 0.4))):
        handle = actor.grab(skin=vertex, stiffness=3e6)
        handle.move_to(handle.position + shift)
        point = actor.body.skin.vertices[vertex]
        twin.positions.append(PositionHandle(point, handle.particles, handle.weights, handle.target, 3e6))
    loose = actor.grab(2, stiffness=1e5)
    loose.move_to((0, 1, 0))
    twin.positions.append(PositionHandle(twin.X[2], np.array([2]), np.ones(1), loose.target, 1e5))
    for axis, target in zip(np.eye(3), Rotation.from_rotvec((1.0, 0.5, -0.7)).as_matrix().T, strict=True):
        aim = actor.aim(axis, skin=3, stiffness=2e6)
        aim.move_to(target)
        twin.directions.append(DirectionHandle(axis, aim.particles, aim.weights, aim.target, 2e6))
    held = {int(i) for handle in (*twin.positions, *twin.directions)
            for i, w in zip(handle.indices, handle.weights, strict=True) if w}  # fmt: skip
    turn_sets = [turn_set[1 : 1 + turn_set[0]].tolist() for turn_set in network_of(actor.body).turn_sets]
    twin.order = [i for turn_set in turn_sets for i in sorted(turn_set, key=lambda i: i in held)]  # those come last
    agree(actor, twin, atol=1e-8)
