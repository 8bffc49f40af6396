"""Tets and curves in: bodies without a surface."""

from pathlib import Path

import numpy as np
import pytest
from pxr import Gf, UsdGeom, Vt

from files.usd.authoring import CUBE, blend, mesh, shifted, stage, vectors
from meshes import box_arrays
from pliant.files.asset import Asset
from pliant.files.usd import read as read_apart
from pliant.files.usd.reader import read_stage
from pliant.runtime.errors import FileError


def read(made: object, *sample: float) -> Asset:
    layer = made.GetRootLayer()  # type: ignore[attr-defined]
    layer.Save()
    return read_stage(Path(layer.realPath), sample)


def curves(made: object, path: str, points: object, counts: list[int], **said: str) -> UsdGeom.BasisCurves:
    found = UsdGeom.BasisCurves.Define(made, path)
    found.CreatePointsAttr(vectors(points))
    found.CreateCurveVertexCountsAttr(counts)
    for name, value in {"type": "linear", **said}.items():
        getattr(found, f"Create{name.title()}Attr")(value)
    return found


def test_tets(tmp_path: Path) -> None:
    rest, tets = box_arrays()
    made = stage(tmp_path / "a.usda", "Z", 0.01)
    found = UsdGeom.TetMesh.Define(made, "/box")
    found.CreatePointsAttr(vectors(np.concatenate([rest, [[9, 9, 9]]]) * 100))
    found.CreateTetVertexIndicesAttr(Vt.Vec4iArray([tuple(map(int, tet)) for tet in tets]))
    found.AddScaleOp().Set(Gf.Vec3f(-1, 1, 1))
    blend(made, found, "tall", np.tile([0.0, 0, 10], (len(rest) + 1, 1)))
    mesh(made, "/cube")
    made.GetRootLayer().Save()
    asset = read_apart(tmp_path / "a.usda")
    assert asset.tets is not None and asset.tets.shape == tets.shape and len(asset.faces) == 0
    assert np.allclose(asset.vertices, np.stack([-rest[:, 0], rest[:, 2], -rest[:, 1]], axis=1), atol=1e-6)
    a, b, c, d = (asset.vertices[asset.tets[:, k]] for k in range(4))
    volumes = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
    assert (volumes > 0).all() and volumes.sum() == pytest.approx(2.0, rel=1e-5)
    assert np.allclose(asset.poses["tall"] - asset.vertices, (0, 0.1, 0), atol=1e-6)
    told = " ".join(asset.notes)
    assert "1 meshes" in told and f"1 of {len(rest) + 1} points" in told


def test_linear_curves_are_segments(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    open_one, ring = [[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 5, 0], [1, 5, 0], [0, 5, 1]]
    curves(made, "/open", open_one, [3])
    curves(made, "/ring", ring, [3], wrap="periodic").AddTranslateOp().Set(Gf.Vec3d(0, 1, 0))
    asset = read(made)
    assert asset.segments is not None
    assert asset.segments.tolist() == [[0, 1], [1, 2], [3, 4], [4, 5], [5, 3]]
    assert np.allclose(asset.vertices, np.concatenate([open_one, shifted(np.array(ring), 0, 1, 0)]))
    assert len(asset.faces) == 0 and asset.tets is None


@pytest.mark.parametrize(
    ("basis", "wrap", "controls", "ends"),
    [
        ("bezier", "nonperiodic", 7, (0.0, 6.0)),
        ("bspline", "nonperiodic", 6, (1.0, 4.0)),
        ("catmullRom", "nonperiodic", 6, (1.0, 4.0)),
        ("bspline", "pinned", 4, (0.0, 3.0)),
        ("catmullRom", "pinned", 4, (0.0, 3.0)),
    ],
)
def test_cubic_curves_pass_through_their_points(
    tmp_path: Path, basis: str, wrap: str, controls: int, ends: tuple[float, float]
) -> None:
    """Control points in even steps along a line give even steps along it, whatever the basis."""
    made = stage(tmp_path / "a.usda")
    line = np.arange(controls)[:, None] * [1.0, 2.0, 0.0]
    found = curves(made, "/c", line, [controls], type="cubic", basis=basis, wrap=wrap)
    for frame in (0, 24):
        found.GetPointsAttr().Set(vectors(line * (1 + frame)), frame)
    asset = read(made, 1.0)
    along = asset.vertices[:, 0]
    assert np.allclose(along, np.linspace(*ends, len(along))) and np.allclose(asset.vertices[:, 1], 2 * along)
    assert asset.segments is not None and len(asset.segments) == len(along) - 1
    assert np.allclose(asset.poses["at 1 s"], 25 * asset.vertices)


def test_a_closed_cubic_curve(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    turn = np.arange(16) * np.pi / 8
    ring = np.stack([np.cos(turn), 0 * turn, np.sin(turn)], axis=1)
    curves(made, "/c", ring, [16], type="cubic", basis="catmullRom", wrap="periodic")
    asset = read(made)
    assert asset.segments is not None and len(asset.segments) == len(asset.vertices) == 64
    assert np.allclose(np.linalg.norm(asset.vertices, axis=1), 1.0, atol=2e-3)
    assert (np.bincount(asset.segments.ravel()) == 2).all()


def test_curves_beside_meshes_are_left_out(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    mesh(made, "/cube", CUBE)
    curves(made, "/hair", CUBE, [4, 4])
    asset = read(made)
    assert asset.segments is None and len(asset.faces) == 12
    assert any("1 curves" in note for note in asset.notes)


def test_elements_that_cannot_be(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    curves(made, "/c", CUBE, [4, 5])
    with pytest.raises(FileError, match="should have 9 points and have 8"):
        read(made)
    made = stage(tmp_path / "b.usda")
    found = UsdGeom.TetMesh.Define(made, "/box")
    found.CreatePointsAttr(vectors(CUBE))
    found.CreateTetVertexIndicesAttr(Vt.Vec4iArray([(0, 1, 2, 8)]))
    with pytest.raises(FileError, match="a tet names point 8, there are 8"):
        read(made)
    found.CreateTetVertexIndicesAttr(Vt.Vec4iArray([]))
    with pytest.raises(FileError, match="tets are empty"):
        read(made)
