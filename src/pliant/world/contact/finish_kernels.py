# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The end of a sub-step in which bodies may meet: obstacles, rigid motions, what bodies do to each other as wholes, the
commit, and sleep. Several threads may do it together."""

import numpy as np

from pliant.runtime.jit import part
from pliant.runtime.waiting import AGAIN, PLACE, ROUNDS, all_here
from pliant.world.contact.after_kernels import answer_body_pairs, answer_side
from pliant.world.contact.moment_kernels import keep_moments
from pliant.world.contact.rebound_kernels import rebound
from pliant.world.contact.side_kernels import ACROSS, GROUND_ROWS, is_mine, rows_of
from pliant.world.contact.sleep_kernels import update_sleep
from pliant.world.contact.warm_start_kernels import forget, keep_ground, keep_pushes
from pliant.world.contact_kernels import gentle_speed
from pliant.world.kernels import CHANGED
from pliant.world.motion_kernels import commit, rigid_motion
from pliant.world.touch_kernels import touch

BAD = 1  # place on the board of a thread, behind where it says how far it is
SLEEP_SHARE = 0.2  # of what the others commit, the last thread does while it sees to the sleepers


@part
def finish_bodies(
    x, v, y, p, inverse, masses, acceleration, chunks, origins, sums, motion, bounces, angular_velocities, hulls,
    colliders, grids, marks, attachments, attachment_weights, owners, spans, sides, materials, awake, places, contacts,
    bounds, meetings, impacts, warm_pushes, sleep_timers, gx, gy, gz, h, board, point, piece, pieces,
):  # fmt: skip
    """From where contact has left the particles (p) to x and v after the sub-step; point: the last one at which the
    threads have waited for one another. Nothing that lasts is written unless all numbers are finite. Returns a particle
    that is not, or -1; and 1 if an actor fell asleep or woke."""
    gentle = gentle_speed(gx, gy, gz, h)
    actors = len(origins)
    first, last = cut(chunks, piece, pieces, 1.0)
    board[PLACE * piece + BAD] = touch(
        x, v, y, p, inverse, masses, acceleration, chunks, origins, sums, bounces, angular_velocities, hulls, colliders,
        grids, marks, gentle, gx, gy, gz, h, first, last,
    )  # fmt: skip
    all_here(board, piece, pieces, point + 1)
    bad = first_bad(board, pieces)
    if bad >= 0:
        return bad, 0
    rigid_motion(
        x, chunks, origins, sums, motion, bounces, gentle, gx, gy, gz, h, actors * piece // pieces,
        actors * (piece + 1) // pieces,
    )  # fmt: skip
    all_here(board, piece, pieces, point + 2)
    for side in range(2):
        if is_mine(side, piece, pieces):
            answer_side(
                x, masses, hulls, angular_velocities, attachments, attachment_weights, owners, sides, materials, places,
                contacts, bounds, meetings, motion, impacts, gentle, side, h,
            )  # fmt: skip
            forget(warm_pushes, origins, owners, spans, sides, awake, side)
            first, last = rows_of(bounds, 2 * side)
            keep_pushes(warm_pushes, contacts, first, last, h)
            keep_ground(
                warm_pushes, owners, contacts, bounds[GROUND_ROWS + 2 * side], bounds[GROUND_ROWS + 2 * side + 1], h
            )
    all_here(board, piece, pieces, point + 3)
    first, last = rows_of(bounds, ACROSS)
    if piece == pieces - 1:
        keep_pushes(warm_pushes, contacts, first, last, h)
    if piece == 0:
        answer_body_pairs(
            angular_velocities, attachments, owners, materials, places, contacts, first, last, meetings, motion,
            impacts, gentle, h,
        )  # fmt: skip
        rebound(motion, impacts, awake, h)
        keep_moments(inverse, owners, awake, meetings, motion, warm_pushes)
    all_here(board, piece, pieces, point + 4)
    changed = 0
    if piece == pieces - 1:
        changed = update_sleep(
            contacts, bounds, owners, motion, meetings, awake, sleep_timers, materials, warm_pushes, h
        )
    first, last = cut(chunks, piece, pieces, SLEEP_SHARE)
    commit(x, v, y, p, inverse, chunks, motion, first, last)
    board[PLACE * piece + CHANGED] = changed
    board[PLACE * piece + ROUNDS] += 1
    return AGAIN, changed


@part
def cut(chunks, piece, pieces, least):
    """Which chunks a thread takes, so that all have about as many particles; the last one only that part of them."""
    count, total = len(chunks) // 3, 0
    for chunk in range(count):
        total += np.int64(chunks[3 * chunk + 1]) - np.int64(chunks[3 * chunk])
    share = total / (pieces - 1 + least)
    first = last = count
    done = 0
    for chunk in range(count):
        if first == count and done >= share * piece:
            first = chunk
        if done >= share * (piece + 1) and piece + 1 < pieces:
            last = chunk
            break
        done += np.int64(chunks[3 * chunk + 1]) - np.int64(chunks[3 * chunk])
    return first, max(first, last)


@part
def first_bad(board, pieces):
    """The first particle that any thread found to have no finite place, or -1."""
    bad = -1
    for piece in range(pieces):
        found = board[PLACE * piece + BAD]
        if found >= 0 and (bad < 0 or found < bad):
            bad = found
    return bad
