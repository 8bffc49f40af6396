# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that place contact spheres on the particles they are tied to."""

import math

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.box_kernels import bound_actor
from pliant.world.contact.cull_kernels import write_cull_row
from pliant.world.contact.layout import (
    AABB,
    BOUND,
    CANDIDATE_RANGE,
    CENTRE_OFFSET,
    CONTACT_RANGE,
    COVER,
    CULL_BOUND,
    CULL_MOVES,
    CULL_RADIUS,
    CULL_ROW,
    CULL_SHAPE,
    CULL_START,
    ELLIPSOID,
    END_CENTRE,
    FIRM,
    FIXED,
    MATERIAL,
    ONE_PARTICLE,
    OUT,
    PARTNERS,
    PROXY,
    PROXY_ARM,
    PROXY_BOX,
    PROXY_INV_MASS,
    PROXY_PLACE,
    RADIUS,
    START_CENTRE,
)  # fmt: skip
from pliant.world.contact.pair_list_kernels import add_displacement, begin_displacement

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones


@part
def tied(x, attachments, attachment_weights, s):
    """Where the one or two particles are that a sphere is tied to."""
    f = 4 * np.int64(attachments[2 * s])
    w = float(attachment_weights[2 * s])
    if w == 1.0:
        return float(x[f]), float(x[f + 1]), float(x[f + 2])
    g = 4 * np.int64(attachments[2 * s + 1])
    u = float(attachment_weights[2 * s + 1])
    return w * x[f] + u * x[g], w * x[f + 1] + u * x[g + 1], w * x[f + 2] + u * x[g + 2]


@part
def outwards(p, anchors, anchor_weights, s, e0, e1, e2):
    """From the point behind a sphere of a skin to its particle, at e."""
    for k in range(4):
        f = 4 * np.int64(anchors[4 * s + k])
        w = float(anchor_weights[4 * s + k])
        e0 -= w * p[f]
        e1 -= w * p[f + 1]
        e2 -= w * p[f + 2]
    return e0, e1, e2


@inner
def place_hulls(
    x, p, inverse, hulls, attachments, proxies, spans, materials, actor, boxes, places, proxy_boxes, cull_rows,
    displacements, serial
):  # fmt: skip
    """As place_spheres, for an actor whose particles are ellipsoids: each is a sphere by itself, and has no skin. And
    the actor's box."""
    firm = materials[MATERIAL * actor + FIRM]
    known = begin_displacement(displacements, actor, serial)
    real = cull_rows.dtype.type
    far, single = 1.0 + CANDIDATE_RANGE, (ELLIPSOID if firm == 0.0 else 0)
    l0 = l1 = l2 = a0 = a1 = a2 = 1e300
    h0 = h1 = h2 = z0 = z1 = z2 = -1e300
    for s in range(U(spans[actor]), U(spans[actor + 1])):
        i = U(attachments[U(2) * s])
        f, hull, row, cull, proxy_box = U(4) * i, U(6) * i, U(PROXY_PLACE) * s, U(CULL_ROW) * s, U(PROXY_BOX) * s
        e0, e1, e2 = float(p[f]), float(p[f + U(1)]), float(p[f + U(2)])
        b0, b1, b2 = float(x[f]), float(x[f + U(1)]), float(x[f + U(2)])
        give = inverse[i]
        places[row + U(PROXY_INV_MASS)] = give
        places[row + U(FIXED)], places[row + U(ONE_PARTICLE)] = firm, single
        for k in range(U(3)):
            places[row + k], places[row + U(START_CENTRE) + k] = p[f + k], x[f + k]
            cull_rows[cull + k], cull_rows[cull + U(CULL_START) + k] = p[f + k] - x[k], x[f + k] - x[k]
        cull_rows[cull + U(CULL_MOVES)] = real(1) if give > 0.0 else real(0)
        cull_rows[cull + U(CULL_RADIUS)], cull_rows[cull + U(CULL_BOUND)] = real(-1), proxies[U(PROXY) * s + U(BOUND)]
        for k in range(U(6)):
            cull_rows[cull + U(CULL_SHAPE) + k] = hulls[hull + k]
        w0 = 0.5 * abs(e0 - b0) + far * math.sqrt(hulls[hull])
        w1 = 0.5 * abs(e1 - b1) + far * math.sqrt(hulls[hull + U(1)])
        w2 = 0.5 * abs(e2 - b2) + far * math.sqrt(hulls[hull + U(2)])
        e0, e1, e2 = 0.5 * (e0 + b0), 0.5 * (e1 + b1), 0.5 * (e2 + b2)
        c0, c1, c2 = e0 - proxy_boxes[proxy_box], e1 - proxy_boxes[proxy_box + U(1)], e2 - proxy_boxes[proxy_box + U(2)]
        v0, v1, v2 = (
            abs(w0 - proxy_boxes[proxy_box + U(3)]),
            abs(w1 - proxy_boxes[proxy_box + U(4)]),
            abs(w2 - proxy_boxes[proxy_box + U(5)]),
        )
        proxy_boxes[proxy_box], proxy_boxes[proxy_box + U(1)], proxy_boxes[proxy_box + U(2)] = e0, e1, e2
        proxy_boxes[proxy_box + U(3)], proxy_boxes[proxy_box + U(4)], proxy_boxes[proxy_box + U(5)] = w0, w1, w2
        a0, a1, a2 = min(a0, e0 - w0), min(a1, e1 - w1), min(a2, e2 - w2)
        z0, z1, z2 = max(z0, e0 + w0), max(z1, e1 + w1), max(z2, e2 + w2)
        l0, l1, l2 = min(l0, c0 - v0), min(l1, c1 - v1), min(l2, c2 - v2)
        h0, h1, h2 = max(h0, c0 + v0), max(h1, c1 + v1), max(h2, c2 + v2)
    b = AABB * actor
    boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], boxes[b + 4], boxes[b + 5] = a0, a1, a2, z0, z1, z2
    if known:
        add_displacement(displacements, actor, (l0, l1, l2), (h0, h1, h2))


