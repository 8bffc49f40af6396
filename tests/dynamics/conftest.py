"""Worlds of these tests have the solver of collision/ and dynamics/."""

from collections.abc import Iterator

import pytest

from pliant.world import actor_registry


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(actor_registry, "SOLVER", "rows")
    yield
