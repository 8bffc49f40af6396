"""What is in a scene, for people and for programs."""

from typing import Any

from pliant.scene.schema import Scene, SceneBody, names_of
from pliant.scene.show import Show


def summary(scene: Scene, show: Show) -> dict[str, Any]:
    """The facts of a scene that was built, fit for JSON."""
    return {
        "name": show.name,
        "title": show.title,
        "seconds": show.seconds,
        "frames": show.frames,
        "fps": show.fps,
        "substeps": show.substeps,
        "precision": show.world.precision,
        "gravity": show.world.gravity.tolist(),
        "key": show.key,
        "colliders": [
            {"type": each.type, "name": each.name, "moves": each.path is not None, "file": getattr(each, "file", None)}
            for each in scene.colliders
        ],
        "bodies": [_body(body, show) for body in scene.bodies],
        "keyed": keyed(scene),
        "notes": list(show.notes),
    }


def _body(said: SceneBody, show: Show) -> dict[str, Any]:
    names = names_of(said)
    actor = show.world[names[0]]
    body = actor.body
    return {
        "name": said.label,
        "source": said.file if said.file is not None else f"shape {_shape(said)}",
        "actors": names,
        "kind": body.kind,
        "particles": len(body.rest),
        "mass": body.mass,
        "size": body.size.tolist(),
        "model": said.model.type,  # type: ignore[attr-defined]
        "poses": list(body.poses),
        "groups": list(actor.group_names),
        "pins": len(said.pins),
        "handles": len(said.handles),
    }


def _shape(said: SceneBody) -> str:
    return said.shape if isinstance(said.shape, str) else said.shape.type  # type: ignore[union-attr]


def keyed(scene: Scene) -> list[str]:
    """The paths of what changes over time."""
    found = []
    for key, table in (
        ("world", scene.world),
        *((f"colliders.{each.name or number}", each) for number, each in enumerate(scene.colliders)),
        *((f"bodies.{body.label}.model", body.model) for body in scene.bodies),
    ):
        keys = {} if table.keys is None else table.keys.model_dump(exclude_none=True)
        for name, value in keys.items():
            inner = [f".{each}" for each in value] if isinstance(value, dict) and "keys" not in value else [""]
            found += [f"{key}.{name}{each}" for each in inner]
    return found
