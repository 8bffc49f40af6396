"""Another deformable model under the same body."""

import numpy as np
import pytest

from pliant.models import models
from pliant.runtime.errors import SettingsError
from pliant.viewer.protocol.commands import AddPose, Defaults, DeletePose, Force, Grab, Keep, Move, Tune, UseModel
from pliant.viewer.simulation.model_change import carried, in_common
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.exhibits import EXHIBITS
from viewer.second_model import NAME, JellyMatching, jelly

BAR, KINDS, *_ = EXHIBITS
JELLY = UseModel(actor=None, model=NAME)


@pytest.fixture(autouse=True)
def second_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(models(), NAME, jelly())


@pytest.fixture
def bar() -> Simulation:
    return Simulation(BAR)


def run(simulation: Simulation, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        simulation.step()


def test_it_goes_on_from_where_it_is(bar: Simulation) -> None:
    run(bar, 0.3)
    actor = bar.world["bar"]
    positions, velocities, epoch = np.array(actor.positions), np.array(actor.velocities), bar.epoch
    bar.apply(JELLY)
    assert type(actor.settings) is JellyMatching
    np.testing.assert_array_equal(actor.positions, positions)
    np.testing.assert_array_equal(actor.velocities, velocities)
    assert actor.body.pose_names == ("twist",) and bar.epoch == epoch
    run(bar, 0.3)
    assert np.isfinite(actor.positions).all()
    panel_state = bar.editor.panel_state()
    assert panel_state.models == {"bar": NAME} and panel_state.own_models == {"bar": "shape_matching"}


def test_it_outlives_a_reset_and_ends_with_the_defaults(bar: Simulation) -> None:
    own = bar.settings()["bar"]
    bar.apply(JELLY)
    bar.apply(Tune(actor=None, field="wobble", value=1.5))
    bar.reset()
    settings = bar.settings()["bar"]
    assert type(settings) is JellyMatching and settings.wobble == 1.5
    bar.apply(Defaults())
    assert bar.settings()["bar"] == own
    bar.reset()
    assert bar.settings()["bar"] == own


def test_settings_with_the_same_meaning_are_carried_over(bar: Simulation) -> None:
    assert "example_strength" in in_common(type(bar.settings()["bar"]), JellyMatching)
    assert "stiffness" not in in_common(type(bar.settings()["bar"]), JellyMatching)
    bar.apply(Tune(actor=None, field="example_strength", value=0.9))
    bar.apply(Tune(actor=None, field="stiffness", value=0.8))
    bar.apply(JELLY)
    settings = bar.settings()["bar"]
    assert settings.example_strength == 0.9 and settings.stiffness == 0.25
    assert bar.editor.panel_state().own_settings["bar"].stiffness == 0.25
    bar.apply(Tune(actor=None, field="example_strength", value=0.7))
    bar.apply(UseModel(actor="bar", model="shape_matching"))
    settings = bar.settings()["bar"]
    assert settings.example_strength == 0.7 and settings.stiffness == 0.8  # as it was under this model
    assert carried(settings, JellyMatching).example_strength == 0.7


def test_pins_stay(bar: Simulation) -> None:
    x, y, z = bar.world["bar"].surface[0].tolist()
    bar.apply(Grab(handle=0, actor="bar", vertex=0, target=(x, y, z)), "me")
    bar.apply(Move(handle=0, target=(x, y + 1.5, z)), "me")
    bar.apply(Keep(handle=0), "me")
    bar.apply(JELLY)
    run(bar, 1.5)
    assert len(bar.editor.panel_state().pins) == 1
    assert np.linalg.norm(bar.world["bar"].surface[0] - [x, y + 1.5, z]) < 0.1


def test_a_given_weight_of_a_deleted_pose_does_not_come_back(bar: Simulation) -> None:
    bar.world["bar"].positions[:, 1] *= 0.5
    bar.apply(AddPose(actor="bar", name="flat"))
    bar.apply(Force(actor="bar", pose="flat", weight=1.0))
    bar.apply(JELLY)
    bar.apply(DeletePose(actor="bar", pose="flat"))
    bar.apply(UseModel(actor="bar", model="shape_matching"))
    assert not bar.settings()["bar"].forced
    bar.reset()
    run(bar, 0.1)


def test_all_or_nobody() -> None:
    simulation = Simulation(KINDS)
    with pytest.raises(SettingsError, match=r'"(sheet|rope)": jelly matching needs tets'):
        simulation.apply(JELLY)
    assert set(simulation.editor.panel_state().models.values()) == {"shape_matching"}
    simulation.apply(UseModel(actor="ball 0", model=NAME))
    run(simulation, 0.2)
    assert simulation.editor.panel_state().models["ball 0"] == NAME
    with pytest.raises(SettingsError, match="no model"):
        simulation.apply(UseModel(actor=None, model="pudding"))


def test_poissons_ratio_goes_along(bar: Simulation) -> None:
    bar.apply(UseModel(actor="bar", model="fem"))
    bar.apply(Tune(actor=None, field="poisson", value=0.41))
    bar.apply(UseModel(actor="bar", model="clusters"))
    assert bar.settings()["bar"].poisson == 0.41
    bar.apply(UseModel(actor="bar", model="mass_spring"))  # has none; it is not forgotten meanwhile
    bar.apply(UseModel(actor="bar", model="fem"))
    assert bar.settings()["bar"].poisson == 0.41


def test_models_that_do_not_fit_say_why() -> None:
    """Every model, whatever is found by its folder, under every kind of body: it plays, or names the actor."""
    simulation = Simulation(KINDS)
    refused = set()
    for actor in simulation.actors:
        for name in models():
            before = simulation.editor.panel_state().models[actor.name]
            try:
                simulation.apply(UseModel(actor=actor.name, model=name))
            except SettingsError as error:
                assert f'"{actor.name}"' in str(error)
                assert "\n" not in str(error)
                refused.add((actor.body.kind, name))
                assert simulation.editor.panel_state().models[actor.name] == before
            else:
                assert simulation.editor.panel_state().models[actor.name] == name
    assert {("shell", "fem"), ("rod", "fem")} <= refused
    assert ("shell", "mass_spring") not in refused


def test_a_material_is_the_same_under_every_model(bar: Simulation) -> None:
    own = bar.settings()["bar"]
    assert own.young is None
    bar.apply(Tune(actor=None, field="young", value=2e5))
    assert bar.settings()["bar"].young == 2e5
    for name, model in models().items():
        if "young" in model.settings.model_fields:
            bar.apply(UseModel(actor="bar", model=name))
            assert bar.settings()["bar"].young == 2e5
    bar.apply(UseModel(actor="bar", model="shape_matching"))
    bar.reset()
    assert bar.settings()["bar"].young == 2e5
    bar.apply(Tune(actor=None, field="stiffness", value=3.0))
    assert bar.settings()["bar"].young is None and bar.settings()["bar"].stiffness == 3.0
    bar.reset()
    assert bar.settings()["bar"].young is None and bar.settings()["bar"].stiffness == 3.0
    bar.apply(Tune(actor=None, field="young", value=2e5))
    bar.apply(Tune(actor=None, field="young", value=None))
    assert bar.settings()["bar"] == own
