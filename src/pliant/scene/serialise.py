"""A world serialised as the tables of a scene: colliders, paths, placements and what is held. It is plain data, as
`save` writes it; what a scene cannot hold is told in notes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from pliant.graph import Graph
from pliant.models import model_of, played
from pliant.runtime.errors import BodyError
from pliant.scene.makers import COLLIDERS, OF_THE_FILE
from pliant.scene.paths import path_data, plain_list, plain_number
from pliant.world.fields import FIELDS
from pliant.world.validation import as_quaternion

if TYPE_CHECKING:
    from pliant.body import Body
    from pliant.models.settings import Settings
    from pliant.world import Actor, Collider, Mesh, Wind, World
    from pliant.world.constraints import Handle, Pin
    from pliant.world.fields import Field

Array = NDArray[np.float64]

SAME_POINT = 1e-7  # m: a spring that pulls to a point no farther pulls to where the particle is
CARRY_ROUNDS, CARRY_TURNS = 30, 5  # of carrying a pose over: less than a thousandth of the size is missing then
SAME_POSE = 1e-9  # of the size: poses that are the same
UNLIKE = 1e-4  # of the speed: motion that is no flight and no spin


@dataclass(frozen=True, eq=False)
class ActorPlacement:
    """Where an actor was when its world was built: positions, velocities (V, 3), rotation (quaternion x, y, z, w), the
    body that was played, to which these particles belong; and how it meets others (`touch_data`)."""

    positions: Array
    velocities: Array
    rotation: Array
    body: "Body"
    touch: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Start:
    """A world before its first step. pushed: actors on which a force acts."""

    gravity: Array
    precision: str
    places: Mapping[str, ActorPlacement]
    colliders: "tuple[Collider, ...]"
    pins: "tuple[Pin, ...]"
    handles: "tuple[Handle, ...]"
    pushed: tuple[str, ...]
    contact: bool = True
    wind: "Wind | None" = None
    fields: "tuple[Field, ...]" = ()

    @classmethod
    def of(cls, world: "World") -> "Start":
        inputs = world._inputs
        places = {actor.name: _place(actor) for actor in world.actors}
        colliders, pins, handles = tuple(world.colliders), tuple(inputs.pins), tuple(inputs.handles)
        pushed = tuple(inputs.pushed)
        return cls(
            world.gravity,
            world.precision,
            places,
            colliders,
            pins,
            handles,
            pushed,
            world.contact,
            world.wind,
            world.fields,
        )


def _place(actor: "Actor") -> ActorPlacement:
    """In double precision, as long as the state has not been laid out."""
    bag = actor._saved_state
    x, v = (actor.positions, actor.velocities) if bag is None else (bag.positions, bag.velocities)
    rotation = np.array(actor._rotation, np.float64)
    return ActorPlacement(np.array(x, np.float64), np.array(v, np.float64), rotation, actor.body, touch_data(actor))


def placement(place: ActorPlacement, who: str, notes: list[str]) -> dict[str, Any]:
    """The keys `position`, `rotation`, `velocity` and `angular_velocity` of a body."""
    rest, masses = place.body.rest, place.body.masses
    w = float(place.rotation[3])
    offsets = place.positions - rest @ _matrix(place.rotation).T
    data: dict[str, Any] = {"position": plain_list(offsets.mean(axis=0))}
    if np.abs(offsets - offsets.mean(axis=0)).max() > UNLIKE * np.linalg.norm(place.body.size):
        notes.append(f'"{who}" begins deformed; the scene begins with its rest shape')
    if abs(w) < 1 - 1e-15:
        data["rotation"] = plain_list(place.rotation)
    shares = masses / masses.sum()
    velocity = shares @ place.velocities
    arms = place.positions - shares @ place.positions
    spin = _spin(arms, place.velocities - velocity, masses)
    left = place.velocities - velocity - np.cross(spin, arms)
    fastest = float(np.abs(place.velocities).max(initial=0.0))
    if fastest and np.abs(left).max() > UNLIKE * fastest:
        notes.append(f'"{who}" begins with a motion of its parts against each other, which was left out')
    if np.abs(velocity).max() > 1e-9:
        data["velocity"] = plain_list(velocity)
    if np.abs(spin).max() > 1e-9:
        data["angular_velocity"] = plain_list(np.degrees(spin))
    return data


def _matrix(quaternion: Array) -> Array:
    from pliant.world.validation import as_matrix

    return as_matrix(quaternion, "rotation")


def _spin(arms: Array, velocities: Array, masses: Array) -> Array:
    """The angular velocity whose field is nearest to the velocities: inertia times spin is angular momentum."""
    momentum = masses @ np.cross(arms, velocities)
    squares = np.einsum("n,ni,nj->ij", masses, arms, arms)
    inertia = np.trace(squares) * np.eye(3) - squares
    if not np.abs(momentum).max() > 0:
        return np.zeros(3)
    spin: Array = np.linalg.lstsq(inertia, momentum, rcond=1e-9)[0]
    return spin


def field_data(field: "Field") -> dict[str, Any]:
    """A force field as a table of the scene."""
    values = {each.name: getattr(field, each.name) for each in fields(field)}
    kind = next(name for name, made in FIELDS.items() if type(field) is made)
    plain = {name: plain_list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    return {"type": kind} | {name: plain_number(v) if isinstance(v, float) else v for name, v in plain.items()}


def wind_data(wind: "Wind") -> dict[str, Any]:
    """The wind as a table of the scene."""
    numbers = ("drag", "lift", "density", "gusts", "gust_size")
    return {"velocity": plain_list(wind.velocity)} | {name: plain_number(getattr(wind, name)) for name in numbers}


def collider_data(collider: "Collider", number: int, seconds: float, rate: float, notes: list[str]) -> dict[str, Any]:
    """A collider as a table of the scene. seconds, rate: how long and how finely a path that is a function is looked
    at."""
    kind = next(name for name, made in COLLIDERS.items() if type(collider) is made)
    data: dict[str, Any] = {"type": kind}
    for each in fields(collider):
        value = getattr(collider, each.name)
        if each.name in OF_THE_FILE or value is None:
            continue  # a mesh stands in a file, which the writer of the scene names
        if each.name == "name":
            if value:
                data["name"] = value
        elif each.name == "path":
            who = f'the {kind} "{collider.name}"' if collider.name else f"{kind} {number + 1}"
            data["path"] = path_data(value, seconds, rate, who, notes)
        elif each.name == "rotation":
            quaternion = as_quaternion(value)
            if abs(quaternion[3]) < 1 - 1e-15:
                data["rotation"] = plain_list(quaternion)
        elif isinstance(value, int):  # a count, or yes and no
            data[each.name] = value
        else:
            data[each.name] = plain_list(value) if np.ndim(value) else plain_number(value)
    return data


def moved(data: dict[str, Any], offset: Array) -> dict[str, Any]:
    """The table of a collider that was taken elsewhere by an offset (3,) m."""
    kind = COLLIDERS[data["type"]]
    own = {each.name: each.default for each in fields(kind)}
    places = [name for name in ("position", "centre", "point", "start", "end") if name in own]
    return data | {name: plain_list(np.add(data.get(name, own[name]), offset)) for name in places}


def touch_data(actor: "Actor") -> dict[str, Any]:
    """How an actor meets other bodies, where that is not as usual."""
    usual = {"friction": 0.5, "restitution": 0.0, "self_contact": False, "may_sleep": True}
    return {name: value for name in usual if (value := getattr(actor, name)) != usual[name]}


def mesh_text(collider: "Mesh") -> bytes:
    """The surface of a mesh as an .obj file, to the last digit."""
    rows = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(collider.vertices).tolist()]
    rows += [f"f {a} {b} {c}" for a, b, c in (np.asarray(collider.triangles) + 1).tolist()]
    return ("\n".join(rows) + "\n").encode()


def given_body(body: "Body", settings: "Settings", who: str, notes: list[str]) -> "Body":
    """The body that a file is to hold: of a graph, the one that it plays, with the graph's poses and groups."""
    if not isinstance(body, Graph):
        return body
    if body.source is None:
        raise BodyError(f'"{who}" is a graph that was made by hand; scenes hold bodies, so make it with graph_of')
    given = body.source
    for pose in given.poses:
        if pose not in body.poses:
            given = given.without_pose(pose)
    for pose, centres in body.poses.items():
        if pose in given.poses:
            if np.abs(body.gather(given.poses[pose])[0] - centres).max() <= SAME_POSE * np.linalg.norm(body.size):
                continue
            given = given.without_pose(pose)
        given = given.with_pose(pose, _spread(body, centres, body.turns[pose]))
        notes.append(f'the pose "{pose}" of "{who}" was made of {len(centres)} particles; the body takes it from them')
    for group, members in body.groups.items():
        if group not in given.groups:
            given = given.with_group(group, body.of_source(members))
    model = model_of(settings)
    assert model is not None
    again = played(given, model, settings).rest
    if again.shape != body.rest.shape or np.abs(again - body.rest).max() > SAME_POSE * np.linalg.norm(body.size):
        notes.append(f'the particles of "{who}" are spread anew when the scene is opened')
    return given


