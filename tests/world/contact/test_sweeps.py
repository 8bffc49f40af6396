"""Sweeps over eight contacts at a time do what one contact after the other would do."""

import numpy as np
import pytest

from pliant.world.contact import layout as at
from pliant.world.contact import side_kernels as sides
from pliant.world.contact import sweep_kernels as sweeps

PARTICLES = 40
OFFSETS = np.random.default_rng(5).uniform(-0.1, 0.1, (PARTICLES, 3))  # from the particles to the centres of spheres


def contacts(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of random contacts between particles, and where the particles are (as rows of 4)."""
    random = np.random.default_rng(seed)
    places = random.uniform(-1, 1, (PARTICLES, 4))
    rows = np.zeros((count, at.CONTACT))
    for row in rows:
        i, j = random.choice(PARTICLES, 2, replace=False)
        normal = random.normal(size=3)
        row[[at.ONE, at.OTHER]] = i, j
        row[at.NORMAL : at.NORMAL + 3] = normal / np.linalg.norm(normal)
        row[at.MIN_DISTANCE], row[at.CONTACT_FRICTION] = random.uniform(-0.5, 1.5), random.choice([0.0, 0.3, 5.0])
        row[at.SLIP_OFFSET : at.SLIP_OFFSET + 3] = random.uniform(-0.1, 0.1, 3) - places[i, :3] + places[j, :3]
        row[at.PARTICLES_ONLY] = random.choice([1, at.ELLIPSOIDS_ONLY])
    return rows, places


class Swept:
    """Contacts in blocks; spheres have an offset from their particles, but ellipsoids are the particles themselves."""

    def __init__(self, rows: np.ndarray, places: np.ndarray, inverse: np.ndarray) -> None:
        count = len(rows)
        rows[:, at.INV_MASS] = inverse[rows[:, at.ONE].astype(int)]
        rows[:, at.OTHERS_INV_MASS] = inverse[rows[:, at.OTHER].astype(int)]
        both = rows[:, at.INV_MASS] + rows[:, at.OTHERS_INV_MASS]
        rows[:, at.EFFECTIVE_MASS] = np.divide(1.0, both, out=np.zeros(count), where=both > 0)
        spheres = np.zeros((PARTICLES, at.PROXY_PLACE))
        spheres[:, at.CENTRE_OFFSET : at.CENTRE_OFFSET + 3] = OFFSETS
        spheres[:, at.PROXY_INV_MASS] = inverse
        attachments = np.repeat(np.arange(PARTICLES, dtype=np.uint32), 2)
        attachment_weights = np.tile([1.0, 0.0], PARTICLES)
        self.rows, self.p, self.inverse = rows, places.reshape(-1).copy(), inverse
        self.colour_slots = np.zeros(count, np.uint32)
        self.starts = np.zeros(sweeps.COLOURS + 1, np.int64)
        self.blocks = np.zeros(sweeps.CONTACT_BLOCK * (count // sweeps.CONTACT_LANES + sweeps.COLOURS))
        self.ends = np.zeros(2 * sweeps.CONTACT_LANES * (count // sweeps.CONTACT_LANES + sweeps.COLOURS), np.uint32)
        self.general = np.zeros(count, np.uint32)
        owners, warm_pushes = np.zeros(PARTICLES, np.uint32), np.zeros(at.WARM_ROW * at.WARM_SLOTS * PARTICLES)
        self.blocks[:] = self.ends[:] = 7  # of the last time
        bounds = np.zeros(sides.BOUNDS_SIZE, np.int64)
        bounds[sides.PART_ROWS + 1] = count
        sweeps.colour_contacts(
            attachments, rows.reshape(-1), bounds, 0, np.zeros(PARTICLES, np.uint32), self.colour_slots, self.starts,
            self.blocks, self.ends,
        )  # fmt: skip
        self.general_count = sweeps.weigh_general(
            self.p, inverse, attachments, attachment_weights, owners, np.zeros(at.MATERIAL), spheres.reshape(-1),
            np.zeros(40), rows.reshape(-1), 0, count, warm_pushes, self.colour_slots, self.general, 0.01,
        )  # fmt: skip
        for first, last in ((count // 3, count), (0, count // 3)):  # in any order
            sweeps.fill(
                inverse, attachments, spheres.reshape(-1), rows.reshape(-1), first, last, warm_pushes,
                self.colour_slots, self.blocks, self.ends, 0.01,
            )  # fmt: skip
        self.slots = self.colour_slots[:count].astype(int)
        self.colours = np.searchsorted(self.starts, self.slots // sweeps.CONTACT_LANES, side="right") - 1

    def sweep(self) -> float:
        return float(sweeps.sweep_contacts(self.p, self.ends, self.blocks, self.starts))


def one_by_one(rows: np.ndarray, order: np.ndarray, p: np.ndarray, inverse: np.ndarray) -> None:
    """A sweep as the formula has it: the push along the normal is never negative, friction at most that much of it."""
    for c in order:
        row = rows[c]
        i, j = int(row[at.ONE]), int(row[at.OTHER])
        n = row[at.NORMAL : at.NORMAL + 3]
        mass, d = 1 / (inverse[i] + inverse[j]), p[i] - p[j]
        if row[at.PARTICLES_ONLY] != at.ELLIPSOIDS_ONLY:
            d = d + OFFSETS[i] - OFFSETS[j]
        push = max(0.0, row[at.PUSH] + (row[at.MIN_DISTANCE] - n @ d) * mass)
        slip = d + row[at.SLIP_OFFSET : at.SLIP_OFFSET + 3]
        drag = row[at.FRICTION_PUSH : at.FRICTION_PUSH + 3] - (slip - (slip @ n) * n) * mass
        most = row[at.CONTACT_FRICTION] * push
        if np.linalg.norm(drag) > most:
            drag = drag * most / np.linalg.norm(drag)
        change = (push - row[at.PUSH]) * n + drag - row[at.FRICTION_PUSH : at.FRICTION_PUSH + 3]
        row[at.PUSH], row[at.FRICTION_PUSH : at.FRICTION_PUSH + 3] = push, drag
        p[i] += inverse[i] * change
        p[j] -= inverse[j] * change


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 7, 8, 9, 130])
def test_no_particle_stands_twice_in_a_colour(count: int) -> None:
    rows, places = contacts(count, seed=count)
    swept = Swept(rows, places, np.ones(PARTICLES))
    assert swept.general_count == 0
    assert len(set(swept.slots)) == count  # each has a slot of its own
    for colour in range(int(swept.colours.max()) + 1):
        of = swept.colours == colour
        ends = rows[of][:, [at.ONE, at.OTHER]].reshape(-1)
        assert len(np.unique(ends)) == len(ends)
        first, last = swept.starts[colour : colour + 2] * sweeps.CONTACT_LANES
        assert ((swept.slots[of] >= first) & (swept.slots[of] < last)).all()


def test_who_finds_no_colour_goes_the_long_way() -> None:
    rows, places = contacts(sweeps.COLOURS + 5, seed=3)
    rows[:, at.ONE], rows[:, at.OTHER] = 0, np.arange(1, len(rows) + 1) % PARTICLES
    swept = Swept(rows, places, np.ones(PARTICLES))
    assert swept.general_count == 5 and (swept.slots == sweeps.GENERAL_SLOT).sum() == 5


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 8, 100])
def test_sweeps_as_one_by_one(count: int) -> None:
    rows, places = contacts(count, seed=10 + count)
    inverse = np.random.default_rng(count).uniform(0.2, 2.0, PARTICLES)
    inverse[:5] = 0.0  # pinned
    held = (inverse[rows[:, at.ONE].astype(int)] + inverse[rows[:, at.OTHER].astype(int)]) == 0
    rows = rows[~held]
    twin, p = rows.copy(), places[:, :3].copy()
    swept = Swept(rows, places, inverse)
    moved: list[float] = []
    for _ in range(4):
        moved.append(swept.sweep())
        one_by_one(twin, np.argsort(swept.slots), p, inverse)
        np.testing.assert_allclose(swept.p.reshape(-1, 4)[:, :3], p, atol=1e-12)
    assert moved[0] > 1e-6 and not np.allclose(places[:, :3], p)
    sweeps.give_back(rows.reshape(-1), 0, len(rows), swept.colour_slots, swept.blocks)
    np.testing.assert_allclose(rows[:, at.PUSH], twin[:, at.PUSH], atol=1e-12)
    np.testing.assert_allclose(
        rows[:, at.FRICTION_PUSH : at.FRICTION_PUSH + 3], twin[:, at.FRICTION_PUSH : at.FRICTION_PUSH + 3], atol=1e-12
    )
