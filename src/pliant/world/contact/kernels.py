# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Contact between bodies: how fast they go past each other, and which of them may meet."""

import math

import numpy as np

from pliant.runtime.jit import kernel, part
from pliant.world.contact.body_pair_kernels import BRUTE_FORCE_ACTORS, find_body_pairs, sort_body_pairs
from pliant.world.contact.box_kernels import bound_actor, fatten_boxes, within
from pliant.world.contact.layout import AABB, BOXED_AT, DISPLACEMENT, MATERIAL, PARTNERS, THICKNESS
from pliant.world.contact.pair_list_kernels import carry_over
from pliant.world.contact.place_kernels import place_actor
from pliant.world.contact.side_kernels import choose_sides


@kernel("x[] x[] x[] x[] u[] d[] u[] u[] d[] f[] i[] i[] i[] i[] d[] d d d d d")
def relative_motion_bound(
    x, v, y, inverse, origins, materials, awake, sides, boxes, lanes, table, entries, keys, body_pairs,
    mean_displacements, gx, gy, gz, dt, enough,
):  # fmt: skip
    """A step begins: sides are chosen. And how far do two actors that may meet go past each other within dt, in parts
    of the size of their spheres, at most? Which ones may meet is not found if no particle is so fast that it would be
    more than enough. y is scratch; mean_displacements: of each actor the mean displacement (3) and how far any particle
    goes beside that."""
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
        thinnest = min(thinnest, materials[MATERIAL * actor + THICKNESS])
    if math.sqrt(farthest) <= enough * thinnest:  # two of them at most twice as far, and twice as thick
        return math.sqrt(farthest) / thinnest
    for actor in range(len(origins)):
        bound_actor(x, y if awake[actor] else x, origins, materials, actor, len(inverse), boxes)
    find_body_pairs(boxes, materials, awake, lanes, table, entries, keys, body_pairs)
    if body_pairs[0] == 0:
        return 0.0
    for actor in range(len(origins)):
        displacement_of(x, y, origins, awake, len(inverse), actor, mean_displacements)
    most = 0.0
    for c in range(min(body_pairs[0], (len(body_pairs) - 2) // 2)):
        a, b = body_pairs[2 + 2 * c], body_pairs[3 + 2 * c]
        d0, d1, d2 = (
            mean_displacements[4 * a] - mean_displacements[4 * b],
            mean_displacements[4 * a + 1] - mean_displacements[4 * b + 1],
            mean_displacements[4 * a + 2] - mean_displacements[4 * b + 2],
        )
        displacement = (
            math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) + mean_displacements[4 * a + 3] + mean_displacements[4 * b + 3]
        )
        most = max(most, displacement / (materials[MATERIAL * a + THICKNESS] + materials[MATERIAL * b + THICKNESS]))
    return most


@part
def displacement_of(x, y, origins, awake, count, actor, mean_displacements):
    """The mean displacement of an actor from x to y, and how far any of its particles goes beside that."""
    displacement = mean_displacements[4 * actor : 4 * actor + 4]
    displacement[:] = 0.0
    if awake[actor] == 0:
        return
    first = np.int64(origins[actor])
    last = np.int64(origins[actor + 1]) if actor + 1 < len(origins) else count
    for i in range(first, last):
        for k in range(3):
            displacement[k] += y[4 * i + k] - x[4 * i + k]
    for k in range(3):
        displacement[k] /= last - first
    most = 0.0
    for i in range(first, last):
        d0, d1, d2 = (
            y[4 * i] - x[4 * i] - displacement[0],
            y[4 * i + 1] - x[4 * i + 1] - displacement[1],
            y[4 * i + 2] - x[4 * i + 2] - displacement[2],
        )
        most = max(most, d0 * d0 + d1 * d1 + d2 * d2)
    displacement[3] = math.sqrt(most)


@part
def place_bodies(
    x, p, inverse, origins, hulls, attachments, attachment_weights, anchors, anchor_weights, proxies, spans, materials,
    awake, boxes, fat_boxes, places, proxy_boxes, cull_rows, displacements, serial, first, last,
):  # fmt: skip
    """Where the actors from first to last are, and the spheres of those that may meet others. Returns how many have
    left their fat AABBs."""
    left = 0
    for actor in range(first, last):
        place_actor(
            x, p, inverse, origins, hulls, attachments, attachment_weights, anchors, anchor_weights, proxies, spans,
            materials, awake, boxes, fat_boxes, places, proxy_boxes, cull_rows, displacements, serial, actor,
        )  # fmt: skip
        left += not within(boxes, fat_boxes, actor)
    return left


@kernel("x[] x[] x[] u[] x[] u[] x[] u[] x[] x[] u[] d[] u[] d[] d[] x[] d[] f[] d[] d f[] i[] i[] i[] i[] i[]")
def find_pairs_of_bodies(
    x, p, inverse, origins, hulls, attachments, attachment_weights, anchors, anchor_weights, proxies, spans, materials,
    awake, boxes, fat_boxes, places, proxy_boxes, cull_rows, displacements, serial, lanes, table, entries, keys,
    body_pairs, scratch,
):  # fmt: skip
    """Which actors may meet until one of them leaves its fat AABB; the spheres of those that were alone before are
    placed. Returns how many body pairs there are, or -1 if there is no room for all of them."""
    fatten_boxes(boxes, materials, displacements, fat_boxes)
    find_body_pairs(fat_boxes, materials, awake, lanes, table, entries, keys, body_pairs)
    if 2 + 2 * body_pairs[0] > len(body_pairs):
        return -1
    for actor in range(len(origins)):
        if fat_boxes[AABB * actor + PARTNERS] > 0.0 and displacements[DISPLACEMENT * actor + BOXED_AT] != serial:
            place_actor(
                x, p, inverse, origins, hulls, attachments, attachment_weights, anchors, anchor_weights, proxies, spans,
                materials, awake, boxes, fat_boxes, places, proxy_boxes, cull_rows, displacements, serial, actor,
            )  # fmt: skip
    if len(origins) > BRUTE_FORCE_ACTORS:
        sort_body_pairs(body_pairs, len(origins), table, scratch)
    return body_pairs[0]


@kernel("i[] i d[] d[] u[] i d[] u[] i")
def recall_body_pairs(body_pairs, actors, displacements, heads, lists, listed, new_heads, new_lists, pack):
    """What is known of those among new body pairs that were listed before. Returns where the lists end if they are
    packed."""
    return carry_over(body_pairs, actors, displacements, heads, lists, listed, new_heads, new_lists, pack)
