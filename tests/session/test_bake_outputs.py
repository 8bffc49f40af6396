"""Outputs of a bake: whole or not at all, checked before anything is simulated."""

import errno
from pathlib import Path

import pytest

import bakes
import pliant
from pliant.files import writing
from pliant.scene.show import Show
from pliant.session.bake import bake
from pliant.session.outputs import Options


def never() -> Show:
    raise AssertionError("nothing should be simulated")


def bad_file(folder: Path) -> Path:
    (folder / "plain").write_text("a file")
    return folder / "plain" / "out.npz"


def bad_folder(folder: Path) -> Path:
    (folder / "out.npz").mkdir()
    return folder / "out.npz"


def photos(folder: Path) -> Path:
    (folder / "png").mkdir()
    (folder / "png" / "taxes.ods").write_text("dear")
    return folder / "png"


def own_part(folder: Path) -> Path:
    (folder / "out.npz.part").mkdir()
    (folder / "out.npz.part" / "diary.txt").write_text("dear diary")
    return folder / "out.npz"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (bad_file, "cannot be written: plain is not a folder"),
        (bad_folder, "a folder of that name is there already"),
        (photos, r"holds other things too \(taxes.ods\)"),
        (own_part, r"is not the folder of a bake \(diary.txt\)"),
        (
            lambda folder: folder / "out.doc",
            r"is not what can be written; give \.glb.*\.mp4, \.html, or a folder named obj or png",
        ),
        (lambda folder: folder / "out.obj", "one .obj holds one frame"),
        (lambda folder: folder / "frames", "is not what can be written"),
    ],
)
def test_told_before_anything_is_simulated(make, said: str, tmp_path: Path) -> None:
    out = make(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(pliant.FileError, match=said) as told:
        bake(never, [out])
    assert str(told.value).startswith(str(out)) and "\n" not in str(told.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_names_and_styles(tmp_path: Path) -> None:
    with pytest.raises(pliant.PliantError, match="no output"):
        bake(never, [])
    with pytest.raises(pliant.FileError, match="named twice"):
        bake(never, [tmp_path / "a.npz", tmp_path / "b" / ".." / "a.npz"])
    with pytest.raises(pliant.PliantError, match=r"weights is for \.glb"):
        bake(never, [tmp_path / "a.npz"], options=Options(style="weights"))


def test_what_fails_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old file stays, the frames too, and the next run goes straight to writing."""
    out = tmp_path / "out.npz"
    bake(bakes.swinging, [out], frames=3)
    old = out.read_bytes()

    def full(take, path: Path, **_: object) -> None:
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(writing, "write_take", full)
        with pytest.raises(pliant.FileError) as told:
            bake(bakes.swinging, [out], frames=5)
    assert str(told.value).startswith(f"{out}: cannot be written: No space left on device; free some space")
    assert "--resume" in str(told.value) and "\n" not in str(told.value)
    assert out.read_bytes() == old
    done = bake(bakes.swinging, [out], frames=5, resume=True)
    assert (done.begun, done.frames) == (5, 5)
    assert out.read_bytes() != old
    assert [path.name for path in tmp_path.iterdir()] == ["out.npz"]


def test_on_another_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is made beside the output, and a rest of a process that was killed there is removed."""
    out, stale = tmp_path / "far" / "out.npz", tmp_path / "far" / ".out.npz.written"
    stale.mkdir(parents=True)
    (stale / "out.npz").write_bytes(b"half")
    monkeypatch.setattr("pliant.session.outputs.on_one_disk", lambda *_: False)
    bake(bakes.swinging, [tmp_path / "near.npz", out], frames=3)
    assert [path.name for path in out.parent.iterdir()] == ["out.npz"]
    assert out.read_bytes() == (tmp_path / "near.npz").read_bytes()


def test_what_a_body_cannot_be_written_as(tmp_path: Path) -> None:
    def plain(*shapes: str) -> Show:
        world = pliant.World()
        for shape in shapes:
            world.add(getattr(pliant.shapes, shape)(), pliant.ShapeMatching())
        return Show(name="plain", world=world, seconds=1.0)

    with pytest.raises(pliant.FileError, match=r"out\.glb: no body has poses, so there are no weights"):
        bake(lambda: plain("ball"), [tmp_path / "out.glb"], options=Options(style="weights"))
    with pytest.raises(pliant.PliantError, match="there is no body to play"):
        bake(plain, [tmp_path / "out.glb"])
    assert not list(tmp_path.iterdir())


def test_pictures_of_a_file_join_those_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_pictures(take, path: Path, **_: object) -> None:
        folder = path.with_name("out_textures")
        folder.mkdir()
        (folder / "fur.png").write_bytes(b"new")
        path.write_bytes(b"take")

    monkeypatch.setattr(writing, "write_take", with_pictures)
    mine = tmp_path / "out_textures"
    mine.mkdir()
    (mine / "fur.png").write_bytes(b"old")
    (mine / "mine.png").write_bytes(b"mine")
    baked = bake(bakes.swinging, [tmp_path / "out.usdc"], frames=2)
    assert [path.name for path in baked.outputs] == ["out_textures", "out.usdc"]
    assert {path.name: path.read_bytes() for path in mine.iterdir()} == {"fur.png": b"new", "mine.png": b"mine"}


def test_no_room_is_seen_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000})())
    with pytest.raises(pliant.FileError, match=r"12 frames need .* GB, there are 1e-06 GB free"):
        bake(bakes.swinging, [tmp_path / "out.npz"], frames=12)


def test_frames_of_an_earlier_bake_are_replaced(tmp_path: Path) -> None:
    out = tmp_path / "obj"
    bake(bakes.swinging, [out], frames=5)
    assert sum(path.suffix == ".obj" for path in out.iterdir()) == 5
    bake(bakes.swinging, [out], frames=3)
    assert sum(path.suffix == ".obj" for path in out.iterdir()) == 3