def _spread(graph: Graph, centres: Array, turns: Array) -> Array:
    """Where the particles of its source are in a pose of a graph: so that gathered again they give the pose. Where they
    ride, a pose is smoothed; what is lost is added to what they ride on."""
    wanted, at, turned = Rotation.from_quat(turns), centres, Rotation.from_quat(turns)
    for number in range(CARRY_ROUNDS):
        there, found = graph.gather(graph.spread(at, turned.as_quat()))
        at = at + centres - there
        if number < CARRY_TURNS:  # more would sway, where the particles are few
            turned = wanted * Rotation.from_quat(found).inv() * turned
    return graph.spread(at, turned.as_quat())


def where_data(particles: NDArray[Any], body: "Body") -> dict[str, Any]:
    """The selection of some of the particles that are played. A scene's numbers are those of the body that is given; a
    graph that plays it has others, which are told by their places."""
    if not isinstance(body, Graph):
        return {"indices": np.asarray(particles).tolist()}
    places = [{"nearest": plain_list(centre)} for centre in body.rest[particles]]
    return places[0] if len(places) == 1 else {"any_of": places}


def pin_data(pin: "Pin", place: ActorPlacement, seconds: float, rate: float, notes: list[str]) -> dict[str, Any]:
    """A pin that is there from the beginning."""
    data: dict[str, Any] = {"where": where_data(pin.particles, place.body)}
    if pin.path is not None:
        data["path"] = path_data(pin.path, seconds, rate, f'a pin of "{pin.actor.name}"', notes)
    return data


