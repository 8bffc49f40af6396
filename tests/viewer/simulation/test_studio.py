"""The studio: time stands still, and what is drawn of a body becomes a pose."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.body import Body
from pliant.geometry.measures import volumes
from pliant.runtime.errors import FileError, PliantError, SettingsError
from pliant.viewer.protocol.commands import (
    DeletePose,
    Grab,
    Keep,
    MendPose,
    Move,
    Release,
    Undo,
    Unpin,
    UseModel,
)
from pliant.viewer.protocol.studio_commands import (
    BlendDraft,
    BrushDraft,
    CloseStudio,
    DraftFrom,
    FixDraft,
    KeepDraft,
    MirrorDraft,
    OpenStudio,
    ReadyPose,
    RestDraft,
)
from pliant.viewer.server.verdicts import verdicts_on
from pliant.viewer.simulation.opened import Opened
from pliant.viewer.simulation.ready_poses import READY, drawn_by, skin_of
from pliant.viewer.simulation.simulation import STEP, Simulation
from pliant.viewer.simulation.studio import Draft
from viewer.exhibits import EXHIBITS, Exhibit


@pytest.fixture
def bar() -> Simulation:
    simulation = Simulation(EXHIBITS[0])
    for _ in range(round(0.3 / STEP)):
        simulation.step()
    simulation.apply(OpenStudio(actor="bar"))
    return simulation


def draft(simulation: Simulation) -> Draft:
    assert simulation.studio.state is not None
    return simulation.studio.state


def body(simulation: Simulation) -> Body:
    return simulation.world["bar"].body


def test_a_pose_is_drawn_and_kept_while_time_stands_still(bar: Simulation) -> None:
    before, time = np.array(bar.world["bar"].positions), bar.world.time
    np.testing.assert_array_equal(draft(bar).shape, body(bar).rest)
    bar.apply(ReadyPose(actor="bar", formula="bend", numbers={"degrees": 40}, axis="z", toward="x"))
    wanted = pliant.poses.bend(body(bar), 40, axis="z", toward="x")
    np.testing.assert_allclose(draft(bar).shape, wanted)
    shown = bar.rows()[:, :3]
    np.testing.assert_allclose(shown - draft(bar).offset, wanted, atol=1e-5)
    low = before[:, 1].min()
    assert (body(bar).rest + draft(bar).offset)[:, 1].min() == pytest.approx(low)  # at rest it stands where it lay
    bar.apply(KeepDraft(actor="bar", name=" arch "))
    assert body(bar).pose_names == ("twist", "arch")
    np.testing.assert_allclose(body(bar).poses["arch"], wanted)
    bar.apply(CloseStudio())
    assert bar.studio.state is None and bar.world.time == time
    np.testing.assert_array_equal(bar.world["bar"].positions, before)
    np.testing.assert_allclose(bar.rows()[:, :3], before, atol=1e-6)
    bar.step()
    assert bar.world["bar"].weights.shape == (1, 3)


def test_sliders_draw_shapes_that_hold(bar: Simulation) -> None:
    """Wherever a slider stands, the shape is finite, or it is told why there is none; as it stands first, no tet is
    turned inside out."""
    rest = np.asarray(body(bar).rest)
    for formula, end in product(READY, ("low", "high", "first")):
        numbers = {each.name: getattr(each, end) for each in READY[formula].numbers}
        asked = ReadyPose(actor="bar", formula=formula, numbers=numbers)  # type: ignore[arg-type]
        try:
            shape = drawn_by(body(bar), rest, asked)
        except SettingsError:
            assert end != "first", formula
            continue
        assert np.isfinite(shape).all(), (formula, end)
        if end == "first":
            assert np.abs(shape - rest).max() > 0.05, formula
            assert volumes(shape, body(bar).elements).min() > 0, formula


def test_one_shape_comes_on_top_of_another(bar: Simulation) -> None:
    bar.apply(ReadyPose(actor="bar", formula="stretch", numbers={"amount": 1.0}, axis="z"))
    bar.apply(ReadyPose(actor="bar", formula="squash", numbers={"amount": 0.5}, axis="z"))
    assert np.ptp(draft(bar).shape[:, 2]) == pytest.approx(0.6)  # in its place
    bar.apply(ReadyPose(actor="bar", formula="stretch", numbers={"amount": 1.0}, axis="z"))
    bar.apply(FixDraft(actor="bar"))
    bar.apply(ReadyPose(actor="bar", formula="squash", numbers={"amount": 0.5}, axis="z"))
    np.testing.assert_allclose(draft(bar).shape, body(bar).rest, atol=1e-9)
    with pytest.raises(SettingsError, match="rest shape itself"):
        bar.apply(KeepDraft(actor="bar", name="nothing"))
    shape = draft(bar).shape
    with pytest.raises(SettingsError, match="folds"):
        bar.apply(ReadyPose(actor="bar", formula="bend", numbers={"degrees": 900}))
    assert draft(bar).shape is shape


def test_a_pose_is_changed_in_its_place(bar: Simulation) -> None:
    bar.apply(ReadyPose(actor="bar", formula="shear"))
    bar.apply(KeepDraft(actor="bar", name="lean"))
    bar.apply(OpenStudio(actor="bar", pose="twist"))
    np.testing.assert_array_equal(draft(bar).shape, body(bar).poses["twist"])
    bar.apply(MirrorDraft(actor="bar"))
    bar.apply(KeepDraft(actor="bar", name="untwist", instead="twist"))
    assert body(bar).pose_names == ("untwist", "lean")
    wanted = pliant.poses.twist(body(bar), -90)
    np.testing.assert_allclose(body(bar).poses["untwist"], wanted, atol=1e-9)
    with pytest.raises(PliantError, match="already"):
        bar.apply(KeepDraft(actor="bar", name="lean", instead="untwist"))
    bar.apply(RestDraft(actor="bar"))
    assert draft(bar).pose is None  # a new one


def grab(simulation: Simulation, vertex: int) -> np.ndarray:
    there = skin_of(body(simulation), draft(simulation).shape)[vertex] + draft(simulation).offset
    x, y, z = there.tolist()
    simulation.apply(Grab(handle=0, actor="bar", vertex=vertex, target=(x, y, z)), "me")
    return np.array([x, y, z])


def move(simulation: Simulation, target: np.ndarray) -> None:
    x, y, z = target.tolist()
    simulation.apply(Move(handle=0, target=(x, y, z)), "me")
    simulation.studio.follow()


def test_pulling_bends_the_body_as_it_would_rest(bar: Simulation) -> None:
    """What is far stays, the hand has what it holds, and the volume is about the same."""
    rest = body(bar).rest
    vertex = int(np.argmax(body(bar).skin.vertices @ (0.0, 0.3, 1.0)))
    here = grab(bar, vertex)
    for part in (0.3, 0.7, 1.0):
        move(bar, here + part * np.array([0.0, 0.35, 0.0]))
    bar.apply(Release(handle=0), "me")
    shape = draft(bar).shape
    far = rest[:, 2] < rest[:, 2].min() + 0.01
    np.testing.assert_allclose(shape[far], rest[far], atol=1e-6)
    lifted = skin_of(body(bar), shape)[vertex] + draft(bar).offset - here
    assert lifted[1] > 0.25 and np.abs(lifted[0]) < 0.05
    assert volumes(shape, body(bar).elements).min() > 0
    assert bar.history.labels[-1] == "Pull"
    bar.apply(Undo())
    np.testing.assert_array_equal(draft(bar).shape, rest)


def test_pulling_goes_on_from_what_was_drawn(bar: Simulation) -> None:
    """It does not undo the twist, as the elasticity of the rest shape would; and pins hold."""
    bar.apply(ReadyPose(actor="bar", formula="twist", numbers={"degrees": 60}))
    twisted = draft(bar).shape
    vertex = int(np.argmax(body(bar).skin.vertices @ (0.0, 0.3, 1.0)))
    here = grab(bar, vertex)
    move(bar, here)
    bar.apply(Keep(handle=0), "me")
    np.testing.assert_allclose(draft(bar).shape, twisted, atol=1e-5)
    (mark,) = bar.editor.panel_state().pins
    np.testing.assert_allclose(mark.target, here, atol=1e-9)
    other = int(np.argmax(body(bar).skin.vertices @ (0.0, 0.3, -1.0)))
    there = grab(bar, other)
    move(bar, there - np.array([0.0, 0.0, 0.3]))
    bar.apply(Release(handle=0), "me")
    assert np.linalg.norm(skin_of(body(bar), draft(bar).shape)[vertex] + draft(bar).offset - here) < 0.05
    assert np.ptp(draft(bar).shape[:, 2]) > np.ptp(twisted[:, 2]) + 0.2
    bar.apply(Unpin(pin=None))
    assert not bar.editor.panel_state().pins


def dab(simulation: Simulation, tool: str, vertex: int, **more: object) -> np.ndarray:
    command = BrushDraft(actor="bar", tool=tool, vertex=vertex, radius=0.4, ends=True, **more)  # type: ignore[arg-type]
    simulation.apply(command)
    return draft(simulation).shape


def test_brushes_do_what_they_say(bar: Simulation) -> None:
    rest, vertex = np.asarray(body(bar).rest), int(body(bar).skin.vertices[:, 1].argmax())
    for tool in ("smooth", "relax"):
        np.testing.assert_allclose(dab(bar, tool, vertex, strength=1.0), rest, atol=1e-9)  # there is nothing to mend
    centre = body(bar).skin.vertices[vertex]
    away = np.linalg.norm(rest - centre, axis=1) > 0.4
    moved = dab(bar, "move", vertex, drag=(0.0, 0.2, 0.0))
    assert np.abs(moved - rest)[away].max() == 0 and 0.1 < (moved - rest)[:, 1].max() <= 0.2
    rough = np.abs(moved - rest).sum()
    for _ in range(8):
        relaxed = dab(bar, "relax", vertex, strength=1.0)
    assert np.abs(relaxed - rest).sum() < 0.7 * rough
    bar.apply(RestDraft(actor="bar"))
    swollen, shrunk = dab(bar, "inflate", vertex), None
    assert volumes(swollen, body(bar).elements).sum() > body(bar).volume
    bar.apply(RestDraft(actor="bar"))
    shrunk = dab(bar, "deflate", vertex)
    assert volumes(shrunk, body(bar).elements).sum() < body(bar).volume
    bar.apply(RestDraft(actor="bar"))
    bar.apply(ReadyPose(actor="bar", formula="shear"))
    sheared = draft(bar).shape
    np.testing.assert_allclose(dab(bar, "smooth", vertex, strength=1.0), sheared, atol=1e-9)  # the same everywhere


def test_left_and_right(bar: Simulation) -> None:
    rest, vertex = np.asarray(body(bar).rest), int(np.argmax(body(bar).skin.vertices @ (1.0, 1.0, 0.0)))
    bumped = dab(bar, "move", vertex, drag=(0.05, 0.1, 0.0))
    right, left = rest[:, 0] > 1e-9, rest[:, 0] < -1e-9
    bar.apply(MirrorDraft(actor="bar", how="right"))
    both = draft(bar).shape
    np.testing.assert_allclose(both[right], bumped[right])
    assert np.abs(both - rest)[left].max() == pytest.approx(np.abs(bumped - rest)[right].max())
    bar.apply(MirrorDraft(actor="bar", how="flip"))
    np.testing.assert_allclose(draft(bar).shape, both, atol=1e-12)


def test_poses_are_blended(bar: Simulation) -> None:
    bar.apply(ReadyPose(actor="bar", formula="bend", numbers={"degrees": 60}))
    bar.apply(KeepDraft(actor="bar", name="bend"))
    bar.apply(BlendDraft(actor="bar", weights={"bend": 0.5, "twist": 0.5}))
    np.testing.assert_allclose(draft(bar).shape, pliant.poses.blend(body(bar), {"bend": 0.5, "twist": 0.5}), atol=1e-9)
    bar.apply(BlendDraft(actor="bar", weights={"bend": 1.0, "twist": 1.0}))  # together they are one whole
    np.testing.assert_allclose(draft(bar).shape, pliant.poses.blend(body(bar), {"bend": 0.5, "twist": 0.5}), atol=1e-9)
    bar.apply(BlendDraft(actor="bar", weights={}))
    np.testing.assert_array_equal(draft(bar).shape, body(bar).rest)


def test_a_shape_comes_from_a_file(tmp_path: Path) -> None:
    """Of the same mesh, with the inside carried along; what does not fit is told."""
    skin = pliant.shapes.cuboid((1, 1, 1), (3, 3, 3)).skin

    def write(name: str, points: np.ndarray) -> Path:
        lines = [f"v {x} {y} {z}" for x, y, z in points] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in skin.faces]
        (tmp_path / name).write_text("\n".join(lines))
        return tmp_path / name

    tall = write("tall.obj", skin.vertices * (1, 1.5, 1))
    opened = Opened("cube.obj", write("cube.obj", skin.vertices), {"particles": 60}).checked()
    simulation = Simulation(opened)
    (actor,) = simulation.actors
    simulation.apply(OpenStudio(actor=actor.name))
    simulation.apply(DraftFrom(actor=actor.name, path=str(tall)))
    shape, rest = draft(simulation).shape, actor.body.rest
    assert np.ptp(shape[:, 1]) / np.ptp(rest[:, 1]) == pytest.approx(1.5, rel=0.05)
    assert np.ptp(shape[:, 0]) / np.ptp(rest[:, 0]) == pytest.approx(1.0, rel=0.05)
    with pytest.raises(FileError, match="vertices"):
        simulation.apply(DraftFrom(actor=actor.name, path=str(write("less.obj", skin.vertices[:-1]))))
    np.testing.assert_array_equal(draft(simulation).shape, shape)


def test_a_made_body_follows_a_sculpted_skin(bar: Simulation, tmp_path: Path) -> None:
    lines = [f"v {x} {y * 1.3} {z}" for x, y, z in body(bar).skin.vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in body(bar).skin.faces]
    (tmp_path / "tall.obj").write_text("\n".join(lines))
    bar.apply(DraftFrom(actor="bar", path=str(tmp_path / "tall.obj")))
    assert np.ptp(draft(bar).shape[:, 1]) == pytest.approx(0.78, rel=0.05)


@pytest.mark.parametrize("number", [1, 2], ids=["sheet and rope", "oriented"])
def test_bodies_without_tets_are_drawn_and_pulled(number: int) -> None:
    simulation = Simulation(EXHIBITS[number])
    for actor in simulation.actors[-2:]:
        name = actor.name
        simulation.apply(OpenStudio(actor=name))
        state = draft(simulation)
        vertex = int(np.argmax(actor.body.skin.vertices[:, 0]))
        x, y, z = (skin_of(actor.body, state.shape)[vertex] + state.offset).tolist()
        simulation.apply(Grab(handle=0, actor=name, vertex=vertex, target=(x, y, z)), "me")
        simulation.apply(Move(handle=0, target=(x, y + 0.2, z)), "me")
        simulation.apply(Release(handle=0), "me")
        assert np.isfinite(simulation.rows()).all() and np.isfinite(simulation.rotations()).all()
        assert np.abs(draft(simulation).shape - actor.body.rest).max() > 0.1
        simulation.apply(KeepDraft(actor=name, name="pulled"))
        assert actor.body.pose_names == ("pulled",)
        simulation.apply(CloseStudio())


def test_the_studio_closes_where_it_has_no_body_any_more(bar: Simulation) -> None:
    with pytest.raises(SettingsError, match="not in the studio"):
        bar.apply(RestDraft(actor="foo"))
    bar.apply(UseModel(actor="bar", model="oriented_particles"))
    assert bar.studio.state is None
    bar.apply(Undo())
    assert draft(bar).actor == "bar"
    bar.begin_again()
    assert bar.studio.state is None


def test_the_report_judges_and_its_remedies_help() -> None:
    """A twist that keeps its length, one that crushes, one that is mirrored, one like another, and rest itself."""

    def build() -> object:
        made = pliant.shapes.cuboid(size=(0.6, 0.6, 1.2), cells=(2, 2, 4))
        made = made.with_pose("twist", pliant.poses.twist(made, 90))
        made = made.with_pose("flat", made.rest * (1, 1, 0.01))
        made = made.with_pose("mirrored", pliant.poses.bend(made, 60) * (-1, 1, 1))
        made = made.with_pose("again", pliant.poses.twist(made, 92))
        made = made.with_pose("nothing", made.rest + np.array([1, 0, 0]))
        made = made.with_pose("lean", pliant.poses.shear(made, 0.5))
        world = pliant.World()
        world.add(made, pliant.ShapeMatching(), name="bar")
        return world

    simulation = Simulation(Exhibit("many", "Many", "", "", 1.0, build))  # type: ignore[arg-type]

    def judged() -> dict[str, str]:
        found = verdicts_on(body(simulation), simulation.world["bar"].settings)
        return {name: verdict.finding for name, verdict in found.items()}

    wanted = {"twist": "length-kept", "flat": "crushed", "mirrored": "mirrored", "again": "alike",
              "nothing": "rest-like", "lean": ""}  # fmt: skip
    assert judged() == wanted
    verdicts = verdicts_on(body(simulation), simulation.world["bar"].settings)
    assert verdicts["flat"].places and all(each.remedy for name, each in verdicts.items() if wanted[name])
    for name in ("twist", "flat", "mirrored"):
        simulation.apply(MendPose(actor="bar", pose=name, finding=wanted[name]))
    for name in ("again", "nothing"):
        simulation.apply(DeletePose(actor="bar", pose=name))
    assert set(judged().values()) == {""}
    assert body(simulation).pose_names == ("twist", "flat", "mirrored", "lean")
