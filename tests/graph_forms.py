"""Bodies for the tests of graphs."""

import numpy as np

import meshes
from pliant.body import Body


def carved(size, cells, keep, **options):
    """A box without the tets whose centres are not kept."""
    rest, tets = meshes.box_arrays(size, cells)
    tets = tets[keep(rest[tets].mean(axis=1))]
    used, inverse = np.unique(tets, return_inverse=True)
    return Body(rest[used], tets=inverse.reshape(-1, 4).astype(np.int32), **options)


def fork(gap=0.02):
    """Two prongs of 1.5 m along z, `gap` apart, joined at z < -0.6."""
    form = carved((1.0, 0.4, 2.0), (5, 2, 10), lambda c: ~((abs(c[:, 0]) < 0.1) & (c[:, 2] > -0.6)))
    shut = form.rest.copy()
    shut[:, 0] -= np.sign(shut[:, 0]) * (0.1 - gap / 2)
    return Body(shut, tets=form.elements, name="fork")


def two_boxes(apart=1.0, shared=False):
    """Two cubes of 1 m: apart along x, or joined at one corner only."""
    first, tets = meshes.box_arrays((1, 1, 1), (2, 2, 2))
    if not shared:
        rest = np.concatenate([first, first + np.array([1 + apart, 0, 0])])
        return Body(rest, tets=np.concatenate([tets, tets + len(first)]), name="two")
    rest = np.concatenate([first, first + 1.0])
    far, near = len(first) - 1, len(first)  # the highest corner of one is the lowest of the other
    tets = np.concatenate([tets, np.where(tets == 0, far, tets + len(first))])
    keep = np.delete(np.arange(len(rest)), near)
    number = np.zeros(len(rest), np.int32)
    number[keep] = np.arange(len(keep))
    return Body(rest[keep], tets=number[tets], name="hinged")


def is_connected(edges, count):
    reached, ahead = {0}, [0]
    around = {i: set() for i in range(count)}
    for a, b in np.asarray(edges).tolist():
        around[a].add(b)
        around[b].add(a)
    while ahead:
        new = around[ahead.pop()] - reached
        reached |= new
        ahead += new
    return len(reached) == count


def spacing(points):
    """(N,) the distance of each point from the next."""
    away = np.linalg.norm(points[:, None] - points, axis=2)
    np.fill_diagonal(away, np.inf)
    return away.min(axis=1)


def still(count):
    return np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))


def quaternion(matrix):
    """Of a rotation by less than half a turn."""
    w = np.sqrt(1 + np.trace(matrix)) / 2
    twice = matrix[[2, 0, 1], [1, 2, 0]] - matrix[[1, 2, 0], [2, 0, 1]]
    return np.append(twice / (4 * w), w)
