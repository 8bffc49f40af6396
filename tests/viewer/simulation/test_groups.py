"""Groups that are painted, boxed or split while a body plays, without threads or pages."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pliant
from pliant.runtime.errors import SettingsError
from pliant.session.player.bars import bars_of
from pliant.viewer.panels import group_row, groups
from pliant.viewer.protocol.commands import Compare, Defaults, Force, Release, Tune, parse
from pliant.viewer.protocol.group_commands import (
    AddGroup,
    DeleteGroup,
    Enclose,
    Grouped,
    Painted,
    PaintGroup,
    RenameGroup,
    Share,
    SplitGroups,
    UndoPaint,
)
from pliant.viewer.simulation.group_draft import brushed, enclosed, split
from pliant.viewer.simulation.grouping import GroupsShown
from pliant.viewer.simulation.simulation import Simulation
from viewer.exhibits import EXHIBITS

TOP, EDGE = -0.2, 0.6  # z of a cut through the bar, and half of its length


@pytest.fixture
def bar() -> Simulation:
    simulation = Simulation(EXHIBITS[0])
    simulation.apply(Share(actor="bar", mode="groups"))
    return simulation


def shown(simulation: Simulation) -> GroupsShown:
    return simulation.editor.panel_state().groups["bar"]


def vertex_at(simulation: Simulation, z: float) -> int:
    """The vertex of the skin nearest to a place along the bar."""
    return int(np.abs(simulation.world["bar"].body.skin.vertices - (0.3, 0.3, z)).sum(axis=1).argmin())


def stroke(simulation: Simulation, group: int | None, z: float = EDGE, radius: float = 0.5) -> None:
    simulation.apply(PaintGroup(actor="bar", vertex=vertex_at(simulation, z), radius=radius, group=group))
    simulation.apply(Painted(actor="bar"))


def test_groups_begin_as_left_and_right(bar: Simulation) -> None:
    actor = bar.world["bar"]
    assert actor.group_names == ("left", "right") and actor.weights.shape == (2, 2)
    x = actor.body.rest[:, 0]
    left, right = (list(actor.settings.examples[name]) for name in ("left", "right"))  # type: ignore[attr-defined]
    assert (x[left] < 0).all() and (x[right] >= 0).all() and len(left) + len(right) == len(x)
    assert [bar_.label for bar_ in bars_of(bar.actors)] == ["bar · left", "bar · right"]
    bar.step()


def test_the_plane_is_moved_where_it_misses_the_body() -> None:
    body = pliant.shapes.cuboid(cells=(3, 1, 1))
    far = pliant.Body(body.rest + np.array([7.0, 0, 0]), tets=body.tets)
    assert split(far).counts == split(body).counts == (8, 8)


def test_a_stroke_counts_when_it_ends(bar: Simulation) -> None:
    bar.apply(AddGroup(actor="bar", name=" end "))
    assert shown(bar).names == ("left", "right", "end") and shown(bar).counts[2] == 0
    assert bar.world["bar"].group_names == ("left", "right")  # no particle is in it
    before, labels = bar.settings()["bar"], bar.labels()
    bar.apply(PaintGroup(actor="bar", vertex=vertex_at(bar, EDGE), radius=0.5, group=2))
    assert bar.settings()["bar"] is before and bar.labels() != labels  # seen, but not yet obeyed
    bar.apply(Painted(actor="bar"))
    assert bar.world["bar"].group_names == ("left", "right", "end")
    bar.step()
    assert bar.world["bar"].weights.shape == (3, 2)
    near = np.linalg.norm(bar.world["bar"].body.rest - (0.3, 0.3, EDGE), axis=1) <= 0.5
    assert set(np.flatnonzero(near)) <= set(np.flatnonzero(np.frombuffer(bar.labels(), np.uint8) == 2))


def test_a_page_that_goes_ends_its_stroke(bar: Simulation) -> None:
    bar.apply(AddGroup(actor="bar", name="end"))
    bar.apply(PaintGroup(actor="bar", vertex=vertex_at(bar, EDGE), radius=0.5, group=2), "me")
    bar.apply(Release(), "me")
    assert bar.world["bar"].group_names == ("left", "right", "end")


def test_groups_go_their_own_ways(bar: Simulation) -> None:
    """Pulled at one end, only the half at that end chooses the pose."""
    bar.apply(DeleteGroup(actor="bar", group=1))
    bar.apply(RenameGroup(actor="bar", group=0, name="near"))
    bar.apply(AddGroup(actor="bar", name="far"))
    stroke(bar, 0, EDGE, 0.7)
    stroke(bar, 1, -EDGE, 0.7)
    actor = bar.world["bar"]
    assert actor.group_names == ("near", "far")
    twisted = actor.body.poses["twist"]
    half = actor.body.rest[:, 2] > 0
    actor.positions[half] += (twisted - actor.body.rest)[half]
    bar.step()
    near, far = actor.weights[:, 1]
    assert near > far + 0.1


def test_erase_and_undo(bar: Simulation) -> None:
    counts = shown(bar).counts
    stroke(bar, None)
    assert shown(bar).without > 0 and sum(shown(bar).counts) + shown(bar).without == sum(counts)
    bar.apply(UndoPaint(actor="bar"))
    assert shown(bar).counts == counts and not shown(bar).without
    bar.apply(UndoPaint(actor="bar"))  # there is nothing more to take back
    assert shown(bar).counts == counts


def test_all_erased_is_all_together(bar: Simulation) -> None:
    stroke(bar, None, 0.0, 9.0)
    assert shown(bar).counts == (0, 0) and shown(bar).mode == "groups"
    assert bar.settings()["bar"].examples == "global"
    assert groups.finding(shown(bar)).startswith("No particle is in a group")
    stroke(bar, 1, 0.0, 9.0)
    assert bar.world["bar"].group_names == ("right",)
    assert groups.finding(shown(bar)) == "“left” is empty: it counts once it is painted."


def test_modes_and_back(bar: Simulation) -> None:
    stroke(bar, 1)
    counts = shown(bar).counts
    for mode, rows in (("global", 1), ("regions", 45)):
        bar.apply(Share(actor="bar", mode=mode))  # type: ignore[arg-type]
        assert shown(bar).mode == mode and len(bar.world["bar"].weights) == rows
    bar.apply(Share(actor="bar", mode="groups"))
    assert shown(bar).mode == "groups" and shown(bar).counts == counts
    bar.apply(Tune(actor=None, field="examples", value="global"))  # the other panel
    assert shown(bar).mode == "global"


def test_groups_outlive_a_reset_but_not_the_defaults(bar: Simulation) -> None:
    stroke(bar, 0)
    counts = shown(bar).counts
    bar.apply(Force(actor="bar", pose="twist", weight=0.5))
    bar.step()
    bar.reset()
    assert shown(bar).counts == counts and bar.world["bar"].group_names == ("left", "right")
    bar.apply(Defaults())
    assert shown(bar).mode == "global"


def test_two_copies_have_their_own(bar: Simulation) -> None:
    bar.apply(Compare(on=True))
    second = bar.comparison.second
    assert second is not None and shown(second).counts == shown(bar).counts
    bar.apply(PaintGroup(actor="bar", second=True, vertex=vertex_at(bar, EDGE), radius=0.4, group=0))
    bar.apply(Painted(actor="bar", second=True))
    assert shown(second).counts != shown(bar).counts
    assert len(bar.labels()) == 2 * len(bar.world["bar"].body.rest)


def test_groups_of_the_exhibit_are_there() -> None:
    halves = {"a": lambda rest: rest[:, 2] < 0, "b": lambda rest: rest[:, 2] >= 0}
    bar = Simulation(EXHIBITS[0])
    bar.apply(Tune(actor="bar", field="examples", value=halves))
    assert shown(bar).mode == "groups" and shown(bar).names == ("a", "b") and not shown(bar).without
    stroke(bar, 0, EDGE, 0.3)
    assert shown(bar).names == ("a", "b") and shown(bar).counts[0] > 18


WRONG = {
    "no such group": PaintGroup(actor="bar", vertex=0, radius=1.0, group=7),
    "no such group to delete": DeleteGroup(actor="bar", group=2),
    "no such vertex": PaintGroup(actor="bar", vertex=10**6, radius=1.0, group=0),
    "no such actor": SplitGroups(actor="bear"),
    "a name twice": AddGroup(actor="bar", name="right"),
    "a name that is none": RenameGroup(actor="bar", group=0, name="  "),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_told_and_changes_nothing(bar: Simulation, name: str) -> None:
    before = shown(bar)
    with pytest.raises(SettingsError):
        bar.apply(WRONG[name])
    assert shown(bar) == before
    bar.step()


def test_there_are_at_most_as_many_groups_as_colours(bar: Simulation) -> None:
    for number in range(len(group_row.GROUP_COLOURS) - 2):
        bar.apply(AddGroup(actor="bar", name=f"group {number}"))
    with pytest.raises(SettingsError, match="8 groups already"):
        bar.apply(AddGroup(actor="bar", name="more"))


def test_the_panel_has_the_colours_of_the_viewport() -> None:
    text = (Path(group_row.__file__).parents[1] / "viewport" / "colours.js").read_text()
    listed = re.search(r"GROUPS = (\[.*?\])", text)
    assert listed and tuple(json.loads(listed[1])) == group_row.GROUP_COLOURS


# ---- what a brush and a box touch ------------------------------------------------------------------------------


def test_a_brush_reaches_what_is_below_it() -> None:
    """Painted all over with a small brush, no particle inside is left out."""
    body = pliant.shapes.cuboid(size=(1, 1, 1), cells=(6, 6, 6))
    touched = {each for vertex in range(len(body.skin.vertices)) for each in brushed(body, vertex, 0.05).tolist()}
    assert touched == set(range(len(body.rest)))
    assert 1 <= len(brushed(body, 0, 0.0)) < 10


def test_a_box_selects_through_the_body() -> None:
    points = np.array([[0, 0, -2], [0, 0, -5], [0.9, 0, -2], [0, 0, 2.0]])
    view = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, -0.2], [0, 0, -1, 0.0]])  # looks along -z
    assert enclosed(points, view, (-0.2, -0.2), (0.2, 0.2)).tolist() == [True, True, False, False]
    assert enclosed(points, view, (0.3, -1), (1, 1)).tolist() == [False, False, True, False]


@pytest.fixture
def box_of_half() -> Callable[[int | None], Enclose]:
    """Looks down along z: what has x > 0 is in the right half of the picture."""
    view = tuple(np.eye(4).T.ravel().tolist())
    return lambda group: Enclose(actor="bar", view=view, low=(0.01, -1.0), high=(1.0, 1.0), group=group)


def test_a_box_changes_groups_at_once(bar: Simulation, box_of_half: Callable[[int | None], Enclose]) -> None:
    bar.apply(AddGroup(actor="bar", name="boxed"))
    bar.apply(box_of_half(2))
    inside = np.asarray(bar.world["bar"].positions)[:, 0] > 0.01
    assert shown(bar).counts[2] == inside.sum() > 0
    assert bar.world["bar"].group_names == ("left", "right", "boxed")


# ---- messages ------------------------------------------------------------------------------------------------------


def test_strokes_come_through_the_socket_and_lists_do_not() -> None:
    paint = '{"do": "paint", "actor": "bar", "vertex": 3, "radius": 0.1, "group": null}'
    assert parse(paint) == PaintGroup(actor="bar", vertex=3, radius=0.1, group=None)
    box = {"do": "enclose", "actor": "bar", "view": [1.5] * 16, "low": [-1, 0], "high": [1, 0.5], "group": 1}
    assert isinstance(parse(json.dumps(box)), Enclose)
    assert parse('{"do": "painted", "actor": "bar", "second": true}') == Painted(actor="bar", second=True)
    for wrong in (
        {**box, "view": [1.5] * 15},
        {**box, "view": [1e300] * 16},
        {**box, "low": [-1]},
        {**box, "group": -1},
        {"do": "split groups", "actor": "bar"},
        {"do": "paint", "actor": "bar", "vertex": 3, "radius": -0.1, "group": 0},
    ):
        assert parse(json.dumps(wrong)) is None


NUMBERS = st.floats(-1e9, 1e9)
COMMANDS: st.SearchStrategy[Grouped] = st.one_of(
    st.builds(
        PaintGroup,
        actor=st.just("bar"),
        vertex=st.integers(0, 60),
        radius=st.floats(0, 2),
        group=st.none() | st.integers(0, 4),
    ),
    st.builds(
        Enclose,
        actor=st.just("bar"),
        view=st.tuples(*[NUMBERS] * 16),
        low=st.tuples(st.floats(-1, 1), st.floats(-1, 1)),
        high=st.tuples(st.floats(-1, 1), st.floats(-1, 1)),
        group=st.none() | st.integers(0, 4),
    ),
    st.builds(AddGroup, actor=st.just("bar"), name=st.text(min_size=1, max_size=5)),
    st.builds(RenameGroup, actor=st.just("bar"), group=st.integers(0, 4), name=st.text(min_size=1, max_size=5)),
    st.builds(DeleteGroup, actor=st.just("bar"), group=st.integers(0, 4)),
    st.builds(Share, actor=st.just("bar"), mode=st.sampled_from(["global", "regions", "groups"])),
    *[st.builds(kind, actor=st.just("bar")) for kind in (Painted, UndoPaint, SplitGroups)],
)


@cache
def played() -> Simulation:
    return Simulation(EXHIBITS[0])


@given(st.lists(COMMANDS, max_size=12))
@settings(max_examples=30, deadline=None)
def test_whatever_is_asked_groups_stay_whole(commands: list[Grouped]) -> None:
    """Each particle in one group or in none, and what the settings have is what is shown."""
    simulation = played()
    for command in commands:
        try:
            simulation.apply(command)
        except SettingsError as error:
            assert "\n" not in str(error)
    simulation.apply(Painted(actor="bar"))
    told = shown(simulation)
    examples = simulation.settings()["bar"].examples
    assert sum(told.counts) + told.without in (0, 45)
    if not isinstance(examples, str):
        full = {name: count for name, count in zip(told.names, told.counts, strict=True) if count}
        assert {name: len(members) for name, members in examples.items()} == full
    simulation.world.step(1 / 60)
