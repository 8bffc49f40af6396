"""What is sent to pages that see inside: bodies and layers, and nothing to the others."""

import json
import struct
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

import pliant
from pliant.viewer.protocol import heat, layers
from pliant.viewer.protocol.commands import ShowLayers, parse
from pliant.viewer.protocol.packing import Side
from pliant.viewer.protocol.touching import contacts, signed_distance
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.exhibits import EXHIBITS

BAR, KINDS, *_ = EXHIBITS

NO_ROTATIONS = np.empty((0, 4), np.float32)


def unpack(data: bytes) -> dict[int, np.ndarray]:
    found, at = {}, 0
    while at < len(data):
        kind, count = struct.unpack_from("<II", data, at)
        found[kind] = np.frombuffer(data, "<f4", count, at + 8)
        at += 8 + 4 * count
    assert at == len(data)
    return found


def unpack_bodies(data: bytes) -> dict[str, Any]:
    kind, length = struct.unpack_from("<II", data)
    assert kind == layers.BODIES and length % 4 == 0
    told: dict[str, Any] = json.loads(data[8 : 8 + length])
    for body in told["bodies"]:
        for name, place in body["arrays"].items():
            dtype = "<u4" if place["type"] == "u32" else "<f4"
            body[name] = np.frombuffer(data, dtype, place["count"], 8 + length + place["start"])
    return told


def test_bodies_have_their_elements() -> None:
    simulation = Simulation(KINDS)
    simulation.frame()
    told = unpack_bodies(simulation.insight.bodies())
    assert [body["kind"] for body in told["bodies"]] == ["solid", "shell", "rod"]  # the two balls share theirs
    assert told["actors"] == [0, 0, 1, 2]
    for actor, number in zip(simulation.actors, told["actors"], strict=True):
        body = told["bodies"][number]
        np.testing.assert_array_equal(body["elements"].reshape(actor.body.elements.shape), actor.body.elements)
        assert 0 < body["spacing"] < np.linalg.norm(actor.body.size)
        assert "radii" not in body
    assert simulation.insight.bodies() is simulation.insight.bodies()


def test_layers_are_made_from_what_is_shown() -> None:
    simulation = Simulation(KINDS)
    for _ in range(20):
        simulation.step()
    simulation.frame(0.5)
    rows = simulation.rows(0.5)
    numbers = unpack(simulation.insight.layers(ShowLayers(heat="stretch")))[layers.HEATS["stretch"]]
    assert len(numbers) == len(rows) and numbers.max() > 1e-4
    first = 0
    for actor in simulation.actors:
        part = slice(first, first + len(actor.body.rest))
        wanted = heat.stretch(actor.body, rows[part, :3].astype(float))
        np.testing.assert_allclose(numbers[part], wanted, rtol=1e-5, atol=1e-6)
        first = part.stop
    assert simulation.insight.layers(ShowLayers(bodies=True)) == b""
    both = unpack(simulation.insight.layers(ShowLayers(heat="distance", contacts=True)))
    assert set(both) == {layers.HEATS["distance"], layers.CONTACTS}


def test_weights_and_groups_of_a_bar() -> None:
    simulation = Simulation(BAR)
    for _ in range(5):
        simulation.step()
    simulation.frame()
    weights = unpack(simulation.insight.layers(ShowLayers(heat="weights", pose="twist")))[layers.HEATS["weights"]]
    np.testing.assert_allclose(weights, np.clip(simulation.world["bar"].weights[0, 1], 0, 1), atol=1e-6)
    unknown = unpack(simulation.insight.layers(ShowLayers(heat="weights", pose="no such pose")))
    assert (unknown[layers.HEATS["weights"]] == heat.NOTHING).all()
    assert not unpack(simulation.insight.layers(ShowLayers(heat="groups")))[layers.HEATS["groups"]].any()


def test_groups_of_several_actors_share_their_colours() -> None:
    body = pliant.shapes.cuboid(cells=(2, 2, 2))
    world = pliant.World()
    halves = {"left": lambda x: x[:, 0] < 0, "right": lambda x: x[:, 0] > 0}
    world.add(body, pliant.ShapeMatching(examples=halves), name="one")
    world.add(body, pliant.ShapeMatching(examples=dict(reversed(halves.items()))), name="two")
    side = Side(world, world.actors, ())
    rows = np.zeros((2 * len(body.rest), 4), np.float32)
    packed = layers.pack_layers(ShowLayers(heat="groups"), [side], rows, NO_ROTATIONS, 0.0, layers.no_weights)
    numbers = unpack(packed)[layers.HEATS["groups"]]
    np.testing.assert_array_equal(numbers[: len(body.rest)], numbers[len(body.rest) :])
    assert set(numbers) == {-1.0, 0.0, 1.0}


# ---- contacts ------------------------------------------------------------------------------------------------

COLLIDERS = [
    pliant.Plane(point=(0, 0.1, 0), normal=(0, 1, 0.2)),
    pliant.Sphere(centre=(1, 2, 0), radius=0.7),
    pliant.Box(centre=(0, 0.5, 0), half_size=(0.3, 0.2, 0.4), rotation=(0.2, 0.1, 0.0, 0.9746794)),
    pliant.Capsule(start=(0, 0, 0), end=(1, 1, 0), radius=0.3),
]


