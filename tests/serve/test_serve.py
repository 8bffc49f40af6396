"""What goes over the wire is what the library computes, and nothing that comes over it does harm."""

import io
import json
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pliant
from docs_client import PliantClient
from fuzzing import mutated
from pliant.serve.holding import carried_along
from pliant.serve.server import Server, serve
from pliant.serve.wire import PREFIX, Message, WireError, packed, unpacked
from serving import FPS, TOKEN, Peer, scene, stone, with_top

pytestmark = pytest.mark.slow  # a body is filled and stepped


def surfaces(answers: list[Message]) -> np.ndarray:
    return np.array([each.blocks["surface/0"] for each in answers if each.head["is"] == "frame"])


def twin(frames: int) -> np.ndarray:
    """The same ball, by the library alone."""
    from pliant.files.asset import Asset
    from pliant.scene.default import suited
    from pliant.volume import embody

    vertices, faces = (each.astype(kind) for each, kind in zip(stone(), (np.float32, np.int32), strict=True))
    flat = (stone()[0] * (1.2, 0.6, 1.2)).astype(np.float32).astype(float)
    asset = Asset("ball", Path("ball"), vertices.astype(float), faces, poses={"flat": flat})
    body = embody(asset, particles=60).body
    world = pliant.World(colliders=[pliant.Plane(point=(0, -0.6, 0))])
    actor = world.add(body, pliant.ShapeMatching(**suited(body, 9.81)))
    found = [actor.surface]
    for _ in range(frames - 1):
        world.step(1 / FPS, substeps=4)
        found.append(actor.surface)
    return np.array(found)


def test_frames_are_those_of_the_library(peer: Peer) -> None:
    head, blocks = scene()
    ready = peer.ask(head, blocks).head
    assert ready["is"] == "ready" and ready["bodies"][0]["poses"] == ["flat"] and ready["substeps"] == 4
    played = list(peer.frames({"do": "play", "frames": 12}))
    assert played[-1].head == {"is": "done", "of": "play", "frames": 12, "stopped": False}
    assert np.abs(surfaces(played) - twin(12)).max() < 1e-6
    weights = np.array([each.blocks["weights/0"][0] for each in played[:-1]])
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-5) and played[0].blocks["contacts/points"].shape == (0, 3)
    again = surfaces(list(peer.frames({"do": "play", "frames": 12})))
    assert np.array_equal(again, surfaces(played))


def test_pins_follow_their_samples_and_weights_their_cues(peer: Peer) -> None:
    head, blocks = scene(groups=["top"], pins=[{"group": "top"}], forced=["flat"])
    top = with_top(blocks)
    shifts = np.linspace(0, 1, 16)[:, None, None] * np.array([0.3, 0.2, 0.0])
    blocks["bodies/0/pins/0"] = blocks["bodies/0/vertices"][top] + shifts
    blocks["bodies/0/forced/0"] = np.r_[np.full(4, np.nan), np.linspace(0, 0.5, 4), np.full(8, 0.5)]
    assert peer.ask(head, blocks).head["is"] == "ready"
    played = list(peer.frames({"do": "play", "frames": 16}))[:-1]
    where = surfaces(played)[-1][top].mean(axis=0) - blocks["bodies/0/vertices"][top].mean(axis=0)
    assert np.abs(where - (0.3, 0.2, 0.0)).max() < 0.05
    assert played[-1].blocks["weights/0"][0, 1] == pytest.approx(0.5, abs=1e-3)


def test_particles_turn_with_the_vertices_round_them() -> None:
    vertices, _ = stone()
    angle = np.radians(70)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    inside = vertices[:20] * 0.5
    there, turns = carried_along(inside, vertices, (vertices @ turn.T + (1, 2, 3))[None])
    assert np.allclose(there[0], inside @ turn.T + (1, 2, 3)) and np.allclose(turns[0], turn)


def test_it_starts_where_it_is_said_to(peer: Peer) -> None:
    head, blocks = scene()
    start = blocks["bodies/0/vertices"] * (1.15, 0.7, 1.15)
    blocks["bodies/0/start"] = start
    assert peer.ask(head, blocks).head["is"] == "ready"
    first = surfaces(list(peer.frames({"do": "play", "frames": 1})))[0]
    assert np.linalg.norm(first - start, axis=1).mean() < 0.005


def test_obstacles_move(peer: Peer) -> None:
    head, blocks = scene()
    vertices, faces = stone()
    head["gravity"] = [0, 0, 0]
    head["colliders"] = [{"name": "ram"}]
    motion = np.tile([0.0, 0, 0, 0, 0, 0, 1], (10, 1))
    motion[:, 0] = np.linspace(-1.2, -0.6, 10)
    blocks |= {"colliders/0/vertices": vertices, "colliders/0/faces": faces, "colliders/0/motion": motion}
    assert peer.ask(head, blocks).head["is"] == "ready"
    last = surfaces(list(peer.frames({"do": "play", "frames": 12})))[-1]
    assert last[:, 0].mean() > 0.1


