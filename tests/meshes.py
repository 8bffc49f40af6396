"""Small meshes for tests, made without pliant.shapes so that a fault there cannot hide one here."""

import numpy as np

from pliant.body import Body

# A cube of corners numbered x + 2 y + 4 z falls into five tets in two ways; neighbours alternate to fit.
_EVEN = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]]
_ODD = [[1, 0, 5, 3], [2, 3, 6, 0], [4, 6, 5, 0], [7, 5, 6, 3], [0, 3, 5, 6]]


def _positive(rest, tets):
    a, b, c, d = (rest[tets[:, k]] for k in range(4))
    negative = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) < 0
    tets[negative] = tets[negative][:, [0, 2, 1, 3]]
    return tets


def box_arrays(size=(1.0, 1.0, 2.0), cells=(2, 2, 4)):
    """Rest positions and tets of a box centred at the origin."""
    nx, ny, nz = cells
    lines = [np.linspace(-s / 2, s / 2, n + 1) for s, n in zip(size, cells, strict=True)]
    rest = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 3)
    tets = []
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                steps = [(a, b, c) for c in (0, 1) for b in (0, 1) for a in (0, 1)]
                corner = [((i + a) * (ny + 1) + j + b) * (nz + 1) + k + c for a, b, c in steps]
                pattern = _ODD if (i + j + k) % 2 else _EVEN
                tets += [[corner[v] for v in tet] for tet in pattern]
    return rest, _positive(rest, np.array(tets, dtype=np.int32))


def box(size=(1.0, 1.0, 2.0), cells=(2, 2, 4), **options):
    rest, tets = box_arrays(size, cells)
    return Body(rest, tets=tets, **options)


def sheet_arrays(size=(2.0, 1.0), cells=(4, 2)):
    """Rest positions and triangles of a flat sheet in the x-z plane, normals up."""
    nx, nz = cells
    x, z = np.meshgrid(np.linspace(0, size[0], nx + 1), np.linspace(0, size[1], nz + 1), indexing="ij")
    rest = np.stack([x.ravel(), np.zeros(x.size), z.ravel()], axis=1)
    triangles = []
    for i in range(nx):
        for k in range(nz):
            a, d = i * (nz + 1) + k, (i + 1) * (nz + 1) + k
            b, c = a + 1, d + 1
            triangles += [[a, b, c], [a, c, d]] if (i + k) % 2 else [[a, b, d], [b, c, d]]
    return rest, np.array(triangles, dtype=np.int32)


def sheet(size=(2.0, 1.0), cells=(4, 2), **options):
    rest, triangles = sheet_arrays(size, cells)
    return Body(rest, triangles=triangles, **options)


def rope(length=3.0, count=7, **options):
    rest = np.stack([np.linspace(0, length, count), np.zeros(count), np.zeros(count)], axis=1)
    return Body(rest, segments=np.stack([np.arange(count - 1), np.arange(1, count)], axis=1), **options)


def rotation(seed):
    """A proper rotation from a seed."""
    q, r = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.sign(np.linalg.det(q))
