"""Pictures of exhibits, small and coarse."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pliant.gallery import pictures
from pliant.gallery.exhibit import Exhibit, Record, play
from pliant.gallery.listing import find


@pytest.fixture(scope="module")
def bar() -> tuple[Exhibit, Record]:
    exhibit = replace(find("twist-bar"), seconds=0.9)
    return exhibit, play(exhibit)


@pytest.mark.slow
def test_stills_stand_side_by_side(bar: tuple[Exhibit, Record]) -> None:
    exhibit, record = bar
    sheet = pictures.exhibit_picture(replace(exhibit, stills=(0.0, 0.8)), record, width=206, passes=2)
    assert sheet.shape[1] == 206 and sheet.dtype == np.uint8
    left, right = sheet[:190, :100].astype(int), sheet[:190, 106:].astype(int)
    orange = [(half[..., 0] - half[..., 2] > 60) for half in (left, right)]
    rows = [np.flatnonzero(each.any(axis=1)) for each in orange]
    assert all(each.sum() > 200 for each in orange)
    assert rows[0].min() < rows[1].min() and rows[0].max() < rows[1].max()  # it has fallen, and is lower


@pytest.mark.slow
def test_columns_and_captions(bar: tuple[Exhibit, Record]) -> None:
    exhibit, record = bar
    exhibit = replace(exhibit, stills=(0.0, 0.3, 0.6), columns=2, captions=("a", "b", "c"))
    wide = pictures.exhibit_picture(exhibit, record, width=206, passes=1)
    tall = pictures.exhibit_picture(replace(exhibit, columns=1), record, width=100, passes=1)
    assert wide.shape[1] == 206 and tall.shape[1] == 100
    assert tall.shape[0] > 1.4 * wide.shape[0]


@pytest.mark.slow
def test_grips_are_drawn(bar: tuple[Exhibit, Record]) -> None:
    exhibit, record = bar
    held = np.array([0.0, 1.0, 0.8])
    exhibit = replace(exhibit, stills=(0.9,))
    plain = pictures.exhibit_picture(exhibit, record, width=160, passes=1)
    marked = replace(exhibit, grips=lambda frame: [(held, held * (1, 1, 2))])
    assert (pictures.exhibit_picture(marked, record, width=160, passes=1) != plain).any()


@pytest.mark.slow
def test_hero_shows_every_moment(bar: tuple[Exhibit, Record]) -> None:
    hero = pictures.hero_picture(*bar, width=400, passes=2).astype(int)
    columns = ((hero[..., 0] - hero[..., 2]) > 60).any(axis=0)
    starts = np.flatnonzero(columns[1:] & ~columns[:-1])
    assert len(starts) == len(pictures.HERO_MOMENTS)


def test_the_command_writes_the_hero_too(
    bar: tuple[Exhibit, Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "play", lambda exhibit: bar[1])
    monkeypatch.setattr(pictures, "exhibit_picture", lambda exhibit, record: np.zeros((4, 4, 3), np.uint8))
    monkeypatch.setattr(pictures, "hero_picture", lambda exhibit, record: np.zeros((4, 4, 3), np.uint8))
    written = list(pictures.render_exhibits(["twist-bar", "car-crash"], tmp_path))
    assert [path.name for path in written] == ["hero.png", "twist-bar.png", "car-crash.png"]
    assert all(path.is_file() for path in written)
    assert pictures.render_hero(tmp_path / "other") == tmp_path / "other" / "hero.png"
