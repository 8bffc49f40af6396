"""Stiffness painted by groups: the painted part is softer, and nothing is pushed by a border in the paint."""

import numpy as np
import pytest

import pliant
from pliant.runtime.errors import SettingsError

BAR = pliant.shapes.cuboid(size=(0.4, 2.0, 0.4), cells=(2, 8, 2)).with_group("low", lambda x: x[:, 1] < 0)


def settings(kind: str, painted: dict[str, float]):
    if kind == "Fem":
        return pliant.Fem(young=4e4, stiffness=painted)
    if kind == "MassSpring":
        return pliant.MassSpring(young=4e4, painted=painted, iterations=200)
    if kind == "young":
        return pliant.ShapeMatching(young=4e4, painted=painted)
    return pliant.ShapeMatching(stiffness=0.5, painted=painted)


KINDS = ("ShapeMatching", "young", "MassSpring", "Fem")


def hung(kind: str, painted: dict[str, float], steps: int = 60) -> pliant.Actor:
    """Held at the top, pulled by its weight."""
    world = pliant.World(precision="double")
    actor = world.add(BAR, settings(kind, painted), name="bar")
    actor.pin(np.flatnonzero(BAR.rest[:, 1] > 0.99))
    for _ in range(steps):
        world.step(1 / 60, substeps=2)
    return actor


def stretched(actor: pliant.Actor) -> tuple[float, float]:
    """How much longer the lower and the upper half are."""
    heights = [actor.positions[np.abs(BAR.rest[:, 1] - y) < 1e-6, 1].mean() for y in (-1, 0, 1)]
    return heights[1] - heights[0] - 1, heights[2] - heights[1] - 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_painted_softer_gives_way_more(kind: str) -> None:
    plain, soft = stretched(hung(kind, {})), stretched(hung(kind, {"low": 0.2}))
    assert soft[0] > 2 * plain[0] > 0
    # the upper half carries what it carried; regions of shape matching reach over the border
    assert soft[1] / plain[1] < 0.6 * soft[0] / plain[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_factor_of_one_changes_nothing(kind: str) -> None:
    assert hung(kind, {"low": 1}, 8).positions == pytest.approx(hung(kind, {}, 8).positions, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_border_in_the_paint_pushes_nothing(kind: str) -> None:
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(BAR, settings(kind, {"low": 0.05}), name="bar")
    actor.positions[:] = pliant.poses.bend(BAR, degrees=70) * (1.2, 0.8, 1.1)
    masses = actor.body.masses
    centre = masses @ actor.positions / masses.sum()
    for _ in range(20):
        world.step(1 / 60, substeps=2)
        assert np.abs(masses @ actor.velocities).max() < 1e-5 * masses.sum()
    assert masses @ actor.positions / masses.sum() == pytest.approx(centre, abs=1e-5)
    turning = np.cross(actor.positions - centre, masses[:, None] * actor.velocities).sum(axis=0)
    assert np.abs(turning).max() < 1e-3 * masses.sum()


@pytest.mark.parametrize("kind", KINDS)
def test_groups_have_to_be_there(kind: str) -> None:
    world = pliant.World()
    with pytest.raises(SettingsError, match=r'the body has no group "ears" \(it has low\)'):
        world.add(BAR, settings(kind, {"ears": 2.0}))


@pytest.mark.parametrize("model", [pliant.OrientedParticles, pliant.Clusters, pliant.Rigid])
def test_models_that_cannot_be_painted_say_so_in_a_line(model: type) -> None:
    with pytest.raises(SettingsError, match=r'there is no setting "painted"[^\n]*$'):
        model(painted={"low": 0.5})


def test_paint_may_change_while_it_runs() -> None:
    actor = hung("ShapeMatching", {"low": 0.2}, 90)
    before = stretched(actor)[0]
    actor.settings = actor.settings.changed(painted={"low": 5.0})
    for _ in range(90):
        actor.world.step(1 / 60, substeps=2)
    assert stretched(actor)[0] < 0.3 * before
