import copy
import dataclasses
import pickle

import numpy as np
import pytest

import meshes
from pliant.body import Body
from pliant.runtime.errors import BodyError, PliantError

REST, TETS = meshes.box_arrays()
TENT = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_a_body_knows_its_parts():
    bar = meshes.box((1, 1, 2), (4, 4, 8), density=500.0, name="bar")
    assert (len(bar.rest), len(bar.tets), bar.kind) == (225, 640, "solid")
    assert bar.triangles is None and bar.segments is None
    assert bar.volume == pytest.approx(2) and bar.mass == pytest.approx(1000)
    np.testing.assert_allclose(bar.size, [1, 1, 2])
    assert repr(bar) == 'Body "bar": solid, 225 particles, 640 tets, 1000 kg, poses: none'
    assert bar.elements.dtype == np.int32 and bar.rest.dtype == np.float64


def test_shells_and_rods_have_a_thickness():
    sheet, rope = meshes.sheet(thickness=0.1), meshes.rope()
    assert sheet.kind == "shell" and sheet.volume == pytest.approx(0.2)
    assert rope.kind == "rod" and rope.thickness == pytest.approx(0.03)
    assert rope.scaled(2).thickness == pytest.approx(0.06)


def test_nobody_changes_a_body():
    rest = REST.copy()
    body = Body(rest, tets=TETS, poses={"a": rest}, groups={"g": [1]})
    rest[:] = 7
    np.testing.assert_array_equal(body.rest, REST)
    np.testing.assert_array_equal(body.poses["a"], REST)
    for array in (body.rest, body.tets, body.masses, body.poses["a"], body.groups["g"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        body.name = "other"
    with pytest.raises(TypeError):
        body.poses["b"] = REST


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda body: pickle.loads(pickle.dumps(body))])
def test_copies_and_pickles_are_whole_and_read_only(copied):
    body = meshes.sheet(name="flag", thickness=0.02, groups={"pole": [0, 1, 2]}).with_pose(
        "big", lambda x: 2 * x
    )
    twin = copied(body)
    assert repr(twin) == repr(body) and twin.thickness == 0.02
    np.testing.assert_array_equal(twin.poses["big"], body.poses["big"])
    np.testing.assert_array_equal(twin.skin.faces, body.skin.faces)
    assert not (twin.rest.flags.writeable or twin.skin.vertices.flags.writeable)


def test_poses_keep_their_order_and_may_be_functions():
    body = meshes.box(poses=[("b", REST * 2), ("a", lambda rest: rest * 3)])
    body = body.with_pose("0", lambda rest: rest + 1)
    assert body.pose_names == ("b", "a", "0")
    np.testing.assert_array_equal(body.poses["a"], REST * 3)
    assert body.without_pose("a").pose_names == ("b", "0")
    assert body.pose_names == ("b", "a", "0")  # the old one is as it was


def test_a_function_cannot_change_the_rest_shape():
    def careless(rest):
        rest *= 2
        return rest

    body = meshes.box().with_pose("big", careless)
    np.testing.assert_array_equal(body.rest, REST)
    np.testing.assert_array_equal(body.poses["big"], REST * 2)


def test_scaled_bodies():
    body = meshes.box(density=300.0, poses={"a": REST + 1}, groups={"g": [0, 4]}).scaled(2)
    np.testing.assert_allclose(body.rest, REST * 2)
    np.testing.assert_allclose(body.poses["a"], (REST + 1) * 2)
    np.testing.assert_allclose(body.skin.vertices, body.skin.deform(body.rest))
    assert body.mass == pytest.approx(300 * 16)
    assert body.groups["g"].tolist() == [0, 4]


def test_groups_and_skins_are_added():
    body = meshes.box().with_group("top", lambda rest: rest[:, 1] > 0.4)
    np.testing.assert_array_equal(body.rest[body.groups["top"], 1], 0.5)
    skin = meshes.box(cells=(1, 1, 1)).skin
    assert body.with_skin(skin).skin is skin


