"""The report on a body's example poses: a table for people, findings with advice, a dictionary for
programs.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from pliant.body import examples
from pliant.body.body import Body
from pliant.body.checks import ELEMENTS, KIND_BY_CORNERS
from pliant.body.findings import CRUSHED, Finding, find
from pliant.geometry.measures import diagonal

SIZES = {"solid": "volume", "shell": "area", "rod": "length"}


class Sees(Protocol):
    """Settings of a model, which know what its descriptor tells from rest."""

    def sees(self, body: Body) -> Mapping[str, bool]: ...


@dataclass(frozen=True)
class PoseReport:
    """One pose in numbers.

    rms, largest (m) and their percentages of the diagonal: the distance of the particles from rest after
    rigid alignment. strain: rms of |S - I| over the regions. stretch: least and largest principal stretch.
    size: least and largest volume (solid), area (shell) or length (rod) of an element over that at rest.
    inverted, crushed: elements.
    """

    name: str
    rms: float
    rms_percent: float
    largest: float
    largest_percent: float
    strain: float
    stretch: tuple[float, float]
    size: tuple[float, float]
    inverted: tuple[int, ...]
    crushed: tuple[int, ...]


@dataclass(frozen=True)
class Report:
    """The quality of a set of example poses: print it, or read `poses`, `condition`, `findings`.

    condition: of L^T L, 1 for poses at right angles and of like strength; infinite if a pose depends on
    others; None without poses.
    """

    body: str
    kind: str
    particles: int
    elements: int
    diagonal: float
    poses: tuple[PoseReport, ...]
    condition: float | None
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, fit for JSON; an infinite condition number becomes None."""
        result = asdict(self)
        result["poses"] = [
            {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(pose).items()}
            for pose in self.poses
        ]
        result["condition"] = self.condition if self.condition and np.isfinite(self.condition) else None
        result["findings"] = [finding.to_dict() for finding in self.findings]
        return result

    def __str__(self) -> str:
        noun = {KIND_BY_CORNERS[corners]: noun for corners, noun in ELEMENTS.items()}[self.kind]
        lines = [
            f'Example poses of body "{self.body}": {self.kind}, {self.particles} particles, '
            f"{self.elements} {noun}s, diagonal {self.diagonal:.3g} m"
        ]
        if not self.poses:
            return "\n".join([*lines, "no poses yet; add one with body.with_pose(name, positions)"])
        head = ("pose", "moves (rms)", "at most", "|S - I|", "stretch", SIZES[self.kind])
        lines += ["", *_table([head, *(_row(pose) for pose in self.poses)]), ""]
        lines.append(f"condition number of the set: {self.condition:.3g}")
        if not self.findings:
            lines.append("nothing to mend")
        for finding in self.findings:
            lines.append(f'{finding.kind}: pose "{finding.pose}" {finding.text}; {finding.advice}')
        return "\n".join(lines)


def report(body: Body, asked: tuple[Sees, ...] = (), played: Body | None = None) -> Report:
    """Measure every pose of a body and look for what would spoil a simulation.  asked: settings of models that shall
    play it, or the body `played` in its place."""
    parts, found = examples.deformations(body)
    size = diagonal(body.rest)
    seen = {type(settings).__name__: settings.sees(played or body) for settings in asked}
    findings = find(body, parts, found, seen)
    return Report(
        body=body.name,
        kind=body.kind,
        particles=len(body.rest),
        elements=len(body.elements),
        diagonal=size,
        poses=tuple(_in_numbers(body, pose, size) for pose in found),
        condition=examples.condition(examples.descriptors(found)) if found else None,
        findings=tuple(findings),
    )


def _in_numbers(body: Body, pose: examples.Deformation, size: float) -> PoseReport:
    share = body.masses / body.mass
    rms, largest = float(np.sqrt(share @ pose.distances**2)), float(pose.distances.max())
    inverted = (pose.ratios <= 0) & (body.kind == "solid")
    return PoseReport(
        name=pose.name,
        rms=rms,
        rms_percent=100 * rms / size,
        largest=largest,
        largest_percent=100 * largest / size,
        strain=pose.strain,
        stretch=(float(pose.principal.min()), float(pose.principal.max())),
        size=(float(pose.ratios.min()), float(pose.ratios.max())),
        inverted=tuple(np.flatnonzero(inverted).tolist()),
        crushed=tuple(np.flatnonzero((pose.ratios < CRUSHED) & ~inverted).tolist()),
    )


def _row(pose: PoseReport) -> tuple[str, ...]:
    return (
        pose.name,
        f"{pose.rms:.3g} m {pose.rms_percent:.1f} %",
        f"{pose.largest:.3g} m {pose.largest_percent:.1f} %",
        f"{pose.strain:.3f}",
        f"{pose.stretch[0]:.2f} to {pose.stretch[1]:.2f}",
        f"{pose.size[0]:.2f} to {pose.size[1]:.2f}",
    )


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
