"""Tets by pytetwild: what is asked of it, and what is told when it is not there."""

import sys
from types import ModuleType

import numpy as np
import pytest

from made_assets import asset, ball_at, bar, bent
from meshes import box_arrays
from pliant.geometry.measures import volumes
from pliant.runtime.errors import FileError
from pliant.volume import embody


class Stand:
    """In the place of both tools: fills everything with a box of tets, inside out and with a node to spare, as the
    real one does, and counts how often."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[int, float]] = []
        self.cells = (3, 6, 3)
        tets, simplifier = ModuleType("pytetwild"), ModuleType("fast_simplification")
        tets.tetrahedralize = self.tetrahedralize  # type: ignore[attr-defined]
        simplifier.simplify = self.simplify  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "pytetwild", tets)
        monkeypatch.setitem(sys.modules, "fast_simplification", simplifier)

    def simplify(self, points, faces, target_count):
        assert points.dtype == np.float32 and np.abs(points).max() <= 1
        self.wanted = target_count
        return points, faces[: max(target_count, 4)]

    def tetrahedralize(self, points, faces, edge_length_fac, epsilon, coarsen, quiet):
        assert points.dtype == np.float64 and faces.dtype == np.int32 and quiet and 0 < edge_length_fac <= 1
        self.calls.append((len(faces), epsilon))
        rest, tets = box_arrays(np.ptp(points, axis=0) * (1 + 1e-3 * len(self.calls)), self.cells)
        return np.concatenate([rest, [[9.0, 9, 9]]]), tets[:, [0, 2, 1, 3]]


def test_tets_are_turned_bound_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool never does the same twice; what it did once is kept."""
    stand = Stand(monkeypatch)
    vertices, faces = bar()
    given = asset(vertices + np.array([5.0, 0, 0]), faces, poses={"bend": bent(vertices, 40)})
    first, second = embody(given, mesher="wild", particles=112), embody(given, mesher="wild", particles=112)
    assert stand.calls == [(212, pytest.approx(4e-3 * 600 / 112))] and stand.wanted == 212
    assert volumes(first.body.rest, first.body.tets).min() > 0
    assert len(first.body.rest) == 112  # without the node that has no tet
    np.testing.assert_allclose(first.body.skin.deform(first.body.rest), given.vertices, atol=1e-9)
    assert second.cached and first.body.pose_names == ("bend",)
    np.testing.assert_array_equal(first.body.rest, second.body.rest)
    lattice = embody(given, particles=112)
    assert not lattice.cached


def test_the_envelope_changes_until_the_number_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    stand = Stand(monkeypatch)
    embody(asset(*bar()), mesher="wild", particles=60)
    envelopes = [epsilon for _, epsilon in stand.calls]
    assert len(envelopes) == 3 and envelopes[0] < envelopes[1]


def test_a_surface_that_it_gives_up_on_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    stand = Stand(monkeypatch)
    stand.tetrahedralize = lambda *a, **k: (np.zeros((0, 3)), np.zeros((0, 4), int))  # type: ignore[method-assign]
    monkeypatch.setattr(sys.modules["pytetwild"], "tetrahedralize", stand.tetrahedralize)
    with pytest.raises(FileError, match=r'finds no inside; .*"lattice"'):
        embody(asset(*ball_at((0, 0, 0))), mesher="wild", particles=100)


@pytest.mark.parametrize("missing", ["pytetwild", "fast_simplification"])
def test_a_missing_extra_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    Stand(monkeypatch)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(FileError, match=rf'thing.obj: .*needs {missing}; .*pip install "pliant\[tet\]"'):
        embody(asset(*bar()), mesher="wild")