def swapped(which):
    tets = TETS.copy()
    tets[which] = tets[which][..., [0, 2, 1, 3]]
    return tets


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"rest": [[0, 0]]}, r"rest: the shape is \(1, 2\); give an array of shape \(N, 3\)"),
        ({"rest": "bear"}, "not numbers"),
        ({"rest": np.where(np.arange(len(REST))[:, None] == 3, np.inf, REST)}, "row 3 is .* finite"),
        ({"tets": None}, "0 kinds of elements given; give one of tets=, triangles=, segments="),
        ({"segments": [[0, 1]]}, "2 kinds of elements"),
        ({"tets": TETS[:, :3]}, "give 4 indices a row"),
        ({"tets": TETS.astype(float)}, "whole numbers"),
        ({"tets": np.where(TETS == 44, 45, TETS)}, "indices run from 0 to 44"),
        ({"tets": -TETS}, "indices run from 0"),
        ({"tets": TETS[:0]}, "has no tet"),
        ({"tets": TETS[:-5]}, "particle .* belongs to no tet; remove it"),
        ({"tets": swapped(slice(None))}, r"all 80 tets are inside out .*tets\[:, \[0, 2, 1, 3\]\]"),
        ({"tets": swapped(17)}, r"tet 17 .* has volume -0\.\d+ m3; swap two of its corners .*1 of 80 tets"),
        ({"tets": np.concatenate([TETS, [[0, 1, 2, 0]]])}, r"tet 80 \(0, 1, 2, 0\) has volume 0"),
        ({"density": 0}, "the density is 0; give a number above 0"),
        ({"density": "heavy"}, "the density is 'heavy'"),
        ({"thickness": 0.1}, "a solid has none"),
        ({"name": " "}, "a body has the name"),
        ({"poses": {"": REST}}, "a pose has the name ''"),
        ({"poses": [("a", REST), ("a", REST)]}, 'two poses are called "a"; rename one of them'),
        ({"poses": {"a": REST * np.nan}}, 'pose "a": row 0 is .nan, nan, nan.; every number must be finite'),
        ({"poses": {"a": lambda rest: None}}, 'pose "a"'),
        ({"groups": {"left": [99]}}, 'group "left" holds particle 99'),
        ({"skin": meshes.box(cells=(3, 3, 3)).skin}, "skin vertex .* rides on particle"),
    ],
)
def test_bad_bodies_are_named_in_one_line(arguments, says):
    with pytest.raises(BodyError, match=says) as error:
        Body(**({"rest": REST, "tets": TETS} | arguments))
    assert "\n" not in str(error.value)
    assert isinstance(error.value, PliantError) and isinstance(error.value, ValueError)


def test_a_pose_of_another_size_says_both_sizes():
    bar = meshes.box(cells=(4, 4, 8), name="bar")
    with pytest.raises(BodyError) as error:
        bar.with_pose("twist", np.zeros((812, 3)))
    assert str(error.value) == (
        'body "bar": pose "twist" has 812 positions, the rest shape 225; give one (x, y, z) per particle'
    )


def test_flat_triangles_and_segments_are_named():
    with pytest.raises(BodyError, match=r"triangle 1 .* has area 0"):
        Body(TENT, triangles=[[0, 1, 2], [0, 3, 3]])
    with pytest.raises(BodyError, match=r"segment 0 .* has length 0"):
        Body(TENT, segments=[[2, 2], [0, 1], [2, 3]])


def test_unknown_and_repeated_poses():
    body = meshes.box(poses={"a": REST}, name="bar")
    with pytest.raises(BodyError, match='body "bar" has no pose "b"; it has "a"'):
        body.without_pose("b")
    with pytest.raises(BodyError, match='two poses are called "a"'):
        body.with_pose("a", REST)
    with pytest.raises(BodyError, match="scale"):
        body.scaled(-1)
