"""Bodies from files: poses kept, renamed, added and sampled; the default scene of an asset; first scenes."""

import itertools
import tomllib
from pathlib import Path

import numpy as np
import pytest

import made_assets
import pliant
from files.gltf.making import Making
from pliant.scene import load_scene, scene_from_text, scene_of, show_of, stage, with_overrides
from pliant.scene.default import HARDEST, dropped
from pliant.scene.starter import starter_text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round bar of 2 m with two morph targets and an animation, and the same as .obj with two poses beside it."""
    here = tmp_path_factory.mktemp("assets")
    vertices, faces = made_assets.bar()
    points = vertices.astype(np.float32)
    wide = points * (0.5, 0, 0.5)  # displacements
    long = points * (0, 0.25, 0)
    making = Making()
    mesh = making.mesh(
        points, faces.ravel().astype(np.uint32), [wide.astype(np.float32), long.astype(np.float32)],
        extras={"targetNames": ["Wide", "Key 2"]},
    )  # fmt: skip
    making.scene(making.node(mesh=mesh))
    making.animate(0, "weights", [0, 2], [[0, 0], [0, 1]])
    making.glb(here / "bar.glb")
    for name, shape in (("bar", points), ("bar_wide", points + wide), ("poses/bar_long", points + long)):
        lines = [f"v {x} {y} {z}" for x, y, z in shape] + [f"f {a} {b} {c}" for a, b, c in faces + 1]
        (here / f"{name}.obj").parent.mkdir(exist_ok=True)
        (here / f"{name}.obj").write_text("\n".join(lines))
    return here


def body(folder: Path, text: str, file: str = "bar.glb") -> pliant.Body:
    scene = scene_from_text(f'[[bodies]]\nfile = "{file}"\nparticles = 150\n{text}', folder / "s.toml")
    (actor,) = stage(scene).world.actors
    return actor.body


def tall(body: pliant.Body, pose: str) -> float:
    """How tall a pose is, the rest shape being 1."""
    return float(np.ptp(body.skin.deform(body.poses[pose])[:, 1]) / np.ptp(body.skin.vertices[:, 1]))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ("Wide", "Key 2")),
        ('file_poses = "none"', ()),
        ('file_poses = ["Key 2"]', ("Key 2",)),
        ('file_poses = ["Key 2", "Wide"]', ("Key 2", "Wide")),
        ('poses.long.original = "Key 2"', ("Wide", "long")),
        ('file_poses = "none"\nposes.long.original = "Key 2"', ("long",)),
        ('poses = { half = { at = 1.0 }, bent = { type = "bend" } }', ("Wide", "Key 2", "half", "bent")),
        ('poses.wider = { file = "bar_wide.obj" }', ("Wide", "Key 2", "wider")),
    ],
)
def test_which_poses_a_body_has(folder: Path, text: str, names: tuple[str, ...]):
    assert body(folder, text).pose_names == names


def test_the_poses_are_what_they_are_called(folder: Path):
    made = body(folder, 'poses = { half = { at = 1.0 }, long = { original = "Key 2" } }')
    assert np.isclose(tall(made, "long"), 1.25, atol=0.01)
    assert np.isclose(tall(made, "half"), 1.125, atol=0.01)
    assert np.isclose(tall(made, "Wide"), 1.0, atol=0.01)


def test_poses_beside_a_file(folder: Path):
    made = body(folder, 'pose_folder = "poses"\nposes.wide.file = "bar_wide.obj"', "bar.obj")
    assert set(made.pose_names) == {"wide", "long"}
    assert np.isclose(tall(made, "long"), 1.25, atol=0.01) and np.isclose(tall(made, "wide"), 1.0, atol=0.01)


def test_options_of_a_file(folder: Path):
    made = body(folder, 'kind = "shell"\nthickness = 0.05\ndensity = 500\nfile_poses = "none"')
    assert (made.kind, made.thickness, made.density) == ("shell", 0.05, 500)
    assert 100 < len(made.rest) < 220


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('file_poses = ["Key 3"]', 's.toml:4: bodies.bar.file_poses[0]: the file has no pose "Key 3"; did you mean'),
        ('poses.a.original = "wide"', 's.toml:4: bodies.bar.poses.a: the file has no pose "wide"; did you mean "Wide"'),
        ('poses."Key 2".original = "Wide"', 's.toml:4: bodies.bar.poses."Key 2": the file has a pose of that name'),
        ('poses.a.file = "nobody.obj"', "nobody.obj: there is no such file"),
        ('pose_folder = "nowhere"', "nowhere"),
        ("particles = 1", "not TOML"),
    ],
)
def test_mistakes_about_files(folder: Path, text: str, message: str):
    with pytest.raises(pliant.SceneError) as caught:
        body(folder, text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_what_is_known_of_a_file_is_told(folder: Path):
    scene = scene_from_text('bodies = [{ file = "bar.glb", particles = 150, name = "b" }]', folder / "s.toml")
    made = stage(scene)
    assert list(made.embodied) == ["b"] and len(made.embodied["b"].fits) == 2
    assert made.embodied["b"].body is made.world["b"].body


def test_the_key_tells_whether_a_file_has_changed_and_not_where_it_is(folder: Path, tmp_path: Path):
    text = 'bodies = [{ name = "b", file = "bar.obj", particles = 150 }]'
    before = stage(scene_from_text(text, folder / "s.toml")).key
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "bar.obj").write_bytes((folder / "bar.obj").read_bytes())
    moved = with_overrides(scene_from_text(text, tmp_path / "other.toml"), ["bodies.b.file=deep/bar.obj"])
    assert stage(moved).key == before
    lines = (folder / "bar.obj").read_text().splitlines()
    (tmp_path / "deep" / "bar.obj").write_text("\n".join(["v 0.21 0 0.01", *lines[1:]]))
    assert stage(moved).key != before


# ---- bare assets --------------------------------------------------------------------------------------------


def test_an_asset_falls_on_the_floor_and_its_poses_show(folder: Path):
    show = show_of(folder / "bar.glb", particles=150)
    assert show.name == "bar" and 3 <= show.seconds <= 5
    frames = list(show.play())
    lowest = np.array([frame.positions["bar"][:, 1].min() for frame in frames])
    assert 0.5 < lowest[0] < 2.5  # it is 2 m tall
    assert lowest.min() > -0.02 and (lowest < 0.02).any()  # it lands, and is not in the floor
    weights = np.array([frame.weights["bar"][0, 1:] for frame in frames])
    falling, last = lowest > 0.1, frames[-1]
    assert weights[falling & (np.arange(len(frames)) < 20)].max() < 0.01
    assert weights.max() > 0.3
    assert np.isfinite(last.positions["bar"]).all()


def test_options_for_an_asset(folder: Path):
    show = show_of(
        folder / "bar.glb", particles=150, poses={"w": folder / "bar_wide.obj"}, sample=[1.0], seconds=1, seed=3
    )
    assert show.world.actors[0].body.pose_names == ("Wide", "Key 2", "w", "at 1 s")
    scene = scene_from_text('bodies = [{ file = "bar.glb" }]', folder / "s.toml")
    again = show_of(scene, particles=150, poses={"w": folder / "bar_wide.obj"}, sample=[1.0])
    assert again.world.actors[0].body.pose_names == ("Wide", "Key 2", "w", "at 1 s")


def test_poses_for_one_of_two_files_are_refused(folder: Path):
    text = 'bodies = [{ file = "bar.glb" }, { file = "bar.glb", name = "b" }]'
    with pytest.raises(pliant.SceneError, match="sample: 2 bodies of the scene are from files"):
        show_of(scene_from_text(text, folder / "s.toml"), sample=[1.0])


@pytest.mark.parametrize("metres", [0.001, 0.1, 1.0, 2.0, 30.0, 1e4])
def test_bodies_of_any_size_fall_alike(metres: float):
    """A length, a time and gravity: their ratio says how it looks, whatever the units of the file."""
    body = pliant.shapes.cuboid(size=(metres,) * 3, cells=(5, 5, 5))  # that stands without being made harder
    data = dropped({"shape": {"type": "cuboid"}}, body)
    gravity, drop = -data["world"]["gravity"][1], data["bodies"][0]["position"][1]
    model = data["bodies"][0]["model"]
    # How far the floor presses it in, as a part of its length: speed of impact over frequency over length.
    pressed = np.sqrt(2 * gravity * drop) / (60 * np.sqrt(model["stiffness"])) / metres
    assert 0.0125 < pressed < 0.0131
    assert 0.3 < drop / metres < 1
    assert model["stiffness"] / data["world"]["substeps"] ** 2 <= 0.31


@pytest.mark.slow
def test_a_large_body_needs_no_more_than_it_may_have():
    body = pliant.shapes.cuboid(size=(0.3,) * 3, cells=(20, 20, 20))
    assert dropped({}, body)["bodies"][0]["model"]["stiffness"] == HARDEST


# ---- first scenes -------------------------------------------------------------------------------------------


def test_the_first_scene_says_what_the_default_scene_does(folder: Path, tmp_path: Path):
    text = starter_text(folder / "bar.glb", tmp_path, "mine.toml")
    (tmp_path / "mine.toml").write_text(text)
    scene = load_scene(tmp_path / "mine.toml")
    default = scene_of(folder / "bar.glb")
    assert with_overrides(scene, ["bodies.0.file=bar.glb"]) == default
    assert '"Wide"' in text and "mine.toml" in text
    lines = text.splitlines()
    assert max(map(len, lines)) <= 120
    for before, line in itertools.pairwise(lines):
        if " = " in line and not line.startswith("#"):
            assert " # " in line or before.startswith("# ")


def test_the_remarks_of_a_first_scene_are_those_of_its_own_model(folder: Path, tmp_path: Path):
    """Other models have settings of the same names, with another meaning and another unit."""
    lines = starter_text(folder / "bar.glb", tmp_path).splitlines()
    begin = lines.index("[bodies.model]") + 1
    told = {}
    for before, line in itertools.pairwise(lines[begin - 1 : lines.index("", begin)]):
        key, equals, rest = line.partition(" = ")
        if equals:
            told[key] = rest.partition(" # ")[2] or before.removeprefix("# ")
    fields = pliant.ShapeMatching.model_fields
    assert set(told) == {"stiffness", "example_strength", "damping"}
    for key, remark in told.items():
        unit = (fields[key].json_schema_extra or {}).get("unit")
        assert remark == f"{fields[key].description}{f' ({unit})' if unit else ''}"


@pytest.mark.parametrize("file", ["bar.glb", "bar.obj"])
def test_the_things_to_try_can_be_tried(folder: Path, file: str):
    text = starter_text(folder / file, folder).replace("#> ", "")
    made = show_of(scene_from_text(text, folder / "s.toml"), particles=150)
    tomllib.loads(text)
    assert made.fps == 30 and made.output is not None and made.output.file == ["out.glb", "out.mp4"]
    assert made.animate is not None and made.grips is not None
    for _ in zip(range(5), made.play(), strict=False):
        pass
