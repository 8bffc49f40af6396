"""All rows in one page: a table to sort, plots of any measure over any setting, and the film of the row under the
mouse. The file needs no server and no network."""

import json
import re
import shlex
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from pliant import __version__
from pliant.scene.save import value as as_text
from pliant.sweeps.best import Best
from pliant.sweeps.contact import caption_of, changing
from pliant.sweeps.films import FILM_COLUMNS, FILM_SIZE
from pliant.sweeps.grid import SEED_KEY, Row
from pliant.sweeps.place import ROWS_FOLDER
from pliant.sweeps.plan import Plan
from pliant.sweeps.table import SweepTable
from pliant.sweeps.task import FILM_FILE

MOST_ON_PAGE = 5000  # rows: the best, or the first
MOST_FILMS = 400  # in the file itself; others are beside it
PAGE_FOLDER = Path(__file__).parent


def page_of(plan: Plan, table: SweepTable, films: Mapping[str, bytes], best: Best | None) -> bytes:
    """The file; the same rows give the same bytes."""
    data = {
        "title": plan.assets.name,
        "rows": len(table),
        "planned": plan.grid.count,
        "settings": changing(table),
        "measures": [name for name in table.measures if not name.startswith("value(")],
        "best": [str(each) for each in best.conditions] + [name for name, _ in best.orders] if best else [],
        "film": {"width": FILM_SIZE[0], "height": FILM_SIZE[1], "columns": FILM_COLUMNS},
        "lines": [_line(plan, table, result, best) for result in table.rows[:MOST_ON_PAGE]],
    }
    shown = [result["key"] for result in table.rows[:MOST_ON_PAGE] if result["key"] in films]
    inside = {key: b64encode(films[key]).decode() for key in shown[:MOST_FILMS]}
    data["beside"] = {key: f"{ROWS_FOLDER}/{key}/{FILM_FILE}" for key in shown[MOST_FILMS:]}
    parts = {
        "version": __version__,
        "title": escape(f"Sweep of {plan.assets.name}"),
        "css": (PAGE_FOLDER / "page.css").read_text(encoding="utf-8"),
        "script": (PAGE_FOLDER / "page.js").read_text(encoding="utf-8"),
        "data": _json(data),
        "films": _json(inside),
    }
    template = (PAGE_FOLDER / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template).encode()


def _line(plan: Plan, table: SweepTable, result: Mapping[str, Any], best: Best | None) -> dict[str, Any]:
    line = table.line(dict(result))
    return {
        "row": result["row"],
        "key": result["key"],
        "caption": caption_of(table, result),
        "values": {name: line[name] for name in (*table.settings, *table.measures, "realtime")},
        "film": result.get("film"),
        "error": result.get("error", ""),
        "fits": best is None or not best.conditions or not (result.get("error") or best.failed(line)),
        "command": command_of(plan, result["settings"], result["row"]),
    }


def command_of(plan: Plan, row: Row, number: int) -> str:
    """What bakes a row by itself; empty for a scene that has no name."""
    if not plan.target:
        return ""
    words = ["pliant", "bake", plan.target]
    for key, value in row.items():
        text = value if isinstance(value, str) else as_text(value)
        words += ["--seed", text] if key == SEED_KEY else ["--set", f"{key}={text}"]
    words += ["--frames", str(plan.job.frames)] if plan.job.frames is not None else []
    return shlex.join([*words, "-o", f"row-{number}.glb"])


def _json(data: Any) -> str:
    """As it may stand within a script of a page: no text of it can end the script."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