def test_painted_stiffness_where_it_is_known_and_a_line_where_not(peer: Peer) -> None:
    painted = np.where(stone()[0][:, 0] > 0, 10.0, 1.0)
    head, blocks = scene(model={"type": "oriented_particles"})
    refused = peer.ask(head, {**blocks, "bodies/0/stiffness": painted}).head
    assert refused["is"] == "error" and "painted stiffness" in refused["message"] and "fem" in refused["message"]
    for model in ("shape_matching", "mass_spring", "fem"):
        head, blocks = scene(model={"type": model, "young": 1e5})
        assert peer.ask(head, {**blocks, "bodies/0/stiffness": painted}).head["is"] == "ready", model


def test_a_bake_goes_on_and_is_told_stale(peer: Peer, folder: Path) -> None:
    head, blocks = scene()
    peer.ask(head, blocks)
    whole = surfaces(list(peer.frames({"do": "play", "frames": 14})))
    peer.send({"do": "bake", "name": "shot", "frames": 100_000})
    begun = peer.receive()
    assert begun is not None and begun.head == {"is": "begun", "have": 0, "stale": False}
    for _ in range(6):
        peer.receive()
    peer.send({"do": "cancel"})
    while (answer := peer.receive()) is not None and answer.head["is"] != "done":
        pass
    assert answer is not None and answer.head["stopped"] and 6 <= answer.head["frames"] < 100_000
    had = answer.head["frames"]
    peer.ask(head, blocks)  # anew, as after a restart
    resumed = list(peer.frames({"do": "bake", "name": "shot", "frames": max(14, had + 2)}))
    assert resumed[0].head == {"is": "begun", "have": had, "stale": False}
    assert np.array_equal(surfaces(resumed)[:14], whole)
    head["gravity"] = [0, -5, 0]
    peer.ask(head, blocks)
    assert next(iter(peer.frames({"do": "bake", "name": "shot", "frames": 1}))).head["stale"]
    while (answer := peer.receive()) is not None and answer.head["is"] != "done":
        pass
    assert [each.name for each in folder.iterdir()] == ["shot.part"]
    assert peer.ask({"do": "forget", "name": "shot"}).head["found"] and not list(folder.iterdir())
    for name in ("../shot", "/etc/x", "a/b", "."):
        assert "no plain one" in peer.ask({"do": "forget", "name": name}).head["message"]


def test_reports_point_at_vertices_and_statics_settle(peer: Peer) -> None:
    head, blocks = scene(poses=["flat", "same"])
    blocks["bodies/0/poses/1"] = blocks["bodies/0/poses/0"] * 1.0001
    peer.ask(head, blocks)
    report = peer.ask({"do": "report"})
    findings = report.head["bodies"][0]["findings"]
    assert any(each["kind"] == "alike" for each in findings) and all(each["advice"] for each in findings)
    assert all(len(report.blocks[f"findings/0/{number}"]) for number in range(len(findings)))
    vertices = blocks["bodies/0/vertices"]
    ends = np.flatnonzero(np.abs(vertices[:, 1]) > 0.4).astype(np.int32)
    places = vertices[ends] * (1, 1.3, 1)
    settled = peer.ask({"do": "settle"}, {"vertices": ends, "places": places}).blocks["surface"]
    assert np.abs(settled[ends] - places).max() < 0.03 and settled[:, 0].max() < 0.99 * vertices[:, 0].max()
    wrong = peer.ask({"do": "settle"}, {"vertices": ends + 10_000, "places": places}).head
    assert wrong["is"] == "error" and "vertex" in wrong["message"]


@pytest.mark.parametrize(
    ("change", "block", "line"),
    [
        ({"model": {"type": "putty"}}, None, "there is no model"),
        ({"model": {"type": "fem", "young": -1}}, None, "young"),
        ({"groups": ["top"]}, None, "there is no block bodies/0/groups/0"),
        ({}, ("bodies/0/faces", np.array([[0, 1, 100_000]], np.int32)), "count from 0"),
        ({}, ("bodies/0/vertices", np.full((10, 3), np.nan)), "not finite"),
        ({}, ("bodies/0/vertices", np.zeros((10, 2))), "give f4 of anyx3"),
        ({}, ("bodies/9/vertices", np.zeros((1, 3))), "belongs to nothing"),
        ({"pins": [{"group": "gone"}]}, None, 'no group "gone"'),
        ({"poses": ["flat", "flat"]}, None, "one name"),
    ],
)
def test_what_has_no_meaning_is_one_line(peer: Peer, change: dict, block: tuple | None, line: str) -> None:
    head, blocks = scene(**change)
    if block:
        blocks[block[0]] = block[1]
    answer = peer.ask(head, blocks).head
    assert answer["is"] == "error" and line in answer["message"] and "\n" not in answer["message"]
    assert peer.ask({"do": "report"}).head["message"].startswith("there is no scene yet")


