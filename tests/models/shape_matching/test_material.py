"""Young's modulus of shape matching: the same material on every mesh, at every number of sub-steps."""

import numpy as np
import pytest
from scipy.spatial import Delaunay

import pliant
from pliant.body import Body
from pliant.models.shape_matching.material import longest_step, stiffness_of

LENGTH, DENSITY, YOUNG, GRAVITY = 4.0, 1000.0, 1e6, 9.81
STRETCH = DENSITY * GRAVITY * LENGTH**2 / (2 * YOUNG)  # m: how far a bar that hangs gets longer


def bar(across: int) -> Body:
    return pliant.shapes.cuboid(size=(1, LENGTH, 1), cells=(across, 4 * across, across), density=DENSITY)


def irregular(across: int) -> Body:
    """A bar whose inner particles stand anywhere within a quarter of a cell."""
    body = bar(across)
    inner = np.abs(body.rest) < np.abs(body.rest).max(axis=0) - 1e-9
    moved = body.rest + inner * np.random.default_rng(0).uniform(-0.25, 0.25, body.rest.shape) / across
    return Body(moved, tets=body.elements, density=DENSITY)


def graded() -> Body:
    """A bar of layers, at its lower end of 2 by 2 cells, at its upper one of 4 by 4 that are half as high."""
    chance = np.random.default_rng(0)
    heights = [0.0]
    while heights[-1] < LENGTH - 0.2:
        heights.append(heights[-1] + 1 / (2 + heights[-1] / 2))
    layers = []
    for number, y in enumerate(np.array(heights) * LENGTH / heights[-1]):
        across = round(2 + y / 2)
        grid = np.stack(np.meshgrid(*2 * [np.linspace(0, 1, across + 1)]), axis=-1).reshape(-1, 2)
        points = np.stack([grid[:, 0], np.full(len(grid), y), grid[:, 1]], axis=1)
        shift = chance.uniform(-0.15, 0.15, points.shape) / across
        shift[:, [0, 2]] *= (grid > 1e-9) & (grid < 1 - 1e-9)
        shift[:, 1] *= 0 < number < len(heights) - 1
        layers.append(points + shift)
    rest = np.concatenate(layers)
    tets = Delaunay(rest).simplices
    a, b, c, d = rest[tets].transpose(1, 0, 2)
    volumes = np.einsum("ti,ti->t", np.cross(b - a, c - a), d - a) / 6
    tets[volumes < 0] = tets[volumes < 0][:, [0, 2, 1, 3]]
    return Body(rest, tets=tets[np.abs(volumes) > 1e-4], density=DENSITY)


def rope() -> Body:
    heights = np.linspace(-LENGTH / 2, LENGTH / 2, 17)
    rest = np.stack([0 * heights, heights, 0 * heights], axis=1)
    return Body(rest, segments=np.stack([np.arange(16), np.arange(1, 17)], axis=1), density=DENSITY, thickness=0.1)


def sheet() -> Body:
    x, y = (grid.ravel() for grid in np.meshgrid(np.linspace(-0.5, 0.5, 5), np.linspace(-2, 2, 17), indexing="ij"))
    number = np.arange(85).reshape(5, 17)
    a, b, c, d = number[:-1, :-1].ravel(), number[1:, :-1].ravel(), number[1:, 1:].ravel(), number[:-1, 1:].ravel()
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return Body(np.stack([x, y, 0 * x], axis=1), triangles=triangles, density=DENSITY, thickness=0.02)


class Hanging:
    """A body that is pinned at its upper end."""

    def __init__(self, body: Body, settings: pliant.ShapeMatching) -> None:
        self.world = pliant.World(gravity=(0, -GRAVITY, 0), precision="double", contact=False)
        self.actor = self.world.add(body, settings)
        height = body.rest[:, 1]
        self.actor.pin(np.flatnonzero(height > height.max() - 1e-9))
        self.low = height < height.min() + 1e-9

    def settle(self, substeps: int = 1) -> float:
        """How much longer it is when it is still."""
        for _ in range(180):
            self.world.step(1 / 60, substeps=substeps)
        assert np.abs(self.actor.velocities[:, 1]).max() < 1e-3 * GRAVITY * LENGTH / np.sqrt(YOUNG / DENSITY)
        return float((self.actor.body.rest - self.actor.positions)[self.low, 1].mean())


def settings(young: float | None = YOUNG, **more: float) -> pliant.ShapeMatching:
    return pliant.ShapeMatching(young=young, drag=20.0, damping=0.0, **more)


BODIES = {
    "coarse": lambda: bar(2),
    "fine": lambda: bar(4),
    "irregular": lambda: irregular(3),
    "rope": rope,
    "sheet": sheet,
}


