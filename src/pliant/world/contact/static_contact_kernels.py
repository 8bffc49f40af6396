# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of the sweeps over static contacts: obstacles that hold particles of soft bodies while other bodies push
these (ground_kernels has their contacts, and holds firm bodies).

A static row is the short form of such a contact: the particle and the number of its contact; the normal; how far along
it the particle has to be; the mass that a push has to move; push, friction; coefficient of friction; what has to be
added to its place for the slip."""

import math

import numpy as np

from pliant.runtime.jit import part
from pliant.world.contact.layout import (
    CONTACT,
    CONTACT_FRICTION,
    FIRM,
    FRICTION_PUSH,
    INV_MASS,
    MATERIAL,
    MIN_DISTANCE,
    NORMAL,
    ONE,
    OTHER,
    PUSH,
    STICK_PLACE,
)  # fmt: skip

STATIC_ROW = 16
STATIC_PARTICLE, STATIC_CONTACT = 0, 1  # particle, row
STATIC_NORMAL = 2  # normal (3)
STATIC_DISTANCE = 5  # m: how far it has to be along the normal
STATIC_MASS = 6  # kg
STATIC_PUSH = 7  # kg m: push along the normal
STATIC_FRICTION_PUSH = 8  # kg m: friction (3)
STATIC_FRICTION = 11  # coefficient of friction
STATIC_SLIP = 12  # m: slip less the place (3)


@part
def gather_static(materials, contacts, first, last, static_rows):
    """Static rows of the obstacles that hold single particles. Returns how many."""
    held = 0
    for c in range(first, last):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if materials[MATERIAL * np.int64(row[OTHER]) + FIRM] > 0.0:
            continue
        line = static_rows[STATIC_ROW * held : STATIC_ROW * (held + 1)]
        held += 1
        line[STATIC_PARTICLE], line[STATIC_CONTACT] = row[ONE], c
        line[STATIC_DISTANCE], line[STATIC_MASS] = row[MIN_DISTANCE], 1.0 / row[INV_MASS]
        line[STATIC_PUSH], line[STATIC_FRICTION] = row[PUSH], row[CONTACT_FRICTION]
        for k in range(3):
            line[STATIC_NORMAL + k], line[STATIC_FRICTION_PUSH + k], line[STATIC_SLIP + k] = (
                row[NORMAL + k],
                row[FRICTION_PUSH + k],
                -row[STICK_PLACE + k],
            )
    return held


@part
def sweep_static(p, inverse, static_rows, held):
    """One sweep over static rows."""
    real = p.dtype.type
    for c in range(held):
        line = static_rows[STATIC_ROW * c : STATIC_ROW * (c + 1)]
        i = np.int64(line[STATIC_PARTICLE])
        f = 4 * i
        x0, x1, x2 = float(p[f]), float(p[f + 1]), float(p[f + 2])
        n0, n1, n2 = line[STATIC_NORMAL], line[STATIC_NORMAL + 1], line[STATIC_NORMAL + 2]
        heavy, old = line[STATIC_MASS], line[STATIC_PUSH]
        push = max(0.0, old + (line[STATIC_DISTANCE] - n0 * x0 - n1 * x1 - n2 * x2) * heavy)
        if push == 0.0 and old == 0.0:
            continue
        line[STATIC_PUSH] = push
        more = push - old
        s0, s1, s2 = x0 + line[STATIC_SLIP], x1 + line[STATIC_SLIP + 1], x2 + line[STATIC_SLIP + 2]
        along = s0 * n0 + s1 * n1 + s2 * n2
        g0, g1, g2 = line[STATIC_FRICTION_PUSH], line[STATIC_FRICTION_PUSH + 1], line[STATIC_FRICTION_PUSH + 2]
        t0 = g0 - (s0 - along * n0) * heavy
        t1 = g1 - (s1 - along * n1) * heavy
        t2 = g2 - (s2 - along * n2) * heavy
        pull, grip = t0 * t0 + t1 * t1 + t2 * t2, line[STATIC_FRICTION] * push
        if pull > grip * grip:
            share = grip / math.sqrt(pull)
            t0, t1, t2 = share * t0, share * t1, share * t2
        line[STATIC_FRICTION_PUSH], line[STATIC_FRICTION_PUSH + 1], line[STATIC_FRICTION_PUSH + 2] = t0, t1, t2
        w = float(inverse[i])
        p[f] = real(x0 + w * (more * n0 + t0 - g0))
        p[f + 1] = real(x1 + w * (more * n1 + t1 - g1))
        p[f + 2] = real(x2 + w * (more * n2 + t2 - g2))


@part
def scatter_static(contacts, static_rows, held):
    """Back from the static rows to the contacts."""
    for k in range(held):
        line = static_rows[STATIC_ROW * k : STATIC_ROW * (k + 1)]
        row = contacts[CONTACT * np.int64(line[STATIC_CONTACT]) : CONTACT * np.int64(line[STATIC_CONTACT] + 1)]
        row[PUSH], row[FRICTION_PUSH], row[FRICTION_PUSH + 1], row[FRICTION_PUSH + 2] = (
            line[STATIC_PUSH],
            line[STATIC_FRICTION_PUSH],
            line[STATIC_FRICTION_PUSH + 1],
            line[STATIC_FRICTION_PUSH + 2],
        )
