"""A pose on the other side of the body."""

import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.geometry.embedding import locate
from pliant.geometry.measures import diagonal
from pliant.geometry.selection import Selection, select
from pliant.poses.fields import RingFields
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]

LOPSIDED = 0.05  # of the diagonal: a body whose mirror image is farther from it than this has no other side
AXIS_NAMES = {"x": 0, "y": 1, "z": 2}
# words that change with the side, as people and programs write them
OPPOSITES = (
    ("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"), ("_L", "_R"), (".L", ".R"), ("_l", "_r"), (".l", ".r"),
)  # fmt: skip


def mirror(body: Body, pose: str | ArrayLike, axis: str = "x", *, only: Selection | None = None) -> Array:
    """The (V, 3) positions of a pose as in a mirror that stands across `axis` in the body's middle: what the left did,
    the right does.

    pose: the name of one that the body has, or positions. only: a selection of particles, such as the name of a group;
    what the pose does elsewhere is left out, so that a pose of both arms becomes one of the other arm.

    >>> import pliant
    >>> bar = pliant.shapes.cuboid(size=(3, 1, 1), cells=(6, 2, 2))
    >>> bar = bar.with_pose("left up", lambda x: x + (0, 1, 0) * np.maximum(-x[:, :1], 0))
    >>> moved = (mirror(bar, "left up") - bar.rest)[:, 1]
    >>> float(moved[bar.rest[:, 0] > 1.4].min().round(3)), float(moved[bar.rest[:, 0] < 0].max().round(3))
    (1.5, 0.0)
    """
    what = "pose mirror"
    if axis not in AXIS_NAMES:
        raise SettingsError(f'{what}: axis is {axis!r}; give "x", "y" or "z"')
    shape = _shape(body, pose, what)
    if only is not None:
        shape = _part_of(body, shape, _chosen(body, only, what))
    k = AXIS_NAMES[axis]
    low, high = body.rest[:, k].min(), body.rest[:, k].max()
    across = body.rest.copy()
    across[:, k] = low + high - across[:, k]
    at = locate(across, body.rest, body.elements)
    size = diagonal(body.rest)
    worst = int(at.distances.argmax())
    if at.distances[worst] > LOPSIDED * size:
        place = ", ".join(f"{value:.3g}" for value in body.rest[worst])
        raise SettingsError(
            f'{what}: body "{body.name}" is not the same on both sides of {axis}: nothing is opposite of ({place}), by '
            f"{at.distances[worst] / size:.0%} of its diagonal; mirror across another axis"
        )
    corners = body.elements[at.elements]
    near = np.einsum("nk,nkj->nj", at.weights, body.rest[corners])  # on the body, a little beside `across`
    moved = np.einsum("nk,nkj->nj", at.weights, shape[corners]) + (across - near)
    moved[:, k] = low + high - moved[:, k]
    return moved


def mirrored_name(name: str) -> str:
    """The name of a pose on the other side.

    >>> mirrored_name("wave left"), mirrored_name("arm_L up"), mirrored_name("smile")
    ('wave right', 'arm_R up', 'smile mirrored')
    """
    for one, other in OPPOSITES:
        for here, there in ((one, other), (other, one)):
            end = r"(?![A-Za-z])" if here[0] in "._" else r"\b"
            start = "" if here[0] in "._" else r"\b"
            if re.search(start + re.escape(here) + end, name):
                return re.sub(start + re.escape(here) + end, there, name)
    return f"{name} mirrored"


def _shape(body: Body, pose: str | ArrayLike, what: str) -> Array:
    if isinstance(pose, str):
        if pose not in body.poses:
            raise SettingsError(
                f'{what}: body "{body.name}" has no pose "{pose}" (it has {", ".join(body.poses) or "none"})'
            )
        return body.poses[pose]
    shape = np.asarray(pose, np.float64)
    if shape.shape != body.rest.shape or not np.isfinite(shape).all():
        raise SettingsError(f"{what}: the pose has shape {shape.shape}; give {body.rest.shape} finite positions")
    return shape


def _chosen(body: Body, only: Selection, what: str) -> NDArray[np.integer]:
    """The particles of a group by its name, or of another selection."""
    if not isinstance(only, str):
        return select(only, body.rest, f"{what}: only")
    if only not in body.groups:
        names = ", ".join(body.groups) or "none"
        raise SettingsError(f'{what}: body "{body.name}" has no group "{only}" (it has {names})')
    return body.groups[only]


def _part_of(body: Body, shape: Array, chosen: NDArray[np.integer]) -> Array:
    """What a pose does to some particles; the others keep their shape and are carried along."""
    fields = RingFields(body)
    rotations, stretches = fields.parts.polar(shape)
    wishes = np.tile(np.eye(3), (len(body.rest), 1, 1))
    wishes[chosen] = (rotations @ stretches)[chosen]
    stays = np.ones(len(body.rest), dtype=bool)
    stays[chosen] = False
    return fields.shape(wishes, stays)
