"""`pliant gallery`: lists the exhibits, plays them and checks the outcome, or renders their pictures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.cli import complete
from pliant.cli.names import known_exhibits

if TYPE_CHECKING:
    from pliant.gallery.exhibit import Exhibit


def gallery(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Which; all if not said.", autocompletion=complete.exhibits),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Play them and check the outcome.")] = False,
    pictures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", file_okay=False, help="Render their pictures.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """List the built-in exhibits, the figures of the papers; or check them, or render them."""
    wanted = known_exhibits(names or [])
    if pictures is not None:
        _render(wanted, pictures)
    if check:
        _check(wanted, as_json)
    if pictures is None and not check:
        _list(wanted, as_json)


def _list(names: Sequence[str], as_json: bool) -> None:
    from pliant.gallery.listing import list_exhibits

    exhibits = [exhibit for exhibit in list_exhibits() if not names or exhibit.name in names]
    if as_json:
        print(json.dumps([_facts(exhibit) for exhibit in exhibits], indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("name", "title", "paper", box=None, header_style="bold")
    table.add_column("seconds", justify="right")
    for exhibit in exhibits:
        table.add_row(exhibit.name, exhibit.title, exhibit.paper, f"{exhibit.seconds:g}")
    Console().print(table)


def _facts(exhibit: Exhibit) -> dict[str, object]:
    return {key: getattr(exhibit, key) for key in ("name", "title", "paper", "seconds")}


def _check(names: Sequence[str], as_json: bool) -> None:
    from pliant.gallery.listing import check_exhibits

    results = []
    for exhibit, checks in check_exhibits(names):  # each is played as it is asked for
        rows = [{"text": c.text, "value": c.value, "passed": bool(c.passed)} for c in checks]
        results.append({"name": exhibit.name, "passed": all(row["passed"] for row in rows), "checks": rows})
        if not as_json:
            print(exhibit.name, flush=True)
            for row in rows:
                verdict = "ok  " if row["passed"] else "FAIL"
                print(f"  {verdict}  {row['text']}: {_short(row['value'])}", flush=True)
    if as_json:
        print(json.dumps(results, indent=2, default=float))
    if not all(result["passed"] for result in results):
        raise typer.Exit(1)


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _render(names: Sequence[str], folder: Path) -> None:
    from pliant.gallery.pictures import render_exhibits

    for path in render_exhibits(names, folder):
        print(path, flush=True)
