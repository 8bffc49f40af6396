"""From a scene to a show: bodies made, placed, held and animated."""

from collections.abc import Iterator
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.body.sizes import scaled
from pliant.graph import Graph
from pliant.scene import animation, needs
from pliant.scene.body_builder import BodyBuilder, BuiltBody, Progress
from pliant.scene.digest import show_key
from pliant.scene.locate import Key
from pliant.scene.makers import COLLIDERS, arguments
from pliant.scene.model_schema import ModelTable, record_type, settings_of
from pliant.scene.schema import Copies, Handle, HoldTable, Scene, SceneBody, counts_of, names_of
from pliant.scene.selection import chosen
from pliant.scene.show import Show
from pliant.scene.tracks import AnimationTrack, KeyedMotion
from pliant.scene.values import matrix
from pliant.shapes.lengths import LONGEST
from pliant.world import Actor, Mesh, Wind, World
from pliant.world.colliders import Collider
from pliant.world.fields import FIELDS, as_fields
from pliant.world.mesh import triangles_of
from pliant.world.paths import rotation as about

Array = NDArray[np.float64]

MOST_SCENE_PARTICLES = 20_000_000  # of a scene


def stage(scene: Scene, folder: str | Path | None = None, progress: Progress = None) -> Show:
    """Build everything that a scene says. Paths in it start from `folder`, that of the scene file if not said.
    progress: told how far it is with each body from a file."""
    if folder is not None and Path(folder) != scene.origin.folder:
        scene = scene.written_at(replace(scene.origin, folder=Path(folder)))
    return _Stage(scene, progress).show()


