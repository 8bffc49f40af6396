"""What the numbers say about example poses: distances, stretches, likeness. The report puts them into
words.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from pliant.body.body import Body
from pliant.geometry.measures import element_volumes
from pliant.geometry.regions import Regions, proper_rotations, regions

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Deformation:
    """One pose as models see it: rotations and stretches (V, 3, 3) of the regions; shapes (M, 3): how the rings differ
    from rest, each in its region's frame, by the root of their masses and in units of rest.

    distances (V,) m: from rest after the best rigid motion. ratios (E,): volume, area or length over that
    at rest, negative where a tet is inside out. principal (V, 3): the eigenvalues of the stretches, rising.
    """

    name: str
    distances: Array
    ratios: Array
    rotations: Array
    stretches: Array
    principal: Array
    shapes: Array

    @property
    def change(self) -> float:
        """Of the rings' shapes, as a part of rest: how much of the pose shape matching sees, bends included."""
        return float(np.sqrt(np.square(self.shapes).sum()))

    @property
    def strain(self) -> float:
        """Root mean square of |S - I| over the regions: how much of the pose a model of stretches can see."""
        return float(np.sqrt(np.mean(np.sum((self.stretches - np.eye(3)) ** 2, axis=(1, 2)))))


def deformations(body: Body) -> tuple[Regions, list[Deformation]]:
    """Every pose of a body, measured, and the regions it was measured with."""
    parts = regions(body.rest, body.masses, body.elements, body.kind)
    at_rest = element_volumes(body.rest, body.elements, body.thickness)
    shares = parts.effective[parts.members]
    unit = np.sqrt(shares / max(float(shares @ np.square(parts.offsets).sum(axis=1)), 1e-300))
    found = []
    for name, pose in body.poses.items():
        rotations, stretches = parts.polar(pose)
        found.append(
            Deformation(
                name,
                np.linalg.norm(aligned(pose, body.rest, body.masses) - body.rest, axis=1),
                element_volumes(pose, body.elements, body.thickness) / at_rest,
                rotations,
                stretches,
                np.asarray(np.linalg.eigvalsh(stretches), np.float64),
                unit[:, None] * parts.shapes(pose),
            )
        )
    return parts, found


def aligned(positions: Array, target: Array, masses: Array) -> Array:
    """Positions moved rigidly so that their masses lie as near the target's as they can."""
    share = masses / masses.sum()
    from_centre, target_centre = positions - share @ positions, share @ target
    rotation = proper_rotations(((target - target_centre).T * share @ from_centre)[None])[0]
    return from_centre @ rotation.T + target_centre


def descriptors(found: list[Deformation]) -> Array:
    """L (3 M, poses): the column of a pose is how the shapes of all rings differ from rest."""
    return np.stack([d.shapes.ravel() for d in found], axis=1)


def cosines(columns: Array) -> Array:
    """How alike the poses are (K, K): 1 the same deformation, 0 nothing in common. A pose like rest has
    none.
    """
    lengths = np.linalg.norm(columns, axis=0)
    unit = columns / np.where(lengths > 0, lengths, 1.0)
    return unit.T @ unit


def condition(columns: Array) -> float:
    """Condition number of L^T L: infinite when one pose is a blend of others or the rest shape itself."""
    values = np.linalg.svd(columns, compute_uv=False)
    if values[-1] <= 1e-12 * values[0]:
        return float("inf")
    return float((values[0] / values[-1]) ** 2)


def blend_of_earlier(columns: Array, k: int) -> tuple[float, Array]:
    """How much of pose k the poses before it leave unexplained (0 to 1), and their weights in the best
    blend.
    """
    weights: Array = np.linalg.lstsq(columns[:, :k], columns[:, k], rcond=1e-9)[0]  # type: ignore[assignment]
    rest = columns[:, k] - columns[:, :k] @ weights
    return float(np.linalg.norm(rest) / np.linalg.norm(columns[:, k])), weights


def twist_axis(body: Body, parts: Regions, pose: Deformation) -> Array | None:
    """The axis of a pose that twists as a whole, or None.

    Between neighbouring regions the rotation changes by a vector, in the frame of the material: K times the
    step from one to the other. A twist about a has K = rate a a^T, a bend about b along a has K = rate b
    a^T. So fit one K to all neighbours, and look whether it explains most of the change and turns about the
    direction it runs along. Working with neighbours lets twists of many turns through, which rotations
    against rest could not tell apart.
    """
    if body.kind == "rod":
        return None  # the spin of a straight region about itself is not known
    owners = np.repeat(np.arange(len(body.rest)), np.diff(parts.starts))
    pairs = owners != parts.members
    a, b = owners[pairs], parts.members[pairs]
    steps = body.rest[b] - body.rest[a]
    change = np.swapaxes(pose.rotations[a], 1, 2) @ pose.rotations[b]
    turns = Rotation.from_matrix(change).as_rotvec()
    rate = np.linalg.lstsq(steps, turns, rcond=None)[0].T
    total = float(np.sum(turns**2))
    left = float(np.sum((turns - steps @ rate.T) ** 2))
    u, s, vt = np.linalg.svd(rate)
    angle = s[0] * np.ptp(body.rest @ vt[0])
    if left > 0.5 * total or abs(u[:, 0] @ vt[0]) < 0.9 or angle < np.radians(10):
        return None
    return vt[0] * np.sign(vt[0][np.argmax(np.abs(vt[0]))])
