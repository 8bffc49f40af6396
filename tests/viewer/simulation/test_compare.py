"""Two copies of an exhibit beside each other."""

import json
import struct
from typing import Any

import numpy as np
import pytest

from pliant.runtime.errors import Diverged
from pliant.viewer.panels.captions import captions
from pliant.viewer.protocol.commands import (
    Arrange,
    Balance,
    Compare,
    Defaults,
    Grab,
    Keep,
    Move,
    OnSecond,
    Release,
    Tune,
    Unpin,
)
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.exhibits import EXHIBITS
from viewer.simulation.test_simulation import unpack

BAR, KINDS, *_, BOMB = EXHIBITS


@pytest.fixture
def pair() -> Simulation:
    simulation = Simulation(BAR)
    simulation.apply(Compare(on=True))
    return simulation


def second(pair: Simulation) -> Simulation:
    assert pair.comparison.second is not None
    return pair.comparison.second


def run(simulation: Simulation, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        simulation.step()


def said(simulation: Simulation) -> dict[str, Any]:
    return json.loads(simulation.setup[8 : 8 + struct.unpack_from("<II", simulation.setup)[1]])


def test_the_copies_are_drawn_apart_and_move_alike(pair: Simulation) -> None:
    setup = said(pair)
    assert [each["name"] for each in setup["actors"]] == ["bar", "bar"]
    assert [each["side"] for each in setup["actors"]] == [0, 1] and len(setup["skins"]) == 1
    assert [side["name"] for side in setup["sides"]] == ["A", "B"]
    assert [bar["label"] for bar in setup["bars"]] == ["A · bar", "B · bar"]
    assert [each["shape"] for each in setup["colliders"]] == ["Plane", "Sphere"] * 2
    run(pair, 0.5)
    time, weights, _, particles = unpack(pair.frame())
    half = len(particles) // 2
    shift = np.array(setup["sides"][1]["shift"])
    np.testing.assert_allclose(particles[half:, :3] - shift, particles[:half, :3], atol=1e-5)
    assert time == pytest.approx(0.5) and len(weights) == 4
    drawn = [particles[:half, :3] @ shift, particles[half:, :3] @ shift]
    assert drawn[0].max() < drawn[1].min()
    spheres = [np.array(each["place"][9:]) for each in setup["colliders"] if each["shape"] == "Sphere"]
    np.testing.assert_allclose(spheres[1] - spheres[0], shift)


def test_moving_colliders_are_drawn_for_both() -> None:
    simulation = Simulation(KINDS)
    simulation.apply(Compare(on=True))
    run(simulation, 0.25)
    _, _, places, particles = unpack(simulation.frame())
    assert len(places) == 2 and len(particles) == said(simulation)["particles"]
    np.testing.assert_allclose(places[1, 9:] - places[0, 9:], said(simulation)["sides"][1]["shift"], atol=1e-5)


def test_each_has_settings_of_its_own(pair: Simulation) -> None:
    pair.apply(OnSecond(command=Tune(actor=None, field="example_strength", value=0.0)))
    assert pair.settings()["bar"].example_strength == 0.9
    assert second(pair).settings()["bar"].example_strength == 0.0
    panel_state = pair.editor.panel_state()
    assert panel_state.second is not None and panel_state.second.settings["bar"].example_strength == 0.0
    assert captions(panel_state) == {"A": "A · example strength 0.9", "B": "B · example strength 0"}
    pair.reset()
    assert second(pair).settings()["bar"].example_strength == 0.0
    pair.apply(OnSecond(command=Defaults()))
    assert captions(pair.editor.panel_state()) == {"A": "A", "B": "B"}


def test_one_hand_pulls_both(pair: Simulation) -> None:
    pair.apply(OnSecond(command=Arrange(field="gravity", value=1.62)))
    x, y, z = pair.world["bar"].surface[0].tolist()
    pair.apply(Grab(handle=0, actor="bar", vertex=0, target=(x, y, z)), "me")
    pair.apply(Move(handle=0, target=(x, y + 1.5, z)), "me")
    run(pair, 1.0)
    assert min(float(each.world["bar"].centre[1]) for each in (pair, second(pair))) > 0.5
    pair.apply(Keep(handle=0), "me")
    (pin,) = pair.editor.panel_state().pins
    assert [each.number for each in second(pair).editor.panel_state().pins] == [pin.number]
    pair.apply(Unpin(pin=pin.number))
    assert not pair.editor.panel_state().pins and not second(pair).editor.panel_state().pins
    pair.apply(Grab(handle=1, actor="bar", vertex=0, target=(x, y, z)), "me")
    pair.apply(Release(), "me")
    assert not pair._held and not second(pair)._held


def test_pins_from_before_do_not_confuse_the_two() -> None:
    simulation = Simulation(BAR)
    for handle in range(3):
        simulation.apply(Grab(handle=handle, actor="bar", vertex=handle, target=(0.0, 1.0, 0.0)), "me")
        simulation.apply(Keep(handle=handle), "me")
    simulation.apply(Compare(on=True))
    simulation.apply(Grab(handle=9, actor="bar", vertex=5, target=(0.0, 1.0, 0.0)), "me")
    simulation.apply(Keep(handle=9), "me")
    numbers = [each.number for each in simulation.editor.panel_state().pins]
    assert len(numbers) == 1 and numbers == [each.number for each in second(simulation).editor.panel_state().pins]


def test_copy_and_swap(pair: Simulation) -> None:
    pair.apply(Tune(actor=None, field="stiffness", value=0.9))
    pair.apply(OnSecond(command=Tune(actor=None, field="stiffness", value=0.1)))
    pair.apply(OnSecond(command=Arrange(field="substeps", value=4)))
    run(pair, 0.2)
    pair.apply(Balance(how="swap"))
    assert pair.world.time == 0.0
    assert pair.settings()["bar"].stiffness == 0.1 and pair.editor.conditions.substeps == 4
    assert second(pair).settings()["bar"].stiffness == 0.9 and second(pair).editor.conditions.substeps == 1
    pair.apply(Balance(how="copy"))
    assert second(pair).settings()["bar"].stiffness == 0.1 and second(pair).editor.conditions.substeps == 4
    pair.apply(OnSecond(command=Arrange(field="substeps", value=2)))
    assert pair.editor.conditions.substeps == 4  # a copy, not the same thing


def test_the_second_begins_as_the_first_is_and_goes(pair: Simulation) -> None:
    pair.apply(Compare(on=False))
    pair.apply(Tune(actor=None, field="damping", value=5.0))
    pair.apply(Compare(on=True))
    assert second(pair).settings()["bar"].damping == 5.0
    pair.apply(Compare(on=False))
    pair.apply(OnSecond(command=Tune(actor=None, field="damping", value=9.0)))  # of a page that has not noticed
    assert pair.comparison.second is None and len(said(pair)["sides"]) == 1
    assert len(unpack(pair.frame())[3]) == said(pair)["particles"]


def test_slow_motion_glides_on_both_sides(pair: Simulation) -> None:
    run(pair, 2 * STEP)
    before, after = unpack(pair.frame(0.0))[3], unpack(pair.frame())[3]
    np.testing.assert_allclose(unpack(pair.frame(0.5))[3], (before + after) / 2, atol=1e-6)


def test_divergence_of_the_second_is_told() -> None:
    simulation = Simulation(BAR)
    simulation.apply(Compare(on=True))
    second(simulation).world["bar"].push((0.0, 1e38, 0.0))
    with pytest.raises(Diverged, match=r"^B: "):
        run(simulation, 0.2)
    assert np.isfinite(unpack(simulation.frame())[3]).all()
