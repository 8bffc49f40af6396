"""From the blocks of a message to a body: as from a file, but that nothing is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.files.asset import Asset
from pliant.files.limits import MOST_VERTICES
from pliant.models import Model, models
from pliant.models.settings import Settings
from pliant.models.shape_matching.material import stiffness_of
from pliant.models.shape_matching.settings import ShapeMatching
from pliant.runtime.errors import SettingsError
from pliant.scene.default import suited
from pliant.scene.needs import PARTICLE, bytes_of_filling, check_memory
from pliant.scene.standing import strength_to_stand
from pliant.serve.schema import WireBody
from pliant.serve.wire import Block
from pliant.volume.dirty import examine
from pliant.volume.draft import Progress
from pliant.volume.embody import Embodied, embody
from pliant.volume.grouping import LEAST_WEIGHT
from pliant.volume.solids import too_thin
from pliant.volume.welding import weld

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

# Painted stiffness as groups of a body: so many steps, each a factor of the fifth part of the range from 0.01 to 100.
STIFFNESS_LEVELS = np.geomspace(0.01, 100.0, 21)
PAINTED = "painted stiffness "
PAINTED_BY = ("painted", "stiffness")  # what models call the factors of named groups


@dataclass(frozen=True, eq=False)
class Handed:
    """A body as it was handed over, and what became of it.  drawn (S,): for each vertex of the skin its number in what
    was handed over; groups: as they were handed over; substeps: that its material wants in a 60th of a second."""

    said: WireBody
    embodied: Embodied
    body: Body
    settings: Settings
    rest: Array
    drawn: Indices
    groups: dict[str, Indices]
    notes: tuple[str, ...]


class Blocks:
    """The blocks of one table of a message, each taken once, with its shape checked."""

    def __init__(self, blocks: dict[str, Block], prefix: str, who: str) -> None:
        self._blocks, self._prefix, self.who = blocks, prefix, who

    def has(self, name: str) -> bool:
        return self._prefix + name in self._blocks

    def floats(self, name: str, *shape: int | None) -> Array:
        """float64, finite, of a shape in which None is any number."""
        block = self.take(name, "f", shape).astype(np.float64)
        if not np.isfinite(block).all():
            raise SettingsError(f"{self.who}: some numbers of {name} are not finite; mend them")
        return block

    def numbers(self, name: str, below: int, *shape: int | None) -> Indices:
        """Numbers of things of which there are so many."""
        block = self.take(name, "i", shape).astype(np.int32)
        if block.size and (block.min() < 0 or block.max() >= below):
            raise SettingsError(f"{self.who}: {name} names {int(block.max())} of {below:,}; count from 0")
        return block

    def take(self, name: str, kind: str, shape: tuple[int | None, ...]) -> Block:
        """As it came."""
        block = self._blocks.pop(self._prefix + name, None)
        if block is None:
            raise SettingsError(f"{self.who}: there is no block {self._prefix}{name}")
        wanted = "x".join("any" if each is None else str(each) for each in shape)
        fits = block.ndim == len(shape) and all(
            want is None or want == got for want, got in zip(shape, block.shape, strict=True)
        )
        if not fits or block.dtype.kind != kind:
            got = "x".join(map(str, block.shape))
            raise SettingsError(f"{self.who}: {name} has {block.dtype.str[1:]} of {got}; give {kind}4 of {wanted}")
        return block


def handed_body(said: WireBody, blocks: Blocks, gravity: float, progress: Progress) -> Handed:
    """The body that a message hands over, ready to be put into a world."""
    vertices = blocks.floats("vertices", None, 3)
    if not 3 <= len(vertices) <= MOST_VERTICES:
        raise SettingsError(f"{said.name}: {len(vertices):,} vertices; give 3 to {MOST_VERTICES:,}")
    asset = _asset(said, blocks, vertices)
    check_memory(
        PARTICLE * said.particles + bytes_of_filling(said.particles), f"{said.particles:,} particles", "fewer particles"
    )
    embodied = embody(
        asset,
        kind=_kind(said, asset),
        particles=said.particles,
        density=said.density,
        thickness=said.thickness,
        progress=progress,
    )
    body, notes = embodied.body, list(embodied.notes)
    stiffness = blocks.floats("stiffness", len(vertices)) if blocks.has("stiffness") else None
    assert embodied.drawn is not None
    drawn = embodied.drawn
    model, settings = _settings(said, body, gravity)
    if stiffness is not None and not (stiffness == 1.0).all():
        body, settings = _painted(said, body, model, settings, stiffness[drawn])
    return Handed(said, embodied, body, settings, vertices, drawn, dict(asset.groups), tuple(notes))


def _asset(said: WireBody, blocks: Blocks, vertices: Array) -> Asset:
    count = len(vertices)
    tets = blocks.numbers("tets", count, None, 4) if blocks.has("tets") else None
    faces = np.zeros((0, 3), np.int32)
    if tets is None or blocks.has("faces"):
        faces = blocks.numbers("faces", count, None, 3)
    if tets is None and len(faces) == 0:
        raise SettingsError(f"{said.name}: there is no face in it; give a mesh with faces")
    for names in (said.poses, said.groups):
        if len(set(names)) < len(names):
            raise SettingsError(f"{said.name}: two poses or groups have one name; give each its own")
    return Asset(
        name=said.name,
        source=Path(said.name),
        vertices=vertices,
        faces=faces,
        tets=tets,
        poses={name: blocks.floats(f"poses/{number}", count, 3) for number, name in enumerate(said.poses)},
        groups={
            name: np.unique(blocks.numbers(f"groups/{number}", count, None)).astype(np.int32)
            for number, name in enumerate(said.groups)
        },
    )


def _kind(said: WireBody, asset: Asset) -> str | None:
    """What it is made as: a surface that encloses next to nothing is a shell, if it may be."""
    if said.kind != "auto":
        return said.kind
    if asset.tets is not None:
        return None
    welded = weld(asset.vertices, asset.faces, {})
    facts, mended = examine(len(asset.vertices), asset.vertices[welded.vertices], welded.faces)
    return "shell" if len(mended.faces) and too_thin(facts) else "solid"


def _settings(said: WireBody, body: Body, gravity: float) -> tuple[Model, Settings]:
    """The settings of its model; of shape matching what was not said suits its size and weight."""
    values = dict(said.model)
    name = values.pop("type", "shape_matching")
    known = models()
    if not isinstance(name, str) or name not in known:
        raise SettingsError(f'{said.name}: there is no model {str(name)[:60]!r}; give one of {", ".join(known)}')
    if said.examples:
        values["examples"] = {each: _group(said, body, each) for each in said.examples}
    model = known[name]
    if model.settings is ShapeMatching:
        values = _completed(values, body, gravity)
    settings = model.settings(**values)
    model.check(body, settings, said.name)
    return model, settings


def _completed(values: dict[str, Any], body: Body, gravity: float) -> dict[str, Any]:
    """Settings of shape matching, with those that were not said."""
    if values.get("young") is None:
        return {**suited(body, gravity), **values}
    asked = ShapeMatching(**values)  # what is wrong with them is told here
    if "example_strength" in values:
        return values
    stiffness = float(stiffness_of(body, ShapeMatching(young=asked.young)).particles.mean())
    return {**values, "example_strength": strength_to_stand(body, stiffness, asked.damping, gravity)}


def _group(said: WireBody, body: Body, name: str) -> Indices:
    if name not in body.groups:
        raise SettingsError(f'{said.name}: there is no group "{name}" with vertices in it; paint it, or name another')
    return body.groups[name]


def _painted(
    said: WireBody, body: Body, model: Model, settings: Settings, factors: Array
) -> tuple[Body, Settings]:
    """Stiffness painted on the skin. Models have it by groups: as many as there are levels."""
    where = next((name for name in PAINTED_BY if name in type(settings).model_fields), None)
    if where is None or not isinstance(getattr(settings, where), Mapping):
        raise SettingsError(
            f"{said.name}: the model {model.name} cannot have painted stiffness; choose shape_matching, mass_spring or "
            "fem, or leave the map away"
        )
    skin = body.skin
    carried = np.maximum(skin.weights, 0.0)
    total = np.bincount(skin.indices.ravel(), carried.ravel(), minlength=len(body.rest))
    logs = np.log(np.clip(factors, STIFFNESS_LEVELS[0], STIFFNESS_LEVELS[-1]))
    sums = np.bincount(skin.indices.ravel(), (carried * logs[:, None]).ravel(), minlength=len(body.rest))
    bare = total < LEAST_WEIGHT
    mean: Array = sums / np.maximum(total, LEAST_WEIGHT)
    if bare.any():  # the inside has what the nearest particle under the skin has
        from scipy.spatial import cKDTree

        _, near = cKDTree(body.rest[~bare]).query(body.rest[bare])
        mean[bare] = mean[~bare][near]
    level = np.abs(mean[:, None] - np.log(STIFFNESS_LEVELS)).argmin(axis=1)
    named = {f"{PAINTED}{STIFFNESS_LEVELS[each]:.3g}": each for each in np.unique(level).tolist()}
    for name, each in named.items():
        body = body.with_group(name, np.flatnonzero(level == each))
    table = {**getattr(settings, where), **{name: float(STIFFNESS_LEVELS[each]) for name, each in named.items()}}
    return body, settings.changed(**{where: table})
