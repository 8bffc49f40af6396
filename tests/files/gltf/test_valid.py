"""Every file that we write, before the eyes of Khronos' validator."""

from pathlib import Path

import numpy as np
import pytest

from files.gltf import jointed, takes
from files.gltf.making import SQUARE, Making
from khronos import assert_all_valid, assert_valid, validate
from pliant.files.gltf import write
from pliant.graph import graph_of

# The artist's file has a normal map and no tangents, as Blender writes it: players make them, and say so.
EXPECTED = dict.fromkeys(("painted", "several"), ("MESH_PRIMITIVE_GENERATED_TANGENT_SPACE",))
NAMES = [*takes.MOTIONS, "shell", "rod", "coloured", "painted", "posed", "several", "one frame"]
TOLERANCES = (0.0, 1e-3)


def test_vertices_and_weights(tmp_path: Path) -> None:
    variants, files = takes.variants(tmp_path), {}
    for name in NAMES:
        for tolerance in TOLERANCES:
            path = tmp_path / f"{name}, {tolerance}.glb"
            write(variants[name], path, tolerance=tolerance)
            files[path] = EXPECTED.get(name, ())
    for name in ("posed", "several"):
        path = tmp_path / f"{name}, weights.glb"
        write(variants[name], path, style="weights")
        files[path] = EXPECTED.get(name, ())
    assert_all_valid(files)


def test_skeletons(tmp_path: Path) -> None:
    bodies = [jointed.bar(), jointed.bar(), jointed.cloth(), jointed.cord(), jointed.bar(1)]
    files: dict[Path, tuple[str, ...]] = {}
    for motion, moved in jointed.MOTIONS.items():
        tracks = [jointed.track(body, moved, f"actor {k}") for k, body in enumerate(bodies)]
        for tolerance in TOLERANCES:
            path = tmp_path / f"{motion}, {tolerance}.glb"
            write(takes.take(*tracks, takes.track(takes.solid(), takes.wag)), path, tolerance=tolerance)
            files[path] = ()
    assert_all_valid(files)


def test_painted_and_large_skeletons(tmp_path: Path) -> None:
    painted = graph_of(takes.painted(tmp_path / "painted.glb"), 10)
    tracks = jointed.track(painted, name="painted"), jointed.track(jointed.swarm(300), name="swarm")
    write(takes.take(*tracks), tmp_path / "x.glb")
    assert_valid(tmp_path / "x.glb", EXPECTED["painted"])


def test_every_variant_is_tried(tmp_path: Path) -> None:
    assert list(takes.variants(tmp_path)) == NAMES


def test_files_made_by_hand_are_right(tmp_path: Path) -> None:
    """What the tests read is what exporters write."""
    assert_valid(takes.painted_file(tmp_path / "x.glb"), EXPECTED["painted"])


def test_the_validator_sees_faults(tmp_path: Path) -> None:
    making = Making()
    making.scene(making.node(mesh=making.mesh(faces=np.array([0, 1, 9], np.uint16), NORMAL=SQUARE * 3)))
    found = {issue.code for issue in validate(making.glb(tmp_path / "x.glb")) if issue.severity == "error"}
    assert {"ACCESSOR_INDEX_OOB", "ACCESSOR_VECTOR3_NON_UNIT"} <= found
    with pytest.raises(AssertionError, match="ACCESSOR_INDEX_OOB"):
        assert_valid(tmp_path / "x.glb")
