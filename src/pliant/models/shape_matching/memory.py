"""What actors of shape matching remember from step to step, and what can be asked of them and changed meanwhile."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own
from pliant.examples import given_weights
from pliant.examples.plastic_kernels import RULE_ROWS
from pliant.maths.aligned import aligned_zeros
from pliant.models.plasticity import Lasting, tune_rules
from pliant.models.shape_matching import layout as at
from pliant.models.shape_matching.constants import body_constants, pose_constants
from pliant.models.shape_matching.examples import give
from pliant.models.shape_matching.kernels import tell
from pliant.models.shape_matching.material import MOST_ALPHA, RATE, stiffness_of
from pliant.models.shape_matching.prepare import Cohort, Pack, region_rows, relief_rows
from pliant.models.shape_matching.settings import ShapeMatching

LANES = at.LANES


def start(pack: Pack) -> Own:
    """The memory of each cohort: rotations as the actors were placed, no weights yet."""
    own = []
    for cohort in pack.cohorts:
        own.append(aligned_zeros(cohort.memory_size, cohort.floats.dtype))
        _rotations(cohort, own[-1])[:, [3, 7]] = 1.0
    for number, role in enumerate(role for cohort in pack.cohorts for role in cohort.roles):
        _place_rotations(pack, own, number, np.tile(role.rotation, (len(role.body.rest), 2)))
    return own


def _rotations(cohort: Cohort, memory: NDArray[Any]) -> NDArray[Any]:
    place = int(cohort.ints[at.ROTATIONS])
    return memory[place : place + cohort.blocks * 8 * LANES].reshape(cohort.blocks, 8, LANES)


def remember(pack: Pack, own: Own, number: int) -> tuple[NDArray[Any], ...]:
    """The rotations (V, 8) of one actor, plain and matched, its weights (groups, poses), which groups have begun, and
    what of its weights has stayed."""
    c, i = pack.place[number]
    cohort, particles = pack.cohorts[c], pack.cohorts[c].particles[i]
    lanes = np.arange(particles.start, particles.stop)
    kept = _rotations(cohort, own[c])[lanes // LANES, :, lanes % LANES].astype(np.float64)
    settings: ShapeMatching = cohort.roles[i].settings
    # What is not kept up to date is as good as the other.
    if settings.rotation == "paper":
        kept[:, 4:] = kept[:, :4]
    elif settings.weights != "paper" or not cohort.examples:
        kept[:, :4] = kept[:, 4:]
    table, blocks, lanes = _weights(pack, own, number)
    place, groups = int(cohort.ints[at.SETTLED]), cohort.groups[i]
    settled = own[c][place + groups.start : place + groups.stop].copy()
    return kept, table[blocks, :, lanes].copy(), settled, _lasting(pack, own, number).read()


def recall(pack: Pack, own: Own, number: int, remembered: tuple[NDArray[Any], ...]) -> None:
    rotations, used, settled, stayed = remembered
    _place_rotations(pack, own, number, rotations)
    table, blocks, lanes = _weights(pack, own, number)
    if used.shape == (len(lanes), table.shape[1]):  # else it has other groups now
        table[blocks, :, lanes] = used
        c, i = pack.place[number]
        place = int(pack.cohorts[c].ints[at.SETTLED])
        own[c][place + pack.cohorts[c].groups[i].start : place + pack.cohorts[c].groups[i].stop] = settled
        _lasting(pack, own, number).write(stayed)


def _place_rotations(pack: Pack, own: Own, number: int, remembered: NDArray[Any]) -> None:
    c, i = pack.place[number]
    cohort, particles = pack.cohorts[c], pack.cohorts[c].particles[i]
    lanes = np.arange(particles.start, particles.stop)
    _rotations(cohort, own[c])[lanes // LANES, :, lanes % LANES] = remembered


def weights(pack: Pack, own: Own, number: int) -> NDArray[np.float64]:
    """(groups, 1 + poses) as used in the last step, rest first."""
    table, blocks, lanes = _weights(pack, own, number)
    c, i = pack.place[number]
    role, groups = pack.cohorts[c].roles[i], pack.cohorts[c].examples_of[i].groups
    given = given_weights(role.body.poses, role.settings.forced)
    used = np.where(groups.seen, given, 0.0)
    remainder = np.maximum(0.0, 1.0 - used.sum(axis=1, keepdims=True))
    used[:, pack.cohorts[c].examples_of[i].free] = table[blocks, :, lanes] * remainder
    return groups.table(used)


def plastic(pack: Pack, own: Own, number: int) -> NDArray[np.float64]:
    """(groups, 1 + poses) what has stayed, rest first."""
    c, i = pack.place[number]
    role, shown = pack.cohorts[c].roles[i], pack.cohorts[c].examples_of[i]
    nothing = np.zeros((len(shown.groups.names), len(role.body.poses)))
    return shown.groups.table(_lasting(pack, own, number).weights(nothing, shown.free))


def anneal(pack: Pack, own: Own, number: int, seconds: float) -> None:
    """What has stayed goes back to rest, evenly in so many seconds; 0: at once."""
    _lasting(pack, own, number).anneal(seconds)


def _lasting(pack: Pack, own: Own, number: int) -> Lasting:
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    blocks = int(cohort.ints[at.GROUP_BLOCKS]) if cohort.ints[at.PLASTIC] else 0
    return Lasting.of(own[c], int(cohort.ints[at.LASTING]), blocks, cohort.examples, cohort.groups[i])


def all_weights(pack: Pack, own: Own, out: NDArray[Any]) -> None:
    """`weights` of every role, one after the other: crowds are recorded sixty times a second."""
    first = number = 0
    for cohort, mine in zip(pack.cohorts, own, strict=True):
        if not cohort.all_found:
            for place in range(number, number + len(cohort.roles)):
                told = weights(pack, own, place)
                out[first : first + told.size] = told.ravel()
                first += told.size
        else:
            first = tell(cohort.ints, mine, out, first)
        number += len(cohort.roles)


def _weights(
    pack: Pack, own: Own, number: int
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """(group blocks, poses, 64), a view, and the blocks and lanes of the actor's groups."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    groups = np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    return _table(cohort, own[c]), groups // LANES, groups % LANES


