"""Takes hold of an actor: what is asked for becomes a pin, a handle or an aim."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.geometry.nearest import barycentric_in_tet
from pliant.geometry.selection import Selection, select
from pliant.runtime.errors import SettingsError
from pliant.world.constraints import Aim, Handle, Pin, held_point, turned_arms
from pliant.world.paths import Motion
from pliant.world.validation import Array, as_vector, formatted, whole

if TYPE_CHECKING:
    from pliant.body.body import Body
    from pliant.world.actor import Actor


def pin(actor: "Actor", selection: Selection, path: Motion | None) -> Pin:
    """Particles where they are now, or along a path that begins now."""
    who = f'actor "{actor.name}": pin'
    try:
        listed = selection if callable(selection) else np.asarray(selection)
    except ValueError:
        raise SettingsError(f"{who} = {formatted(selection)}; give indices, a mask or a function") from None
    chosen = select(listed, actor.body.rest, who)
    return Pin(actor, chosen, np.array(actor._here()[chosen], dtype=np.float64), path)


def handle(
    actor: "Actor", particle: int | None, skin: int | None, stiffness: float | None, path: Motion | None
) -> Handle:
    """A spring (N/m) from a particle or a vertex of the skin to where it is now."""
    who = f'actor "{actor.name}": grab'
    number, particles, weights = _point(actor, particle, skin, who)
    arms = None
    if actor._model.node.turns:
        place = actor.body.rest[number] if skin is None else actor.body.skin.vertices[number]
        arms = place - actor.body.rest[particles]
    return Handle(actor, particles, weights, held_point(actor, particles, weights, arms), stiffness, path, arms)


def aim(
    actor: "Actor",
    direction: ArrayLike,
    particle: int | None,
    skin: int | None,
    stiffness: float | None,
    path: Motion | None,
) -> Aim:
    """A direction of the rest shape at a particle or a vertex of the skin, to where it points now."""
    who = f'actor "{actor.name}": aim'
    if not actor._model.node.turns:
        raise SettingsError(f"{who}: the particles of this model do not turn; use OrientedParticles")
    _, particles, weights = _point(actor, particle, skin, who)
    rest = as_vector(direction, f"{who}: direction")
    length = float(np.linalg.norm(rest))
    if length == 0:
        raise SettingsError(f"{who}: direction = (0, 0, 0); give a direction")
    now = weights @ turned_arms(actor, particles, np.tile(rest / length, (4, 1)))
    return Aim(actor, particles, weights, rest / length, now / max(float(np.linalg.norm(now)), 1e-12), stiffness, path)


def _point(actor: "Actor", particle: int | None, skin: int | None, who: str) -> tuple[int, NDArray[np.int32], Array]:
    """A particle or a vertex of the skin: its number, four particles that it rides on, and their weights."""
    if (particle is None) == (skin is None):
        raise SettingsError(f"{who}: give a particle or skin=vertex, one of them")
    if particle is not None:
        number = whole(particle, f"{who}: particle", 0, len(actor.body.rest) - 1)
        return number, np.full(4, number, dtype=np.int32), np.array([1.0, 0.0, 0.0, 0.0])
    number = whole(skin, f"{who}: skin", 0, len(actor.body.skin.indices) - 1)
    drawn = actor.body.skin
    if drawn.indices.shape[1] > 4:
        return number, *(_heaviest if drawn.kind == "oriented" else _tet_at)(actor.body, number)
    return number, np.array(drawn.indices[number]), np.array(drawn.weights[number])


def _heaviest(body: "Body", vertex: int) -> tuple[NDArray[np.int32], Array]:
    """The four particles that carry a vertex most, of up to eight that turn: at rest they hold it where it is."""
    most = np.argsort(-body.skin.weights[vertex], kind="stable")[:4]
    weights = body.skin.weights[vertex, most]
    return body.skin.indices[vertex, most], weights / weights.sum()


def _tet_at(body: "Body", vertex: int) -> tuple[NDArray[np.int32], Array]:
    """Four particles and weights that hold a vertex of a skin which rides on more: those of the tet among these that
    holds it, or comes nearest to that. A force on them acts where the vertex is at rest, and pulls at four particles
    harder than at all that carry the vertex (docs/skin.md tells why)."""
    assert body.tets is not None
    held = np.isin(body.tets, body.skin.indices[vertex][body.skin.weights[vertex] != 0])
    near = body.tets[held.all(axis=1) if held.all(axis=1).any() else held.any(axis=1)]
    place = np.repeat(body.skin.vertices[vertex : vertex + 1], len(near), axis=0)
    weights = barycentric_in_tet(place, body.rest[near])
    best = int(weights.min(axis=1).argmax())
    return near[best].copy(), weights[best]
