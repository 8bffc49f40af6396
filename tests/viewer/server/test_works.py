"""What people make is kept by itself, whole or not at all, and opens again."""

import asyncio
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pliant.runtime.data_folder import DATA_VARIABLE, data_folder
from pliant.viewer.protocol.commands import AddPose, Arrange, Command, Grab, Move, Release, Undo
from pliant.viewer.server import keeping
from pliant.viewer.server.keeping import Keeper
from pliant.viewer.server.preparation import Preparation
from pliant.viewer.server.session import Session
from pliant.viewer.server.sessions import Sessions
from pliant.viewer.server.works import Works
from pliant.viewer.simulation.simulation import Simulation
from viewer.exhibits import EXHIBITS


@pytest.fixture
def works(tmp_path: Path) -> Works:
    return Works(tmp_path)


@pytest.fixture
def bar() -> Simulation:
    """With a pose that was pulled, and little gravity."""
    simulation = Simulation(EXHIBITS[0])
    x, y, z = simulation.world["bar"].surface[0].tolist()
    simulation.apply(Grab(handle=0, actor="bar", vertex=0, target=(x, y, z)), "me")
    simulation.apply(Move(handle=0, target=(x, y + 1, z)), "me")
    for _ in range(20):
        simulation.step()
    simulation.apply(Release(), "me")
    simulation.apply(AddPose(actor="bar", name="pulled"))
    simulation.apply(Arrange(field="gravity", value=1.62))
    return simulation


def keep(works: Works, simulation: Simulation, name: str = "bar-1") -> Any:
    return works.keep(name, simulation.editor.panel_state(), "bar")


def test_what_is_kept_opens_again(works: Works, bar: Simulation) -> None:
    work = keep(works, bar)
    assert (work.title, work.origin, work.poses) == ("A bar", "bar", 2)
    works.rename(work.name, "Mine")
    assert [each.title for each in Works(works.folder).all()] == ["Mine"]  # another server finds it
    preparation = Preparation()
    preparation.listed.set()
    sessions = Sessions(preparation, Works(works.folder))
    session = sessions.of("bar-1")
    assert session is not None and sessions.of("bar-2") is None and sessions.of("../bar-1") is None
    again = Simulation(session.exhibit)
    assert again.exhibit.title == "Mine"
    body = again.world["bar"].body
    assert body.pose_names == ("twist", "pulled")
    np.testing.assert_allclose(body.poses["pulled"], bar.world["bar"].body.poses["pulled"])
    assert float(np.linalg.norm(again.world.gravity)) == pytest.approx(1.62)
    sessions.temporary_files.remove()
    assert sessions.delete_work("bar-1") and not works.all()


def test_a_file_is_whole_or_not_there(works: Works, bar: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where writing stops half-way the one from before is still there, and nothing else."""
    work = keep(works, bar)
    before = work.path.read_bytes()

    def half(path: Path, content: bytes) -> int:
        with open(path, "wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", half)
        with pytest.raises(Exception, match="No space left"):
            keep(works, bar)
    assert work.path.read_bytes() == before and [each.name for each in work.path.parent.iterdir()] == ["bar-1.zip"]
    (work.path.parent / "broken.zip").write_bytes(before[:1000])
    (work.path.parent / "other.zip").write_bytes(b"x")
    with zipfile.ZipFile(work.path.parent / "strange.zip", "w") as archive:
        archive.comment = b"[1]"
    assert {each.name for each in works.all()} == {"bar-1", "strange"}  # what cannot be read is left alone


def test_steps_are_kept_together_and_only_what_was_made(works: Works, bar: Simulation) -> None:
    fresh = Simulation(EXHIBITS[0])
    keeper = Keeper(works, "bar")
    keeper.note(fresh.editor.panel_state())
    keeper.flush()
    assert not works.all()  # nothing was made yet
    written: list[str] = []
    write = works.keep
    works.keep = lambda name, *rest: (written.append(name), write(name, *rest))[1]  # type: ignore[method-assign]
    for value in (3.0, 5.0):
        fresh.apply(Arrange(field="gravity", value=value))
        fresh.apply(Arrange(field="friction", value=value / 5))
        keeper.note(fresh.editor.panel_state())
    keeper.flush()
    keeper.note(fresh.editor.panel_state())  # nothing has changed since
    keeper.flush()
    assert len(written) == 1
    fresh.apply(Undo())
    keeper.note(fresh.editor.panel_state())
    keeper.flush()
    assert len(written) == 2 and len(works.all()) == 1
    keeper.begin()  # all begins anew: what was made stays
    keeper.note(Simulation(EXHIBITS[0]).editor.panel_state())
    fresh.apply(Arrange(field="gravity", value=9.0))
    keeper.note(fresh.editor.panel_state())
    keeper.flush()
    assert len(works.all()) == 2


def test_where_nothing_can_be_kept_it_is_told(tmp_path: Path, bar: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "file"))
    assert data_folder("works") is None and Works().all() == ()
    keeper = Keeper(Works(), "bar")
    keeper.note(bar.editor.panel_state())
    keeper.flush()
    assert "cannot be written" in keeper.problem
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "there"))
    folder = data_folder("works")
    assert folder is not None and folder == tmp_path / "there" / "works" and folder.is_dir()


def test_a_session_keeps_what_is_done_in_it(works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment after it was done, without anybody asking; and what is refused is told where it was asked."""
    monkeypatch.setattr(keeping, "KEPT_AFTER", 0.05)
    preparation = Preparation()
    preparation.ready.set()

    async def test() -> None:
        session = Session(EXHIBITS[0], preparation)
        session.keeper = Keeper(works, "bar")
        watcher = session.join()
        while session.status.phase != "ready":
            await asyncio.sleep(0.01)
        commands: list[Command] = [Arrange(field="gravity", value=3.0), Arrange(field="gravity", value=-3.0)]
        for command in commands:
            session.do(command)
        for _ in range(1000):
            await asyncio.sleep(0.01)
            if works.all() and session.status.refusal is not None:
                break
        assert len(works.all()) == 1
        refusal = session.status.refusal
        assert refusal is not None and refusal.place == "world" and "gravity" in refusal.text
        assert session.status.playing and not session.status.problem  # it goes on
        session.do(Arrange(field="gravity", value=4.0))
        for _ in range(1000):
            await asyncio.sleep(0.01)
            if session.status.refusal is None:
                break
        assert session.status.refusal is None
        session.leave(watcher)

    asyncio.run(test())
