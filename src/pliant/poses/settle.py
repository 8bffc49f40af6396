"""A pose by physics: hold some of the body elsewhere, and see how the rest of it settles.       [Martin+11] 4.1, 4.2"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.geometry.measures import areas
from pliant.poses.frame import number, point, whole
from pliant.poses.holds import Hold, Holds, best_turn, read_holds
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]

STRIDE = 0.15  # of the size: pins that go farther go in several strides, the body following
GRIP = 100.0  # times as stiff as the material: how handles and a surface pull
ROUGH = 1e-4  # tolerance between strides


def settle(
    body: Body,
    pins: Holds = None,
    handles: Holds = None,
    *,
    surface: ArrayLike | None = None,
    gravity: ArrayLike = (0.0, 0.0, 0.0),
    young: float = 1e5,
    poisson: float = 0.3,
    material: str = "green",
    grip: float = GRIP,
    start: ArrayLike | None = None,
    iterations: int = 200,
    rough: bool = False,
) -> Array:
    """The (V, 3) positions in which an elastic body is at rest while some of it is held.

    pins: exact; handles: soft, `grip` times as stiff as the material. Both are a selection of particles (indices, a
    mask, a function of the rest positions, or the name of a group), which stay where they are; or a mapping, or a list
    of pairs, from such to where they belong: (n, 3), a function of their rest positions, or None to stay.
    surface (P, 3): a sculpted skin, the vertices of `body.skin` elsewhere; the volume that carries it is found.
    rough: nearly at rest will do, and so will what there is after all iterations, such as while a hand pulls on.
    gravity in m/s^2; material, young (Pa) and poisson as in `pliant.Fem`; start (V, 3): another shape to begin with.

    >>> import pliant
    >>> bar = pliant.shapes.cuboid(size=(1, 1, 3), cells=(2, 2, 6))
    >>> low, high = (lambda x: x[:, 2] < -1.49), (lambda x: x[:, 2] > 1.49)
    >>> tall = settle(bar, [(low, None), (high, lambda x: x + (0, 0, 0.6))])
    >>> bool(np.ptp(tall[:, 2]) > 3.5 and np.ptp(tall[:, 0]) < 1.01)
    True
    """
    from pliant.elastic import ready
    from pliant.elastic.elements import elements_of
    from pliant.elastic.materials import MATERIALS, material_kernel
    from pliant.elastic.materials.lame import lame
    from pliant.elastic.objective import Potential
    from pliant.elastic.statics import settle_statically

    what = "pose settle"
    if body.tets is None:
        raise SettingsError(f'{what}: body "{body.name}" is a {body.kind}; only solids settle')
    if material not in MATERIALS:
        raise SettingsError(f'{what}: material is {material!r}; give {", ".join(MATERIALS)}')
    young = number(young, f"{what}: young", 0.0)
    mu, lam = lame(young, number(poisson, f"{what}: poisson", 0.0, 0.495, open_low=False))
    grip = number(grip, f"{what}: grip", 0.0)
    iterations = whole(iterations, f"{what}: iterations", 1)
    weight = point(gravity, f"{what}: gravity")
    begin = _start(body, start, what)
    target = None if surface is None else _surface(body, surface, what)
    if target is not None and start is None:
        begin = _fitted(body, begin, target)
    pinned = read_holds(pins, body, begin, f"{what}: pins")
    held = read_holds(handles, body, begin, f"{what}: handles")
    if not (pinned or held or target is not None):
        raise SettingsError(f"{what}: nothing holds the body; give pins, handles or a surface")

    ready(material)
    elements = elements_of(body)
    moduli = np.tile([mu, lam], (len(elements.tets), 1))
    potential = Potential(elements, material_kernel(material), moduli)
    fixed = np.zeros((len(body.rest), 3), np.int64)
    for hold in pinned:
        fixed[hold.particles] = 1
    force = (body.masses[:, None] * weight).reshape(-1) if weight.any() else None
    x = begin.copy()
    strides = _strides(pinned + held, body)
    for stride in range(1, strides + 1):
        part, last = stride / strides, stride == strides
        ahead = _carried(elements, x, pinned, part)
        outcome = settle_statically(
            potential,
            ahead.reshape(-1),
            fixed=fixed.reshape(-1),
            springs=_springs(body, held, target, part, young * grip),
            force=force,
            tolerance=1e-8 if last and not rough else ROUGH,
            most_iterations=iterations if last else min(iterations, 20),
        )
        x = outcome.x.reshape(-1, 3)
    if not outcome.converged and not rough:
        raise SettingsError(
            f"{what}: not at rest after {iterations} iterations (particles still move by {outcome.residual:.2g} m); "
            "hold more of the body, go less far, or allow more iterations"
        )
    return x


def _start(body: Body, start: ArrayLike | None, what: str) -> Array:
    if start is None:
        return body.rest.copy()
    given = np.array(start, dtype=np.float64)
    if given.shape != body.rest.shape or not np.isfinite(given).all():
        raise SettingsError(f"{what}: start has shape {given.shape}; give {body.rest.shape} finite numbers")
    return given


def _surface(body: Body, surface: ArrayLike, what: str) -> Array:
    """(N, 3): where the vertices of the skin belong."""
    given = np.array(surface, dtype=np.float64)
    if body.skin.kind != "solid":
        raise SettingsError(f'{what}: the skin of body "{body.name}" does not ride on its tets; bind another')
    if given.shape != body.skin.vertices.shape or not np.isfinite(given).all():
        raise SettingsError(
            f"{what}: surface has shape {given.shape}; the skin has {len(body.skin.vertices)} vertices, give a finite "
            "place for each"
        )
    return given


def _fitted(body: Body, begin: Array, target: Array) -> Array:
    """Turned and moved to where the surface is."""
    skin = body.skin.deform(begin)
    a, b = skin.mean(axis=0), target.mean(axis=0)
    return (begin - a) @ best_turn(skin - a, target - b).T + b


def _strides(holds: list[Hold], body: Body) -> int:
    longest = max((hold.longest for hold in holds), default=0.0)
    return max(1, int(np.ceil(longest / (STRIDE * float(np.linalg.norm(body.size))))))


def _carried(elements: Any, x: Array, pinned: list[Hold], part: float) -> Array:
    """The shape with its pins moved on, and everything else with them as smoothly as can be: pins that jump alone would
    turn the tets around them inside out."""
    from pliant.elastic.carrying import carried

    particles = np.concatenate([hold.particles for hold in pinned] or [np.empty(0, np.int64)])
    places = np.concatenate([hold.at(part) for hold in pinned] or [np.empty((0, 3))])
    if not len(particles) or np.array_equal(places, x[particles]):
        return x
    return carried(elements, x, particles, places)


def _springs(body: Body, held: list[Hold], target: Array | None, part: float, modulus: float) -> Any:
    """Springs of the handles and of the surface. A handle pulls with `modulus` times a length of the size of a tet, a
    point of the surface with its share of the area instead."""
    from pliant.elastic.springs import Springs

    assert body.tets is not None
    cell = (body.volume / len(body.tets)) ** (1 / 3)
    slots = 1 if target is None else body.skin.indices.shape[1]
    particles = [np.repeat(hold.particles[:, None], slots, axis=1) for hold in held]
    weights = [np.tile(np.eye(1, slots), (len(hold.particles), 1)) for hold in held]
    stiffness = [np.full(len(hold.particles), modulus * cell) for hold in held]
    targets = [hold.at(part) for hold in held]
    if target is not None:
        skin = body.skin
        shares = np.bincount(
            skin.faces.ravel(), np.repeat(areas(skin.vertices, skin.faces) / 3, 3), minlength=len(skin.vertices)
        )
        particles.append(skin.indices.astype(np.int64))
        weights.append(np.asarray(skin.weights, dtype=np.float64))
        stiffness.append(modulus * np.maximum(shares, 0.01 * shares.mean()) / cell)
        targets.append(target - (skin.vertices - np.einsum("nk,nkj->nj", skin.weights, body.rest[skin.indices])))
    if not particles:
        return None
    return Springs(*(np.concatenate(each) for each in (particles, weights, stiffness, targets)))
