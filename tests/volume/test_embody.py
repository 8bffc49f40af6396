"""From an asset to a body: skin, poses, groups, notes, and what is refused."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from made_assets import asset, ball_at, bar, bent, sheet, split_everywhere, together, twisted, two_legs
from made_models import MODELS, every_model, worn
from pliant.body.look import Look, Material, Part
from pliant.geometry.measures import volumes
from pliant.runtime.errors import FileError
from pliant.volume import embody


def bar_asset(**more):
    vertices, faces = bar()
    return asset(vertices, faces, "bar", poses={"bend": bent(vertices, 120), "twist": twisted(vertices, 180)}, **more)


def test_poses_of_the_surface_become_poses_of_the_volume() -> None:
    given = bar_asset()
    made = embody(given, particles=250)
    body = made.body
    assert body.kind == "solid" and body.name == "bar" and body.pose_names == ("bend", "twist")
    assert len(body.rest) == pytest.approx(250, rel=0.1)
    np.testing.assert_allclose(body.skin.deform(body.rest), given.vertices, atol=1e-9)
    for fit in made.fits:
        assert fit.verdict == "reached" and fit.inverted == 0
        reached = body.skin.deform(body.poses[fit.name])
        gap = np.linalg.norm(reached - given.poses[fit.name], axis=1)
        assert gap.max() == pytest.approx(fit.largest)
        assert fit.mean < 0.003 * fit.diagonal
        assert volumes(body.poses[fit.name], body.tets).min() > 0
    assert made.mesh.closed and made.notes == ()


def test_the_second_time_is_the_same_and_known() -> None:
    first, second = embody(bar_asset(), particles=150), embody(bar_asset(), particles=150)
    assert not first.cached and second.cached
    np.testing.assert_array_equal(first.body.rest, second.body.rest)
    np.testing.assert_array_equal(first.body.tets, second.body.tets)
    for name in first.body.poses:
        np.testing.assert_array_equal(first.body.poses[name], second.body.poses[name])
    assert first.fits == second.fits and first.mesh == second.mesh and first.notes == second.notes


def test_a_pose_more_is_filled_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from pliant.volume import solids

    given = bar_asset()
    embody(given, particles=150)
    asked = []
    fill = solids.fill
    monkeypatch.setattr(solids, "fill", lambda *a, names, **k: (asked.extend(names), fill(*a, names=names, **k))[1])
    embody(replace(given, poses={**given.poses, "more": bent(given.vertices, 60)}), particles=150)
    assert asked == ["more"]


@pytest.mark.slow
def test_another_number_of_particles_is_another_volume() -> None:
    assert len(embody(bar_asset(), particles=80).body.rest) < len(embody(bar_asset(), particles=300).body.rest)


def test_vertices_split_at_seams_move_as_one() -> None:
    points, faces = bar()
    vertices, split = split_everywhere(points, faces)
    normals = np.repeat(np.random.default_rng(1).normal(size=(len(faces), 3)), 3, axis=0)
    uv = np.random.default_rng(2).random((len(vertices), 2))
    body = embody(asset(vertices, split, uv=uv, normals=normals), particles=150).body
    assert len(body.skin.vertices) == len(vertices)
    np.testing.assert_array_equal(body.skin.uv, uv)
    moved = body.skin.deform(body.rest + np.random.default_rng(3).normal(size=body.rest.shape))
    _, first, same = np.unique(vertices, axis=0, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(moved, moved[first][same.reshape(-1)])
    assert len(np.unique(body.skin.twins)) > 0.99 * len(vertices)  # normals differ: every edge is hard
    smooth = embody(asset(vertices, split), particles=150).body
    assert len(np.unique(smooth.skin.twins)) == len(points)


def test_looks_and_colours_are_kept() -> None:
    vertices, faces = bar()
    look = Look((Part("all", 0, len(faces), 0),), (Material("red"),))
    colours = np.full((len(vertices), 3), 0.5)
    body = embody(asset(vertices, faces, look=look, colours=colours, notes=("read so",)), particles=100)
    assert body.body.skin.look is look
    np.testing.assert_allclose(body.body.skin.colours, 0.7353, atol=1e-3)  # as a screen shows it
    assert body.notes[0] == "read so"


@pytest.mark.slow
def test_groups_of_vertices_become_groups_of_particles() -> None:
    vertices, faces = two_legs()
    left = np.flatnonzero((vertices[:, 0] < 0) & (vertices[:, 1] < 0.3)).astype(np.int32)
    top = np.flatnonzero(vertices[:, 1] > 0.6).astype(np.int32)
    groups = {"left": left, "top": top, "one": left[:1], "none": left[:0]}
    body = embody(asset(vertices, faces, groups=groups), particles=300).body
    assert set(body.groups) == {"left", "top", "one"}
    place = body.rest[body.groups["left"]]
    assert len(place) > 20 and (place[:, 1] < 0.55).all()
    assert (place[place[:, 1] < 0.2, 0] < 0).all()  # none of the other leg, which is 0.03 m away
    inner = (np.abs(body.rest[:, 0]) < 0.3) & (np.abs(body.rest[:, 2]) < 0.1) & (body.rest[:, 1] > 0.75)
    assert np.isin(np.flatnonzero(inner), body.groups["top"]).all()  # also particles that carry no skin
    assert len(body.groups["one"]) >= 1
    assert np.linalg.norm(body.rest[body.groups["one"]] - vertices[left[0]], axis=1).min() < 0.3


def test_poses_that_are_none_are_left_out_and_noted() -> None:
    vertices, faces = bar()
    turn = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    poses = {
        "bend": bent(vertices, 60),
        "same": vertices + 1e-9,
        "moved": vertices @ turn.T + (3, 0, 0),
        "mirrored": vertices * (-1, 1, 1) + 0.1 * vertices[:, 1:2] ** 2 * (1, 0, 0),
        "lost": np.full_like(vertices, np.nan),
    }
    made = embody(asset(vertices, faces, poses=poses), particles=150)
    assert made.body.pose_names == ("bend",)
    text = "\n".join(made.notes)
    for name, why in (("same", "is the rest shape"), ("moved", "moved as a whole"), ("lost", "not finite")):
        assert f'pose "{name}" was left out: ' in text and why in text
    assert 'pose "mirrored" was left out, it is mirrored: ' in text
    assert {fit.name: fit.verdict for fit in made.fits} == {"bend": "reached", "mirrored": "mirrored"}


def test_open_and_inside_out_surfaces_are_filled_and_noted() -> None:
    points, faces = ball_at((0, 0, 0))
    lidless = faces[(points[faces][:, :, 1] < 0.45).all(axis=1)]
    made = embody(asset(points, lidless[:, ::-1]), particles=200)
    assert made.body.volume == pytest.approx(0.52, rel=0.15)
    assert any("1 hole" in note for note in made.notes) and any("rays" in note for note in made.notes)
    assert any("inside out" in note for note in made.notes)


def test_pieces_far_apart_are_noted() -> None:
    made = embody(asset(*together(ball_at((0, 0, 0)), ball_at((4, 0, 0)))), particles=300)
    assert any("2 pieces" in note for note in made.notes)


@pytest.mark.slow
def test_a_number_that_cannot_be_had_gets_a_word() -> None:
    made = embody(asset(*two_legs()), particles=6)
    assert any("particles instead of 6" in note for note in made.notes)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda: asset(*sheet()), "--as shell"),
        (lambda: asset([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]]), "line or a point"),
        (lambda: asset(bar()[0] * (0.005, 1, 0.005), bar()[1]), "too thin for a solid"),
        (lambda: asset([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.zeros((0, 3))), "neither a face nor a tet"),
        (lambda: asset(np.zeros((0, 3)), np.zeros((0, 3))), "no vertex"),
        (lambda: asset(ball_at((0, 0, 0))[0] * 1e9, ball_at((0, 0, 0))[1]), "m across; scale it"),
        (lambda: asset(ball_at((0, 0, 0))[0] * 1e-9, ball_at((0, 0, 0))[1]), "m across; scale it"),
        (lambda: asset(ball_at((1e8, 0, 0))[0], ball_at((0, 0, 0))[1]), "from the origin"),
        (lambda: asset(np.where(np.eye(3), np.nan, 1), [[0, 1, 2]]), "not finite"),
    ],
)
def test_what_cannot_be_a_solid_is_refused_for_its_reason(given, words: str) -> None:
    with pytest.raises(FileError, match=words) as caught:
        embody(given())
    assert str(caught.value).startswith("thing.obj: ") and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "jelly"}, "choose solid, shell or rod"),
        ({"mesher": "magic"}, "choose lattice or wild"),
        ({"particles": 2}, "whole number from 4"),
        ({"particles": 10.5}, "whole number from 4"),
        ({"density": -1.0}, "density"),
    ],
)
def test_wrong_options_are_named(options, words: str) -> None:
    with pytest.raises(FileError, match=words):
        embody(bar_asset(), **({"particles": 60} | options))


def test_progress_rises_to_the_end() -> None:
    seen = []
    embody(bar_asset(), particles=100, cache=False, progress=lambda done, all_: seen.append((done, all_)))
    assert seen[0] == (0, 3) and seen[-1] == (3, 3)
    assert all(before[0] <= after[0] for before, after in pairwise(seen))


@pytest.mark.slow
def test_everything_that_is_wrong_with_a_model_is_found() -> None:
    """And mended: what is left of it is filled as the clean one is."""
    made = embody(asset(*worn(), "worn"), particles=300)
    facts = made.mesh
    assert facts.duplicate_faces >= 50 and facts.degenerate_faces == 10 and facts.flipped_faces > 100
    assert facts.holes > 5 and facts.nonmanifold_edges >= 6 and not facts.closed
    clean = embody(asset(*MODELS["calf"](), "calf"), particles=300)
    assert clean.mesh.findings == ()
    assert made.body.volume == pytest.approx(clean.body.volume, rel=0.1)


@pytest.mark.slow
@every_model
def test_whole_models_with_strong_poses(name: str) -> None:
    """Twists of 360 and bends of 200 degrees come through without an inverted tet."""
    vertices, faces = MODELS[name]()
    axis = int(np.argmax(np.ptp(vertices, axis=0)))
    upright = np.roll(vertices - (vertices.min(axis=0) + vertices.max(axis=0)) / 2, 1 - axis, axis=1)
    narrow = upright * (0.45, 1, 1) if np.ptp(upright[:, 0]) > 0.5 * np.ptp(upright[:, 1]) else upright
    poses = {"twist": twisted(upright, 360), "bend": bent(narrow, 200)}
    made = embody(asset(upright, faces, name, poses=poses))
    assert len(made.body.rest) == pytest.approx(600, rel=0.1)
    assert made.body.volume == pytest.approx(made.mesh.volume, rel=0.05 if made.mesh.closed else 0.25)
    for fit in made.fits:
        assert fit.usable and fit.inverted == 0 and fit.smallest_j > 0, fit
        assert fit.mean < 0.005 * fit.diagonal, fit
