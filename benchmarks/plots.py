"""Draws timings as bars: `python benchmarks/plots.py [TIMINGS.json] [-o FOLDER] [--quick]`.

TIMINGS.json is what `pliant bench --json` prints, on your machine. Without it the tables under "Speed" in README.md are
drawn. Each table becomes FOLDER/NAME.svg, with a logarithmic scale, since what is compared differs a hundredfold. The
site draws the same from README.md when it is built. (--quick changes nothing: to draw is quick.)
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, NamedTuple

README = Path(__file__).parents[1] / "README.md"
NAMES = ("shape-matching", "oriented-particles", "contact", "finite-elements")  # the tables, in the order of the page
UNITS = {"ns": 1e-9, "µs": 1e-6, "us": 1e-6, "ms": 1e-3, "s": 1.0}
TIME = re.compile(r"([\d,.]+)(?: to ([\d,.]+))? (ns|µs|ms|s)\b")
COLOURS = ("#d96f22", "#f0b27f", "#3f8fd2", "#8f949c")
WIDTH, LABELS, BAR, GAP, TOP = 760, 210, 15, 14, 34  # pixels


class Bars(NamedTuple):
    """label: what was timed, one label for each row.  rows: for each label, series -> (least, most) seconds."""

    labels: list[str]
    rows: list[dict[str, tuple[float, float]]]


def tables(page: str) -> dict[str, Bars]:
    """The tables of times under "Speed".

    >>> head = "## Speed\\n\\n| | n | ours | paper |\\n| --- | ---: | ---: | ---: |\\n"
    >>> tables(head + "| bar | 20 | 9 µs | 0.3 to 0.4 ms |\\n")["shape-matching"].rows
    [{'ours': (9e-06, 9e-06), 'paper': (0.0003, 0.0004)}]
    """
    part = page.partition("\n## Speed\n")[2] or page.partition("## Speed\n")[2]
    lines = part.partition("\n## ")[0].splitlines()
    blocks = [list(alike) for is_table, alike in groupby(lines, lambda line: line.startswith("|")) if is_table]
    return {name: _bars(block) for name, block in zip(NAMES, blocks, strict=False)}


def _bars(block: Sequence[str]) -> Bars:
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in block)
    plain = [re.sub(r"[`¹²]|\(.*\)", "", name).strip() for name in head]
    labels, found = [], []
    for row in rows:
        times = {name: _time(cell) for name, cell in zip(plain, row, strict=True) if TIME.match(cell)}
        said = [cell for cell in row[:2] if cell and not TIME.match(cell)]
        labels.append(
            ", ".join([said[0], f"{said[1]} {plain[1]}"] if not plain[0] else [f"{said[0]} {plain[0]}", said[1]])
        )
        found.append(times)
    return Bars(labels, found)


def _time(cell: str) -> tuple[float, float]:
    low, high, unit = TIME.match(cell).groups()  # type: ignore[union-attr]
    least = float(low.replace(",", "")) * UNITS[unit]
    return least, float(high.replace(",", "")) * UNITS[unit] if high else least


def timings(rows: Sequence[Mapping[str, Any]]) -> dict[str, Bars]:
    """The rows of `pliant bench --json`, a drawing for each benchmark.

    >>> timings([{"name": "cuboid, 1 global", "particles": 225, "us_per_step": 14.0}])["cuboid"].labels
    ['cuboid, 1 global, 225 particles']
    """
    drawn: dict[str, Bars] = {}
    for row in rows:
        times = {key: value for key, value in _times(row)}
        if times:
            bars = drawn.setdefault(re.sub(r"\W+", "-", str(row["name"]).partition(",")[0]), Bars([], []))
            bars.labels.append(
                f"{row['name']}, {row['particles']:,} particles" if "particles" in row else str(row["name"])
            )
            bars.rows.append(times)
    return drawn


def _times(row: Mapping[str, Any]) -> Iterator[tuple[str, tuple[float, float]]]:
    for key, value in row.items():
        unit = next((word for word in key.split("_") if word in UNITS), None)
        if unit is not None and isinstance(value, int | float) and value > 0:
            yield key, (value * UNITS[unit], value * UNITS[unit])


def svg(bars: Bars) -> str:
    """The drawing; text has the colour of what is around it."""
    series = list(dict.fromkeys(name for row in bars.rows for name in row))
    values = [time for row in bars.rows for pair in row.values() for time in pair]
    low, high = floor(log10(min(values))), ceil(log10(max(values)) + 1e-9)

    def x(seconds: float) -> float:
        return LABELS + (WIDTH - LABELS - 80) * (log10(seconds) - low) / (high - low)

    parts, y = [], TOP
    for label, row in zip(bars.labels, bars.rows, strict=True):
        middle = y + len(row) * BAR / 2 + 4
        parts.append(f'<text x="{LABELS - 10}" y="{middle:.0f}" text-anchor="end">{escape(label)}</text>')
        for name, (least, most) in row.items():
            colour = COLOURS[series.index(name) % len(COLOURS)]
            parts.append(
                f'<rect x="{LABELS}" y="{y}" width="{x(least) - LABELS:.1f}" height="{BAR - 3}" fill="{colour}"/>'
            )
            if most > least:
                parts.append(
                    f'<rect x="{x(least):.1f}" y="{y}" width="{x(most) - x(least):.1f}" height="{BAR - 3}" '
                    f'fill="{colour}" opacity="0.45"/>'
                )
            parts.append(f'<text x="{x(most) + 5:.1f}" y="{y + 10}" class="value">{_told(least, most)}</text>')
            y += BAR
        y += GAP
    lines = []
    for power in range(low, high + 1):
        place = f"{x(10.0**power):.1f}"
        ends = f'y1="{TOP - 6}" y2="{y - GAP + 4}"'
        lines.append(f'<line x1="{place}" x2="{place}" {ends} stroke="currentColor" opacity="0.15"/>')
        lines.append(f'<text x="{place}" y="{y + 4}" text-anchor="middle">{_told(10.0**power)}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 12}" class="bench" role="img" '
            'fill="currentColor" font-family="system-ui, sans-serif" font-size="11.5">',
            "<style>.value { font-size: 10px; opacity: 0.75 }</style>",
            *_legend(series), *lines, *parts, "</svg>",
        ]
    )  # fmt: skip


def _legend(series: Sequence[str]) -> Iterator[str]:
    place = LABELS
    for number, name in enumerate(series):
        yield f'<rect x="{place}" y="6" width="10" height="10" fill="{COLOURS[number % len(COLOURS)]}"/>'
        yield f'<text x="{place + 15}" y="15">{escape(name)}</text>'
        place += 30 + round(6.2 * len(name))


def _told(least: float, most: float | None = None) -> str:
    unit = next(unit for unit in ("s", "ms", "µs", "ns") if least >= UNITS[unit] * (1 - 1e-9) or unit == "ns")
    numbers = [f"{time / UNITS[unit]:,.4g}" for time in dict.fromkeys((least, most or least))]
    return f"{' to '.join(numbers)} {unit}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("timings", nargs="?", type=Path)
    parser.add_argument("-o", "--out", type=Path, default=Path("."))
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    text = (given.timings or README).read_text(encoding="utf-8")
    given.out.mkdir(parents=True, exist_ok=True)
    for name, bars in (timings(json.loads(text)) if given.timings else tables(text)).items():
        path = given.out / f"{name}.svg"
        path.write_text(svg(bars) + "\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
