"""Results are kept, whole or not at all."""

import os
from pathlib import Path

import numpy as np
import pytest

from pliant.volume import store
from pliant.volume.store import fetch, keep, key_of, remembered


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLIANT_CACHE", str(tmp_path))
    return tmp_path / "volumes"


def test_what_is_kept_comes_back() -> None:
    key = key_of("a", 1)
    assert fetch(key, ["x"]) is None
    keep(key, {"x": np.arange(5), "text": np.array("words")})
    back = fetch(key, ["x", "text"])
    assert back is not None and back["x"].tolist() == [0, 1, 2, 3, 4] and str(back["text"]) == "words"
    assert fetch(key, ["x", "y"]) is None  # not all that is asked for


def test_a_key_depends_on_every_part() -> None:
    base = np.zeros((2, 3))
    keys = {
        key_of(base),
        key_of(base.reshape(3, 2)),
        key_of(base.astype(np.float32)),
        key_of(base + 1),
        key_of(base, 1),
        key_of(1, base),
        key_of("1", base),
    }
    assert len(keys) == 7
    assert key_of(np.asfortranarray(np.arange(6).reshape(2, 3))) == key_of(np.arange(6).reshape(2, 3))


def test_a_key_depends_on_how_volumes_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of(1)
    monkeypatch.setattr(store, "VERSION", store.VERSION + 1)
    store._stamp.cache_clear()
    try:
        assert key_of(1) != before
    finally:
        store._stamp.cache_clear()


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "other"])
def test_damaged_entries_are_made_anew(folder: Path, damage: str) -> None:
    key = key_of("damage")
    made = []

    def make() -> dict[str, np.ndarray]:
        made.append(1)
        return {"x": np.arange(1000)}

    remembered(key, ["x"], make)
    path = folder / f"{key}.npz"
    whole = path.read_bytes()
    middle = len(whole) // 2
    broken = {
        "empty": b"",
        "cut": whole[:middle],
        "flipped": whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :],
        "other": b"not an archive at all",
    }
    path.write_bytes(broken[damage])
    found, known = remembered(key, ["x"], make)
    assert not known and found["x"].tolist() == list(range(1000)) and len(made) == 2
    assert remembered(key, ["x"], make)[1] and len(made) == 2
    assert [entry.name for entry in folder.iterdir()] == [path.name]  # nothing half written lies about


def test_without_the_cache_nothing_is_written(folder: Path) -> None:
    remembered(key_of("none"), ["x"], lambda: {"x": np.zeros(1)}, cache=False)
    assert not folder.exists() or not list(folder.iterdir())


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(store, "cache_folder", lambda *names: tmp_path / "file" / "volumes")
    found, known = remembered(key_of("full"), ["x"], lambda: {"x": np.ones(2)})
    assert not known and found["x"].tolist() == [1, 1]


def test_the_longest_unused_go_first(folder: Path) -> None:
    for number in range(4):
        keep(key_of(number), {"x": np.zeros(1000)})
    fetch(key_of(0), ["x"])
    entries = {number: folder / f"{key_of(number)}.npz" for number in range(4)}
    for age, number in enumerate((0, 3, 2, 1)):
        os.utime(entries[number], (1e9 - age, 1e9 - age))
    store._forget_old(folder, most=2 * entries[0].stat().st_size)
    assert [number for number, path in entries.items() if path.exists()] == [0, 3]
