"""What actors remember from step to step, and what can be asked of them and changed meanwhile."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own
from pliant.examples import given_weights
from pliant.examples.plastic_kernels import RULE_ROWS
from pliant.maths.aligned import aligned_zeros
from pliant.models.clusters import layout as at
from pliant.models.clusters.examples import give
from pliant.models.clusters.prepare import Cohort, Pack, lane_rows
from pliant.models.clusters.settings import Clusters
from pliant.models.clusters.stiffness import alphas
from pliant.models.plasticity import Lasting, tune_rules

LANES = at.LANES


def start(pack: Pack) -> Own:
    """The memory of each cohort: rotations as the actors were placed, no weights yet."""
    own = []
    for cohort in pack.cohorts:
        own.append(aligned_zeros(cohort.memory_size, cohort.floats.dtype))
        rotations = _rotations(cohort, own[-1])
        rotations[:, 3] = 1.0
        for role, lanes in zip(cohort.roles, cohort.lanes, strict=True):
            rotations[lanes // LANES, :, lanes % LANES] = role.rotation
    return own


def _rotations(cohort: Cohort, memory: NDArray[Any]) -> NDArray[Any]:
    """(blocks, 4, 64), a view."""
    place = int(cohort.ints[at.ROTATIONS])
    return memory[place : place + cohort.blocks * 4 * LANES].reshape(cohort.blocks, 4, LANES)


def _weights(cohort: Cohort, memory: NDArray[Any]) -> NDArray[Any]:
    """(group blocks, K, 64), a view."""
    place, k, blocks = (int(cohort.ints[name]) for name in (at.WEIGHTS, at.EXAMPLES, at.GROUP_BLOCKS))
    return memory[place : place + blocks * k * LANES].reshape(blocks, k, LANES)


def remember(pack: Pack, own: Own, number: int) -> tuple[NDArray[Any], ...]:
    """The rotations (C, 4) of one actor's clusters, the weights (G, K) of its groups, and what of these has stayed."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    lanes, groups = cohort.lanes[i], np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    turned = _rotations(cohort, own[c])[lanes // LANES, :, lanes % LANES].astype(np.float64)
    used = _weights(cohort, own[c])[groups // LANES, :, groups % LANES].copy()
    return turned, used, _lasting(pack, own, number).read()


def recall(pack: Pack, own: Own, number: int, remembered: tuple[NDArray[Any], ...]) -> None:
    turned, used, stayed = remembered
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    lanes, groups = cohort.lanes[i], np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    if len(turned) == len(lanes):
        _rotations(cohort, own[c])[lanes // LANES, :, lanes % LANES] = turned
    elif len(turned):  # it has other clusters now: all are turned as one of those was
        _rotations(cohort, own[c])[lanes // LANES, :, lanes % LANES] = turned[0]
    table = _weights(cohort, own[c])
    if used.shape == (len(groups), table.shape[1]):  # else it has other groups now
        table[groups // LANES, :, groups % LANES] = used
        _lasting(pack, own, number).write(stayed)


def groups(pack: Pack, number: int) -> tuple[str, ...]:
    c, i = pack.place[number]
    return pack.cohorts[c].wholes[i].groups.names


def weights(pack: Pack, own: Own, number: int) -> NDArray[np.float64]:
    """(groups, 1 + poses) as used in the last step, rest first."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    role, told = cohort.roles[i], cohort.wholes[i].groups
    mine = np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    used = np.where(told.seen, given_weights(role.body.poses, role.settings.forced), 0.0)
    remainder = np.maximum(0.0, 1.0 - used.sum(axis=1, keepdims=True))
    used[:, cohort.examples_of[i].free] = _weights(cohort, own[c])[mine // LANES, :, mine % LANES] * remainder
    return told.table(used)


def plastic(pack: Pack, own: Own, number: int) -> NDArray[np.float64]:
    """(groups, 1 + poses) what has stayed, rest first."""
    c, i = pack.place[number]
    role, told = pack.cohorts[c].roles[i], pack.cohorts[c].wholes[i].groups
    nothing = np.zeros((len(told.names), len(role.body.poses)))
    return told.table(_lasting(pack, own, number).weights(nothing, pack.cohorts[c].examples_of[i].free))


def anneal(pack: Pack, own: Own, number: int, seconds: float) -> None:
    """What has stayed goes back to rest, evenly in so many seconds; 0: at once."""
    _lasting(pack, own, number).anneal(seconds)


def _lasting(pack: Pack, own: Own, number: int) -> Lasting:
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    blocks = int(cohort.ints[at.GROUP_BLOCKS]) if cohort.ints[at.PLASTIC] else 0
    return Lasting.of(own[c], int(cohort.ints[at.LASTING]), blocks, int(cohort.ints[at.EXAMPLES]), cohort.groups[i])


def all_weights(pack: Pack, own: Own, out: NDArray[Any]) -> None:
    """`weights` of every role, one after the other: crowds are recorded sixty times a second."""
    first = number = 0
    for cohort, memory in zip(pack.cohorts, own, strict=True):
        if cohort.all_found:
            count, k = cohort.groups[-1].stop, int(cohort.ints[at.EXAMPLES])
            rows = out[first : first + count * (1 + k)].reshape(count, 1 + k)
            table = _weights(cohort, memory)
            rows[:, 1:] = table.transpose(0, 2, 1).reshape(len(table) * LANES, k)[:count]
            rows[:, 0] = 1.0 - rows[:, 1:].sum(axis=1)
            first += rows.size
        else:
            for place in range(number, number + len(cohort.roles)):
                told = weights(pack, own, place)
                out[first : first + told.size] = told.ravel()
                first += told.size
        number += len(cohort.roles)


def retune(pack: Pack, number: int, settings: Clusters) -> None:
    """New stiffness and strength for one actor, while it runs."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    mine = np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    rows = 2 * int(cohort.ints[at.EXAMPLES]) ** 2 + 1
    place, blocks = int(cohort.ints[at.GROUP_ROWS]), int(cohort.ints[at.GROUP_BLOCKS])
    table = cohort.floats[place : place + blocks * rows * LANES].reshape(blocks, rows, LANES)
    table[mine // LANES, -1, mine % LANES] = settings.example_strength
    if cohort.ints[at.PLASTIC]:
        place = int(cohort.ints[at.RULES])
        tune_rules(cohort.floats[place : place + blocks * RULE_ROWS * LANES], mine, settings.plasticity)
    pack.step = 0.0
    force(pack, number, settings)


def force(pack: Pack, number: int, settings: Clusters) -> None:
    """Other weights that are given; all else is as it was."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    role = cohort.roles[i] = replace(cohort.roles[i], settings=settings)
    if settings.forced:
        shown = cohort.examples_of[i] = give(role.body, settings, cohort.examples_of[i])
        lanes = cohort.lanes[i]
        made = lane_rows(cohort.wholes[i], shown)
        _lane_rows(cohort)[lanes // LANES, 1:, lanes % LANES] = made[:, 1:]


def _lane_rows(cohort: Cohort) -> NDArray[Any]:
    """(blocks, rows, 64), a view."""
    rows = at.LANE_CONSTANTS + int(cohort.ints[at.COLUMNS]) + int(cohort.ints[at.EXAMPLES])
    place = int(cohort.ints[at.LANE_ROWS])
    return cohort.floats[place : place + cohort.blocks * rows * LANES].reshape(cohort.blocks, rows, LANES)


def set_step(pack: Pack, h: float) -> None:
    """How far particles go to their goals in a step of h (s)."""
    for cohort in pack.cohorts:
        table = _lane_rows(cohort)
        known: dict[tuple[int, float | None, float], Any] = {}
        for role, whole, lanes in zip(cohort.roles, cohort.wholes, cohort.lanes, strict=True):
            key = id(whole), role.settings.young, role.settings.stiffness
            if key not in known:
                known[key] = alphas(whole, role.settings, h)
            table[lanes // LANES, at.ALPHA, lanes % LANES] = known[key]
    pack.step = h
