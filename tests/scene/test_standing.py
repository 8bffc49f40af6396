"""Bodies from files are not caught in their poses: by default they stand up again, whatever their weight."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant
from pliant.geometry import distance as d
from pliant.geometry.isosurface import isosurface
from pliant.models.shape_matching.constants import pose_constants
from pliant.scene.build import stage
from pliant.scene.default import scene_of
from pliant.scene.overrides import with_overrides
from pliant.scene.schema import Scene
from pliant.scene.standing import PRESSED, lowered, stiffness_to_stand, strength_to_stand
from pliant.world.courses import laid_on

PARTICLES = 400
# A massive head with a nose and a jaw; a block with a rounded back and a slanted cut, as machine parts have; a bust.
HEAD = d.union(
    d.ellipsoid((0, 0.1, 0), (0.42, 0.55, 0.5)), d.sphere((0, 0.0, 0.5), 0.14),
    d.ellipsoid((0, -0.35, 0.2), (0.28, 0.22, 0.3)),
    blend=0.1,
)  # fmt: skip
WEDGE = d.subtract(
    d.union(d.rounded_box((0, 0, 0), (0.6, 0.45, 0.3), 0.03), d.disc((0.3, 0.1, 0), 0.5, 0.3, 0.03, (0, 0, 1))),
    d.turned(d.rounded_box((-0.9, 0.7, 0), (0.5, 0.4, 0.5), 0.02), Rotation.from_rotvec((0, 0, 0.3))),
)
BUST = d.union(d.rounded_box((0, -0.4, 0), (0.5, 0.2, 0.4), 0.1), d.sphere((0, 0.1, 0), 0.4), blend=0.1)
SOLIDS = {"head": HEAD, "wedge": WEDGE, "bust": BUST}


def scene_with(folder: Path, name: str, size: float) -> Scene:
    """The default scene of a solid with a squash, and goals that hold it."""
    path = written(folder, name, size)
    scene = scene_of(path, particles=PARTICLES, poses={"squash": folder / f"{name}_squash.obj"})
    return with_overrides(scene, ["bodies.0.model.goals=held"])


def written(folder: Path, name: str, size: float) -> Path:
    """The solid as a file, and its squash beside it."""
    vertices, faces = isosurface(SOLIDS[name], (-1.3,) * 3, (1.3,) * 3, 0.08)
    for ending, points in (("", vertices), ("_squash", vertices * (1.4, 0.5, 1.4))):
        lines = [f"v {x} {y} {z}" for x, y, z in size * points] + [f"f {a} {b} {c}" for a, b, c in faces + 1]
        (folder / f"{name}{ending}.obj").write_text("\n".join(lines))
    return folder / f"{name}.obj"


def height(actor: pliant.Actor) -> float:
    """Along its own axis, the rest shape being 1."""
    body = actor.body
    here = laid_on(np.asarray(actor.positions, np.float64), body.rest, body.masses)
    return float(np.ptp(here[:, 1]) / np.ptp(body.rest[:, 1]))


@pytest.mark.slow
@pytest.mark.parametrize("size", [0.3, 2.0])
@pytest.mark.parametrize("name", SOLIDS)
def test_a_dense_solid_is_back_at_rest_two_seconds_after_the_last_push(name: str, size: float, tmp_path: Path):
    show = stage(with_overrides(scene_with(tmp_path, name, size), ["bodies.0.position=[0, 0, 0]"]))
    (actor,) = show.world.actors
    tall = float(np.ptp(actor.body.rest[:, 1]))
    path = pliant.Path([0, 0.5, 1.5, 1.6], [(0, 0, 0), (0, -0.5 * tall, 0), (0, -0.5 * tall, 0), (0, 5 * tall, 0)])
    board = pliant.Box(centre=(0, 1.6 * tall, 0), half_size=(5 * size, 0.6 * tall, 5 * size), friction=0, path=path)
    show.world.colliders.append(board)
    low, weights, heights = 1.0, [], []
    while show.world.time < 3.5 - 1e-9:
        show.step()
        low = min(low, height(actor))
        weights.append(actor.weights[0, 1])
        if show.world.time > 3.25:
            heights.append(height(actor))
    assert low < 0.75 and max(weights) > 0.2  # it was pressed, and chose its pose
    assert np.mean(heights) > 0.94


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLIDS)
def test_a_dense_solid_that_fell_shows_its_pose_and_stands_up(name: str, tmp_path: Path):
    show = stage(scene_with(tmp_path, name, 1.0))
    (actor,) = show.world.actors
    weights, heights = [], []
    for frame in show.play():
        weights.append(frame.weights[actor.name][0, 1])
        if frame.time > 3.0:
            heights.append(height(actor))
    assert max(weights) > 0.15
    assert np.mean(heights) > 0.94


def test_the_weight_of_a_body_takes_it_no_farther_into_a_pose_than_it_may():
    """A block on the floor, squashed: K and the fall of its centre are known."""
    bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4))
    flat = bar.with_pose("flat", lambda rest: rest * (1, 0.5, 1))
    rest = bar.rest - bar.rest.mean(axis=0)
    moved = rest * (0, -0.5, 0)
    assert lowered(rest, moved[None])[0] == pytest.approx(PRESSED * 0.5, rel=0.05)
    for stiffness in (2.0, 8.0, 32.0):
        strength = strength_to_stand(flat, stiffness, 3.0, 9.81)
        energy = 3600 * stiffness * float(pose_constants(flat, "held").grams[:, 0, 0].sum())
        weight = bar.mass * 9.81 * 0.5 / ((1 / (strength + 0.01) - 1) * energy)
        assert 0.8 * PRESSED < weight < 1.4 * PRESSED  # rounded down to a hundredth
    assert strength_to_stand(bar, 8.0, 3.0, 9.81) == pliant.ShapeMatching().example_strength


def test_a_pose_that_weight_does_not_press_into_lets_go_in_time():
    bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4))
    tall = bar.with_pose("tall", lambda rest: rest * (1, 1.5, 1))
    assert 0.9 < strength_to_stand(tall, 8.0, 3.0, 0.0) < 1.0


def test_thin_legs_make_a_body_harder():
    table = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4))
    middles = table.rest[table.elements].mean(axis=1) - table.rest.mean(axis=0)
    legs, low = np.abs(middles[:, [0, 2]]).min(axis=1) > 0.25, middles[:, 1] < 0
    kept = table.elements[~low | legs]
    used, numbers = np.unique(kept, return_inverse=True)
    cut = pliant.Body(table.rest[used], tets=numbers.reshape(-1, 4), name="table")
    assert stiffness_to_stand(cut, 9.81) > 2 * stiffness_to_stand(table, 9.81) > 0.0
    assert stiffness_to_stand(table, 19.62) == pytest.approx(2 * stiffness_to_stand(table, 9.81))
