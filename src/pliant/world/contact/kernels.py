"""Contact between bodies: how fast they go past each other, and who may meet whom."""

import math

import numpy as np

from pliant.runtime.jit import kernel, part
from pliant.world.contact.box_kernels import bound_actor, lay_out_fields, within
from pliant.world.contact.candidate_kernels import carry_over
from pliant.world.contact.couple_kernels import FEW, find_couples, sort_couples
from pliant.world.contact.layout import BOX, COUPLED, JOURNEY, MANNERS, SEEN, THICK
from pliant.world.contact.place_kernels import place_actor
from pliant.world.contact.side_kernels import choose_sides


@kernel("x[] x[] x[] x[] u[] d[] u[] u[] d[] f[] i[] i[] i[] i[] d[] d d d d d")
def haste(
    x, v, y, inverse, origins, manners, awake, sides, boxes, lanes, table, entries, keys, couples, ways, gx, gy, gz, dt,
    enough,
):  # fmt: skip
    """A step begins: sides are chosen. And how far do two actors that may meet go past each other within dt, in parts
    of the size of their spheres, at most? Who they are is not asked if nobody is so fast that it would be more than
    enough. y is scratch; ways: of each actor its mean way (3) and how far any particle goes beside that."""
    choose_sides(x, origins, awake, len(inverse), sides)
    real = x.dtype.type
    t, g0, g1, g2 = real(dt), real(dt * dt * gx), real(dt * dt * gy), real(dt * dt * gz)
    farthest = real(0)
    for i in range(len(inverse)):
        f = 4 * i
        d0, d1, d2 = t * v[f] + g0, t * v[f + 1] + g1, t * v[f + 2] + g2
        y[f] = x[f] + d0
        y[f + 1] = x[f + 1] + d1
        y[f + 2] = x[f + 2] + d2
        farthest = max(farthest, d0 * d0 + d1 * d1 + d2 * d2)
    thinnest = math.inf
    for actor in range(len(origins)):
        thinnest = min(thinnest, manners[MANNERS * actor + THICK])
    if math.sqrt(farthest) <= enough * thinnest:  # two of them at most twice as far, and twice as thick
        return math.sqrt(farthest) / thinnest
    for actor in range(len(origins)):
        bound_actor(x, y if awake[actor] else x, origins, manners, actor, len(inverse), boxes)
    find_couples(boxes, manners, awake, lanes, table, entries, keys, couples)
    if couples[0] == 0:
        return 0.0
    for actor in range(len(origins)):
        way_of(x, y, origins, awake, len(inverse), actor, ways)
    most = 0.0
    for c in range(min(couples[0], (len(couples) - 2) // 2)):
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        d0, d1, d2 = ways[4 * a] - ways[4 * b], ways[4 * a + 1] - ways[4 * b + 1], ways[4 * a + 2] - ways[4 * b + 2]
        way = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) + ways[4 * a + 3] + ways[4 * b + 3]
        most = max(most, way / (manners[MANNERS * a + THICK] + manners[MANNERS * b + THICK]))
    return most


@part
def way_of(x, y, origins, awake, count, actor, ways):
    """The mean way of an actor from x to y, and how far any of its particles goes beside that."""
    way = ways[4 * actor : 4 * actor + 4]
    way[:] = 0.0
    if awake[actor] == 0:
        return
    first = np.int64(origins[actor])
    last = np.int64(origins[actor + 1]) if actor + 1 < len(origins) else count
    for i in range(first, last):
        for k in range(3):
            way[k] += y[4 * i + k] - x[4 * i + k]
    for k in range(3):
        way[k] /= last - first
    most = 0.0
    for i in range(first, last):
        d0, d1, d2 = (
            y[4 * i] - x[4 * i] - way[0],
            y[4 * i + 1] - x[4 * i + 1] - way[1],
            y[4 * i + 2] - x[4 * i + 2] - way[2],
        )
        most = max(most, d0 * d0 + d1 * d1 + d2 * d2)
    way[3] = math.sqrt(most)


@part
def place_bodies(
    x, p, inverse, origins, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes, fields, places,
    cases, glances, journeys, serial, first, last,
):  # fmt: skip
    """Where the actors from first to last are, and the spheres of those that may meet somebody. Returns how many have
    left their fields."""
    left = 0
    for actor in range(first, last):
        place_actor(
            x, p, inverse, origins, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes, fields,
            places, cases, glances, journeys, serial, actor,
        )  # fmt: skip
        left += not within(boxes, fields, actor)
    return left


@kernel("x[] x[] x[] u[] x[] u[] x[] u[] x[] x[] u[] d[] u[] d[] d[] x[] d[] f[] d[] d f[] i[] i[] i[] i[] i[]")
def couple_bodies(
    x, p, inverse, origins, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes, fields, places,
    cases, glances, journeys, serial, lanes, table, entries, keys, couples, scratch,
):  # fmt: skip
    """Which actors may meet until one of them leaves its field; the spheres of those that were alone before are placed.
    Returns how many couples there are, or -1 if there is no room for all of them."""
    lay_out_fields(boxes, manners, journeys, fields)
    find_couples(fields, manners, awake, lanes, table, entries, keys, couples)
    if 2 + 2 * couples[0] > len(couples):
        return -1
    for actor in range(len(origins)):
        if fields[BOX * actor + COUPLED] > 0.0 and journeys[JOURNEY * actor + SEEN] != serial:
            place_actor(
                x, p, inverse, origins, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes,
                fields, places, cases, glances, journeys, serial, actor,
            )  # fmt: skip
    if len(origins) > FEW:
        sort_couples(couples, len(origins), table, scratch)
    return couples[0]


@kernel("i[] i d[] d[] u[] i d[] u[] i")
def recall_couples(couples, actors, journeys, heads, lists, listed, new_heads, new_lists, pack):
    """What is known of those among new couples that were listed before. Returns where the lists end if they are
    packed."""
    return carry_over(couples, actors, journeys, heads, lists, listed, new_heads, new_lists, pack)
