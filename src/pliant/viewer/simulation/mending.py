"""What the report advises about a pose, done."""

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.body import examples as measures
from pliant.geometry.measures import areas, lengths, volumes
from pliant.runtime.errors import BodyError
from pliant.viewer.simulation.posing import turned_back

Array = NDArray[np.float64]

LEAST_LEFT = 0.15  # of the rest volume: what a gentler pose leaves of each element, three times what counts as crushed
SHORTER = 0.2  # along its axis: what lets a twist come under compression
NARROWINGS = 20  # of the way from rest to a pose
MENDABLE = {
    "inverted": "Make it gentler", "crushed": "Make it gentler", "mirrored": "Mirror it back",
    "length-kept": "Shorten it",
}  # fmt: skip


def mended(body: Body, pose: str, finding: str) -> Body:
    """The body with one of its poses mended, in its old place."""
    if pose not in body.poses:
        raise BodyError(f'there is no pose "{pose}" any more')
    shape = np.asarray(body.poses[pose], np.float64)
    if finding in ("inverted", "crushed"):
        shape = gentler(body, shape)
    elif finding == "mirrored":
        shape = turned_back(shape * (-1.0, 1.0, 1.0), body.rest, body.masses)
    elif finding == "length-kept":
        shape = shorter(body, pose, shape)
    else:
        raise BodyError(f'"{pose}": nothing mends that by itself; change the pose in the studio')
    return with_changed(body, pose, shape)


def with_changed(body: Body, pose: str, shape: Array, name: str | None = None) -> Body:
    """The body with a pose in another shape, and under another name if one is given, in its old place."""
    poses = dict(body.poses)
    for each in poses:
        body = body.without_pose(each)
    for each, positions in poses.items():
        body = body.with_pose(name or each, shape) if each == pose else body.with_pose(each, positions)
    return body


def gentler(body: Body, shape: Array) -> Array:
    """As far from rest towards a shape as leaves every element enough of its size."""
    rest = np.asarray(body.rest)
    there = turned_back(shape, rest, body.masses)
    measure = {4: volumes, 3: areas, 2: lengths}[body.elements.shape[1]]
    own = measure(rest, body.elements)

    def holds(part: float) -> bool:
        return bool((measure(rest + part * (there - rest), body.elements) >= LEAST_LEFT * own).all())

    low, high = 0.0, 1.0
    for _ in range(NARROWINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return rest + low * (there - rest)


def shorter(body: Body, pose: str, shape: Array) -> Array:
    """Shorter along the axis about which it twists, and wider, so that it keeps its volume."""
    parts, found = measures.deformations(body)
    axis = measures.twist_axis(body, parts, next(each for each in found if each.name == pose))
    if axis is None:
        raise BodyError(f'"{pose}" twists about no axis any more')
    there = turned_back(shape, body.rest, body.masses)
    centre = body.masses @ there / body.mass
    arms = there - centre
    along = (arms @ axis)[:, None] * axis
    return centre + (1.0 - SHORTER) * along + (1.0 - SHORTER) ** -0.5 * (arms - along)
