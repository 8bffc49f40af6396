"""Surfaces for obstacles: closed, thin, and open ones."""

import numpy as np

ROUND = 48  # corners of what is round


def turned(profile):
    """The closed surface of a profile of (radius, height) turned about y; its first and last point lie on the axis."""
    angles = 2 * np.pi * np.arange(ROUND) / ROUND
    rings = [
        np.stack([r * np.cos(angles), np.full(ROUND, y), r * np.sin(angles)], axis=1) for r, y in profile[1:-1]
    ]
    vertices = np.concatenate([[(0, profile[0][1], 0)], *rings, [(0, profile[-1][1], 0)]])
    faces = []
    for i in range(ROUND):
        j = (i + 1) % ROUND
        faces.append((0, 1 + i, 1 + j))
        for s in range(len(rings) - 1):
            a, b = 1 + s * ROUND + i, 1 + s * ROUND + j
            faces += [(a, a + ROUND, b), (b, a + ROUND, b + ROUND)]
        last = 1 + (len(rings) - 1) * ROUND
        faces.append((len(vertices) - 1, last + j, last + i))
    return vertices, np.array(faces)


def cup():
    """0.8 m high, 1.3 m wide inside at the rim, with walls of 6 cm."""
    return turned([(0, 0), (0.5, 0), (0.7, 0.8), (0.64, 0.8), (0.45, 0.06), (0, 0.06)])


def box(half=(0.5, 0.5, 0.5)):
    """Twelve triangles."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * np.asarray(half, float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([tri for a, b, c, d in quads for tri in ((a, b, c), (a, c, d))])


def sheet(size=2.0):
    """A level square at y = 0: two triangles."""
    half = size / 2
    corners = np.array([[-half, 0, -half], [half, 0, -half], [half, 0, half], [-half, 0, half]])
    return corners, np.array([[0, 2, 1], [0, 3, 2]])
