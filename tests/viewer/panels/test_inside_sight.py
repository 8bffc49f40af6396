"""What a page wants to see, without a page."""

from pliant.viewer.panels.inside import AXES, HEATS, SKINS, Sight


def test_the_skin_turns_to_glass_with_the_first_thing_within() -> None:
    sight = Sight().switched("particles")
    assert sight.particles and sight.skin == "glass"
    assert sight.switched("elements").switched("particles").skin == "glass"
    assert sight.switched("particles") == Sight()


def test_what_lies_on_the_skin_leaves_it_as_it_is() -> None:
    assert Sight().switched("wireframe").skin == "solid"
    assert Sight().switched("contacts").skin == "solid"


def test_a_chosen_skin_stays() -> None:
    sight = Sight(skin="hidden").switched("particles")
    assert sight.skin == "hidden" and sight.switched("particles").skin == "hidden"


def test_keys_go_round() -> None:
    for field, values in (("heat", list(HEATS)), ("axis", list(AXES)), ("skin", list(SKINS))):
        sight, seen = Sight(), []
        for _ in values:
            seen.append(getattr(sight, field))
            sight = sight.next(field, values)
        assert seen == values and sight == Sight()


def test_another_map_has_a_pose_of_its_own() -> None:
    sight = Sight(heat="weights", pose="twist")
    assert sight.changed(heat="distance").pose == ""
    assert sight.changed(axis="x").pose == "twist"