class _Stage:
    def __init__(self, scene: Scene, progress: Progress = None) -> None:
        self.scene, self.origin = scene, scene.origin
        self.progress = progress
        said = scene.world
        with self.origin.at("world"):
            wind = None if said.wind is None else Wind(**dict(said.wind))
            self.world = World(
                said.gravity, precision=said.precision, threads=said.threads, contact=said.contact, wind=wind
            )
        self.acts: list[Any] = []
        self.holds: list[animation.TimedHold] = []
        self._waiting: list[tuple[animation.TimedHold, HoldTable, Key]] = []
        self.built: dict[str, BuiltBody] = {}
        self.meshes: list[Mesh] = []
        self.particles = 0

    def show(self) -> Show:
        try:
            return self._show()
        finally:
            self.origin.assets.let_go()

    def _show(self) -> Show:
        said = self.scene.world
        if said.keys is not None and said.keys.gravity is not None:
            self.acts.append(animation.Gravity(self.world, AnimationTrack.of(said.keys.gravity)))
        for number, collider in enumerate(self.scene.colliders):
            self._collide(collider, number)
        builder = BodyBuilder(self.origin, self.progress)
        for number, body in enumerate(self.scene.bodies):
            try:
                self._add(body, builder.build(body, ("bodies", number)), ("bodies", number))
            except MemoryError:
                message = "there is not enough memory for it; give fewer particles, cells or copies"
                raise self.origin.error(("bodies", number), message) from None
        self._hold()
        self._pull(said.fields)
        animate = animation.Animation(tuple(self.acts)) if self.acts else None
        if animate is not None:
            animate(0.0)
        fps, substeps = frame_steps(self.scene)
        frames = self.scene.output.frames
        embodied = {name: made.embodied for name, made in self.built.items() if made.embodied is not None}
        return Show(
            name=self.name,
            title=self.scene.title,
            world=self.world,
            seconds=said.seconds if frames is None else (frames - 1) / fps,
            fps=fps,
            substeps=substeps,
            animate=animate,
            key=show_key(self.scene, fps, substeps, [made.body for made in self.built.values()], self.meshes),
            camera=self.scene.output.camera,
            grips=animation.grips_of(self.holds),
            output=self.scene.output,
            folder=self.origin.folder,
            embodied=embodied,
            notes=tuple(dict.fromkeys(note for made in self.built.values() for note in made.notes)),
        )

    def _pull(self, fields: list[Any]) -> None:
        """Force fields; those that are of one body have to find it."""
        made = []
        for number, table in enumerate(fields):
            field = FIELDS[table.type](**arguments(table))
            with self.origin.at("world", "fields", number):
                made.append(as_fields(field, {actor.name for actor in self.world.actors})[0])
        self.world.fields = tuple(made)

    @property
    def name(self) -> str:
        if self.origin.path is not None:
            return self.origin.path.stem
        return self.scene.bodies[0].label if self.scene.bodies else "scene"

    def _collide(self, said: Any, number: int) -> None:
        key: Key = ("colliders", number)
        values = arguments(said, "path", "keys", "name", "rotation", "file")
        if said.name is not None:
            values["name"] = said.name
        if said.path is not None:
            values["path"] = KeyedMotion.of(said.path)
        with self.origin.at(*key):
            if "rotation" in said.model_fields_set:
                values["rotation"] = matrix(said.rotation)
            if said.type == "mesh":
                collider: Collider = self._mesh(said.file, values, key)
            else:
                collider = COLLIDERS[said.type](**values)
        self.world.colliders.append(collider)
        tracks = tracks_of(said.keys)
        if tracks:
            self.acts.append(animation.ColliderMaterial(self.world, number, tracks))

    def _mesh(self, file: str, values: dict[str, Any], key: Key) -> Collider:
        with self.origin.at(*key, "file"):
            vertices, triangles = triangles_of(self.origin.assets.read(self.origin.folder / file))
        made = Mesh(vertices, triangles, file=file, **values)
        self.meshes.append(made)
        return made

    def _add(self, said: SceneBody, made: BuiltBody, key: Key) -> None:
        body = made.body
        with self.origin.at(*key, "model"):
            settings = settings_of(said.model, body)
            said.model.model.check(body, settings, said.label)
        self.particles += len(body.rest) * len(names_of(said))
        if self.particles > MOST_SCENE_PARTICLES:
            message = f"with it there are {self.particles:,} particles; give at most {MOST_SCENE_PARTICLES:,} in all"
            raise self.origin.error(key, message)
        self._check_room(said, made, key)
        places = placements(said, body, self.scene.world.seed)
        for name, (position, rotation) in zip(names_of(said), places, strict=True):
            with self.origin.at(*key):
                actor = self.world.add(
                    body,
                    settings,
                    name=name,
                    position=position,
                    rotation=rotation,
                    scale=said.scale,
                    velocity=said.velocity,
                    angular_velocity=np.radians(said.angular_velocity),
                    friction=said.friction,
                    restitution=said.restitution,
                    self_contact=said.self_contact,
                    may_sleep=said.may_sleep,
                )
            self.built[name] = made
            self._tune(said.model, actor, (*key, "model"))
            for kind in ("pins", "handles"):
                for number, grip in enumerate(getattr(said, kind)):
                    with self.origin.at(*key, kind, number, "where"):
                        hold = _hold(grip, actor, body, said.scale)
                    self._check_lists(grip, len(hold.particles), (*key, kind, number))
                    self.holds.append(hold)
                    self._waiting.append((hold, grip, (*key, kind, number)))

    def _check_room(self, said: SceneBody, made: BuiltBody, key: Key) -> None:
        """That it is no larger than numbers can tell, and that its copies fit into the memory."""
        body, copies = made.body, len(names_of(said))
        across = float(np.ptp(body.rest, axis=0).max()) * said.scale if len(body.rest) else 0.0
        if not across <= LONGEST:
            message = f"it would be {across:.3g} m across; give a `scale` that leaves at most {LONGEST:,.0f} m"
            raise self.origin.error((*key, "scale"), message)
        with self.origin.at(*key, *(("copies", "count") if said.copies is not None else ())):
            need = needs.bytes_of_actors(said.model.model.name, len(body.rest), copies)
            what = f"{copies:,} x {len(body.rest):,} particles" if copies > 1 else f"{len(body.rest):,} particles"
            needs.check_memory(need, what, "fewer copies or particles" if copies > 1 else "fewer particles")

    def _check_lists(self, said: HoldTable, count: int, key: Key) -> None:
        """A list of springs or points has one for each particle."""
        for name in ("stiffness", "to"):
            values = getattr(said, name, None)
            if isinstance(values, list) and len(values) != count:
                message = f"{len(values)} given, the selection has {count} particles; give one for each"
                raise self.origin.error((*key, name), message)

    def _tune(self, said: ModelTable, actor: Actor, key: Key) -> None:
        keys = said.keys  # type: ignore[attr-defined]
        if keys is None:
            return
        given = {name: getattr(keys, name) for name in keys.model_fields_set if getattr(keys, name) is not None}
        weights = {name: value for name, value in given.items() if isinstance(value, dict)}
        kinds = type(actor.settings).model_fields
        records = {name: tracks_of(value) for name, value in given.items() if record_type(kinds[name].annotation)}
        apart = weights.keys() | records.keys()
        tracks = {name: AnimationTrack.of(value) for name, value in given.items() if name not in apart}
        for name, named in weights.items():
            for pose in named:
                if pose not in actor.body.poses:
                    there = ", ".join(f'"{each}"' for each in actor.body.poses) or "none"
                    raise self.origin.error((*key, "keys", name, pose), f'there is no pose "{pose}"; there are {there}')
        listed = {
            name: {pose: AnimationTrack.of(value) for pose, value in named.items()} for name, named in weights.items()
        }
        fixed = {name: dict(getattr(actor.settings, name)) for name in weights}
        for name, named in weights.items():
            for pose in named:
                fixed[name].pop(pose, None)
        for name in records:
            if getattr(actor.settings, name) is None:
                raise self.origin.error((*key, "keys", name), f"there is no {name} to change; give the model a {name}")
        self.acts.append(animation.Tuning(actor, tracks, records, listed, fixed))

    def _wait(self) -> None:
        """Events that holds begin or end on; what they speak of is there by now."""
        known = {each.name for each in self.world.colliders if each.name} | {each.name for each in self.world.actors}
        for hold, said, key in self._waiting:
            for name in ("begin_on", "end_on"):
                text = getattr(said, name)
                if text is None:
                    continue
                event = animation.Event(hold.actor, text)
                if event.touched is not None and event.touched not in known - {hold.actor.name}:
                    there = ", ".join(f'"{each}"' for each in sorted(known)) or "none"
                    message = f'there is nothing called "{event.touched}" to touch; there are {there}'
                    raise self.origin.error((*key, name), message)
                setattr(hold, name, event)

    def _hold(self) -> None:
        """In the order in which they begin: a show that is taken up in the middle takes hold in the same order."""
        self._wait()
        self.holds.sort(key=lambda hold: hold.begin)
        for hold in self.holds:
            hold(0.0)
            if hold.begin > 0 or hold.end is not None or hold.begin_on or hold.end_on:
                self.acts.append(hold)


