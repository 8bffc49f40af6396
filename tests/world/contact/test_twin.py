"""The narrow phase against plain NumPy, and contact spheres against the skins they stand for."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.embedding import locate
from pliant.world.contact import lane_kernels as kernels
from pliant.world.contact import layout as at
from pliant.world.contact.proxies import proxies_of
from pliant.world.contact.separation_kernels import separation
from worlds import ball, bar, cube, rope, sheet


def ellipsoids(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two hulls (6 numbers each), their matrices, and the vector from the second to the first."""
    random = np.random.default_rng(seed)
    matrices = []
    for _ in range(2):
        turn = Rotation.random(random_state=random).as_matrix()
        matrices.append(turn @ np.diag(random.uniform(0.3, 1.0, 3) ** 2) @ turn.T)
    hulls = np.array([[m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]] for m in matrices])
    away = random.normal(size=3)
    return hulls, np.array(matrices), away / np.linalg.norm(away) * random.uniform(0.8, 2.2)


def directions(count: int) -> np.ndarray:
    """Spread evenly over the sphere (Fibonacci)."""
    z = 1 - (2 * np.arange(count) + 1) / count
    turn = np.pi * (1 + 5**0.5) * np.arange(count)
    return np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], axis=1)


def glances_of(hulls: np.ndarray, away: np.ndarray) -> np.ndarray:
    """Two ellipsoids as the lanes are given them."""
    rows = np.zeros((2, at.CULL_ROW), np.float32)
    rows[:, at.CULL_RADIUS] = -1.0
    rows[0, at.CULL_END : at.CULL_END + 3] = rows[0, at.CULL_START : at.CULL_START + 3] = away
    rows[:, at.CULL_SHAPE : at.CULL_SHAPE + 6] = hulls
    return rows.ravel()


def parted(lanes: np.ndarray, lane: int) -> np.ndarray:
    """What the lanes have found of one pair: the normal (3), and both reaches."""
    rows = lanes.reshape(-1, kernels.CONTACT_LANES)[:, lane].astype(np.float64)
    way, reach = kernels.BEST_AXIS // kernels.CONTACT_LANES, kernels.BEST_REACH // kernels.CONTACT_LANES
    return np.append(rows[way : way + 3], rows[kernels.PAIR_SIZE // kernels.CONTACT_LANES] * rows[reach : reach + 2])


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_ellipsoids_part_along_the_direction_in_which_they_are_farthest_apart(scale: float) -> None:
    n = directions(40_000)
    lanes = np.zeros(kernels.LANE_ROOM, np.float32)
    proxy_boxes = [ellipsoids(seed) for seed in range(kernels.CONTACT_LANES)]
    for lane, (hulls, _, away) in enumerate(proxy_boxes):
        kernels.take_lane(glances_of(scale**2 * hulls, scale * away), 0, 1, lanes, lane)
    kernels.part_lanes(lanes)
    for lane, (_, matrices, away) in enumerate(proxy_boxes):
        gaps = n @ away - sum(np.sqrt(np.einsum("ni,ij,nj->n", n, m, n)) for m in matrices)
        normal, reaches = np.split(parted(lanes, lane), [3])
        assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-6)
        np.testing.assert_allclose(reaches / scale, [np.sqrt(normal @ m @ normal) for m in matrices], rtol=1e-5)
        found, best = normal @ away - reaches.sum() / scale, gaps.max()
        assert found <= best + 1e-3  # nothing is farther apart than that
        assert found > best - 0.03 - 0.1 * max(0.0, -best)  # of ellipsoids of half a metre to two


def test_a_pair_is_parted_alike_in_any_company() -> None:
    """Bit for bit, whatever stands in the other lanes."""
    alone, together = np.full(kernels.LANE_ROOM, np.nan, np.float32), np.zeros(kernels.LANE_ROOM, np.float32)
    for lane in range(kernels.CONTACT_LANES):
        hulls, _, away = ellipsoids(30 + lane)
        kernels.take_lane(glances_of(hulls, away), 0, 1, together, lane)
    hulls, _, away = ellipsoids(34)
    kernels.take_lane(glances_of(hulls, away), 0, 1, alone, 1)
    kernels.part_lanes(alone)
    kernels.part_lanes(together)
    np.testing.assert_array_equal(parted(alone, 1), parted(together, 4))


def test_ellipsoids_on_one_spot_or_without_size_part_somehow() -> None:
    lanes = np.zeros(kernels.LANE_ROOM, np.float32)
    hulls, _, _ = ellipsoids(1)
    kernels.take_lane(glances_of(hulls, np.zeros(3)), 0, 1, lanes, 0)
    kernels.take_lane(glances_of(0 * hulls, np.zeros(3)), 0, 1, lanes, 1)
    kernels.take_lane(glances_of(0 * hulls, np.ones(3)), 0, 1, lanes, 2)
    kernels.part_lanes(lanes)
    for lane in range(3):
        assert np.linalg.norm(parted(lanes, lane)[:3]) == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_array_equal(parted(lanes, 2)[3:], 0.0)


@pytest.mark.slow
def test_spheres_part_along_the_line_of_their_centres() -> None:
    proxies = np.array([[0.3, 0.0, 0.0, 0.3], [0.5, 0.0, 0.0, 0.5]]).ravel()
    places = np.zeros((2, at.PROXY_PLACE))
    places[0, at.END_CENTRE : at.END_CENTRE + 3] = places[0, at.START_CENTRE : at.START_CENTRE + 3] = (0.0, 0.6, 0.8)
    found = separation(places.ravel(), proxies, np.zeros(0), np.array([0, 0, 1, 1], np.uint32), 0, 1)
    np.testing.assert_allclose(found, (0.0, 0.6, 0.8, 0.3, 0.5), atol=1e-12)


@pytest.mark.parametrize("body", [bar, cube, ball], ids=lambda make: make.__name__)
def test_spheres_of_solids_touch_the_skin_from_within(body: object) -> None:
    made = body()  # type: ignore[operator]
    made_proxies = proxies_of(made)
    skin = np.unique(boundary_triangles(made.elements))
    np.testing.assert_array_equal(np.unique(made_proxies.attachments[:, 0]), skin)  # every particle of the skin has one
    anchors = np.einsum("sk,skj->sj", made_proxies.anchor_weights, made.rest[made_proxies.anchors])
    np.testing.assert_allclose(
        np.linalg.norm(made.rest[made_proxies.attachments[:, 0]] - anchors, axis=1), made_proxies.arms, rtol=0.02
    )
    middle = made_proxies.covers > 0
    assert locate(anchors[middle], made.rest, made.elements).distances.max(initial=0) < 1e-9
    free = locate(anchors[middle], made.rest, boundary_triangles(made.elements)).distances
    assert (free > 0.89 * made_proxies.radii[middle]).all()


@pytest.mark.parametrize("body", [sheet, rope], ids=lambda make: make.__name__)
def test_nothing_slips_between_the_spheres_of_shells_and_rods(body: object) -> None:
    made = body()  # type: ignore[operator]
    made_proxies = proxies_of(made)
    corners = made.rest[made.elements]
    random = np.random.default_rng(0)
    weights = random.dirichlet(np.ones(corners.shape[1]), size=(20, len(corners)))
    points = np.einsum("rek,ekj->rej", weights, corners).reshape(-1, 3)
    gaps = np.linalg.norm(points[:, None] - made_proxies.rest[None], axis=2) - made_proxies.radii
    assert (gaps.min(axis=1) < 0.02 * made_proxies.radii.max()).all()
