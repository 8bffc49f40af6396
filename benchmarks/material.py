"""One material under three models, in a table: `python benchmarks/material.py` (some minutes; `--quick` takes one).

What is measured is said in `pliant/bench/material.py`. `--write docs/material.md` puts the table between the marks of
that page, and leaves the rest of it as it is."""

import argparse
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

from pliant.bench.material import LIMITS, REFINED, rows

BEGIN, END = "<!-- table -->", "<!-- end of table -->"


def table(measured: list[dict[str, Any]]) -> str:
    """In Markdown, one for each model: their resolutions are not the same."""
    texts = []
    for model, some in groupby(measured, key=lambda row: row["model"]):
        lines = list(some)
        names = [key.removeprefix("at ") for key in lines[0] if key.startswith("at ")]
        head = [model, *names, "off, at most", "a refinement changes", "limits", ""]
        texts.append("| " + " | ".join(head) + " |\n| --- |" + " ---: |" * (len(head) - 2) + " --- |")
        for row in lines:
            limits = f"{LIMITS[row['test']]:.0%}, {REFINED:.0%}"
            cells = [row["test"], *(row[f"at {name}"] for name in names), f"{row['off']:.0%}", f"{row['refined']:.0%}"]
            texts[-1] += "\n| " + " | ".join([*cells, limits, row["result"]]) + " |"
    return "\n\n".join(texts)


def written(page: str, made: str) -> str:
    """The page with another table."""
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        raise SystemExit(f"material.py: the page has no place for a table; write {BEGIN} and {END} into it, once each")
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{rest.split(END)[1]}"


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two coarse resolutions each, to see that it runs")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a page")
    options = parser.parse_args(words)
    if options.write is not None and not options.write.is_file():
        raise SystemExit(f"material.py: {options.write}: there is no such page; give one such as docs/material.md")
    made = table(list(rows(lambda text: print(text, file=sys.stderr, flush=True), options.quick)))
    print(made)
    if options.write is not None:
        new = written(options.write.read_text(encoding="utf-8"), made)
        draft = options.write.with_suffix(".draft")
        draft.write_text(new, encoding="utf-8")
        draft.replace(options.write)


if __name__ == "__main__":
    main(sys.argv[1:])