def _hold(said: HoldTable, actor: Actor, given: Body, scale: float) -> animation.TimedHold:
    def choose() -> NDArray[np.int32]:
        return chosen(said.where, before_scaling(actor.body, given, scale), "the selection")

    motion = None if said.path is None else KeyedMotion.of(said.path, said.begin)
    if not isinstance(said, Handle):
        return animation.TimedHold(actor, choose, False, None, motion, said.begin, said.end)
    springs = tuple(said.stiffness) if isinstance(said.stiffness, list) else said.stiffness
    points = None if said.to is None else np.array(said.to)
    return animation.TimedHold(actor, choose, True, springs, motion, said.begin, said.end, points)


def before_scaling(played: Body, given: Body, scale: float) -> Body:
    """The body that a model plays, in the size of the one that was given: selections speak of that. Where it plays the
    given particles, they are these, to the last digit."""
    return scaled(played, 1 / scale) if isinstance(played, Graph) else given


def tracks_of(keys: Any) -> dict[str, AnimationTrack]:
    """The tracks of a table of keys, by name."""
    if keys is None:
        return {}
    said = {name: getattr(keys, name) for name in keys.model_fields_set}
    return {name: AnimationTrack.of(value) for name, value in said.items() if value is not None}


def frame_steps(scene: Scene) -> tuple[float, int]:
    """Frames a second and steps of each. Where the output has frames of its own, its steps are no longer than the
    world's."""
    world, fps = scene.world, scene.output.fps
    if fps is None or fps == world.fps:
        return world.fps, world.substeps
    return fps, max(1, ceil(world.fps * world.substeps / fps - 1e-9))


def placements(said: SceneBody, body: Body, seed: int) -> Iterator[tuple[Array, Array]]:
    """Position and rotation of each copy, so that the anchor of the turned body lies where it is wanted."""
    turn = matrix(said.rotation)
    copies = Copies(count=1, spacing=(0.0, 0.0, 0.0)) if said.copies is None else said.copies
    in_a_row = isinstance(copies.count, int)
    for number, place in enumerate(np.ndindex(*counts_of(copies))):
        offset = np.multiply(place[0] if in_a_row else place, copies.spacing)
        here, turned = np.asarray(said.position) + offset, turn
        if said.jitter is not None:
            # From the seed, the name and the number alone: another body in the scene changes nothing here.
            chance = np.random.default_rng([seed, crc32(said.label.encode()), number])
            here = here + chance.uniform(-said.jitter.position, said.jitter.position, 3)
            axis = chance.normal(size=3)
            angle = np.radians(chance.uniform(0, said.jitter.rotation))
            turned = about(angle * axis / np.linalg.norm(axis)) @ turn
        yield here - anchor(said, body, turned), turned


def anchor(said: SceneBody, body: Body, turn: Array) -> Array:
    """The point that is put at the position, from the body's origin once it is scaled and turned."""
    if said.anchor == "origin":
        return np.zeros(3)
    points = said.scale * body.rest @ turn.T
    if said.anchor == "centre":
        return body.masses @ points / body.mass
    low, high = points.min(axis=0), points.max(axis=0)
    return np.array([(low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2])
