"""Everything worth knowing about a show before it is played for long: bodies, poses, costs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.body.report import Report
from pliant.examples import ExampleSettings
from pliant.graph import Graph
from pliant.models.settings import Settings
from pliant.session.cost import Cost, cost_of
from pliant.session.facts import BindingFacts, BodyMesh, binding_of, mesh_of
from pliant.world import Actor, Collider
from pliant.world import Mesh as Obstacle

if TYPE_CHECKING:
    from pliant.scene.show import Show
    from pliant.volume import Embodied
    from pliant.volume.dirty import MeshFacts
    from pliant.volume.filling.fit import Fit

SHEET_HEIGHT = 480  # pixels of a pose in the picture


@dataclass(frozen=True, eq=False)
class BodyFacts:
    """A body, and the actors that play it.  surface: what was found in the file's surface, None for built-in shapes.
    fits: how well each pose of the surface became one of the volume.  notes: what was left out or mended."""

    name: str
    actors: tuple[str, ...]
    models: tuple[str, ...]
    mesh: BodyMesh
    binding: BindingFacts
    poses: Report
    groups: Mapping[str, int]
    fits: tuple["Fit", ...]
    surface: "MeshFacts | None"
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Fit for JSON."""
        return {
            "name": self.name,
            "actors": list(self.actors),
            "models": list(self.models),
            "mesh": plain(self.mesh),
            "surface": None if self.surface is None else plain(self.surface.to_dict()),
            "skin": plain(self.binding),
            "groups": dict(self.groups),
            "report": plain(self.poses.to_dict()),
            "fits": plain(self.fits),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, eq=False)
class Inspection:
    """name, title: of the show.  bodies: each once, however many actors play it.  cost: measured here and now."""

    name: str
    title: str
    seconds: float
    colliders: tuple[str, ...]
    bodies: tuple[BodyFacts, ...]
    cost: Cost
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Fit for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "seconds": self.seconds,
            "colliders": list(self.colliders),
            "bodies": [body.to_dict() for body in self.bodies],
            "cost": plain(self.cost),
            "notes": list(self.notes),
        }


def inspect_show(show: "Show") -> Inspection:
    """Look at a show that has just been made. It is played a little to be timed."""
    bodies = tuple(_facts(body, actors, show.embodied) for body, actors in _cast(show.world.actors))
    return Inspection(
        name=show.name,
        title=show.title,
        seconds=show.seconds,
        colliders=tuple(_named(each) for each in show.world.colliders),
        bodies=bodies,
        cost=cost_of(show),
        notes=tuple(show.notes),
    )


def _named(collider: Collider) -> str:
    """What an obstacle is; of a mesh also how finely it is felt."""
    if not isinstance(collider, Obstacle):
        return type(collider).__name__.lower()
    x, y, z = collider.grid.values.shape
    cell = 1000 * collider.scale * collider.grid.spacing
    count = len(np.asarray(collider.triangles))
    where = f"{collider.file}: " if collider.file else ""
    return f"mesh ({where}{count:,} triangles, a grid of {x} x {y} x {z}, {cell:.3g} mm apart)"


def picture_of(show: "Show", path: Path) -> Path:
    """The poses of all bodies side by side, below each what models see of it, and the advice of the report."""
    from pliant.session.render.picture import write_png
    from pliant.session.render.report_sheet import report_sheet

    sheets = [
        report_sheet(body, body.report(*_with_examples(actors)), height=SHEET_HEIGHT)
        for body, actors in _cast(show.world.actors)
    ]
    return write_png(path, stacked(sheets))


def stacked(pictures: Sequence[Any]) -> Any:
    """Pictures one above the other, narrow ones with paper to the right of them."""
    width = max(picture.shape[1] for picture in pictures)
    rows = []
    for picture in pictures:
        row = np.full((picture.shape[0], width, picture.shape[2]), 255, picture.dtype)
        row[:, : picture.shape[1]] = picture
        rows.append(row)
    return np.concatenate(rows)


def plain(value: Any) -> Any:
    """Numbers, texts, lists and dictionaries only; what is not finite becomes None, as JSON has no word for it.

    >>> plain({"a": np.float32(0.5), "b": (np.inf, np.arange(2))})
    {'a': 0.5, 'b': [None, [0, 1]]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _cast(actors: Sequence[Actor]) -> list[tuple[Body, list[Actor]]]:
    """Each body with its actors, in the order of the first of them. A body that is scaled is made anew for each actor,
    so they are compared by what they are."""
    known: dict[int, int] = {}
    found: dict[int, tuple[Body, list[Actor]]] = {}
    for actor in actors:
        body = actor.given
        if isinstance(body, Graph) and body.source is not None:
            body = body.source  # what the artist made, and has poses of
        if id(body) not in known:
            arrays: list[NDArray[Any]] = [body.rest, body.elements, *body.poses.values(), body.skin.vertices]
            known[id(body)] = hash((body.name, *body.poses, *(array.tobytes() for array in arrays)))
        found.setdefault(known[id(body)], (body, []))[1].append(actor)
    return list(found.values())


def _with_examples(actors: list[Actor]) -> list[Settings]:
    """Settings of the actors whose models have examples, one of each model."""
    found = {type(actor.settings): actor.settings for actor in actors}
    return [settings for settings in found.values() if isinstance(settings, ExampleSettings)]


def _facts(body: Body, actors: list[Actor], embodied: Mapping[str, "Embodied"]) -> BodyFacts:
    made = next((embodied[actor.name] for actor in actors if actor.name in embodied), None)
    return BodyFacts(
        name=body.name,
        actors=tuple(actor.name for actor in actors),
        models=tuple(dict.fromkeys(type(actor.settings).__name__ for actor in actors)),
        mesh=mesh_of(body),
        binding=binding_of(body),
        poses=body.report(*_with_examples(actors)),
        groups={name: len(members) for name, members in body.groups.items()},
        fits=made.fits if made else (),
        surface=made.mesh if made else None,
        notes=made.notes if made else (),
    )
