"""What a page wants to see, without a page."""

from pliant.viewer.panels.inside import AXES, HEAT_TITLES, SKINS, InsideView


def test_the_skin_turns_to_glass_with_the_first_thing_within() -> None:
    inside_view = InsideView().switched("particles")
    assert inside_view.particles and inside_view.skin == "glass"
    assert inside_view.switched("elements").switched("particles").skin == "glass"
    assert inside_view.switched("particles") == InsideView()


def test_what_lies_on_the_skin_leaves_it_as_it_is() -> None:
    assert InsideView().switched("wireframe").skin == "solid"
    assert InsideView().switched("contacts").skin == "solid"


def test_a_chosen_skin_stays() -> None:
    inside_view = InsideView(skin="hidden").switched("particles")
    assert inside_view.skin == "hidden" and inside_view.switched("particles").skin == "hidden"


def test_keys_go_round() -> None:
    for field, values in (("heat", list(HEAT_TITLES)), ("axis", list(AXES)), ("skin", list(SKINS))):
        inside_view, seen = InsideView(), []
        for _ in values:
            seen.append(getattr(inside_view, field))
            inside_view = inside_view.next(field, values)
        assert seen == values and inside_view == InsideView()


def test_another_map_has_a_pose_of_its_own() -> None:
    inside_view = InsideView(heat="weights", pose="twist")
    assert inside_view.changed(heat="distance").pose == ""
    assert inside_view.changed(axis="x").pose == "twist"
