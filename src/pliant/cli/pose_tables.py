"""What `pliant poses` found, as people and programs read it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pliant.volume.filling.fit import Fit
    from pliant.volume.from_animation import AnimationPoses
    from pliant.volume.posed import SavedPoses

CURVE_WIDTH = 16  # characters of a full bar


def print_animation(found: AnimationPoses, saved: SavedPoses, as_json: bool) -> None:
    """The frames that were chosen, and how far the others are from their blends as poses are added."""
    if as_json:
        told = {
            "frames": len(found.times),
            "poses": [asdict(frame) for frame in found.frames],
            "curve": [{"poses": n, "largest": a, "mean": b} for n, (a, b) in enumerate(found.curve.tolist())],
            "redundant": list(found.redundant),
        }
        _print_json(told, saved)
        return
    sheet = _sheet()
    first, last = found.times[0], found.times[-1]
    sheet.heading(f"{found.asset.source.name}: {len(found.times):,} frames from {first:g} s to {last:g} s")
    rows = [("rest", "", "", _part(found.curve[0, 0]), _part(found.curve[0, 1]), _bar(found.curve[0, 0]))]
    for frame, (largest, mean) in zip(found.frames, found.curve[1:], strict=True):
        rows.append(
            (frame.name, f"{frame.time:.4g} s", _part(frame.change), _part(largest), _part(mean), _bar(largest))
        )
    sheet.table(("pose", "at", "changes", "off by", "mean", ""), rows)
    sheet.line("off by: the farthest frame from the blends of the poses so far; 100 % is the largest change")
    if found.redundant:
        moments = ", ".join(f"{time:.4g} s" for time in found.redundant)
        sheet.line(f"left out again, because the others make up for them: {moments}")
    print_saved(saved)


def print_saved(saved: SavedPoses) -> None:
    """How well the poses came over, and where they are now."""
    sheet = _sheet()
    if saved.fits:
        sheet.line()
        sheet.table(("pose", "skin off by (mean)", "99 %", "smallest J", "verdict"), [_fit(fit) for fit in saved.fits])
    for fit in saved.fits:
        if fit.remedy:
            sheet.line(f'{fit.verdict}: pose "{fit.name}": {fit.remedy}')
    for note in saved.notes:
        sheet.line(f"note: {note}")
    print(saved.path)


def _print_json(told: dict[str, Any], saved: SavedPoses) -> None:
    rest = {"fits": [asdict(fit) for fit in saved.fits], "notes": list(saved.notes), "file": str(saved.path)}
    print(json.dumps(told | rest, indent=2))


def _fit(fit: Fit) -> Sequence[str]:
    size = fit.diagonal or 1.0
    return fit.name, f"{fit.mean / size:.2%}", f"{fit.high / size:.2%}", f"{fit.smallest_j:.3g}", fit.verdict


def _part(value: float) -> str:
    return f"{value:.1%}"


def _bar(value: float) -> str:
    """A part of one as a bar: the curve of errors, on its side."""
    return "█" * round(CURVE_WIDTH * min(value, 1.0)) or "▏"


def _sheet() -> Any:
    from rich.console import Console

    from pliant.cli.sheet import Sheet

    return Sheet(Console())
