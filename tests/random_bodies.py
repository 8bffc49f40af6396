"""Random bodies and poses from a seed, and how a body stands and moves; shared by the tests of models."""

import numpy as np
from scipy.spatial import Delaunay

import meshes
from pliant.body import Body
from pliant.geometry.turning import rotation_matrices

KINDS = ("delaunay", "jittered", "sheet", "rope", "curve")


def random_body(kind, seed, poses=0, detail=0):
    """A body of one of the KINDS with some example poses, each affine plus a smooth wave."""
    rng = np.random.default_rng(seed)
    made = {"delaunay": _delaunay, "jittered": _jittered, "sheet": _sheet, "rope": _rope, "curve": _curve}
    body = made[kind](rng, detail)
    for k in range(poses):
        body = body.with_pose(f"pose {k}", random_pose(body, rng))
    return body


def random_pose(body, rng, affine=0.15, wave=0.06):
    """Stretched and sheared, turned by any angle, moved away, and bent by a wave about as long as the body."""
    size = np.linalg.norm(body.size)
    matrix = meshes.rotation(rng.integers(1 << 30)) @ (np.eye(3) + rng.uniform(-affine, affine, (3, 3)))
    waves = rng.normal(size=(3, 3)) * 3 / size
    x = body.rest + wave * size * np.sin(body.rest @ waves + rng.uniform(0, 6, 3))
    return x @ matrix.T + rng.normal(size=3)


def _delaunay(rng, detail):
    """Random points, slivers removed; tried again until no region is nearly flat, where rounding would rule."""
    while True:
        count = 30 + 30 * detail
        points = rng.uniform(0, 1, (40 * count, 3)) * (1.0, 1.4, 0.8)
        keep = [0]
        for i in range(1, len(points)):  # spread them out
            if len(keep) < count and np.linalg.norm(points[keep] - points[i], axis=1).min() > 0.62 / count ** (1 / 3):
                keep.append(i)
        points = points[keep]
        tets = Delaunay(points).simplices
        a, b, c, d = (points[tets[:, k]] for k in range(4))
        volumes = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
        longest = np.max([np.linalg.norm(p - q, axis=1) for p in (a, b, c, d) for q in (a, b, c, d)], axis=0)
        tets = np.where((volumes < 0)[:, None], tets[:, [1, 0, 2, 3]], tets)[np.abs(volumes) > 0.02 * longest**3]
        used, tets = np.unique(tets, return_inverse=True)
        body = Body(points[used], tets=tets.reshape(-1, 4), name="random")
        if _thinnest(body) > 0.01:
            return body


def _thinnest(body):
    """The smallest over the largest eigenvalue of the spread of a particle and its ring, of all particles."""
    near = np.eye(len(body.rest), dtype=bool)
    for element in body.elements:
        near[np.ix_(element, element)] = True
    spread = [np.linalg.eigvalsh(np.cov(body.rest[ring].T)) for ring in near]
    return min(values[0] / values[-1] for values in spread)


def _jittered(rng, detail):
    cells = (2, 2, 3 + detail)
    rest, tets = meshes.box_arrays((1.0, 1.0, 1.5 + detail / 2), cells)
    return Body(rest + rng.uniform(-0.08, 0.08, rest.shape), tets=tets, name="jittered")


def _sheet(rng, detail):
    rest, triangles = meshes.sheet_arrays((1.2, 1.0), (6 + detail, 5))
    rest = rest + rng.uniform(-0.03, 0.03, rest.shape) * (1, 0, 1)
    rest[:, 1] = 0.1 * rng.uniform() * np.sin(3 * rest[:, 0])  # hardly curved, so that rings count as flat
    return Body(rest @ meshes.rotation(rng.integers(1 << 30)).T, triangles=triangles, name="sheet")


def _rope(rng, detail, wave=0.0):
    count = 12 + 4 * detail
    along = np.cumsum(rng.uniform(0.1, 0.2, count))
    rest = np.stack([along, wave * np.sin(4 * along), np.zeros(count)], axis=1)
    rest = rest @ meshes.rotation(rng.integers(1 << 30)).T
    return Body(rest, segments=np.stack([np.arange(count - 1), np.arange(1, count)], axis=1), name="rope")


def _curve(rng, detail):
    """A rope that is hardly curved at rest, so that rings count as straight although they are not quite."""
    return _rope(rng, detail, wave=0.03)


def disturb(actor, seed, moved=0.02, speed=0.1):
    """Push the particles of an actor about at random: by parts of its size, and of its size per second."""
    rng = np.random.default_rng(seed)
    size = np.linalg.norm(actor.body.size)
    actor.positions[:] += (moved * size * rng.normal(size=actor.body.rest.shape)).astype(actor.positions.dtype)
    actor.velocities[:] += (speed * size * rng.normal(size=actor.body.rest.shape)).astype(actor.positions.dtype)


def momentum(actor):
    """Momentum (3,) and angular momentum (3,) about the centre of mass."""
    x, v, m = actor.positions.astype(float), actor.velocities.astype(float), actor.body.masses
    spin = m @ np.cross(x - actor.centre, v)
    if actor.rotations is not None:  # particles that turn have one of their own: J w, J = rho (tr(A) 1 - A)
        ellipsoids = actor.body.ellipsoids
        axes = rotation_matrices(actor.rotations) @ ellipsoids.axes
        squares = m[:, None] / 5 * ellipsoids.radii**2
        moments = np.einsum("nij,nj,nkj->nik", axes, squares, axes)
        w = actor.angular_velocities.astype(float)
        spin = spin + (squares.sum(axis=1)[:, None] * w - np.einsum("nij,nj->ni", moments, w)).sum(axis=0)
    return m @ v, spin


def energy_of_motion(actor):
    """Joules."""
    return 0.5 * actor.body.masses @ (actor.velocities.astype(float) ** 2).sum(axis=1)


def misfit(positions, shape):
    """The largest distance (of the shape's diagonal) to a shape that has been turned and moved to fit best."""
    x = np.asarray(positions, dtype=float)
    p, q = x - x.mean(axis=0), shape - shape.mean(axis=0)
    u, _, vt = np.linalg.svd(p.T @ q)
    turn = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ vt))]) @ vt
    return np.linalg.norm(p - q @ turn.T, axis=1).max() / np.linalg.norm(np.ptp(shape, axis=0))
