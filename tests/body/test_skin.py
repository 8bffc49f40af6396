import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meshes
from pliant.body import Skin
from pliant.geometry.normals import vertex_normals
from pliant.runtime.errors import BodyError

BODIES = {"solid": meshes.box(), "shell": meshes.sheet(), "rod": meshes.rope()}
FACES = np.arange(30).reshape(10, 3)
seeds = st.integers(0, 100_000)


def bound(body, seed):
    """Thirty points in and around a body, bound to it."""
    rng = np.random.default_rng(seed)
    nearby = body.rest[rng.integers(len(body.rest), size=30)] + rng.normal(size=(30, 3)) * 0.1
    return Skin.bind(nearby, FACES, body.rest, body.elements, body.kind)


@given(seeds, st.sampled_from(sorted(BODIES)))
def test_a_bound_skin_rests_where_it_was_and_turns_with_the_body(seed, kind):
    body = BODIES[kind]
    skin = bound(body, seed)
    np.testing.assert_allclose(skin.deform(body.rest), skin.vertices, atol=1e-9)
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1)
    turn = meshes.rotation(seed)
    turned = skin.deform(body.rest @ turn.T + 3.0)
    if kind != "rod":
        np.testing.assert_allclose(turned, skin.vertices @ turn.T + 3.0, atol=1e-8)
    else:  # nothing tells how a straight rod spins about itself; distances from the axis are kept
        axis = turn[:, 0]
        along = (turned - 3.0) @ axis
        np.testing.assert_allclose(along, skin.vertices[:, 0], atol=1e-8)
        away = np.linalg.norm(turned - 3.0 - along[:, None] * axis, axis=1)
        np.testing.assert_allclose(away, np.linalg.norm(skin.vertices[:, 1:], axis=1), atol=1e-8)


@given(seeds)
def test_a_skin_follows_affine_maps_of_a_solid(seed):
    body, rng = BODIES["solid"], np.random.default_rng(seed)
    matrix = rng.normal(size=(3, 3))
    skin = bound(body, seed)
    np.testing.assert_allclose(skin.deform(body.rest @ matrix.T), skin.vertices @ matrix.T, atol=1e-8)
    np.testing.assert_array_equal(skin.offsets, 0)


def test_a_shell_keeps_distance_and_side():
    body = BODIES["shell"]
    points = np.array([[0.4, 0.1, 0.3], [0.4, -0.2, 0.3], [2.1, 0.05, 0.5]])
    skin = Skin.bind(points, [[0, 1, 2]], body.rest, body.elements, "shell")
    stretched = skin.deform(body.rest * (2, 1, 2))
    np.testing.assert_allclose(stretched, points * (2, 1, 2), atol=1e-12)
    upside_down = skin.deform(body.rest * (-1, 1, 1))
    np.testing.assert_allclose(upside_down, points * (-1, -1, 1), atol=1e-12)


def test_a_rod_turns_its_skin_by_the_smallest_rotation():
    body = BODIES["rod"]
    points = np.array([[0.6, 0.1, 0.0], [0.6, 0.0, 0.1], [-0.2, 0.1, 0.0]])
    skin = Skin.bind(points, [[0, 1, 2]], body.rest, body.elements, "rod")
    upright = skin.deform(body.rest[:, [1, 0, 2]])
    np.testing.assert_allclose(upright, [[-0.1, 0.6, 0], [0, 0.6, 0.1], [-0.1, -0.2, 0]], atol=1e-12)


def test_plain_skins():
    solid, shell, rod = (BODIES[kind].skin for kind in ("solid", "shell", "rod"))
    assert len(solid.vertices) == 42  # of 45 particles, 3 are inside
    np.testing.assert_array_equal(shell.faces, BODIES["shell"].triangles)
    away = np.linalg.norm(rod.vertices[:, 1:], axis=1)
    assert away.max() == pytest.approx(BODIES["rod"].thickness / 2)
    for kind, body in BODIES.items():
        np.testing.assert_allclose(body.skin.deform(body.rest), body.skin.vertices, atol=1e-12)
        assert body.skin.kind == kind


def test_a_bent_rod_keeps_its_tube_round():
    body = meshes.rope(count=30)
    angle = body.rest[:, 0]
    bent = np.stack([np.sin(angle), 1 - np.cos(angle), 0 * angle], axis=1)
    vertices = body.skin.deform(bent)
    away = np.linalg.norm(vertices[: 30 * 8].reshape(30, 8, 3) - bent[:, None], axis=2)
    np.testing.assert_allclose(away, body.thickness / 2)


def test_normals_and_single_precision():
    body = BODIES["solid"]
    vertices = body.skin.deform(body.rest.astype(np.float32))
    np.testing.assert_allclose(vertices, body.skin.vertices, atol=1e-6)
    np.testing.assert_allclose(body.skin.normals(vertices), vertex_normals(vertices, body.skin.faces))


def test_arrays_are_read_only():
    skin = BODIES["solid"].skin
    for array in (skin.vertices, skin.faces, skin.indices, skin.weights, skin.offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"faces": [[0, 1, 99]]}, r"skin: faces: row 0 is \(0, 1, 99\); indices run from 0 to 2"),
        ({"vertices": [[0, 0, np.nan]] * 3}, "finite"),
        ({"weights": np.zeros((2, 4))}, "weights has 2 rows"),
        ({"uv": np.zeros((3, 3))}, r"\(N, 2\)"),
        ({"colours": np.zeros((1, 3))}, "colours has 1 rows"),
        ({"indices": -np.ones((3, 4), int)}, "indices"),
        ({"kind": "jelly"}, "jelly"),
    ],
)
def test_bad_skins_are_named(changes, says):
    good = {
        "vertices": np.eye(3),
        "faces": [[0, 1, 2]],
        "indices": np.zeros((3, 4), int),
        "weights": np.ones((3, 4)),
    }
    with pytest.raises(BodyError, match=says):
        Skin(**(good | changes))