@pytest.mark.parametrize("collider", COLLIDERS, ids=lambda each: type(each).__name__)
def test_signed_distance_falls_along_its_normal(collider: Any) -> None:
    points = np.random.default_rng(0).uniform(-0.6, 1.9, (2000, 3))
    distances, normals = signed_distance(collider, points, 0.0)
    assert (distances < 0).any() and (distances > 0).any()
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0)
    small = 1e-6
    nearer, _ = signed_distance(collider, points - small * normals, 0.0)
    np.testing.assert_allclose(distances - nearer, small, rtol=1e-3)
    on, _ = signed_distance(collider, points - distances[:, None] * normals, 0.0)
    near = np.abs(distances) < 0.1  # for a box the nearest face only
    assert near.any()
    np.testing.assert_allclose(on[near], 0.0, atol=0.1 if isinstance(collider, pliant.Box) else 1e-9)


def test_who_lies_on_the_ground_touches_it() -> None:
    points = np.array([[0, 0, 0], [1, 1e-5, 0], [2, 0.5, 0], [3, -0.1, 0]], float)
    found = contacts([pliant.Plane()], points, np.ones(4), 0.0)
    np.testing.assert_allclose(found[:, :3], [[0, 0, 0], [1, 0, 0], [3, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(found[:, 3:], [[0, 1, 0]] * 3)
    assert contacts([], points, np.ones(4), 0.0).shape == (0, 6)


def test_contacts_of_a_world_that_came_to_rest() -> None:
    simulation = Simulation(BAR)
    simulation.frame()
    wanted = ShowLayers(contacts=True)
    assert len(unpack(simulation.insight.layers(wanted))[layers.CONTACTS]) == 0  # it hovers a centimetre above
    for _ in range(round(1.5 / STEP)):
        simulation.step()
    simulation.frame()
    found = unpack(simulation.insight.layers(wanted))[layers.CONTACTS].reshape(-1, 6)
    positions = simulation.world["bar"].positions
    assert len(found) == (positions[:, 1] < 1e-3).sum() > 4
    np.testing.assert_allclose(found[:, 1], 0.0, atol=1e-6)
    np.testing.assert_allclose(found[:, 3:], [[0, 1, 0]] * len(found), atol=1e-6)


# ---- ellipsoids ----------------------------------------------------------------------------------------------


def oriented() -> Side:
    """A setup with ellipsoids, made by hand."""
    body = pliant.shapes.cuboid(cells=(1, 1, 1)).scaled(2.0)  # one of its own: shapes are shared
    axes = np.tile(np.eye(3), (len(body.rest), 1, 1))
    axes[0] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]  # a quarter turn about z
    axes[1] = np.diag([1, 1, -1])  # a mirror image
    radii = np.tile((0.1, 0.2, 0.3), (len(body.rest), 1))
    object.__setattr__(body, "ellipsoids", SimpleNamespace(axes=axes, radii=radii))
    plain = pliant.shapes.cuboid(cells=(1, 1, 1))
    actors = [SimpleNamespace(body=body, turns=True), SimpleNamespace(body=plain, turns=False)]
    return Side(SimpleNamespace(colliders=[], time=np.inf), actors, ())  # type: ignore[arg-type]


def test_ellipsoids_are_told_where_there_are_some() -> None:
    side = oriented()
    with_some, without = unpack_bodies(layers.pack_bodies([side]))["bodies"]
    rotations, radii = with_some["rotations"].reshape(-1, 4), with_some["radii"].reshape(-1, 3)
    np.testing.assert_allclose(np.abs(rotations[0]), [0, 0, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-6)
    np.testing.assert_allclose(np.abs(rotations[1]), [0, 0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(rotations, axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(radii[3], (0.1, 0.2, 0.3), atol=1e-6)
    assert "radii" not in without


def test_rotations_are_sent_where_there_are_some() -> None:
    side = oriented()
    count = len(side.actors[0].body.rest)
    rows = np.zeros((2 * count, 4), np.float32)
    wanted = ShowLayers(rotations=True)
    turned = np.tile(np.array((0.0, 0.6, 0.0, 0.8), np.float32), (count, 1))
    packed = layers.pack_layers(wanted, [side], rows, turned, 0.0, layers.no_weights)
    rotations = unpack(packed)[layers.ROTATIONS].reshape(-1, 4)
    np.testing.assert_allclose(rotations[:count], np.tile((0, 0.6, 0, 0.8), (count, 1)), atol=1e-6)
    np.testing.assert_allclose(rotations[count:], np.tile((0, 0, 0, 1), (count, 1)))
    plain = Side(side.world, side.actors[1:], ())
    packed = layers.pack_layers(wanted, [plain], rows[:count], NO_ROTATIONS, 0.0, layers.no_weights)
    assert len(unpack(packed)[layers.ROTATIONS]) == 0


# ---- what a page may ask -------------------------------------------------------------------------------------


def test_looks_are_parsed_and_checked() -> None:
    assert parse('{"do": "layers", "heat": "stretch", "contacts": true}') == ShowLayers(heat="stretch", contacts=True)
    for wrong in ('"heat": "colour"', '"pose": 3', '"contacts": 1', '"extra": true', f'"pose": "{"x" * 300}"'):
        assert parse('{"do": "layers", ' + wrong + "}") is None
    with pytest.raises(ValidationError):
        ShowLayers(heat="everything")  # type: ignore[arg-type]
    assert len({ShowLayers(heat="stretch"), ShowLayers(heat="stretch"), ShowLayers()}) == 2  # computed once
