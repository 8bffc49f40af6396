"""A session as a scene: one .zip with scene.toml and the bodies, which opens again wherever scenes do."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel

from pliant.body import Body
from pliant.models.settings import Settings
from pliant.scene.paths import plain_list, plain_number
from pliant.scene.serialise import (
    collider_data,
    field_data,
    given_body,
    handle_data,
    mesh_text,
    moved,
    pin_data,
    placement,
    where_data,
    wind_data,
)
from pliant.viewer.recording.file_names import plain_name
from pliant.world import Mesh

if TYPE_CHECKING:
    from pliant.scene.schema import SceneBody
    from pliant.viewer.simulation.panel_state import PanelState

FPS = 60.0
SCENE_FILE = "scene.toml"
NO_DATE = (1980, 1, 1, 0, 0, 0)
HEADING = """\
# Saved by Pliant. Unpack it, then:
#
#   pliant view scene.toml                 plays it in the browser
#   pliant bake scene.toml -o out.glb      writes it to a file
#
# or drop the .zip on the page. The .npz files are the bodies with their poses and groups, the .obj files obstacles.
"""


def scene_zip(panel_state: "PanelState", camera: Sequence[float] | None = None) -> tuple[bytes, tuple[str, ...]]:
    """The file, and what could not be said in it. camera: the direction to look from."""
    return _Writer(panel_state, camera).write()


class _Writer:
    def __init__(self, panel_state: "PanelState", camera: Sequence[float] | None) -> None:
        self.panel_state, self.camera = panel_state, camera
        self.origin = panel_state.origin
        self.start, self.scene = self.origin.start, self.origin.scene
        self.rate = FPS * panel_state.conditions.substeps
        self.notes: list[str] = []
        self.files: dict[str, bytes] = {}
        self._known: dict[str, str] = {}  # digest of a body: its file

    def write(self) -> tuple[bytes, tuple[str, ...]]:
        from pliant.scene.load import scene_from_text
        from pliant.scene.save import document

        data = {
            "title": self.origin.title,
            "world": self._world(),
            "colliders": self._colliders(),
            "bodies": [self._body(actor.name, actor.body) for actor in self.panel_state.actors],
            "output": self._output(),
            "checks": self._said().get("checks"),
        }
        for name in self.start.pushed:
            self.notes.append(f'the force on "{name}" is a function, which a scene has no word for; it was left out')
        notes = tuple(dict.fromkeys(self.notes))
        told = "".join(f"# Note: {note}.\n" for note in notes)
        text = HEADING + told + "\n" + document({key: value for key, value in data.items() if value})
        scene_from_text(text)  # what is given away can be read
        return _zipped({SCENE_FILE: text.encode(), **self.files}), notes

    # ---- the world ---------------------------------------------------------------------------------------

    def _world(self) -> dict[str, Any]:
        conditions, own = self.panel_state.conditions, self.panel_state.own_conditions
        gravity = self.start.gravity
        if conditions.gravity != own.gravity:
            down = gravity / own.gravity if own.gravity else np.array([0.0, -1.0, 0.0])
            gravity = conditions.gravity * down
        data: dict[str, Any] = {
            "gravity": plain_list(gravity),
            "seconds": plain_number(self.origin.seconds),
            "fps": FPS,
            "substeps": conditions.substeps,
        }
        if self.start.precision != "single":
            data["precision"] = self.start.precision
        if not self.start.contact:
            data["contact"] = False
        if self.start.wind is not None:
            data["wind"] = wind_data(self.start.wind)
        if self.start.fields:
            data["fields"] = [field_data(field) for field in self.start.fields]
        keys = self._said().get("world", {}).get("keys")
        return data | ({"keys": keys} if keys else {})

    def _colliders(self) -> list[dict[str, Any]]:
        conditions, own = self.panel_state.conditions, self.panel_state.own_conditions
        if self.scene is not None:
            found = [dict(each) for each in self._said().get("colliders", [])]
        else:
            seconds = self.origin.seconds
            listed = enumerate(self.start.colliders)
            found = [collider_data(each, number, seconds, self.rate, self.notes) for number, each in listed]
        for number, each in enumerate(self.start.colliders):
            if isinstance(each, Mesh):
                found[number] = found[number] | {"file": self._mesh(each)}
        for number, offset in self.panel_state.towed.items():
            found[number] = moved(found[number], offset)
        if conditions.friction != own.friction:
            found = [each | {"friction": conditions.friction} for each in found]
        return found

    def _output(self) -> dict[str, Any]:
        data = dict(self._said().get("output", {}))
        for key in ("frames", "fps"):  # these were the world's
            data.pop(key, None)
        if self.camera is not None:
            data["camera"] = plain_list(self.camera)
        return data

    def _said(self) -> dict[str, Any]:
        from pliant.scene.save import plain

        return {} if self.scene is None else plain(self.scene)

    # ---- bodies ------------------------------------------------------------------------------------------

    def _body(self, name: str, body: Body) -> dict[str, Any]:
        """body: the one that is played. The file has the one that it was made from, which any model can play."""
        said = self._said_of(name)
        settings = self.panel_state.settings[name]
        model, given = self._model(settings, said, given_body(body, settings, name, self.notes))
        data: dict[str, Any] = {"name": name, "file": self._file(given, name)}
        if said is None:
            data |= placement(self.start.places[name], name, self.notes)
        else:
            data |= _placed(said, name, given, 0 if self.scene is None else self.scene.world.seed)
        data |= self.start.places[name].touch
        data["model"] = model
        pins, handles = self._held(name, said, body)
        return data | ({"pins": pins} if pins else {}) | ({"handles": handles} if handles else {})

    def _said_of(self, name: str) -> "SceneBody | None":
        from pliant.scene.schema import names_of

        bodies = [] if self.scene is None else self.scene.bodies
        return next((body for body in bodies if name in names_of(body)), None)

    def _file(self, body: Body, name: str) -> str:
        """The file of a body; bodies that are alike have one."""
        from pliant.files.body_npz import write_body
        with TemporaryDirectory(prefix="pliant-") as folder:
            path = Path(folder) / "body.npz"
            write_body(body, path)
            content = path.read_bytes()
        digest = sha256(content).hexdigest()
        if digest not in self._known:
            stem, number = plain_name(body.name if body.name != "body" else name), 1
            free = f"{stem}.npz"
            while free in self.files:
                number += 1
                free = f"{stem}-{number}.npz"
            self.files[free] = content
            self._known[digest] = free
        return self._known[digest]

    def _mesh(self, collider: Mesh) -> str:
        """The file of a mesh."""
        content = mesh_text(collider)
        stem = plain_name(Path(collider.file).stem if collider.file else collider.name or "mesh")
        known = [name for name, each in self.files.items() if each == content]
        if known:
            return known[0]
        name, number = f"{stem}.obj", 1
        while name in self.files:
            number += 1
            name = f"{stem}-{number}.obj"
        self.files[name] = content
        return name

    def _model(self, settings: Settings, said: "SceneBody | None", body: Body) -> tuple[dict[str, Any], Body]:
        """The table of the model, and the body with the groups that it speaks of."""
        from pliant.models import model_of

        model = model_of(settings)
        assert model is not None
        data: dict[str, Any] = {"type": model.name}
        keys = _keys(said, model.name, body)
        for name, info in type(settings).model_fields.items():
            value = getattr(settings, name)
            if isinstance(value, Mapping):
                body, value = _named(value, body)
                value = {key: each for key, each in value.items() if key not in keys.get(name, {})}
                if value:
                    data[name] = value
            elif isinstance(value, BaseModel):
                data[name] = value.model_dump(exclude_defaults=True)  # with what its keys change: they need the record
            elif name not in keys and value != info.default:
                data[name] = plain_list(value) if isinstance(value, tuple) else value
        return data | ({"keys": keys} if keys else {}), body

    def _held(self, name: str, said: "SceneBody | None", body: Body) -> tuple[list[Any], list[Any]]:
        if said is not None:
            pins, handles = _holds(said, body)
        else:
            seconds, place = self.origin.seconds, self.start.places[name]
            own = [pin for pin in self.start.pins if pin.actor.name == name]
            pins = [pin_data(pin, place, seconds, self.rate, self.notes) for pin in own]
            held = [handle for handle in self.start.handles if handle.actor.name == name]
            handles = handle_data(held, place, seconds, self.rate, self.notes)
        for each in self.panel_state.held:
            if each.actor == name:
                order = np.argsort(each.particles)
                handles.append(
                    {
                        "where": where_data(each.particles[order], body),
                        "stiffness": [plain_number(spring) for spring in each.stiffness[order]],
                        "to": [plain_list(point) for point in each.points[order]],
                    }
                )
        return pins, handles


def _named(groups: Mapping[str, Any], body: Body) -> tuple[Body, dict[str, Any]]:
    """A mapping from names to numbers as it is; one to particles as names of groups that the body gets."""
    from pliant.geometry.selection import select

    found: dict[str, Any] = {}
    for name, value in groups.items():
        if isinstance(value, int | float | str):
            found[name] = value
            continue
        members = select(value, body.rest)
        own, number = str(name), 1
        while own in body.groups and not np.array_equal(body.groups[own], members):
            number += 1
            own = f"{name} {number}"
        if own not in body.groups:
            body = body.with_group(own, members)
        found[name] = own
    return body, found


def _keys(said: "SceneBody | None", model: str, body: Body) -> dict[str, Any]:
    """The keys over time that the scene has for the model, as long as it is that one; not those of poses that went."""
    told = {} if said is None else said.model_dump(mode="json", exclude_unset=True).get("model", {})
    if said is None or said.model.model.name != model:
        return {}
    keys = dict(told.get("keys") or {})
    for name, track in keys.items():
        if isinstance(getattr(said.model.keys, name, None), dict):  # type: ignore[attr-defined]
            keys[name] = {pose: each for pose, each in track.items() if pose in body.poses}
    return {name: track for name, track in keys.items() if track}


def _placed(said: "SceneBody", name: str, body: Body, seed: int) -> dict[str, Any]:
    """Where the scene puts an actor; one of several copies where its turn comes. The body is scaled already."""
    from pliant.scene.build import placements
    from pliant.scene.schema import names_of
    from pliant.world.validation import as_quaternion

    places = placements(said.model_copy(update={"scale": 1.0}), body, seed)
    position, turn = list(places)[names_of(said).index(name)]
    data: dict[str, Any] = {"position": plain_list(position)}
    quaternion = as_quaternion(turn)
    if abs(quaternion[3]) < 1 - 1e-15:
        data["rotation"] = plain_list(quaternion)
    for key in ("velocity", "angular_velocity"):
        if any(getattr(said, key)):
            data[key] = list(getattr(said, key))
    return data


def _holds(said: "SceneBody", body: Body) -> tuple[list[Any], list[Any]]:
    """Pins and handles of a scene, their particles one by one: selections are of the body before it is scaled."""
    from pliant.scene.selection import chosen

    own = body if said.scale == 1 else body.scaled(1 / said.scale)
    told = said.model_dump(mode="json", exclude_unset=True)
    found = []
    for kind in ("pins", "handles"):
        grips = zip(getattr(said, kind), told.get(kind, []), strict=True)
        found.append([table | {"where": where_data(chosen(grip.where, own, kind), body)} for grip, table in grips])
    return found[0], found[1]


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """The same files give the same bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, NO_DATE)
            info.external_attr = 0o644 << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return made.getvalue()
