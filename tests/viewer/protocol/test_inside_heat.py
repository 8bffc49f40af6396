"""Heat maps against plain NumPy, region by region."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant
from pliant.body import Body
from pliant.geometry.regions import regions
from pliant.viewer.protocol import heat

SHAPES: dict[str, Callable[[], Body]] = {
    "solid": lambda: pliant.shapes.cuboid(size=(1, 0.8, 2), cells=(2, 2, 3)),
    "shell": lambda: pliant.shapes.sheet(cells=(4, 3)),
    "rod": lambda: pliant.shapes.rope(),
}
FAR = np.array([300.0, -40.0, 1000.0])


@pytest.fixture(params=list(SHAPES))
def body(request: pytest.FixtureRequest) -> Body:
    made = SHAPES[request.param]()
    bent = made.rest + 0.1 * np.sin(3.0 * made.rest[:, [1, 2, 0]])
    return made.with_pose("bent", bent).with_pose("long", made.rest * (1.3, 1.0, 0.9))


def turned(positions: np.ndarray) -> np.ndarray:
    return Rotation.from_euler("xyz", [40, -70, 110], degrees=True).apply(np.array(positions)) + FAR


def shaken(body: Body, seed: int = 0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(size=body.rest.shape)
    return turned(body.rest + 0.05 * np.linalg.norm(body.size) * noise)


def stretch_of(body: Body, positions: np.ndarray) -> np.ndarray:
    """The definition itself: eigenvalues of the reference's stretch tensors."""
    r = regions(body.rest, body.masses, body.elements, body.kind)
    return np.abs(np.linalg.eigvalsh(r.stretches(positions)) - 1.0).max(axis=1)


def distance_of(body: Body, positions: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """Each region laid on its example with the rotation that scipy finds."""
    r = regions(body.rest, body.masses, body.elements, body.kind)
    far = []
    for first, last in zip(r.starts[:-1], r.starts[1:], strict=True):
        ring = r.members[first:last]
        shares = r.effective[ring] / r.effective[ring].sum()
        x, q = positions[ring] - shares @ positions[ring], pose[ring] - shares @ pose[ring]
        rotation, _ = Rotation.align_vectors(x, q, weights=shares)
        far.append(np.sqrt(shares @ np.square(x - rotation.apply(q)).sum(axis=1)))
    return np.array(far)


def test_rigid_motion_is_cold(body: Body) -> None:
    moved = turned(body.rest)
    np.testing.assert_allclose(heat.stretch(body, moved), 0.0, atol=1e-9)
    np.testing.assert_allclose(heat.distance(body, moved, "rest"), 0.0, atol=2e-4 * heat_size(body))


def heat_size(body: Body) -> float:
    return float(np.linalg.norm(body.size))


def test_stretch_is_that_of_the_reference(body: Body) -> None:
    positions = shaken(body)
    np.testing.assert_allclose(heat.stretch(body, positions), stretch_of(body, positions), atol=1e-7)


def test_a_pull_along_an_axis_is_its_own_stretch() -> None:
    bar = SHAPES["solid"]()
    np.testing.assert_allclose(heat.stretch(bar, turned(bar.rest * (1, 1, 1.4))), 0.4, atol=1e-9)
    np.testing.assert_allclose(heat.stretch(bar, turned(bar.rest * (0.3, 1.1, 1))), 0.7, atol=1e-9)
    np.testing.assert_allclose(heat.stretch(bar, bar.rest * (1, 1, -1)), 2.0, atol=1e-9)  # inside out


@pytest.mark.filterwarnings("ignore:Optimal rotation is not uniquely")  # about a straight region's own axis
def test_distance_is_that_after_the_best_rigid_motion(body: Body) -> None:
    positions = shaken(body, 1)
    for name, pose in (("rest", body.rest), *body.poses.items()):
        wanted = distance_of(body, positions, pose)
        np.testing.assert_allclose(heat.distance(body, positions, name), wanted, atol=2e-4 * heat_size(body))
        assert wanted.max() > 0.01 * heat_size(body)


def test_a_mirror_image_is_not_the_example() -> None:
    bar = SHAPES["solid"]()
    mirrored = bar.rest * (-1, 1, 1)
    np.testing.assert_allclose(heat.distance(bar, mirrored, "rest"), distance_of(bar, mirrored, bar.rest), atol=1e-3)
    assert heat.distance(bar, mirrored, "rest").min() > 0.05


def test_the_nearest_example(body: Body) -> None:
    positions = shaken(body, 2)
    both = [heat.distance(body, positions, name) for name in body.poses]
    np.testing.assert_array_equal(heat.distance(body, positions), np.minimum(*both))
    posed = turned(body.poses["long"])
    np.testing.assert_allclose(heat.distance(body, posed), 0.0, atol=2e-4 * heat_size(body))
    assert (heat.distance(body, posed, "unknown") == heat.NOTHING).all()


def test_without_poses_the_rest_shape_is_the_example() -> None:
    bar = SHAPES["solid"]()
    positions = shaken(bar)
    np.testing.assert_array_equal(heat.distance(bar, positions), heat.distance(bar, positions, "rest"))


def test_eigenvalues_of_awkward_matrices() -> None:
    turn = Rotation.random(6, random_state=3).as_matrix()
    values = np.array([[1, 1, 1], [2, 1, 1], [2, 2, 1], [1, 0, 0], [0, 0, 0], [1e6, 1, 1e-6]], float)
    matrices = (turn * values[:, None, :]) @ np.swapaxes(turn, 1, 2)
    np.testing.assert_allclose(heat.eigenvalues(matrices), values, rtol=1e-6, atol=1e-7 * values.max())


# ---- weights and groups --------------------------------------------------------------------------------------


def test_weights_go_to_the_regions_of_their_group() -> None:
    body = SHAPES["solid"]().with_pose("long", lambda x: x * (1.3, 1, 1))
    left = np.flatnonzero(body.rest[:, 0] < -0.1)
    right = np.flatnonzero(body.rest[:, 0] > 0.1)
    settings = pliant.ShapeMatching(examples={"left": left, "right": right})
    groups = heat.group_numbers(body, settings, ("left", "right"))
    assert (
        (groups[left] == 0).all()
        and (groups[right] == 1).all()
        and (groups == -1).sum() == len(body.rest) - len(left) - len(right)
    )
    weights = np.array([[0.75, 0.25], [0.1, 0.9]])
    np.testing.assert_allclose(heat.weight(body, groups, weights, "long")[left], 0.25)
    np.testing.assert_allclose(heat.weight(body, groups, weights, "long")[right], 0.9)
    np.testing.assert_allclose(heat.weight(body, groups, weights, "rest")[right], 0.1)
    assert (heat.weight(body, groups, weights, "long")[groups < 0] == 0.0).all()
    assert (heat.weight(body, groups, weights, "rest")[groups < 0] == 1.0).all()
    assert (heat.weight(body, groups, weights, "short") == heat.NOTHING).all()


def test_groups_of_the_body_and_of_every_region() -> None:
    body = SHAPES["solid"]().with_group("end", lambda x: x[:, 2] > 0.5)
    named = heat.group_numbers(body, pliant.ShapeMatching(examples={"end": "end"}), ("end",))
    np.testing.assert_array_equal(np.flatnonzero(named == 0), body.groups["end"])
    count = len(body.rest)
    each = heat.group_numbers(body, pliant.ShapeMatching(examples="regions"), [f"region {i}" for i in range(count)])
    np.testing.assert_array_equal(each, np.arange(count))
    assert not heat.group_numbers(body, pliant.ShapeMatching(), ("all",)).any()