def handle_data(
    handles: "list[Handle]", place: ActorPlacement, seconds: float, rate: float, notes: list[str]
) -> list[dict[str, Any]]:
    """Handles that are there from the beginning; those of one path and one stiffness together."""
    together: dict[tuple[int, float], list[Handle]] = {}
    for handle in handles:
        if handle.is_aim:
            notes.append(f'"{handle.actor.name}" is turned by a handle, which a scene has no word for; it was left out')
            continue
        together.setdefault((id(handle.path), handle.stiffness), []).append(handle)
    found = []
    for (_, stiffness), some in together.items():
        held: dict[int, Array] = {}
        for handle in some:
            particle = int(handle.particles[int(np.argmax(handle.weights))])
            if handle.weights.max() < 1 and f'"{handle.actor.name}" was held by its skin' not in " ".join(notes):
                notes.append(f'"{handle.actor.name}" was held by its skin; the nearest particle is held instead')
            held[particle] = handle.origin if handle.weights.max() == 1 else place.positions[particle]
        particles = sorted(held)
        where = where_data(np.array(particles), place.body)
        data: dict[str, Any] = {"where": where, "stiffness": plain_number(stiffness * len(particles))}
        points = np.array([held[particle] for particle in particles])
        if np.abs(points - place.positions[particles]).max() > SAME_POINT:
            data["to"] = [plain_list(point) for point in points]
        if some[0].path is not None:
            data["path"] = path_data(some[0].path, seconds, rate, f'a handle of "{some[0].actor.name}"', notes)
        found.append(data)
    return found
