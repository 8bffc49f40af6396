"""Facts about surfaces that have something wrong, each made by hand."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_assets import ball_at, bar, sheet, together
from pliant.geometry.measures import areas
from pliant.geometry.surfaces import enclosed_volume, rounded_box
from pliant.volume import crossing
from pliant.volume.crossing import count_crossings
from pliant.volume.dirty import examine
from pliant.volume.mending import mend


def facts_of(vertices, faces):
    return examine(len(vertices), np.asarray(vertices, float), np.asarray(faces, np.int32))[0]


def test_a_clean_ball() -> None:
    points, faces = ball_at((1, 2, 3))
    facts = facts_of(points, faces)
    assert (facts.points, facts.faces, facts.shells) == (len(points), len(faces), 1)
    assert facts.closed and facts.findings == ()
    assert facts.volume == pytest.approx(facts.signed_volume) == pytest.approx(enclosed_volume(points, faces))
    assert facts.area == pytest.approx(areas(points, faces).sum())
    np.testing.assert_allclose([facts.low, facts.high], [points.min(axis=0), points.max(axis=0)])


def test_holes_are_counted_by_their_rims() -> None:
    points, faces = ball_at((0, 0, 0))
    height = points[faces][:, :, 1]
    facts = facts_of(points, faces[(height < 0.4).all(axis=1) & (height > -0.45).all(axis=1)])
    assert facts.holes == 2 and facts.open_edges > 20 and not facts.closed
    assert facts.volume == pytest.approx(enclosed_volume(points, faces), rel=0.1)  # the caps are gone
    assert facts_of(*sheet(4)).holes == 1


def test_faces_given_twice_either_way_round_and_faces_without_area() -> None:
    points, faces = ball_at((0, 0, 0))
    twice = np.concatenate([faces, faces[:10], faces[10:15, ::-1], [[0, 0, 1], [2, 3, 2]]])
    facts = facts_of(points, twice)
    assert (facts.duplicate_faces, facts.degenerate_faces) == (15, 2)
    assert facts.volume == pytest.approx(enclosed_volume(points, faces))
    assert "15 faces given twice" in facts.findings[1]


def test_a_surface_drawn_from_both_sides_still_has_an_inside() -> None:
    points, faces = ball_at((0, 0, 0))
    facts = facts_of(points, np.concatenate([faces, faces[:, ::-1]]))
    assert facts.signed_volume == pytest.approx(0, abs=1e-12)
    assert facts.volume == pytest.approx(enclosed_volume(points, faces))


@given(st.integers(0, 1000), st.floats(0.02, 0.45))
def test_flipped_faces_are_turned_back(seed: int, part: float) -> None:
    points, faces = bar()
    flipped = np.random.default_rng(seed).random(len(faces)) < part
    mixed = np.where(flipped[:, None], faces[:, ::-1], faces)
    mended = mend(points, mixed.astype(np.int32))
    assert mended.flipped == flipped.sum()
    assert enclosed_volume(points, mended.faces) == pytest.approx(enclosed_volume(points, faces))


def test_inside_out_shells_are_turned_and_cavities_are_not() -> None:
    outer, inner, beside = ball_at((0, 0, 0), 1.0, 0.2), ball_at((0, 0, 0), 0.5, 0.2), ball_at((3, 0, 0), 0.5, 0.2)
    ball, hole = enclosed_volume(*outer), enclosed_volume(*inner)
    hollow = facts_of(*together(outer, (inner[0], inner[1][:, ::-1])))
    assert hollow.inward_shells == 0
    assert hollow.volume == pytest.approx(ball - hole)
    apart = facts_of(*together(outer, (beside[0], beside[1][:, ::-1])))
    assert apart.inward_shells == 1
    assert apart.volume == pytest.approx(ball + hole)
    assert facts_of(outer[0], outer[1][:, ::-1]).inward_shells == 1


def test_a_band_with_one_side_only_is_left_as_it_is() -> None:
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    across = [(1 + r * np.cos(turn / 2)) for r in (-0.3, 0.3)]
    rows = [
        np.stack([a * np.cos(turn), r * np.sin(turn / 2), a * np.sin(turn)], axis=1)
        for a, r in zip(across, (-0.3, 0.3), strict=True)
    ]
    points = np.concatenate(rows)
    here, ahead = np.arange(23), np.arange(1, 24)
    quads = np.stack([here, ahead, ahead + 24, here + 24], axis=1)
    quads = np.concatenate([quads, [[23, 24, 0, 47]]])  # closed with half a turn
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    mended = mend(points, faces.astype(np.int32))
    assert mended.flipped == 0 and len(mended.faces) == 48
    assert facts_of(points, faces).holes == 1


def test_edges_with_three_faces() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1]])
    facts = facts_of(points, [[0, 1, 2], [1, 0, 3], [0, 1, 4]])
    assert facts.nonmanifold_edges == 1 and not facts.closed


def pass_through(one, two) -> bool:
    """Whether an edge of one triangle passes through the other, by solving for the point where it does."""
    for first, second in ((one, two), (two, one)):
        for k in range(3):
            p, q = first[k], first[(k + 1) % 3]
            a, b, c = second
            t, u, v = np.linalg.solve(np.stack([p - q, b - a, c - a], axis=1), p - a)
            if 0 < t < 1 and u > 0 and v > 0 and u + v < 1:
                return True
    return False


def test_crossings_are_those_of_every_pair() -> None:
    """Against the plain test of all pairs, on a soup of random triangles."""
    rng = np.random.default_rng(5)
    points = rng.normal(size=(180, 3)) * 0.5 + rng.normal(size=(60, 1, 3)).repeat(3, axis=1).reshape(-1, 3)
    faces = np.arange(180, dtype=np.int32).reshape(-1, 3)
    soup = points[faces]
    wanted = sum(pass_through(soup[i], soup[j]) for i in range(60) for j in range(i))
    assert wanted > 10
    assert count_crossings(points, faces) == (wanted, True)


def test_boxes_that_overlap_cross_and_boxes_side_by_side_do_not() -> None:
    box = rounded_box((1, 1, 1), 0.1, 0.5)
    assert facts_of(*together(box, (box[0] + (0.51, 0.33, 0.2), box[1]))).crossings > 10
    facts = facts_of(*together(box, (box[0] + (1.01, 0, 0), box[1])))
    assert facts.crossings == 0 and facts.shells == 2
    assert "shells" in facts.findings[-1]


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    box = rounded_box((1, 1, 1), 0.1, 0.2)
    monkeypatch.setattr(crossing, "MOST_PAIRS", 200)
    found, complete = count_crossings(*together(box, (box[0] + (0.51, 0.33, 0.2), box[1])))
    assert not complete and found >= 0
    monkeypatch.setattr(crossing, "MOST_FACES", 10)
    assert count_crossings(*box) == (0, False)


def test_facts_are_fit_for_json() -> None:
    facts = facts_of(*sheet(3))
    back = json.loads(json.dumps(facts.to_dict()))
    assert back["holes"] == 1 and back["closed"] is False and back["findings"] == list(facts.findings)
