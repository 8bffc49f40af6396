"""The lowest modes of a body as poses: what it does most easily when nothing holds it."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from pliant.body import Body
from pliant.geometry.measures import diagonal, element_volumes
from pliant.poses.fields import RingFields
from pliant.poses.frame import number, whole
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]

SMALL_STEP = 1e-4  # of the diagonal: a motion so small that it is linear
GENTLER = 0.85  # an amplitude that is too large is made so many times smaller
MOST_AMPLITUDES = 40


def modes(
    body: Body,
    count: int = 6,
    *,
    amplitude: float = 0.25,
    least: float = 0.4,
    young: float = 1e5,
    poisson: float = 0.3,
) -> dict[str, Array]:
    """The lowest modes that are not rigid, "mode 1" and so on: (V, 3) positions each.

    amplitude: how far a particle goes at most, as a part of the body's diagonal; less where an element would otherwise
    get smaller than `least` of its size at rest. Bends are round: what turns is turned, and not only displaced.
    young (Pa) and poisson are of solids; modes of shells and rods are those of their rings.

    >>> import pliant
    >>> bar = pliant.shapes.cuboid(size=(0.5, 0.5, 2), cells=(2, 2, 8))
    >>> found = modes(bar, 2)
    >>> list(found), found["mode 1"].shape
    (['mode 1', 'mode 2'], (81, 3))
    """
    from pliant.elastic.modes import lowest_modes

    what = "pose modes"
    count = whole(count, f"{what}: count", 1)
    amplitude = number(amplitude, f"{what}: amplitude", 0.0, 2.0)
    least = number(least, f"{what}: least", 0.0, 1.0)
    young = number(young, f"{what}: young", 0.0)
    found = lowest_modes(body, count, young, number(poisson, f"{what}: poisson", 0.0, 0.495, open_low=False))
    if not len(found.shapes):
        raise SettingsError(f'{what}: body "{body.name}" has no mode but rigid ones; it needs more particles')
    fields, size = RingFields(body), diagonal(body.rest)
    return {f"mode {n}": _swung(body, fields, u, size, amplitude, least) for n, u in enumerate(found.shapes, 1)}


def _swung(body: Body, fields: RingFields, mode: Array, size: float, amplitude: float, least: float) -> Array:
    """The body, as far into a mode as may be.

    A mode is a motion to begin with: each ring turns at a rate and stretches at a rate. Far out, it has turned by so
    much and stretched by so much, F = exp(t W) (I + t S), where x + t u alone would swell whatever turns."""
    unit = mode / np.linalg.norm(mode, axis=1).max()
    rotations, stretches = fields.parts.polar(body.rest + SMALL_STEP * size * unit)
    turns = Rotation.from_matrix(rotations).as_rotvec() / SMALL_STEP
    strains = (stretches - np.eye(3)) / SMALL_STEP
    at_rest = element_volumes(body.rest, body.elements, body.thickness)
    far = amplitude
    for _ in range(MOST_AMPLITUDES):
        wishes = Rotation.from_rotvec(far * turns).as_matrix() @ (np.eye(3) + far * strains)
        shape = fields.shape(wishes)
        moved = float(np.linalg.norm(shape - body.rest, axis=1).max()) / size
        sound = (element_volumes(shape, body.elements, body.thickness) >= least * at_rest).all()
        if sound and moved <= 1.001 * amplitude:
            return shape
        far *= min(GENTLER, max(amplitude / moved, 0.5)) if moved > 1.001 * amplitude else GENTLER
    raise SettingsError(
        f'pose modes: body "{body.name}" has an element that a mode presses flat however little it moves; make the '
        "mesh better there"
    )
