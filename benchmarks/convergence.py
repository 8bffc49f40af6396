"""What a finer mesh changes: `python benchmarks/convergence.py [-o FILE.svg] [--quick]`.

The bar of benchmarks/all_models.py, pressed by a fifth of its height, is cut into two to eight cells across. Printed is
how far it is twisted then (degrees) under each model, with the settings of the exhibit all-models; -o draws it. The
broken line is the finest finite elements. It takes some minutes; --quick presses for a few frames, to see that it runs.
"""

import argparse
from html import escape
from pathlib import Path

from all_models import pressed

import pliant
from pliant.gallery.all_models import ends_twist, models
from pliant.gallery.twist_bar import bar
from pliant.models.settings import Settings
from pliant.runtime.processor import machine

CELLS = (2, 3, 4, 6, 8)  # across; twice as many along
DEPTH = 1  # of DEPTHS in all_models: a fifth of the height
PARTICLES = 60  # that oriented particles have where the bar has four cells
COLOURS = ("#d96f22", "#3f8fd2", "#2f9e6e", "#c2385a", "#8a6fd1", "#8f949c", "#b08a1e", "#4b5563")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 380, 60, 190, 20, 50  # pixels


def settings_at(settings: Settings, cells: int) -> Settings:
    if isinstance(settings, pliant.OrientedParticles):
        settings = settings.changed(particles=max(12, min(300, round(PARTICLES * (cells / 4) ** 3))))
    return settings.changed(damping=8.0)


def twists(name: str, quick: bool) -> list[float]:
    """Degrees for each of CELLS."""
    found = []
    for cells in CELLS[:2] if quick else CELLS:
        body = bar((cells, 2 * cells, cells))
        surfaces, skin, _ = pressed(settings_at(models()[name], cells), 4, quick, body)
        found.append(ends_twist(skin, surfaces[DEPTH]))
    return found


def svg(rows: dict[str, list[float]], reference: float) -> str:
    """Lines over the number of cells; text has the colour of what is around it."""
    low = min(0.0, *(min(row) for row in rows.values()))
    high = 1.1 * max(reference, *(max(row) for row in rows.values()))

    def x(cells: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (cells - CELLS[0]) / (CELLS[-1] - CELLS[0])

    def y(degrees: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (degrees - low) / (high - low)

    parts = [
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(reference):.1f}" y2="{y(reference):.1f}" class="reference"/>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">cells across</text>',
        f'<text x="{LEFT - 44}" y="{TOP - 6}">degrees</text>',
    ]
    parts += [
        f'<text x="{x(cells):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{cells}</text>' for cells in CELLS
    ]
    parts += [
        f'<text x="{LEFT - 10}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>'
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" class="grid"/>'
        for tick in range(0, int(high) + 1, 20)
    ]
    ends: list[float] = []
    for (name, row), colour in sorted(zip(rows.items(), COLOURS, strict=False), key=lambda pair: -pair[0][1][-1]):
        points = " ".join(f"{x(cells):.1f},{y(twist):.1f}" for cells, twist in zip(CELLS, row, strict=False))
        label = max(y(row[-1]) + 4, ends[-1] + 15 if ends else 0.0)  # names do not lie on one another
        ends.append(label)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{label:.1f}" style="fill:{colour}">{escape(name)}</text>')
    style = (
        "text{font:13px system-ui,sans-serif;fill:#6b7280}.grid{stroke:#9ca3af;stroke-opacity:.3}"
        ".reference{stroke:#6b7280;stroke-dasharray:5 5}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    return "\n".join([head, f"<style>{style}</style>", *parts, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description="What a finer mesh changes, under each model.")
    parser.add_argument("-o", "--output", type=Path, help="draw it into this file (.svg)")
    parser.add_argument("--quick", action="store_true", help="press for a few frames, to see that it runs")
    asked = parser.parse_args()
    print(f"{'cells across':24}" + "".join(f"{cells:8}" for cells in CELLS))
    rows = {}
    for name in models():
        rows[name] = twists(name, asked.quick)
        print(f"{name:24}" + "".join(f"{twist:8.1f}" for twist in rows[name]), flush=True)
    if asked.output is not None:
        asked.output.write_text(svg(rows, rows["finite elements"][-1]), encoding="utf-8")
        print(asked.output)
    print(f"\non {machine()}")


if __name__ == "__main__":
    main()
