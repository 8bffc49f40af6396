"""Zipped scenes, as the page saves them and as none should."""

import io
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pliant.runtime.errors import FileError
from pliant.viewer.server import unpacking
from pliant.viewer.server.unpacking import unpack
from pliant.viewer.server.uploads import safe_name
from viewer.assets import SHAPE
from viewer.server.test_uploads import problem, send


def zipped(*files: tuple[Any, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return made.getvalue()


def taken(folder: Path, content: bytes, most: int = 10) -> list[str]:
    (folder / "a.zip").write_bytes(content)
    return list(unpack(folder / "a.zip", most, safe_name))


def test_files_lie_beside_where_the_zip_was(tmp_path: Path) -> None:
    assert taken(tmp_path, zipped(("scene.toml", b"x"), ("bear.npz", b"y"))) == ["scene.toml", "bear.npz"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bear.npz", "scene.toml"]


def test_a_folder_that_was_zipped_again(tmp_path: Path) -> None:
    """As people do it, and as Finder does."""
    files = ("mine/", b""), ("mine/scene.toml", b"x"), ("__MACOSX/mine/._scene.toml", b"?"), ("mine/.DS_Store", b"?")
    assert taken(tmp_path, zipped(*files)) == ["scene.toml"]


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("scene.toml")
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def test_a_link_is_only_text(tmp_path: Path) -> None:
    taken(tmp_path, zipped((link(), b"/etc/passwd")))
    assert not (tmp_path / "scene.toml").is_symlink() and (tmp_path / "scene.toml").read_bytes() == b"/etc/passwd"


MISTAKES = {
    "up": (zipped(("../scene.toml", b"x")), "leads out of the folder"),
    "root": (zipped(("/etc/scene.toml", b"x")), "leads out of the folder"),
    "drive": (zipped(("C:/scene.toml", b"x")), "leads out of the folder"),
    "folders": (zipped(("a/scene.toml", b"x"), ("b/bear.npz", b"x")), "in several folders"),
    "program": (zipped(("scene.toml", b"x"), ("run.exe", b"x")), "not taken here"),
    "twice": (zipped(("scene.toml", b"x"), ("Scene.TOML", b"x")), "two files in it are called"),
    "nested": (zipped(("scene.zip", b"x")), "there is another .zip in it"),
    "many": (zipped(*((f"{n}.png", b"") for n in range(11))), "11 files are in it"),
    "no zip": (b"PK\x03\x04 not really", "cannot be unpacked"),
    "broken": (zipped(("scene.toml", bytes(range(256)) * 50))[:-40], "cannot be unpacked"),
    "nothing": (b"", "cannot be unpacked"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told(name: str, tmp_path: Path) -> None:
    content, said = MISTAKES[name]
    (tmp_path / "inner").mkdir()
    with pytest.raises(FileError) as caught:
        taken(tmp_path / "inner", content)
    assert said in str(caught.value) and "\n" not in str(caught.value)
    assert str(caught.value).startswith("a.zip: ") and str(caught.value).count("a.zip") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["inner"]


def test_bytes_are_counted_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_UNPACKED", 3_000_000)
    bomb = zipped(("a.png", bytes(2_000_000)), ("b.png", bytes(2_000_000)))
    assert len(bomb) < 10_000
    with pytest.raises(FileError, match=r"^a\.zip: more than 3 MB are in it; zip fewer files, or smaller ones$"):
        taken(tmp_path, bomb)


@pytest.mark.parametrize("place", range(10, 200, 7))
def test_broken_in_the_middle(place: int, tmp_path: Path) -> None:
    """Wherever a bit is wrong: all that was packed comes out, or one line that tells once whose fault it is."""
    content = bytearray(zipped(("scene.toml", bytes(range(256)) * 50)))
    content[place] ^= 0xFF
    try:
        taken(tmp_path, bytes(content))
    except FileError as error:
        assert str(error).startswith("a.zip: ") and str(error).count("a.zip") == 1 and "\n" not in str(error)
    else:
        assert (tmp_path / "scene.toml").read_bytes() == bytes(range(256)) * 50


def test_the_server_opens_it(address: str) -> None:
    page = send(address, ("saved.zip", zipped(("scene.toml", SHAPE.encode())))).json()["page"]
    assert page.startswith("/exhibit/scene") and page.endswith(".toml")
    assert "leads out" in problem(send(address, ("saved.zip", MISTAKES["up"][0])))
    assert "nothing to open" in problem(send(address, ("saved.zip", zipped(("a.png", b"x")))))
    outside = b'[[bodies]]\nfile = "../../secret.npz"\n'
    assert "leads out" in problem(send(address, ("saved.zip", zipped(("scene.toml", outside)))))
