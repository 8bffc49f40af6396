"""Volumes that the tests keep for themselves."""

from pathlib import Path

import pytest

from pliant.volume import store


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files of a test are; its volumes are in a cache of its own beside them. Only they are: kernels that are
    first used while PLIANT_CACHE names an empty folder are compiled again, which takes half a minute. That volumes are
    kept where PLIANT_CACHE says is tried in test_store.py."""

    def own(*names: str) -> Path:
        path = tmp_path.joinpath("cache", *names)
        path.mkdir(parents=True, exist_ok=True)
        return path

    monkeypatch.setattr(store, "cache_folder", own)
    return tmp_path
