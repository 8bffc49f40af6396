"""Panels are made from settings classes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

import pliant
from pliant.viewer.panels.controls import Choice, Slider, controls_of


def test_shape_matching() -> None:
    controls = {control.field: control for control in controls_of(pliant.ShapeMatching)}
    assert list(controls)[:4] == ["stiffness", "young", "example_strength", "damping"]
    strength, weights = controls["example_strength"], controls["weights"]
    assert isinstance(strength, Slider) and (strength.low, strength.high) == (0.0, 1.0)
    assert isinstance(weights, Choice) and weights.words == ("exact", "paper")
    assert isinstance(controls["damping"], Slider) and controls["damping"].unit == "1/s"
    assert all(control.help for control in controls.values())


def test_a_number_that_may_be_left_out() -> None:
    young = next(control for control in controls_of(pliant.ShapeMatching) if control.field == "young")
    assert isinstance(young, Slider) and young.unit == "Pa" and (young.low, young.high) == (1e3, 1e8)
    assert young.said(None) == "not set" and young.said(2e5) == "2e+05 Pa"
    assert "mass" not in [control.field for control in controls_of(pliant.Rigid)]


def test_an_open_range_has_an_end() -> None:
    class Open(BaseModel):
        force: float = Field(2.0, ge=0)

    (slider,) = controls_of(Open)
    assert isinstance(slider, Slider) and slider.high == 200.0
    assert slider.place(float("inf")) == 1.0


@pytest.mark.parametrize("high", [1.0, 1000.0])
@given(place=st.floats(0, 1))
def test_places_and_values_agree(high: float, place: float) -> None:
    slider = Slider("x", "X", "", "", 0.0, high)
    value = slider.value(place)
    assert 0.0 <= value <= high
    assert slider.value(slider.place(value)) == pytest.approx(value, rel=1e-6, abs=1e-6)
