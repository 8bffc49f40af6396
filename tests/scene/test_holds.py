"""Pins and handles under every model: what is held is what the scene says, also where a model plays other particles."""

from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.graph import Graph
from pliant.models import models
from pliant.scene import Show, scene_from_text, stage
from pliant.scene.selection import SIDES
from pliant.world import Actor

SCALE = 1.5
BODY = """
[[bodies]]
name = "bar"
shape = {{ type = "cuboid", size = [1, 2, 1], cells = [4, 8, 4] }}
scale = {scale}
position = [1, 2, 3]
rotation = [20, 30, 40]
groups.corner = {{ nearest = [0.5, 1, 0.5] }}
groups.low = {{ side = "bottom", fraction = 0.3 }}
groups.some = {{ indices = [3, 60, 200] }}
model = {{ type = "{model}" }}
[[bodies.{kind}]]
where = {where}
"""


def show(model: str, where: str, kind: str = "pins", scale: float = SCALE) -> Show:
    return stage(scene_from_text(BODY.format(model=model, where=where, kind=kind, scale=scale), Path("s.toml")))


def held(made: Show) -> tuple[Actor, np.ndarray]:
    inputs = made.world._inputs
    if inputs.pins:
        return made.world["bar"], inputs.pins[0].particles
    return made.world["bar"], np.array(sorted(int(handle.particles[0]) for handle in inputs.handles))


def rest_of(actor: Actor) -> np.ndarray:
    """The particles that are played, in the size that the scene speaks of."""
    return actor.body.rest / SCALE


@pytest.mark.parametrize("kind", ["pins", "handles"])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("model", models())
def test_a_side_is_that_side_of_what_is_played(model: str, side: str, kind: str) -> None:
    actor, particles = held(show(model, f'{{ side = "{side}", fraction = 0.2 }}', kind))
    axis, sign = SIDES[side]
    along = sign * rest_of(actor)[:, axis]
    assert particles.tolist() == np.flatnonzero(along >= along.max() - 0.2 * np.ptp(along) - 1e-9).tolist()
    assert 0 < len(particles) < len(along) / 2


@pytest.mark.parametrize("model", models())
def test_places(model: str) -> None:
    actor, particles = held(show(model, "{ sphere = [0.5, 1, 0.5], radius = 0.7 }"))
    near = np.linalg.norm(rest_of(actor) - (0.5, 1, 0.5), axis=1)
    assert particles.tolist() == np.flatnonzero(near <= 0.7).tolist() and len(particles)
    actor, particles = held(show(model, "{ box = [[-9, -9, -9], [9, -0.5, 0.1]] }"))
    inside = (rest_of(actor)[:, 1] <= -0.5) & (rest_of(actor)[:, 2] <= 0.1)
    assert particles.tolist() == np.flatnonzero(inside).tolist() and len(particles)
    actor, particles = held(show(model, "{ nearest = [0.5, 1, 0.5], count = 2 }"))
    near = np.linalg.norm(rest_of(actor) - (0.5, 1, 0.5), axis=1)
    assert len(particles) == 2 and near[particles].max() <= np.sort(near)[1] + 1e-9


@pytest.mark.parametrize("kind", ["pins", "handles"])
@pytest.mark.parametrize(("where", "group"), [('"low"', "low"), ('{ group = "corner" }', "corner"),
                                              ("{ indices = [3, 60, 200] }", "some")])  # fmt: skip
@pytest.mark.parametrize("model", models())
def test_numbers_and_groups_are_of_the_body_as_given(model: str, where: str, group: str, kind: str) -> None:
    """Whatever plays: the given particles that were meant are within what is held, or are it."""
    actor, particles = held(show(model, where, kind))
    given = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4)).rest
    meant = {
        "low": np.flatnonzero(given[:, 1] < -0.4), "corner": [224], "some": [3, 60, 200]
    }[group]  # fmt: skip
    if isinstance(actor.body, Graph):
        assert actor.body.shares is not None
        assert particles.tolist() == sorted(set(actor.body.shares.owners[meant].tolist()))
        assert len(actor.body.rest) < len(given)
        apart = np.linalg.norm(rest_of(actor)[particles][:, None] - given[meant][None], axis=2)
        assert apart.min(axis=0).max() < 0.5  # each is near one that is held
    else:
        assert particles.tolist() == list(meant)


@pytest.mark.parametrize("model", models())
def test_selections_are_joined_among_what_is_played(model: str) -> None:
    actor, particles = held(show(model, '{ none_of = ["low", { side = "top", fraction = 0.3 }] }'))
    _, low = held(show(model, '"low"'))
    _, top = held(show(model, '{ side = "top", fraction = 0.3 }'))
    assert particles.tolist() == sorted(set(range(len(actor.body.rest))) - set(low) - set(top)) and len(particles)


@pytest.mark.parametrize("model", models())
def test_the_size_changes_nothing(model: str) -> None:
    """A plane of given particles on the border of a box is in it, however the body is scaled afterwards."""
    where = "{ box = [[-0.5, -1, -0.5], [0.5, -0.5, 0.25]] }"
    counts = {len(held(show(model, where, scale=scale))[1]) for scale in (1.0, 0.7, 1.1, 3.0)}
    assert len(counts) == 1
    if models()[model].embody is None:
        assert counts == {5 * 3 * 4}


@pytest.mark.parametrize("model", models())
def test_what_is_pinned_stays_and_the_rest_falls(model: str) -> None:
    made = show(model, '{ side = "back", fraction = 0.2 }')
    actor, particles = held(made)
    before = np.array(actor.positions)
    for _ in range(10):
        made.step()
    moved = np.linalg.norm(actor.positions - before, axis=1)
    assert moved[particles].max() < 1e-5
    if models()[model].node.deforms:
        assert np.delete(moved, particles).max() > 1e-3


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("{ sphere = [0.5, 1, 0.5], radius = 0.05 }", "s.toml:13: bodies.bar.pins[0].where: the selection holds none "
         "of the 60 particles that play it, whose centres reach from"),
        ("{ indices = [225] }", "the selection holds particle 225; there are 225, numbered from 0"),
    ],
)  # fmt: skip
def test_what_no_played_particle_has_is_told(where: str, message: str) -> None:
    with pytest.raises(pliant.SceneError) as caught:
        show("oriented_particles", where)
    assert message in str(caught.value) and "\n" not in str(caught.value)
