"""`pliant bench`."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import pliant
from pliant import cli

ROWS = [
    {"name": "bar", "particles": 225, "us_per_step": 12.345, "note": "blocks", "machine": "abacus"},
    {"name": "tube", "particles": 2025, "us_per_step": 4946.0, "machine": "abacus"},
]


@pytest.fixture(autouse=True)
def small_bench(install) -> None:
    def run(names: Sequence[str], progress: Callable[[str], None], quick: bool) -> list[dict[str, Any]]:
        if "jelly" in names:
            raise pliant.PliantError('there is no benchmark "jelly"')
        progress("timing")
        return [row for row in ROWS[: 1 if quick else 2] if not names or row["name"] in names]

    install("pliant.bench", run=run)


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if line] == [
        ["name", "particles", "us", "per", "step", "note"],
        ["bar", "225", "12.3", "blocks"],
        ["name", "particles", "us", "per", "step"],
        ["tube", "2,025", "4,946"],
        ["on", "abacus"],
    ]


def test_json_has_the_numbers_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "tube", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [ROWS[1]]


def test_a_small_budget_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--quick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [ROWS[0]]


def test_unknown_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "jelly"]) == 2
    assert 'there is no benchmark "jelly"\n' in capsys.readouterr().err
