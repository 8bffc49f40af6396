"""Examples made, renamed and taken away while the body moves."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.runtime.errors import BodyError
from pliant.world import Actor

Array = NDArray[np.float64]

NO_POSE = 1e-3  # of the diagonal: a moment that is no farther from the rest shape is no pose
MOST_SHOWN_POSES = 24  # that a page has room for


def turned_back(positions: Array, rest: Array, masses: Array) -> Array:
    """Positions moved rigidly onto the rest shape, as near as they can be.

    >>> rest = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3.0]])
    >>> quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    >>> np.allclose(turned_back(rest @ quarter.T + 5, rest, np.ones(4)), rest)
    True
    """
    shares = masses / masses.sum()
    there, here = shares @ positions, shares @ rest
    u, _, vt = np.linalg.svd((shares[:, None] * (rest - here)).T @ (positions - there))
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt)) or 1.0])
    turned: Array = (positions - there) @ (u @ flip @ vt).T + here
    return turned


def with_moment(actor: Actor, name: str, positions: ArrayLike) -> Body:
    """The actor's body with a shape that it has, or had, as one more pose: where its particles are."""
    body = actor.body
    pose = turned_back(np.asarray(positions, np.float64), body.rest, body.masses)
    if np.abs(pose - body.rest).max() < NO_POSE * np.linalg.norm(body.size):
        raise BodyError("this moment is the rest shape itself; pull the body first")
    return with_shape(body, name.strip(), pose)


def with_shape(body: Body, name: str, pose: Array) -> Body:
    """The body with one more pose, if a page has room for it."""
    checked_name(body, name)
    if len(body.poses) >= MOST_SHOWN_POSES:
        raise BodyError(f"it has {len(body.poses)} poses already; delete one first")
    return body.with_pose(name, pose)


def renamed(body: Body, old: str, new: str) -> Body:
    """The body with a pose called something else, in its old place."""
    new = new.strip()
    poses = dict(body.poses)
    if old != new:
        checked_name(body, new)
    for each in poses:
        body = body.without_pose(each)
    for each, positions in poses.items():
        body = body.with_pose(new if each == old else each, positions)
    return body


def forced_anew(forced: Mapping[str, float], pose: str, weight: float | None) -> dict[str, float]:
    """The given weights with that of one pose set, or freed. Weights add up to at most 1: who holds a pose
    lets go of the others.

    >>> forced_anew({"twist": 1.0, "bend": 0.0}, "arch", 1.0)
    {'bend': 0.0, 'arch': 1.0}
    """
    others = {name: given for name, given in forced.items() if name != pose}
    if weight is None:
        return others
    room = 1.0 - weight
    return {**{name: given for name, given in others.items() if given <= room}, pose: weight}


def without_forced(settings: Any, pose: str, instead: str | None = None) -> Any:
    """Settings that do not speak of a pose any more, or by its new name."""
    forced = getattr(settings, "forced", None)
    if not forced or pose not in forced:
        return settings
    kept = {instead if name == pose else name: w for name, w in forced.items() if name != pose or instead}
    return settings.changed(forced=kept)


def that_fits(settings: Any, body: Body) -> Any:
    """Settings without given weights of poses that the body does not have."""
    for pose in list(getattr(settings, "forced", {})):
        if pose not in body.poses:
            settings = without_forced(settings, pose)
    return settings


def checked_name(body: Body, name: str) -> None:
    """Raises where no new pose of the body can be called that."""
    if not name or not name.isprintable():
        raise BodyError("a pose needs a name; type one")
    if name == "rest" or name in body.poses:
        raise BodyError(f'there is a pose "{name}" already; give it another name')
