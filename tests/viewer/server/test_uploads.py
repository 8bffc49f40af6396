"""Files sent to the server, as a page sends them and as none should."""

import socket as sockets
from pathlib import Path
from tempfile import gettempdir
from urllib.parse import urlsplit

import httpx
import pytest

from pliant.viewer.server.guard import LARGEST_UPLOAD
from viewer.assets import FILE, SHAPE, write_box
from viewer.conftest import serving

PATIENCE = 60.0  # seconds


def send(address: str, *files: tuple[str, bytes], **options: object) -> httpx.Response:
    form = [("files", (name, data, "application/octet-stream")) for name, data in files]
    return httpx.post(f"{address}/upload", files=form, timeout=PATIENCE, **options)  # type: ignore[arg-type]


def problem(answer: httpx.Response) -> str:
    assert answer.status_code == 200 and set(answer.json()) == {"problem"}
    told = answer.json()["problem"]
    assert "\n" not in told and gettempdir() not in told and "pliant-" not in told
    return str(told)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return write_box(tmp_path_factory.mktemp("assets") / "box.glb").read_bytes()


def test_an_asset_gets_a_page(address: str, box: bytes) -> None:
    first, second = (send(address, ("box.glb", box)).json()["page"] for _ in range(2))
    assert first != second
    for page in (first, second):
        assert page.startswith("/exhibit/box") and page.endswith(".glb")
        assert httpx.get(address + page, timeout=PATIENCE).status_code == 200


def test_a_scene_comes_with_its_files(address: str, box: bytes) -> None:
    page = send(address, ("up.toml", FILE.encode()), ("box.glb", box)).json()["page"]
    assert page.endswith(".toml")
    assert "no such file" in problem(send(address, ("up.toml", FILE.encode())))


def test_broken_files_are_told(address: str, box: bytes) -> None:
    assert problem(send(address, ("box.glb", box[:1000]))).startswith("box.glb: ")
    assert "empty" in problem(send(address, ("box.glb", b"")))
    assert "not TOML" in problem(send(address, ("up.toml", b"nonsense")))
    assert "UTF-8" in problem(send(address, ("up.toml", b"\xff\xfe\x00")))


@pytest.mark.parametrize("name", ["box.exe", "box.html", "box", "box.glb.svg", "../../box.sh"])
def test_other_kinds_are_refused(address: str, box: bytes, name: str) -> None:
    assert "not taken here" in problem(send(address, (name, box)))


@pytest.mark.parametrize("path", ["../../../../etc/hostname.obj", "/etc/passwd.obj", "..\\\\..\\\\x.obj"])
def test_scenes_cannot_look_around(address: str, path: str) -> None:
    scene = f'[[bodies]]\nfile = "{path}"\n'
    assert "leads out of the folder" in problem(send(address, ("up.toml", scene.encode())))


def test_names_do_not_lead_elsewhere(address: str) -> None:
    page = send(address, ("../../escaped.toml", SHAPE.encode())).json()["page"]
    assert page == "/exhibit/escaped.toml"
    assert not Path(gettempdir(), "escaped.toml").exists()


def test_forms_that_are_none(address: str) -> None:
    form = "multipart/form-data"
    for content, kind in ((b"", form), (b"x", f"{form}; boundary=y"), (b"x", "text/plain")):
        answer = httpx.post(f"{address}/upload", content=content, headers={"content-type": kind}, timeout=PATIENCE)
        assert problem(answer)


def test_too_much_is_refused_unread(address: str) -> None:
    place = urlsplit(address)
    assert place.hostname and place.port
    head = f"POST /upload HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {LARGEST_UPLOAD + 10**6}\r\n\r\n"
    with sockets.create_connection((place.hostname, place.port), timeout=PATIENCE) as link:
        link.sendall(head.encode())
        assert b" 413 " in link.recv(200)


def test_a_length_must_be_told(address: str) -> None:
    answer = httpx.post(f"{address}/upload", content=iter([b"x"]), timeout=PATIENCE)
    assert answer.status_code == 405


@pytest.mark.parametrize("header", [{"origin": "http://evil.example"}, {"origin": "null"}, {"host": "evil.example"}])
def test_other_sites_send_nothing(address: str, box: bytes, header: dict[str, str]) -> None:
    assert send(address, ("box.glb", box), headers=header).status_code == 403
    assert httpx.get(f"{address}/texture/{32 * '0'}", headers=header, timeout=PATIENCE).status_code == 403


def test_only_pictures_in_use_are_served(address: str) -> None:
    for name in (32 * "0", "..%2f..%2fapp.py", "box.glb", "%00"):
        assert httpx.get(f"{address}/texture/{name}", timeout=PATIENCE).status_code == 404


@pytest.mark.slow
def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(variable, str(tmp_path))
    with serving() as address:
        assert "page" in send(address, ("up.toml", SHAPE.encode())).json()
        assert problem(send(address, ("up.toml", b"nonsense")))
        assert len(list(tmp_path.glob("pliant-*/*/up.toml"))) == 1  # what was refused is gone already
    assert not list(tmp_path.glob("pliant-*"))