def ended_with(peer: Peer, data: bytes) -> str:
    """What the server says before it ends the connection."""
    peer.socket.sendall(data)
    answer = peer.receive()
    while answer is not None and answer.head["is"] == "progress":
        answer = peer.receive()
    assert answer is not None and answer.head["is"] == "error", answer
    assert peer.receive() is None
    return str(answer.head["message"])


def test_the_door(server: Server) -> None:
    hello = {"do": "hello", "protocol": 1, "token": TOKEN}
    for head, line in (
        ({**hello, "token": "another"}, "not the token"),
        ({**hello, "token": "\u00e9\u20ac"}, "not the token"),
        ({**hello, "protocol": 99}, "protocol 99 is not spoken"),
        ({"do": "report"}, "say hello first"),
        ({"do": "hello"}, "hello: protocol"),
    ):
        with Peer(server.port) as each:
            assert line in ended_with(each, packed(Message(head)))
    with Peer(server.port) as each:
        assert "before the token" in ended_with(each, packed(Message(hello, {"x": np.zeros(5)})))
    with Peer(server.port) as each:
        assert "a head of" in ended_with(each, b"GET / HT")
    assert server.port and not server._listening.getsockname()[0].startswith("0.")


def test_malformed_messages_end_the_connection_and_nothing_else(server: Server, peer: Peer) -> None:
    def raw(text: bytes, data: bytes = b"") -> bytes:
        return PREFIX.pack(len(text), len(data)) + text + data

    listed = json.dumps({"do": "report", "blocks": [["a", "f4", [3]]]}).encode()
    for data, line in (
        (struct.pack("<II", 2**32 - 1, 0), "a head of"),
        (struct.pack("<II", 10, 2**32 - 1), "bytes of blocks"),
        (raw(b"[1, 2]"), "not a JSON object"),
        (raw(b'{"do": NaN}'), "not JSON"),
        (raw(b"[" * 100_000), "not JSON"),
        (raw(b'{"do": "dance"}'), "no request"),
        (raw(b'{"do": "play", "frames": 0}'), "play: frames"),
        (raw(listed, bytes(8)), "beyond the end"),
        (raw(listed, bytes(16)), "left over"),
        (raw(b'{"do": "report", "blocks": [["a", "f8", [1]]]}', bytes(8)), "blocks: give"),
        (raw(b'{"do": "report", "blocks": [["a", "f4", [-1]]]}', bytes(8)), "blocks: give"),
    ):
        with Peer(server.port).shaken() as each:
            assert line in ended_with(each, data)
    assert peer.ask({"do": "report"}).head["is"] == "error"  # the one beside them is as well as before


HEAD, BLOCKS = scene()
SEED = packed(Message(HEAD, BLOCKS))


@settings(max_examples=150)
@given(mutated(SEED) | st.binary(max_size=64))
def test_no_bytes_do_harm(data: bytes) -> None:
    """Whatever comes is a message or a WireError, and a message asks for something or is a WireError."""
    from pliant.serve.schema import read_request
    from pliant.serve.wire import receive

    at = 0

    def read(count: int) -> bytes:
        nonlocal at
        piece = data[at : at + count]
        at += count
        return piece if len(piece) == count else b""

    try:
        message = receive(read)
        if message is not None:
            read_request(message.head)
            assert unpacked(*_halves(packed(message))).head == dict(message.head)
    except WireError as error:
        assert "\n" not in str(error)


def _halves(data: bytes) -> tuple[bytes, bytes]:
    head, _ = PREFIX.unpack(data[:8])
    return data[8 : 8 + head], data[8 + head :]


def test_the_client_of_the_docs(tmp_path: Path) -> None:
    """By the command itself: the token goes in by the pipe, and the process ends with it."""
    head, blocks = scene()
    with PliantClient([sys.executable, "-m", "pliant"], folder=tmp_path / "bakes") as client:
        assert client.version == pliant.__version__
        ready = client.scene(head["bodies"], head["colliders"], blocks, fps=FPS, substeps=4)
        assert ready["bodies"][0]["name"] == "ball"
        shown = [block["surface/0"] for _, block in client.play(3)]
        baked = [block["surface/0"] for _, block in client.bake("ball", 3)]
        assert len(shown) == 3 and np.array_equal(shown, baked)
        with pytest.raises(RuntimeError, match="no model"):
            client.scene([{**head["bodies"][0], "model": {"type": "putty"}}], [], blocks)
    assert client.process.returncode == 0


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(pliant.PliantError, match=r"^serve: .*no folder for bakes"):
        serve(tmp_path / "file" / "x", 0, 1, False, io.StringIO(), io.StringIO())
    with pytest.raises(pliant.PliantError, match="no token came in"):
        serve(None, 0, 1, True, io.StringIO(), io.StringIO("\n"))