@part
def place_spheres(
    x, p, inverse, attachments, attachment_weights, anchors, anchor_weights, proxies, spans, materials, actor, places,
    proxy_boxes, cull_rows, displacements, serial,
):  # fmt: skip
    """Where the spheres of an actor are, before and after, and boxes round all that they may touch meanwhile. Those
    below a skin are turned as at the end in both, so that between the two lies the displacement of the particle, on
    which pushes act."""
    firm = materials[MATERIAL * actor + FIRM]
    known = begin_displacement(displacements, actor, serial)
    l0 = l1 = l2 = 1e300
    h0 = h1 = h2 = -1e300
    for s in range(np.int64(spans[actor]), np.int64(spans[actor + 1])):
        e0, e1, e2 = tied(p, attachments, attachment_weights, s)
        b0, b1, b2 = tied(x, attachments, attachment_weights, s)
        row = places[PROXY_PLACE * s : PROXY_PLACE * (s + 1)]
        row[PROXY_INV_MASS] = inverse[np.int64(attachments[2 * s])]
        w = float(attachment_weights[2 * s])
        if w != 1.0:
            u = float(attachment_weights[2 * s + 1])
            row[PROXY_INV_MASS] = w * w * row[PROXY_INV_MASS] + u * u * inverse[np.int64(attachments[2 * s + 1])]
        arm = float(proxies[PROXY * s + PROXY_ARM])
        o0 = o1 = o2 = 0.0
        if arm > 0.0:
            o0, o1, o2 = outwards(p, anchors, anchor_weights, s, e0, e1, e2)
            length = math.sqrt(o0 * o0 + o1 * o1 + o2 * o2)
            if length > 1e-3 * arm:
                o0, o1, o2 = o0 / length, o1 / length, o2 / length
            else:
                o0 = o1 = o2 = arm = 0.0
        row[OUT], row[OUT + 1], row[OUT + 2] = o0, o1, o2
        f0, f1, f2 = -arm * o0, -arm * o1, -arm * o2
        row[CENTRE_OFFSET], row[CENTRE_OFFSET + 1], row[CENTRE_OFFSET + 2] = f0, f1, f2
        e0, e1, e2, b0, b1, b2 = e0 + f0, e1 + f1, e2 + f2, b0 + f0, b1 + f1, b2 + f2
        row[END_CENTRE], row[END_CENTRE + 1], row[END_CENTRE + 2] = e0, e1, e2
        row[START_CENTRE], row[START_CENTRE + 1], row[START_CENTRE + 2] = b0, b1, b2
        row[FIXED], row[ONE_PARTICLE] = firm, (1.0 if w == 1.0 and firm == 0.0 else 0.0)
        write_cull_row(x, cull_rows, s, row, proxies, arm)
        proxy_box = proxy_boxes[PROXY_BOX * s : PROXY_BOX * (s + 1)]
        c0, c1, c2, w0, w1, w2 = proxy_box[0], proxy_box[1], proxy_box[2], proxy_box[3], proxy_box[4], proxy_box[5]
        proxy_box[0], proxy_box[1], proxy_box[2] = 0.5 * (e0 + b0), 0.5 * (e1 + b1), 0.5 * (e2 + b2)
        proxy_box[3], proxy_box[4], proxy_box[5] = 0.5 * abs(e0 - b0), 0.5 * abs(e1 - b1), 0.5 * abs(e2 - b2)
        r, cover = float(proxies[PROXY * s + RADIUS]), abs(float(proxies[PROXY * s + COVER]))
        widen(proxy_box, r, arm, cover, o0, o1, o2)
        c0, c1, c2 = proxy_box[0] - c0, proxy_box[1] - c1, proxy_box[2] - c2
        w0, w1, w2 = abs(proxy_box[3] - w0), abs(proxy_box[4] - w1), abs(proxy_box[5] - w2)
        l0, l1, l2 = min(l0, c0 - w0), min(l1, c1 - w1), min(l2, c2 - w2)
        h0, h1, h2 = max(h0, c0 + w0), max(h1, c1 + w1), max(h2, c2 + w2)
    if known:
        add_displacement(displacements, actor, (l0, l1, l2), (h0, h1, h2))


