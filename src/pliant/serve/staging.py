"""From a scene message to a show: bodies made, held and forced, obstacles placed and moved."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pliant import __version__
from pliant.geometry.turning import quaternions, rotation_matrices
from pliant.models.shape_matching.settings import ShapeMatching
from pliant.runtime.errors import SettingsError
from pliant.scene import animation
from pliant.scene.default import steady_substeps
from pliant.scene.needs import bytes_of_actors, check_memory
from pliant.scene.show import Show
from pliant.scene.tracks import FREE, AnimationTrack
from pliant.serve.bodies import Blocks, Handed, handed_body
from pliant.serve.holding import SampledPin, carried_along, pin_along
from pliant.serve.schema import SceneRequest, WireBody, WireCollider
from pliant.serve.wire import Message
from pliant.volume.grouping import LEAST_WEIGHT
from pliant.world import Actor, Mesh, Plane, World
from pliant.world.colliders import Collider

Array = NDArray[np.float64]

Tell = Callable[[str, int, int], None]
START_ROUNDS = 30  # until the skin of the first frame is where it was drawn, nearly; half of them leave twice as much
STEPS_PER_SECOND = 120.0  # at least, of models whose material says nothing about it


@dataclass(frozen=True, eq=False)
class Staged:
    """A show, and its bodies in the order in which they were handed over. key: of everything that decides the motion;
    scenes with one key give the same frames."""

    show: Show
    handed: tuple[Handed, ...]
    actors: tuple[Actor, ...]

    @property
    def key(self) -> str:
        return self.show.key


def stage(asked: SceneRequest, message: Message, threads: int, tell: Tell) -> Staged:
    """Build what a scene message says. tell: what is being made, how much of it is done, and of how much."""
    blocks = dict(message.blocks)
    key = key_of(message)
    names = [body.name for body in asked.bodies]
    if len(set(names)) < len(names):
        raise SettingsError("two bodies have one name; give each its own")
    world = World(asked.gravity, precision=asked.precision, threads=threads, contact=asked.contact)
    for number, said in enumerate(asked.colliders):
        tell(said.name, number, len(asked.colliders))
        world.colliders.append(_collider(said, Blocks(blocks, f"colliders/{number}/", said.name), asked.fps))
    gravity = float(np.linalg.norm(asked.gravity))
    handed, actors, acts = [], [], []
    for number, body in enumerate(asked.bodies):

        def filling(done: int, total: int, name: str = body.name) -> None:
            tell(name, done, total)

        filling(0, 1)
        own = Blocks(blocks, f"bodies/{number}/", body.name)
        made = handed_body(body, own, gravity, filling)
        check_memory(
            bytes_of_actors(_model_name(made), len(made.body.rest), 1), f"{len(made.body.rest):,} particles", "fewer"
        )
        actor = world.add(
            made.body,
            made.settings,
            name=body.name,
            friction=body.friction,
            restitution=body.restitution,
            self_contact=body.self_contact,
        )
        _pin(body, own, made, actor, asked.fps)
        _begin(own, made, actor)
        forced = _forced(body, own, actor, asked.fps)
        if forced is not None:
            acts.append(forced)
        handed.append(made)
        actors.append(actor)
    if blocks:
        raise SettingsError(f"the block {next(iter(blocks))[:60]} belongs to nothing that the scene has")
    animate = animation.Animation(tuple(acts)) if acts else None
    if animate is not None:
        animate(0.0)
    show = Show(
        name=asked.name,
        world=world,
        seconds=0.0,
        fps=asked.fps,
        substeps=_substeps(asked, handed),
        animate=animate,
        key=key,
        notes=tuple(note for made in handed for note in made.notes),
    )
    return Staged(show, tuple(handed), tuple(actors))


def key_of(message: Message) -> str:
    """A hash of all that a scene message says, but for its name, and of the version that plays it."""
    head = {name: value for name, value in message.head.items() if name != "name"}
    digest = sha256(json.dumps([__version__, head], sort_keys=True).encode())
    for name in sorted(message.blocks):
        block = message.blocks[name]
        digest.update(f"{name}\0{block.dtype.str}{block.shape};".encode())
        digest.update(np.ascontiguousarray(block).data)
    return digest.hexdigest()


def _model_name(made: Handed) -> str:
    return str(made.said.model.get("type", "shape_matching"))


def _substeps(asked: SceneRequest, handed: list[Handed]) -> int:
    """As asked; else as many as the materials want, and no step longer than a 120th of a second."""
    if asked.substeps is not None:
        return asked.substeps
    wanted = [STEPS_PER_SECOND / 60.0]
    for made in handed:
        settings = made.settings
        if isinstance(settings, ShapeMatching) and settings.young is None:
            wanted.append(float(steady_substeps(settings.stiffness)))
    return max(1, ceil(max(wanted) * 60.0 / asked.fps - 1e-9))


def _pin(said: WireBody, blocks: Blocks, made: Handed, actor: Actor, fps: float) -> None:
    for number, pin in enumerate(said.pins):
        vertices = made.groups.get(pin.group)
        if vertices is None or pin.group not in actor.body.groups:
            raise SettingsError(
                f'{said.name}: there is no group "{pin.group}" with vertices in it to pin; paint it, or name another'
            )
        particles = actor.body.groups[pin.group]
        if not blocks.has(f"pins/{number}"):
            actor.pin(particles)
            continue
        places = blocks.floats(f"pins/{number}", None, len(vertices), 3)
        if not len(places):
            raise SettingsError(f"{said.name}: pins/{number} has no frame; give one at least")
        pin_along(actor, particles, made.rest[vertices], places, fps)


def _begin(blocks: Blocks, made: Handed, actor: Actor) -> None:
    """Where the body is in the first frame, if that is not its rest shape; what is pinned is where its pin is."""
    if not blocks.has("start"):
        return
    start = blocks.floats("start", len(made.rest), 3)
    if np.array_equal(start, made.rest):
        return
    particles = np.array(actor.positions, np.float64)
    places, turns = carried_along(particles, made.rest, start[None])
    actor.positions[:] = places[0]
    _fit_skin(actor, start[made.drawn])
    if actor.rotations is not None:
        actor.rotations[:] = quaternions(turns[0])
    for pin in actor.world._inputs.pins:
        if pin.actor is actor:
            if not isinstance(pin, SampledPin):
                pin.origin = np.array(actor.positions[pin.particles], np.float64)
            actor.positions[pin.particles] = pin.targets(0.0)


def _fit_skin(actor: Actor, wanted: Array) -> None:
    """Move particles by what the skin that they carry is off, shared out by its weights."""
    skin = actor.body.skin
    weights = np.maximum(skin.weights, 0.0)
    slots, count = skin.indices.ravel(), len(actor.body.rest)
    carried = np.bincount(slots, weights.ravel(), minlength=count)
    bearing = carried > LEAST_WEIGHT
    for _ in range(START_ROUNDS):
        off = wanted - actor.surface
        shares = [
            np.bincount(slots, (weights * off[:, axis : axis + 1]).ravel(), minlength=count) for axis in range(3)
        ]
        actor.positions[bearing] += (np.stack(shares, axis=1)[bearing] / carried[bearing, None]).astype(
            actor.positions.dtype
        )


def _forced(said: WireBody, blocks: Blocks, actor: Actor, fps: float) -> animation.Tuning | None:
    """Weights on cue. Those of poses that could not be kept are left away: that is told with the poses."""
    tracks = {}
    for number, pose in enumerate(said.forced):
        if pose not in said.poses:
            raise SettingsError(f'{said.name}: there is no pose "{pose}" to force; give one of its poses')
        weights = blocks.take(f"forced/{number}", "f", (None,)).astype(np.float64)
        if not len(weights):
            raise SettingsError(f"{said.name}: forced/{number} has no frame; give one at least")
        keys = [
            (frame / fps, FREE if np.isnan(weight) else float(min(max(weight, 0.0), 1.0)))
            for frame, weight in enumerate(weights.tolist())
        ]
        if pose in actor.body.poses:
            tracks[pose] = AnimationTrack.through(keys, "linear")
    if not tracks:
        return None
    if not hasattr(actor.settings, "forced"):
        raise SettingsError(f"{said.name}: the model {type(actor.settings).__name__} has no poses; choose another")
    return animation.Tuning(actor, {}, {}, {"forced": tracks}, {"forced": {}})


def _collider(said: WireCollider, blocks: Blocks, fps: float) -> Collider:
    if said.type == "plane":
        return Plane(said.point, said.normal, friction=said.friction, restitution=said.restitution, name=said.name)
    vertices = blocks.floats("vertices", None, 3)
    faces = blocks.numbers("faces", len(vertices), None, 3)
    motion = blocks.floats("motion", None, 7)
    if not len(motion):
        raise SettingsError(f"{said.name}: its motion has no frame; give one at least")
    lengths = np.linalg.norm(motion[:, 3:], axis=1, keepdims=True)
    if (np.abs(lengths - 1.0) > 1e-3).any():
        raise SettingsError(f"{said.name}: its motion has turns that are no unit quaternions; give x, y, z, w")
    path = RigidMotion.of(motion[:, :3], motion[:, 3:] / lengths, fps)
    return Mesh(
        vertices,
        faces,
        position=motion[0, :3],
        rotation=path.turns[0],
        friction=said.friction,
        restitution=said.restitution,
        path=None if len(motion) == 1 else path,
        name=said.name,
        file=said.name,
    )


@dataclass(frozen=True, eq=False)
class RigidMotion:
    """Places (F, 3) and rotations (F, 3, 3) by frame, as a path from where it begins: straight from frame to frame,
    and round the shorter way."""

    places: Array
    quaternions: Array
    turns: Array
    fps: float

    @staticmethod
    def of(places: Array, quaternions: Array, fps: float) -> "RigidMotion":
        """
        >>> half = np.sqrt(0.5)
        >>> motion = RigidMotion.of(np.eye(2, 3), np.array([[0, 0, 0, 1], [0, 0, half, half]]), 10.0)
        >>> offset, turn = motion(0.1)
        >>> offset.tolist(), turn.round(6).tolist()
        ([-1.0, 1.0, 0.0], [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        """
        near = quaternions.copy()
        for frame in range(1, len(near)):  # q and -q are one rotation: the one nearer to the frame before
            if near[frame] @ near[frame - 1] < 0.0:
                near[frame] = -near[frame]
        return RigidMotion(places, near, rotation_matrices(near), fps)

    def __call__(self, time: float) -> tuple[Array, Array]:
        at = min(max(time * self.fps, 0.0), len(self.places) - 1.0)
        before = min(int(at), len(self.places) - 1)
        after = min(before + 1, len(self.places) - 1)
        part = at - before
        place = self.places[before] + part * (self.places[after] - self.places[before])
        turn = self.quaternions[before] + part * (self.quaternions[after] - self.quaternions[before])
        turn /= np.linalg.norm(turn)
        return place - self.places[0], rotation_matrices(turn[None])[0] @ self.turns[0].T
