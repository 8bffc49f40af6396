"""What goes out: frames, reports, settled shapes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples import ExampleSettings
from pliant.poses import settle
from pliant.runtime.errors import SettingsError
from pliant.serve.holding import carried_along
from pliant.serve.schema import SettleRequest
from pliant.serve.staging import Staged
from pliant.serve.wire import Message
from pliant.session.inspection import plain
from pliant.volume.grouping import LEAST_WEIGHT
from pliant.world import Frame
from pliant.world.contacts import Contacts

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

SETTLING_ROUNDS = 4  # the skin comes nearer to where it is held in each; one leaves some percent of the size
MOVED_MOST = 0.5  # of the largest displacement in a pose: the vertices that a finding without elements points at


def frame_message(staged: Staged, number: int, frame: Frame, contacts: Contacts | None = None) -> Message:
    """The skin of each body, its weights, and where bodies touch if that is known."""
    blocks: dict[str, Any] = {}
    for place, actor in enumerate(staged.actors):
        blocks[f"surface/{place}"] = frame.surface(actor.name)
        blocks[f"weights/{place}"] = np.asarray(frame.weights[actor.name], np.float64)
    if contacts is not None:
        blocks["contacts/points"] = contacts.points
        blocks["contacts/bodies"] = contacts.actors.astype(np.int32)
    return Message({"is": "frame", "number": number, "time": round(frame.time, 9)}, blocks)


def ready_message(staged: Staged) -> Message:
    """What became of what was handed over."""
    bodies, blocks = [], {}
    for place, (handed, actor) in enumerate(zip(staged.handed, staged.actors, strict=True)):
        body = handed.body
        bodies.append(
            {
                "name": actor.name,
                "kind": body.kind,
                "particles": len(actor.body.rest),
                "model": type(actor.settings).__name__,
                "poses": list(actor.body.poses),
                "groups": list(actor.group_names),
                "notes": list(handed.notes),
            }
        )
        if len(handed.drawn) != len(handed.rest) or (np.diff(handed.drawn) != 1).any():
            blocks[f"drawn/{place}"] = handed.drawn
    head = {"is": "ready", "key": staged.key, "substeps": staged.show.substeps, "bodies": bodies}
    return Message(head, blocks)


def report_message(staged: Staged) -> Message:
    """The quality of the poses as examples: for each body a text for people, and findings with vertices."""
    bodies, blocks = [], {}
    for place, (handed, actor) in enumerate(zip(staged.handed, staged.actors, strict=True)):
        body = handed.body
        asked: list[Any] = [actor.settings] if isinstance(actor.settings, ExampleSettings) else []
        report = body.report(*asked)
        findings = []
        for finding in report.findings:
            numbers = next((pose for pose in report.poses if pose.name == finding.pose), None)
            named = () if numbers is None else {"inverted": numbers.inverted, "crushed": numbers.crushed}
            elements = named.get(finding.kind, ()) if named else ()
            vertices = _vertices(body, finding.pose, elements)
            findings.append((finding.kind, finding.pose, finding.text, finding.advice, vertices))
        for fit in handed.embodied.fits:
            if fit.remedy:
                text = f"is {fit.verdict}: the skin misses it by {fit.mean / fit.diagonal:.2%} of the size on average"
                findings.append((fit.verdict, fit.name, text, fit.remedy, _vertices(body, fit.name, ())))
        listed = []
        for number, (kind, pose, text, advice, vertices) in enumerate(findings):
            listed.append({"kind": kind, "pose": pose, "text": text, "advice": advice})
            blocks[f"findings/{place}/{number}"] = handed.drawn[vertices]
        said = {"text": str(report), "report": plain(report.to_dict()), "findings": listed}
        bodies.append({"name": actor.name, **said})
    return Message({"is": "report", "bodies": bodies}, blocks)


def _vertices(body: Body, pose: str, elements: tuple[int, ...]) -> Indices:
    """Vertices of the skin that a finding is about: those that ride on the elements it names, else those that the pose
    moves most."""
    skin = body.skin
    if elements:
        particles = np.zeros(len(body.rest), bool)
        particles[body.elements[list(elements)]] = True
        rides = (particles[skin.indices] & (np.abs(skin.weights) > 0.0)).any(axis=1)
        return np.flatnonzero(rides).astype(np.int32)
    if pose not in body.poses:
        return np.zeros(0, np.int32)
    moved = np.linalg.norm(skin.deform(body.poses[pose]) - skin.vertices, axis=1)
    return np.flatnonzero(moved > MOVED_MOST * moved.max()).astype(np.int32)


def settled_message(staged: Staged, asked: SettleRequest, message: Message) -> Message:
    """The skin of a body that is at rest while some of its vertices are held elsewhere."""
    if not 0 <= asked.body < len(staged.handed):
        raise SettingsError(f"settle: there is no body {asked.body}; give 0 to {len(staged.handed) - 1}")
    handed, body = staged.handed[asked.body], staged.handed[asked.body].body
    vertices, places = message.blocks.get("vertices"), message.blocks.get("places")
    if vertices is None or places is None or vertices.ndim != 1 or places.shape != (len(vertices), 3):
        raise SettingsError("settle: give the blocks vertices (n,) and places (n, 3)")
    if vertices.dtype.kind != "i" or not np.isfinite(places).all() or not len(vertices):
        raise SettingsError("settle: give numbers of vertices and finite places for them, one at least")
    vertices, first = np.unique(vertices, return_index=True)
    places = places[first].astype(np.float64)
    if vertices.min() < 0 or vertices.max() >= len(handed.rest):
        raise SettingsError(f"settle: there is no vertex {int(vertices.max())}; count from 0 to {len(handed.rest) - 1}")
    held = np.flatnonzero(np.isin(handed.drawn, vertices))  # of the skin
    wanted = places[np.searchsorted(vertices, handed.drawn[held])]
    particles = _carrying(body, held)
    targets = carried_along(body.rest[particles], handed.rest[vertices], places[None])[0][0]
    said = {name: getattr(handed.settings, name, None) for name in ("young", "poisson")}
    given: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    weight = staged.show.world.gravity if asked.gravity else (0.0, 0.0, 0.0)
    shape = None
    for _ in range(SETTLING_ROUNDS):
        shape = settle(body, pins=[(particles, targets)], gravity=weight, start=shape, **given)
        surface = body.skin.deform(shape)
        targets = targets + _shared_out(body, held, wanted - surface[held])[particles]
    return Message({"is": "settled", "body": asked.body}, {"surface": surface})


def _shared_out(body: Body, vertices: NDArray[np.integer], off: Array) -> Array:
    """(V, 3): for each particle the mean of what vertices of the skin that ride on it are off."""
    weights, slots = np.maximum(body.skin.weights[vertices], 0.0), body.skin.indices[vertices].ravel()
    count = len(body.rest)
    carried = np.maximum(np.bincount(slots, weights.ravel(), minlength=count), LEAST_WEIGHT)
    moved = [np.bincount(slots, (weights * off[:, axis, None]).ravel(), minlength=count) for axis in range(3)]
    found: Array = np.stack(moved, axis=1) / carried[:, None]
    return found


def _carrying(body: Body, vertices: NDArray[np.integer]) -> NDArray[np.int64]:
    """The particles whose skin is mostly among these vertices; of a few vertices those that carry them most."""
    weights, slots, count = np.maximum(body.skin.weights, 0.0), body.skin.indices, len(body.rest)
    every = np.bincount(slots.ravel(), weights.ravel(), minlength=count)
    mine = np.bincount(slots[vertices].ravel(), weights[vertices].ravel(), minlength=count)
    part = np.where(every > LEAST_WEIGHT, mine / np.maximum(every, LEAST_WEIGHT), 0.0)
    chosen = np.flatnonzero(part > 0.5)
    return chosen if len(chosen) else np.flatnonzero(part >= 0.5 * max(float(part.max()), LEAST_WEIGHT))
