"""A frame is a copy of a moment, taken once and cheaply; all that leaves a world is taken from it."""

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pliant
from pliant.body import Skin
from pliant.session.player.bars import bars_of, weights_of
from pliant.session.recording import Manifest, columns_of, row_of
from pliant.session.render.camera import Camera
from pliant.session.render.stage import Stage
from pliant.viewer.simulation.simulation import Simulation
from pliant.world import Actor
from viewer import exhibits


def bar() -> pliant.Body:
    plain = pliant.shapes.cuboid(size=(0.5, 0.5, 1), cells=(2, 2, 4), name="bar")
    return plain.with_pose("twist", pliant.poses.twist(plain, degrees=60))


def build() -> pliant.World:
    """Actors whose order in the state is another than that in which they came; some have particles that turn."""
    world = pliant.World(colliders=[pliant.Plane()])
    world.add(bar(), pliant.ShapeMatching(), name="right", position=(4, 1, 0))
    world.add(bar(), pliant.OrientedParticles(particles=10), name="turning", position=(2, 1, 0))
    world.add(bar(), pliant.Rigid(), name="rigid", position=(6, 1, 0), angular_velocity=(0, 0, 2))
    world.add(bar(), pliant.ShapeMatching(examples="regions"), name="left", position=(0, 1, 0))
    world.add(bar(), pliant.OrientedParticles(particles=12), name="turning too", position=(-2, 1, 0))
    return world


@pytest.fixture
def world() -> pliant.World:
    made = build()
    for _ in range(5):
        made.step(1 / 60)
    return made


def test_it_has_what_the_actors_have(world: pliant.World) -> None:
    frame = world.frame()
    assert list(frame.positions) == [actor.name for actor in world.actors]
    assert list(frame.rotations) == ["turning", "turning too"]
    assert frame.time == world.time
    for actor in world.actors:
        np.testing.assert_array_equal(frame.positions[actor.name], actor.positions)
        np.testing.assert_array_equal(frame.velocities[actor.name], actor.velocities)
        np.testing.assert_array_equal(frame.surface(actor.name), actor.surface)
        np.testing.assert_allclose(frame.weights[actor.name], actor.weights, rtol=0, atol=2e-7)
        if actor.rotations is not None:
            np.testing.assert_array_equal(frame.rotations[actor.name], actor.rotations)
    every = np.concatenate([actor.positions for actor in world.actors])
    np.testing.assert_array_equal(frame.particle_rows[:, :3], every.astype(np.float32))
    assert frame.particle_rows.dtype == np.float32 and not frame.particle_rows[:, 3].any()
    turning = np.concatenate([actor.rotations for actor in world.actors if actor.rotations is not None])
    np.testing.assert_array_equal(frame.rotation_rows, turning.astype(np.float32))


def test_it_stays_as_it_is(world: pliant.World) -> None:
    frame = world.frame()
    then = {actor.name: np.array(actor.positions) for actor in world.actors}
    world.step(1 / 60)
    world.remove(world["left"])
    world.step(1 / 60)
    for name, positions in then.items():
        np.testing.assert_array_equal(frame.positions[name], positions)
    arrays = [frame.positions["left"], frame.weights["left"], frame.surface("left"), frame.particle_rows]
    for array in (*arrays, frame.rotations["turning"], frame.rotation_rows, frame.positions.flat):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(AttributeError):
        frame.time = 0.0  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(frame))
    np.testing.assert_array_equal(again.positions["left"], then["left"])


def test_an_empty_world_has_frames() -> None:
    frame = pliant.World().frame()
    assert len(frame.positions) == 0 and frame.particle_rows.shape == (0, 4) and frame.rotation_rows.shape == (0, 4)


def test_skins_are_deformed_once_and_only_when_asked_for(world: pliant.World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Skin] = []
    deform = Skin.deform

    def counted(skin: Skin, *arrays: Any) -> Any:
        asked.append(skin)
        return deform(skin, *arrays)

    monkeypatch.setattr(Skin, "deform", counted)
    frame = world.frame()
    assert frame.positions["left"].shape == world["left"].body.rest.shape and not asked
    stage = Stage.of(world)
    for _ in range(2):
        stage.actors(frame)
        stage.extent([frame])
        frame.surface("left")
    assert len(asked) == len(world.actors)


@pytest.fixture
def mute_actors() -> Iterator[Callable[[], None]]:
    """Nothing can be read from actors any more, once it is called."""
    names = ("positions", "velocities", "rotations", "weights", "surface", "surface_normals")
    kept = {name: Actor.__dict__[name] for name in names}

    def refuse(_actor: Actor) -> Any:
        raise AssertionError("an output reads from an actor; let it read from the frame")

    def mute() -> None:
        for name in names:
            setattr(Actor, name, property(refuse))

    yield mute
    for name, found in kept.items():
        setattr(Actor, name, found)


def test_recordings_and_pictures_are_made_of_frames(world: pliant.World, mute_actors: Callable[[], None]) -> None:
    camera = Camera((0, 2, 8), (0, 0, 0))
    mute_actors()
    frame = world.frame()
    row = row_of(frame, Manifest("", "", "", 60.0, columns_of(world)))
    assert len(row) == sum(columns.floats for columns in columns_of(world))
    assert len(weights_of(frame, bars_of(world.actors))) > 0
    assert len(Stage.of(world).view(frame, camera).drawables) >= len(world.actors)


def test_the_stream_is_made_of_frames(mute_actors: Callable[[], None]) -> None:
    simulation = Simulation(exhibits.Exhibit("five", "Five", "", "Five bars.", 1.0, build))
    simulation.step()
    mute_actors()
    simulation.step()
    assert len(simulation.frame()) > 16 * len(simulation.now.particle_rows)
    assert len(simulation.frame(0.5)) == len(simulation.frame())
