# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Bodies meet bodies, in one kernel call for each thread: from where the models and handles have put the particles to
the end of the sub-step. Threads go through it together and wait for one another at a few points. They may come here
from the models, one earlier than another."""

import numpy as np

from pliant.runtime.jit import kernel, part
from pliant.runtime.waiting import PLACE, ROUNDS, all_here
from pliant.world.contact.finish_kernels import finish_bodies
from pliant.world.contact.kernels import place_bodies
from pliant.world.contact.moment_kernels import turn_bodies
from pliant.world.contact.part_kernels import PARTED, PLACED, SOLVED, find_all, part_bodies
from pliant.world.kernels import put_those

LEFT = 2  # place on the board of a thread: how many have left their fat AABBs
FROM_START, ONLY_PLACE, GO_ON = range(3)  # a sub-step from its begin, only until bodies are placed, or from there
FIND_PAIRS, FIND_ALONE = -2, -3  # answers: body pairs have to be found anew; one thread has to check all of them


@kernel(
    "x[] x[] x[] x[] x[] x[] x[] x[] u[] u[] d[] d[] d[] x[] d[] f[] d[] u[] x[] u[] x[] x[] x[] u[] u[] u[] d[] u[] "
    "d[] d[] x[] d[] f[] d[] i[] d[] u[] x[] x[] u[] i[] d[] f[] u[] u[] u[] u[] u[] x[] i[] d[] d[] x[] d[] u[] "
    "u[] u[] i[] x[] u[] d[] i[] d[] d[] i[] i[] i i"
)  # fmt: skip
def meet_bodies(
    x, v, y, p, angular_velocities, inverse, masses, acceleration, chunks, origins, sums, motion, bounces, hulls,
    colliders, grids, ground, attachments, attachment_weights, anchors, anchor_weights, proxies, rests, owners, spans,
    sides, materials, awake, boxes, fat_boxes, places, proxy_boxes, cull_rows, displacements, body_pairs, heads, lists,
    candidates, new_candidates, near, table, grid, groups, pairs, survivors, active, order, marks, contacts, bounds,
    meetings, impacts, warm_pushes, static_rows, general, used, colour_slots, colour_starts, blocks, ends, sleep_timers,
    pinned, pins, numbers, rooms, board, piece, pieces,
):  # fmt: skip
    """Pins have the last word on where particles are; then place the contact spheres, find contacts, part bodies, and
    settle. Nothing that lasts is written unless all numbers are finite. Returns a particle that has no finite place, -1
    if all have one, or what has to be done before it can go on; and 1 if an actor fell asleep or woke."""
    gx, gy, gz, h, serial, since, stage = (
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]
    )  # fmt: skip
    serial += board[PLACE * piece + ROUNDS]
    if stage != GO_ON:
        all_here(board, piece, pieces, SOLVED)
        first, last = share_of(spans, piece, pieces)
        put_those(p, pinned, pins, start_of(origins, first, len(inverse)), start_of(origins, last, len(inverse)))
        turn_bodies(x, p, inverse, masses, origins, owners, awake, warm_pushes, h, first, last)
        board[PLACE * piece + LEFT] = place_bodies(
            x, p, inverse, origins, hulls, attachments, attachment_weights, anchors, anchor_weights, proxies, spans,
            materials, awake, boxes, fat_boxes, places, proxy_boxes, cull_rows, displacements, serial, first, last,
        )  # fmt: skip
        all_here(board, piece, pieces, PLACED)
        if stage == ONLY_PLACE or any_left(board, pieces):
            return FIND_PAIRS, 0
    if not find_all(
        attachments, proxies, rests, owners, spans, sides, materials, hulls, bounces, angular_velocities, boxes, places,
        proxy_boxes, cull_rows, body_pairs, displacements, heads, lists, candidates, new_candidates, near, table, grid,
        groups, pairs, survivors, active, order, contacts, bounds, h, serial, since, rooms, board, piece, pieces,
    ):  # fmt: skip
        return FIND_ALONE, 0
    part_bodies(
        x, p, inverse, origins, hulls, bounces, colliders, grids, attachments, attachment_weights, owners, spans, sides,
        materials, awake, boxes, places, marks, contacts, bounds, motion, meetings, impacts, warm_pushes, static_rows,
        general, used, colour_slots, colour_starts, blocks, ends, h, board, piece, pieces,
    )  # fmt: skip
    return finish_bodies(
        x, v, y, p, inverse, masses, acceleration, chunks, origins, sums, motion, bounces, angular_velocities, hulls,
        colliders, grids, ground, attachments, attachment_weights, owners, spans, sides, materials, awake, places,
        contacts, bounds, meetings, impacts, warm_pushes, sleep_timers, gx, gy, gz, h, board, PARTED, piece, pieces,
    )  # fmt: skip


@part
def share_of(spans, piece, pieces):
    """Which actors a thread places: those of about as many spheres as the other threads' have."""
    actors, spheres = len(spans) - 1, np.int64(spans[len(spans) - 1])
    first = last = 0
    while first < actors and np.int64(spans[first]) * pieces < spheres * piece:
        first += 1
    while last < actors and (piece + 1 == pieces or np.int64(spans[last]) * pieces < spheres * (piece + 1)):
        last += 1
    return first, last


@part
def start_of(origins, actor, count):
    """The first particle of an actor; of the one behind the last: how many there are."""
    return np.int64(origins[actor]) if actor < len(origins) else count


@part
def any_left(board, pieces):
    """Whether any actor is no longer in its fat AABB."""
    left = 0
    for piece in range(pieces):
        left += board[PLACE * piece + LEFT]
    return left > 0
