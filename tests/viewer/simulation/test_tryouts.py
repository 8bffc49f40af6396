"""A pose tried out, without the films."""

from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.files.reading import read_asset
from pliant.runtime.errors import PliantError
from pliant.viewer.recording.recorder import RecordedActor
from pliant.viewer.recording.shape_keys import write_shape_keys
from pliant.viewer.simulation.tryouts import TESTS, TRYOUT_SECONDS, TryoutTask, played, pulse, staged


def test_a_squash_shows_where_it_is_pressed() -> None:
    """And a stretch where it is pulled; the weight without the pose is that of none."""
    bar = pliant.shapes.cuboid(size=(0.5, 1, 0.5), cells=(2, 4, 2))
    bar = bar.with_pose("squash", pliant.poses.squash(bar, 0.4, axis="y"))
    bar = bar.with_pose("stretch", pliant.poses.stretch(bar, 0.3, axis="y"))
    settings = pliant.ShapeMatching(stiffness=2.0, forced={"squash": 0.0})
    reached = {}
    for pose in bar.poses:
        task = TryoutTask(bar, settings, pose, 2)
        for test in TESTS:
            world, actor = staged(task, test, posed=True)
            take, reached[pose, test], at = played(world, actor, task)
            assert take.times[-1] == pytest.approx(TRYOUT_SECONDS) and np.isfinite(take.tracks[0].positions).all()
            assert 0 <= at <= TRYOUT_SECONDS + 1e-9
    assert reached["squash", "press"] > max(0.6, 2 * reached["squash", "pull"])  # it is free here, though it is off
    assert reached["stretch", "pull"] > max(0.6, 2 * reached["stretch", "press"])
    world, actor = staged(TryoutTask(bar, settings, "squash", 2), "press", posed=False)
    assert actor.body.pose_names == ("stretch",) and pulse(0.0) == pulse(TRYOUT_SECONDS) == 0.0


def test_poses_are_saved_as_shape_keys(tmp_path: Path) -> None:
    bar = pliant.shapes.cuboid(cells=(2, 2, 2))
    world = pliant.World()
    with pytest.raises(PliantError, match="no body has poses"):
        write_shape_keys([RecordedActor.of(world.add(bar, pliant.ShapeMatching(), name="plain"))], tmp_path / "a.glb")
    posed = bar.with_pose("tall", bar.rest * (1, 2, 1))
    actors = [world.add(posed, pliant.ShapeMatching(), name=name) for name in ("one", "two")]
    write_shape_keys([RecordedActor.of(actor) for actor in actors], tmp_path / "keys.glb")
    asset = read_asset(tmp_path / "keys.glb")
    assert list(asset.poses) == ["tall"] and len(asset.vertices) == len(bar.skin.vertices)  # two copies, but one body
    assert np.ptp(asset.poses["tall"][:, 1]) == pytest.approx(2 * np.ptp(asset.vertices[:, 1]), rel=1e-4)
