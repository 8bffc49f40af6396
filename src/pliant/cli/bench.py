"""`pliant bench`: times the kernels on this machine."""

import json
from itertools import groupby
from typing import Annotated, Any

import typer


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Which; all if not said.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small sizes and a few steps: to see that all runs, not to compare.")
    ] = False,
) -> None:
    """Time the kernels on this machine."""
    from rich.console import Console

    from pliant.bench import run

    # What is being timed is told on stderr: stdout is for the answer.
    with Console(stderr=True).status("starting") as status:
        rows = run(names or [], progress=status.update, quick=quick)
    if as_json:
        print(json.dumps(rows, indent=2, default=float))
    else:
        _print_table(rows)


def _print_table(rows: list[dict[str, Any]]) -> None:
    """A table for each run of rows with the same columns, and the machine once."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    for columns, alike in groupby(rows, key=lambda row: tuple(key for key in row if key != "machine")):
        table = Table(box=None, header_style="bold")
        lines = list(alike)
        for column in columns:
            numbers = all(isinstance(row[column], int | float) for row in lines)
            table.add_column(column.replace("_", " "), justify="right" if numbers else "left")
        for row in lines:
            table.add_row(*(_cell(row[column]) for column in columns))
        console.print(table)
        console.print()
    for machine in dict.fromkeys(row["machine"] for row in rows if "machine" in row):
        console.print(f" on {machine}", highlight=False)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
