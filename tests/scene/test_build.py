"""From scenes to worlds: everything is where and what the scene says."""

from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.scene import scene_from_text, stage
from pliant.world import Box, Plane

HERE = '[[bodies]]\nshape = "ball"\n'
BALL = 'shape = "ball"\nparticles = 100\n'


def show(text: str, **more):
    return stage(scene_from_text(text, Path("s.toml")), **more)


def placed(text: str) -> dict[str, np.ndarray]:
    return {actor.name: np.array(actor.positions) for actor in show(f"[[bodies]]\n{text}").world.actors}


def test_the_world():
    made = show('world = {gravity = [0, -1, 0], precision = "double", fps = 24, substeps = 2, seconds = 2}')
    assert made.world.gravity.tolist() == [0, -1, 0] and made.world.precision == "double"
    assert (made.fps, made.substeps, made.seconds, made.frames) == (24, 2, 2, 49)
    assert made.animate is None and made.grips is None


def test_colliders():
    world = show("""
        colliders = [
            {type = "plane", normal = [1, 0, 0], friction = 0.1, name = "wall"},
            {type = "box", half_size = [1, 2, 3], rotation = [0, 0, 90], restitution = 0.5},
            {type = "sphere", radius = 2, path = [[0, [0, 0, 0]], [1, [0, 1, 0]]]},
            {type = "capsule", start = [0, 0, 0], end = [1, 0, 0], radius = 0.1},
        ]""").world
    wall, box, ball, rod = world.colliders
    assert isinstance(wall, Plane) and wall.name == "wall" and wall.friction == 0.1
    assert isinstance(box, Box) and np.allclose(box.rotation, [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert ball.placed(0.5)[1].tolist() == [0, 0.5, 0]
    assert rod.radius == 0.1


def test_placement():
    rest = pliant.shapes.ball(particles=100).rest
    (x,) = placed(BALL + "position = [1, 2, 3]\nrotation = [0, 0, 90]\nscale = 2").values()
    assert np.allclose(x, 2 * rest[:, [1, 0, 2]] * (-1, 1, 1) + (1, 2, 3), atol=1e-6)
    (y,) = placed(BALL + "position = [1, 2, 3]\nrotation = [0, 0, 1, 1]\nscale = 2").values()  # of any length
    assert np.allclose(x, y, atol=1e-6)


def test_rotations_are_about_x_first_then_y_then_z():
    (x,) = placed('shape = {type = "cuboid", size = [1, 2, 3], cells = [1, 1, 1]}\nrotation = [90, 90, 0]').values()
    corner = pliant.shapes.cuboid((1, 2, 3), (1, 1, 1)).rest
    about_x = corner[:, [0, 2, 1]] * (1, -1, 1)
    assert np.allclose(x, about_x[:, [2, 1, 0]] * (1, 1, -1), atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("turn", ["[0, 0, 0]", "[30, 40, 50]"])
def test_anchors(turn: str):
    where = f"position = [1, 2, 3]\nrotation = {turn}\nscale = 0.5\n"
    (x,) = placed(f'shape = "teddy"\nparticles = 300\nanchor = "bottom"\n{where}').values()
    low, high = x.min(axis=0), x.max(axis=0)
    assert np.allclose([(low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2], [1, 2, 3], atol=1e-5)
    made = show(f'[[bodies]]\nshape = "teddy"\nparticles = 300\nanchor = "centre"\n{where}')
    assert np.allclose(made.world.actors[0].centre, [1, 2, 3], atol=1e-5)


def test_velocities_are_degrees_a_second():
    made = show(f"[[bodies]]\n{BALL}velocity = [1, 0, 0]\nangular_velocity = [0, 0, 180]")
    (actor,) = made.world.actors
    assert np.allclose(actor.velocities - (1, 0, 0), np.cross((0, 0, np.pi), actor.positions), atol=1e-5)


def test_copies_in_a_row_and_in_a_block():
    row = placed(BALL + "position = [5, 0, 0]\ncopies = {count = 3, spacing = [1, 2, 0]}")
    assert list(row) == ["ball 1", "ball 2", "ball 3"]
    assert np.allclose(row["ball 3"] - row["ball 1"], (2, 4, 0), atol=1e-5)
    block = placed(BALL + "copies = {count = [2, 1, 2], spacing = [1, 2, 3]}")
    assert [x.mean(axis=0).round(4).tolist() for x in block.values()] == [[0, 0, 0], [0, 0, 3], [1, 0, 0], [1, 0, 3]]


def test_jitter_comes_from_the_seed_alone():
    said = BALL + "copies = {count = 2, spacing = [3, 0, 0]}\njitter = {position = 0.1, rotation = 30}"
    one, again = placed(said), placed(said)
    other = placed(f'{said}\n[[bodies]]\n{BALL}name = "another"')
    seeded = {a.name: np.array(a.positions) for a in show(f"world.seed = 7\n[[bodies]]\n{said}").world.actors}
    still = placed(BALL)["ball"]
    for name in one:
        assert (one[name] == again[name]).all() and (one[name] == other[name]).all()
        assert np.abs(one[name] - seeded[name]).max() > 1e-3
    offset = one["ball 1"].mean(axis=0)
    assert 0 < np.abs(offset).max() <= 0.1
    assert not np.allclose(one["ball 1"] - offset, still, atol=1e-3)
    assert not np.allclose(one["ball 2"] - (3, 0, 0), one["ball 1"], atol=1e-3)


def test_bodies_are_made_once_however_often_they_play():
    copies = "copies = {count = 2, spacing = [2, 0, 0]}"
    made = show(f'[[bodies]]\n{BALL}{copies}\n[[bodies]]\nname = "b"\n{BALL}scale = 1')
    first, second, third = (actor.body for actor in made.world.actors)
    assert first is second is third


def test_poses_groups_and_colour():
    made = show(f"""
        [[bodies]]
        {BALL}
        colour = [1, 0.5, 0]
        groups = {{ upper = {{ side = "top" }}, cap = {{ all_of = ["upper", {{ side = "top", fraction = 0.2 }}] }} }}
        poses = {{ flat = {{ type = "squash", amount = 0.5, axis = "y" }}, long = {{ type = "stretch" }} }}
        density = 500
        [bodies.model]
        examples = {{ above = "upper", below = {{ none_of = ["upper"] }} }}
    """)
    (actor,) = made.world.actors
    body = actor.body
    assert body.pose_names == ("flat", "long") and actor.group_names == ("above", "below")
    assert np.allclose(np.ptp(body.poses["flat"][:, 1]), 0.5 * body.size[1])
    assert 0 < len(body.groups["cap"]) < len(body.groups["upper"])
    assert (body.skin.colours == (1, 0.5, 0)).all() and body.density == 500


def test_settings_reach_the_model():
    made = show(f'[[bodies]]\n{BALL}model = {{ stiffness = 3, weights = "paper", damping = 1 }}')
    settings = made.world.actors[0].settings
    assert settings == pliant.ShapeMatching(stiffness=3, weights="paper", damping=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[bodies]]\nshape = "cuboid"\nparticles = 9', 's.toml:3: bodies.cuboid.particles: the shape "cuboid" takes'),
        ('[[bodies]]\nshape = {type = "torus", tube = 2}', "s.toml:2: bodies.torus.shape: a torus of radius 0.5"),
        (HERE + 'poses.a = {type = "bend", degrees = 900}', "s.toml:3: bodies.ball.poses.a: pose bend: at 900"),
        (HERE + '[bodies.groups]\na.indices = [99999]', "s.toml:4: bodies.ball.groups.a: the group holds"),
        (HERE + '[[bodies.pins]]\nwhere = "hand"', 's.toml:4: bodies.ball.pins[0].where: the selection: there'),
        (HERE + 'model.examples.a = "b"', 's.toml:3: bodies.ball.model: examples.a: there is no group "b"'),
        (HERE + 'model.forced.a = 1', 's.toml:3: bodies.ball.model: actor "ball": forced: the body has no pose'),
        (HERE + 'model.keys.forced.a = [[0, 1]]', 's.toml:3: bodies.ball.model.keys.forced.a: there is no pose'),
        (HERE + 'particles = 5000\ncopies = {count = 5000, spacing = [1, 0, 0]}', "there are 24,565,000 particles"),
        ('[[bodies]]\nshape = {type = "cuboid", cells = [999, 999, 999]}', "bodies.cuboid.shape.cells: 997,002,999"),
        (HERE + 'position = [1e30, 0, 0]', "s.toml:3: bodies.ball.position[0]: 1e+30 given; give a number"),
        (HERE + 'rotation = [0, 0, 0, 0]', "s.toml:3: bodies.ball.rotation: a quaternion of length 0"),
        ('colliders = [{type = "plane", normal = [0, 0, 0]}]', "s.toml:1: colliders.0: Plane: normal"),
        ('[[bodies]]\nfile = "nobody.obj"', "s.toml:2: bodies.nobody.file: "),
    ],
)  # fmt: skip
def test_what_cannot_be_built_is_told_with_its_line(text: str, message: str):
    with pytest.raises(pliant.SceneError) as caught:
        show(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
