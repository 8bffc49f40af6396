"""Bodies saved whole: what is read is what was written, to the last bit; and what is no body is told."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import meshes
import pliant
from pliant.body import Body, Skin
from pliant.body.look import Image, Look, Material, Part
from pliant.files.body_npz import write_body
from pliant.files.reading import read_asset
from pliant.graph import graph_of
from pliant.runtime.errors import FileError

PNG = b"\x89PNG\r\n\x1a\n not really"


def painted() -> Body:
    """A box with everything that a body can have."""
    rest, _ = meshes.box_arrays()
    body = meshes.box(
        name="bear ☺", poses={"squash": rest * (1.2, 0.7, 1.2), "über": rest * (1, 1.1, 1)}, density=731.5
    )
    body = body.with_group("left", rest[:, 0] < rest[:, 0].mean()).with_group("one", [3])
    skin = body.skin
    half = len(skin.faces) // 2
    look = Look(
        (Part("front", 0, half, 0), Part("back", half, len(skin.faces), 1)),
        (
            Material("red", (1.0, 0.1, 0.2, 0.5), 0.3, 0.7, image=0, double_sided=True),
            Material(
                "blue", gltf={"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "extras": {"n": [1, 2]}}
            ),
        ),
        (Image("p", "image/png", PNG),),
        ({"source": 0, "sampler": 0},),
        ({"wrapS": 33071},),
    )
    points = len(skin.vertices)
    chance = np.random.default_rng(1)
    return body.with_skin(
        replace(
            skin, uv=chance.random((points, 2)), colours=chance.random((points, 3)), look=look, twins=np.arange(points)
        )
    )


def everything(body: Body) -> dict[str, object]:
    skin = body.skin
    arrays = {name: getattr(skin, name) for name in ("vertices", "faces", "indices", "weights", "offsets", "axes")}
    arrays |= {name: getattr(skin, name) for name in ("uv", "colours", "twins") if getattr(skin, name) is not None}
    arrays |= {f"pose {name}": pose for name, pose in body.poses.items()}
    arrays |= {f"group {name}": members for name, members in body.groups.items()}
    arrays |= {"rest": body.rest, "elements": body.elements, "masses": body.masses}
    plain = {name: (array.dtype.str, array.shape, array.tobytes()) for name, array in arrays.items()}
    told = [body.name, body.kind, body.density, body.thickness, list(body.poses), list(body.groups), skin.kind]
    look = skin.look
    seen = None if look is None else [repr(look.parts), repr(look.materials), repr(look.textures), repr(look.samplers)]
    return plain | {"told": told, "look": seen, "images": look and [(i.name, i.mime, i.data) for i in look.images]}


BODIES = {
    "painted": painted,
    "shell": lambda: meshes.sheet(name="flag", poses={"wave": np.sin(meshes.sheet_arrays()[0])}, thickness=0.004),
    "rod": lambda: meshes.rope(name="rope"),
    "teddy": lambda: pliant.shapes.teddy(particles=300),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BODIES)
def test_a_body_comes_back_to_the_last_bit(name: str, tmp_path: Path) -> None:
    body = BODIES[name]()
    write_body(body, tmp_path / "a.npz")
    assert everything(pliant.load(tmp_path / "a.npz")) == everything(body)
    write_body(pliant.load(tmp_path / "a.npz"), tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_folded_pose_is_kept(tmp_path: Path) -> None:
    body = meshes.box().with_pose("mirrored", lambda rest: rest * (-1, 1, 1))
    write_body(body, tmp_path / "a.npz")
    assert pliant.load(tmp_path / "a.npz").pose_names == ("mirrored",)


def test_what_is_said_overrides_the_file(tmp_path: Path) -> None:
    write_body(meshes.sheet(), tmp_path / "a.npz")
    body = pliant.load(tmp_path / "a.npz", density=10.0, thickness=0.5)
    assert (body.density, body.thickness) == (10.0, 0.5)
    with pytest.raises(FileError, match="it holds a shell, which cannot be loaded as a solid"):
        pliant.load(tmp_path / "a.npz", kind="solid")


def changed(path: Path, **changes: object) -> Path:
    """The file with other arrays, or other words in `about`, in place of its own; None takes one out."""
    arrays = dict(np.load(path))
    about = json.loads(arrays["about"].tobytes())
    for name, value in changes.items():
        if name in about or name == "look":
            about[name] = value
        elif value is None:
            del arrays[name]
        else:
            arrays[name] = np.asarray(value)
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(path, **arrays)
    return path


POINTS = len(painted().skin.vertices)
MISTAKES = {
    "rest in half": ({"rest": np.zeros((3, 2))}, "rest has the shape (3, 2), (N, 3) belongs there"),
    "rest not finite": ({"rest": np.full((63, 3), np.nan)}, "rest holds something that is not finite"),
    "no rest": ({"rest": None}, "there is no rest in it"),
    "elements elsewhere": ({"elements": [[0, 1, 2, 99]]}, "names vertices 0, 1, 2, 99"),
    "elements that are floats": ({"elements": np.zeros((1, 4))}, "elements holds float64 values"),
    "skin elsewhere": ({"skin_indices": np.full((POINTS, 4), 900)}, "the skin rides on particle 900"),
    "twins ahead": ({"skin_twins": np.full(POINTS, 7)}, "twin comes after it"),
    "a group elsewhere": ({"group_members": [1, 999], "group_sizes": [1, 1]}, "a particle that is not there"),
    "other sizes": ({"group_sizes": [1, 1]}, "not as many as their sizes say"),
    "a future format": ({"format": "pliant body 7"}, 'its format is "pliant body 7"'),
    "no kind": ({"kind": "gas"}, 'kind is "gas"'),
    "no density": ({"density": -1}, "density is -1"),
    "poses without names": ({"poses": ["a"]}, "pose_particles has the shape"),
    "the same name twice": ({"poses": ["a", "a"]}, "two poses have the same name"),
    "parts with holes": ({"look": {"parts": [{"first": 0, "last": 3}]}}, "do not cover"),
    "a picture that is none": ({"look": {"images": [{}]}, "image_0": np.zeros(9, np.uint8)}, "neither PNG"),
    "a texture elsewhere": ({"look": {"materials": [{"gltf": {"aTexture": {"index": 4}}}]}}, "not there"),
    "objects": ({"rest": np.array([None])}, "rest holds object values"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told(name: str, tmp_path: Path) -> None:
    changes, said = MISTAKES[name]
    write_body(painted(), tmp_path / "a.npz")
    path = changed(tmp_path / "a.npz", **changes)
    with pytest.raises(FileError) as caught:
        read_asset(path)
    assert str(caught.value).startswith(str(path)) and said in str(caught.value) and "\n" not in str(caught.value)


def test_a_recording_is_no_body(tmp_path: Path) -> None:
    np.savez(tmp_path / "take.npz", time=np.zeros(3), actors=np.array(["bear"]))
    with pytest.raises(FileError, match="this is a recording"):
        read_asset(tmp_path / "take.npz")


def test_compressed_arrays_are_refused_unread(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.npy", bytes(50_000_000))
    with pytest.raises(FileError, match="larger than the file"):
        read_asset(tmp_path / "a.npz")


@pytest.mark.slow
def test_a_scene_takes_a_body(tmp_path: Path) -> None:
    write_body(painted(), tmp_path / "bear.npz")
    text = '[[bodies]]\nfile = "bear.npz"\nfile_poses = ["squash"]\nposes.tall = { original = "über" }\n'
    (tmp_path / "a.toml").write_text(text + '[bodies.model]\nexamples = { left = "left" }\n', encoding="utf-8")
    from pliant.scene import show_of

    show = show_of(tmp_path / "a.toml")
    (actor,) = show.world.actors
    assert actor.body.pose_names == ("squash", "tall") and actor.group_names == ("left",)
    assert isinstance(actor.body.skin, Skin) and actor.body.density == 731.5


def test_a_graph_is_no_body_that_a_file_holds(tmp_path: Path) -> None:
    """It would be written and could not be read again."""
    with pytest.raises(pliant.BodyError, match="is a graph, which no file holds; write the body it was made from"):
        write_body(graph_of(meshes.box(), 4), tmp_path / "graph.npz")
    assert not list(tmp_path.iterdir())
