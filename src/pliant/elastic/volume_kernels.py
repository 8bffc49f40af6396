# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Finite volumes in numbers (volumes.py)."""

from pliant.elastic.green_parts import edge_gradient
from pliant.runtime.jit import kernel


@kernel("d[] i[] d[] i i d[]")
def stretch_of(x, tets, inverses, first, last, stretched):
    """Tets first to last as if at rest they were a corner of the unit cube: corner 0 at the origin, the columns of F as
    edges (12 T)."""
    for t in range(first, last):
        o = 12 * t
        edge_gradient(tets, inverses, x, t, stretched[o + 3 :])
        for i in range(3):
            stretched[o + i] = 0.0
            for j in range(i):  # rows to columns
                a, b = o + 3 + 3 * i + j, o + 3 + 3 * j + i
                stretched[a], stretched[b] = stretched[b], stretched[a]


@kernel("d[] d[] i i d[]")
def face_forces(stress, normals, first, last, forces):
    """The gradient at corners 1, 2, 3 (9 T): a third of P N over the three faces of the tet that meet there. stress:
    the columns of P; normals: four to a tet, of the face opposite each corner."""
    for t in range(first, last):
        for m in range(3):
            n0 = n1 = n2 = 0.0
            for f in range(4):
                if f != m + 1:
                    n0 += normals[12 * t + 3 * f]
                    n1 += normals[12 * t + 3 * f + 1]
                    n2 += normals[12 * t + 3 * f + 2]
            for i in range(3):
                o = 9 * t + i
                forces[9 * t + 3 * m + i] = (stress[o] * n0 + stress[o + 3] * n1 + stress[o + 6] * n2) / 3.0