@pytest.mark.parametrize("name", BODIES)
def test_what_hangs_is_as_long_as_its_material_says(name: str) -> None:
    assert Hanging(BODIES[name](), settings()).settle() == pytest.approx(STRETCH, rel=0.1)


def test_cells_of_different_sizes_are_of_one_material() -> None:
    body = graded()
    spread = stiffness_of(body, settings()).weights
    assert spread.max() > 3 * spread.min()
    hanging = Hanging(body, settings())
    assert hanging.settle() == pytest.approx(STRETCH, rel=0.15)
    # half of it hangs from the middle, and carries a quarter of what the upper half does
    middle = np.abs(body.rest[:, 1] - LENGTH / 2) < 0.2
    lower = (body.rest - hanging.actor.positions)[:, 1]
    assert lower[middle].mean() / lower[hanging.low].mean() == pytest.approx(0.75, abs=0.04)


def test_the_number_of_substeps_does_not_matter() -> None:
    few, many = Hanging(bar(2), settings()), Hanging(bar(2), settings())
    assert few.settle() == pytest.approx(many.settle(substeps=9), rel=1e-3)


def test_substeps_are_added_where_a_material_needs_them() -> None:
    body = bar(4)
    soft, hard = (Hanging(body, settings(young)).world for young in (1e3, 1e7))
    for world in (soft, hard):
        world.step(1 / 60)
    assert soft._registry.substepping.substeps(1 / 60, 1) == 1 and soft._registry.substepping.substeps(1 / 60, 5) == 5
    needed = soft._registry.substepping.longest / 100
    assert hard._registry.substepping.longest == pytest.approx(needed)
    count = hard._registry.substepping.substeps(1 / 60, 1)
    assert count > 8 and 1 / 60 / count <= needed < 1 / 60 / (count - 1)
    assert longest_step(body, pliant.ShapeMatching(stiffness=100)) == np.inf


def test_another_modulus_acts_while_it_hangs() -> None:
    hanging = Hanging(bar(2), settings())
    first = hanging.settle()
    hanging.actor.settings = hanging.actor.settings.changed(young=YOUNG / 2)
    assert hanging.settle() == pytest.approx(2 * first, rel=0.05)
    hanging.actor.settings = hanging.actor.settings.changed(stiffness=1.0)
    assert hanging.actor.settings.young is None
    plain = hanging.settle(substeps=4)
    assert plain == pytest.approx(Hanging(bar(2), settings(None, stiffness=1.0)).settle(substeps=4), rel=1e-3)
    hanging.actor.settings = hanging.actor.settings.changed(young=YOUNG)
    assert hanging.settle() == pytest.approx(first, rel=1e-3)


def test_momentum_is_kept_where_cells_differ() -> None:
    """Each region pulls on its own particles only, so forces add up to zero however stiff the next one is."""
    body = graded()
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(body, pliant.ShapeMatching(young=1e5, damping=0))
    chance = np.random.default_rng(1)
    actor.positions[:] += chance.normal(scale=0.05, size=body.rest.shape)
    for _ in range(30):
        world.step(1 / 60)
    momentum = body.masses[:, None] * actor.velocities
    assert np.abs(momentum).sum() > 1.0
    assert np.abs(momentum.sum(axis=0)).max() < 1e-10 * np.abs(momentum).sum()
    turning = np.cross(actor.positions, momentum)
    assert np.abs(turning.sum(axis=0)).max() < 1e-7 * np.abs(turning).sum()


def test_what_is_too_hard_is_told_once_and_stays_whole() -> None:
    body = graded()
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(body, pliant.ShapeMatching(young=1e12), name="anvil")
    with pytest.warns(UserWarning, match=r'actor "anvil": its material needs \d+ sub-steps .* gets 64.*softer') as told:
        actor.positions[:] *= (1.05, 0.95, 1.0)
        world.step(1 / 60)
        world.step(1 / 60)
    assert len(told) == 1 and "\n" not in str(told[0].message)
    assert world._registry.substepping.substeps(1 / 60, 1) == 64
    momentum = body.masses[:, None] * actor.velocities
    assert np.isfinite(actor.positions).all()
    assert np.abs(momentum.sum(axis=0)).max() < 1e-9 * np.abs(momentum).sum()


@pytest.mark.parametrize("kind", [pliant.ShapeMatching, pliant.OrientedParticles])
def test_stiffness_or_young(kind: type) -> None:
    both = r"^\w+: stiffness and young both say how hard it is; give one of them$"
    with pytest.raises(pliant.PliantError, match=both):
        kind(stiffness=2.0, young=1e5)
    assert kind(stiffness=2.0).changed(young=1e5).young == 1e5
    assert kind(young=1e5).changed(damping=1.0).young == 1e5
    assert kind(young=1e5).changed(stiffness=3.0) == kind(stiffness=3.0, damping=2.0)
    with pytest.raises(pliant.PliantError, match="young = 0"):
        kind(young=0)