@part
def widen(proxy_box, r, arm, cover, o0, o1, o2):
    """Round a sphere, and the flat piece of the skin before it that it stands for."""
    for k in range(3):
        o = o0 if k == 0 else (o1 if k == 1 else o2)
        wide = cover * math.sqrt(max(0.0, 1.0 - o * o)) if arm > 0.0 else 0.0
        low, high = min(-r, arm * o - wide), max(r, arm * o + wide)
        proxy_box[k] += 0.5 * (high + low)
        proxy_box[3 + k] += 0.5 * (high - low) + 2.0 * CONTACT_RANGE * r


@inner
def place_actor(
    x, p, inverse, origins, hulls, attachments, attachment_weights, anchors, anchor_weights, proxies, spans, materials,
    awake, boxes, fat_boxes, places, proxy_boxes, cull_rows, displacements, serial, actor,
):  # fmt: skip
    """The spheres of an actor, and its box as tight as can be; if it has no partners, a box round its particles. One
    that sleeps stays where it is, whatever pushes: it has to be woken first."""
    asleep = awake[actor] == 0
    if fat_boxes[AABB * actor + PARTNERS] == 0.0:
        if not asleep or boxes[AABB * actor] >= boxes[AABB * actor + 3]:
            bound_actor(x, p, origins, materials, actor, len(inverse), boxes)
        return
    end = x if asleep else p
    if proxies[PROXY * np.int64(spans[actor]) + RADIUS] < 0.0:
        place_hulls(
            x, end, inverse, hulls, attachments, proxies, spans, materials, actor, boxes, places, proxy_boxes,
            cull_rows, displacements, serial,
        )  # fmt: skip
    else:
        place_spheres(
            x, end, inverse, attachments, attachment_weights, anchors, anchor_weights, proxies, spans, materials, actor,
            places, proxy_boxes, cull_rows, displacements, serial,
        )  # fmt: skip
        tighten(spans, proxy_boxes, boxes, actor)
    if asleep:
        for s in range(np.int64(spans[actor]), np.int64(spans[actor + 1])):
            places[PROXY_PLACE * s + PROXY_INV_MASS] = 0.0
            places[PROXY_PLACE * s + FIXED], places[PROXY_PLACE * s + ONE_PARTICLE] = 1.0, 0.0
            cull_rows[CULL_ROW * s + CULL_MOVES] = 0.0


@inner
def tighten(spans, proxy_boxes, boxes, actor):
    """The box of an actor is the one round the boxes of its spheres."""
    l0 = l1 = l2 = 1e300
    h0 = h1 = h2 = -1e300
    for s in range(np.uint64(spans[actor]), np.uint64(spans[actor + 1])):
        at = np.uint64(PROXY_BOX) * s
        c0, c1, c2 = proxy_boxes[at], proxy_boxes[at + np.uint64(1)], proxy_boxes[at + np.uint64(2)]
        e0, e1, e2 = proxy_boxes[at + np.uint64(3)], proxy_boxes[at + np.uint64(4)], proxy_boxes[at + np.uint64(5)]
        l0, l1, l2 = min(l0, c0 - e0), min(l1, c1 - e1), min(l2, c2 - e2)
        h0, h1, h2 = max(h0, c0 + e0), max(h1, c1 + e1), max(h2, c2 + e2)
    b = AABB * actor
    boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], boxes[b + 4], boxes[b + 5] = l0, l1, l2, h0, h1, h2