def _table(cohort: Cohort, own: NDArray[Any]) -> NDArray[Any]:
    """(group blocks, poses, 64), a view."""
    place, k = int(cohort.ints[at.WEIGHTS]), cohort.examples
    blocks = int(cohort.ints[at.GROUP_BLOCKS])
    return own[place : place + blocks * k * LANES].reshape(blocks, k, LANES)


def groups(pack: Pack, number: int) -> tuple[str, ...]:
    c, i = pack.place[number]
    return pack.cohorts[c].examples_of[i].groups.names


def retune(pack: Pack, number: int, settings: ShapeMatching) -> None:
    """New stiffness and strength for one actor, while it runs."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    stiffnesses(cohort, i)[:] = stiffness_of(cohort.roles[i].body, settings).particles
    pack.limited_for = 0.0
    lanes = np.arange(cohort.groups[i].start, cohort.groups[i].stop)
    _strengths(cohort)[lanes // LANES, lanes % LANES] = settings.example_strength
    force(pack, number, settings)
    table = _reliefs(cohort)
    table[lanes // LANES, :, lanes % LANES] = relief_rows(cohort.roles[i], cohort.examples_of[i])
    cohort.ints[at.RELIEVED] = table.any()
    if cohort.ints[at.PLASTIC]:
        place, blocks = int(cohort.ints[at.RULES]), int(cohort.ints[at.GROUP_BLOCKS])
        tune_rules(cohort.floats[place : place + blocks * RULE_ROWS * LANES], lanes, settings.plasticity)


def force(pack: Pack, number: int, settings: ShapeMatching) -> None:
    """Other weights that are given; all else is as it was."""
    c, i = pack.place[number]
    cohort = pack.cohorts[c]
    cohort.roles[i] = replace(cohort.roles[i], settings=settings)
    if settings.forced:
        _give(cohort, i)


def _give(cohort: Cohort, i: int) -> None:
    """Write what depends on the given weights of an actor: the constants of its regions."""
    role, particles = cohort.roles[i], cohort.particles[i]
    examples = cohort.examples_of[i] = give(role, cohort.examples_of[i])
    place, rows = int(cohort.ints[at.REGIONS]), int(cohort.ints[at.CONSTANTS])
    table = cohort.floats[place : place + cohort.blocks * rows * LANES].reshape(cohort.blocks, rows, LANES)
    lanes = np.arange(particles.start, particles.stop)
    poses = pose_constants(role.body, role.settings.goals)
    table[lanes // LANES, :, lanes % LANES] = region_rows(body_constants(role.body), poses, examples, rows)


def stiffnesses(cohort: Cohort, number: int) -> NDArray[Any]:
    """Of the particles of an actor (V,), a view."""
    place, particles = int(cohort.ints[at.STIFFNESS]), cohort.particles[number]
    return cohort.floats[place + particles.start : place + particles.stop]


def limit(pack: Pack, h: float) -> None:
    """Materials that would need a shorter step than h are as stiff as h allows: all of a body by the same factor, since
    forces between parts that are cut short by different ones would not add up to zero."""
    for cohort in pack.cohorts:
        for number, role in enumerate(cohort.roles):
            if role.settings.young is not None or role.settings.painted:
                needed = stiffness_of(role.body, role.settings).particles
                most = 1.0 if role.settings.young is None else MOST_ALPHA
                stiffnesses(cohort, number)[:] = needed / max(1.0, float(needed.max()) * (RATE * h) ** 2 / most)
    pack.limited_for = h


def _reliefs(cohort: Cohort) -> NDArray[Any]:
    """(group blocks, 2 K, 64), a view."""
    rows = 2 * cohort.examples
    place, blocks = int(cohort.ints[at.RELIEF]), int(cohort.ints[at.GROUP_BLOCKS])
    return cohort.floats[place : place + blocks * rows * LANES].reshape(blocks, rows, LANES)


def _strengths(cohort: Cohort) -> NDArray[Any]:
    """(group blocks, 64), a view."""
    rows = 2 * cohort.examples**2 + 1
    place, blocks = int(cohort.ints[at.GROUP_CONSTANTS]), int(cohort.ints[at.GROUP_BLOCKS])
    return cohort.floats[place : place + blocks * rows * LANES].reshape(blocks, rows, LANES)[:, -1]
