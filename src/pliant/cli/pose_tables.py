"""What `pliant poses` found, as people and programs read it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pliant.body.report import Report
    from pliant.volume.filling.fit import Fit
    from pliant.volume.from_animation import AnimationPoses
    from pliant.volume.from_mesh import MeshPoses
    from pliant.volume.posed import SavedPoses

CURVE_WIDTH = 16  # characters of a full bar


def print_poses(found: AnimationPoses | MeshPoses | Report, saved: SavedPoses, as_json: bool) -> None:
    """What was found, how well it came over, and where it is now."""
    from pliant.body.report import Report
    from pliant.volume.from_animation import AnimationPoses

    if as_json:
        if isinstance(found, Report):
            told = found.to_dict()
        else:
            told = _animation(found) if isinstance(found, AnimationPoses) else _meshes(found)
        rest = {"fits": [asdict(fit) for fit in saved.fits], "notes": list(saved.notes), "file": str(saved.path)}
        print(json.dumps(told | rest, indent=2))
        return
    sheet = _sheet()
    if isinstance(found, Report):
        sheet.line(str(found))
    elif isinstance(found, AnimationPoses):
        _print_animation(sheet, found)
    else:
        _print_meshes(sheet, found)
    _print_saved(saved)


def _animation(found: AnimationPoses) -> dict[str, Any]:
    return {
        "frames": len(found.times),
        "poses": [asdict(frame) for frame in found.frames],
        "curve": [{"poses": n, "largest": a, "mean": b} for n, (a, b) in enumerate(found.curve.tolist())],
        "redundant": list(found.redundant),
    }


def _print_animation(sheet: Any, found: AnimationPoses) -> None:
    """The frames that were chosen, and how far the others are from their blends as poses are added."""
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


def _meshes(found: MeshPoses) -> dict[str, Any]:
    matches = [
        {"name": name, "forward": m.forward, "backward": m.backward, "stretch": list(m.stretch), "turned": m.turned,
         "scale": m.scale}
        for name, m in found.matches.items()
    ]  # fmt: skip
    return {"matches": matches}


def _print_meshes(sheet: Any, found: MeshPoses) -> None:
    """How well each mesh is matched."""
    sheet.heading(f"{found.asset.source.name}: poses from other meshes")
    rows = [
        (name, f"{m.forward:.2%}", f"{m.backward:.2%}", f"{m.stretch[0]:.2f} to {m.stretch[1]:.2f}", f"{m.scale:.3g}")
        for name, m in found.matches.items()
    ]
    sheet.table(("pose", "to the mesh", "and back", "edges", "scaled"), rows)
    sheet.line("to the mesh: distance of 99 % of the surface, of the diagonal; edges: their length over that at rest")


def _print_saved(saved: SavedPoses) -> None:
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
