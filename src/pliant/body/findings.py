"""What is wrong with a set of example poses, in words, with a way out for each."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import examples
from pliant.body.body import Body
from pliant.body.checks import ELEMENTS
from pliant.body.examples import Deformation
from pliant.geometry.measures import diagonal
from pliant.geometry.regions import Regions

CRUSHED = 0.05  # of the rest volume, area or length
REST_LIKE = 2e-3  # of rest: a deformation that no eye tells from it (UNSEEN of pliant.examples)
PARALLEL = 0.99  # cosine between two poses
DEPENDENT = 0.02  # part of a pose that the others leave unexplained
NUMBERS_TOLD = 5  # element numbers written out before "..."


@dataclass(frozen=True)
class Finding:
    """One thing to mend: kind (a word for programs), the pose, what was found and what to do about it.

    Kinds: inverted, mirrored, crushed, rest-like, unstretched, unseen, alike, dependent, length-kept, ill-
    conditioned.
    """

    kind: str
    pose: str
    text: str
    advice: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def find(
    body: Body, parts: Regions, found: list[Deformation], seen: Mapping[str, Mapping[str, bool]]
) -> list[Finding]:
    """Everything to mend, pose by pose, then what concerns the set.  seen: of each model that was asked, by its name:
    which poses it can tell from rest. Without any, the poses that models of stretches cannot are told."""
    findings: list[Finding] = []
    for pose in found:
        findings += _folds(body, pose)
        if pose.change < REST_LIKE:
            findings.append(_like_rest(pose))
            continue
        blind = [model for model, sees in seen.items() if not sees[pose.name]]
        if blind:
            findings.append(_unseen(body, pose, blind))
        elif not seen and pose.strain < REST_LIKE:
            findings.append(_unstretched(body, pose))
        if pose.strain >= REST_LIKE:
            findings += _kept_length(body, parts, pose)
    return findings + _set(found)


def _folds(body: Body, pose: Deformation) -> list[Finding]:
    noun = ELEMENTS[body.elements.shape[1]]
    inverted = np.flatnonzero(pose.ratios <= 0) if body.kind == "solid" else np.empty(0, int)
    if 2 * len(inverted) > len(pose.ratios):
        text = f"is mirrored: {len(inverted)} of {len(pose.ratios)} tets are inside out"
        return [
            Finding("mirrored", pose.name, text, "mirror it back: negate one coordinate of its positions")
        ]
    findings = []
    if len(inverted):
        text = f"turns {_elements(noun, inverted)} inside out {_place(body, inverted)}"
        advice = "make the pose gentler there, or the mesh finer"
        findings.append(Finding("inverted", pose.name, text, advice))
    crushed = np.setdiff1d(np.flatnonzero(pose.ratios < CRUSHED), inverted)
    if len(crushed):
        least = pose.ratios[crushed].min()
        text = f"crushes {_elements(noun, crushed)} to {least:.1%} of the rest size {_place(body, crushed)}"
        findings.append(Finding("crushed", pose.name, text, "leave these at least a twentieth of their size"))
    flat = np.flatnonzero(pose.principal[:, 0] < CRUSHED)
    if len(flat) and not findings:
        where = _where(body, body.rest[flat].mean(axis=0))
        text = f"flattens {_elements('region', flat)} to {max(pose.principal[flat, 0].min(), 0):.1%} {where}"
        findings.append(Finding("crushed", pose.name, text, "squeeze the body less there"))
    return findings


def _like_rest(pose: Deformation) -> Finding:
    text = "is the rest shape, moved rigidly at most"
    return Finding("rest-like", pose.name, text, "deform it or remove it")


def _unseen(body: Body, pose: Deformation, blind: list[str]) -> Finding:
    text = f"{_moves(body, pose)}, which {' and '.join(blind)} cannot tell from rest: it gets no weight"
    return Finding("unseen", pose.name, text, "deform it more, or play it with a model that sees it")


def _unstretched(body: Body, pose: Deformation) -> Finding:
    text = f"{_moves(body, pose)} but stretches nothing (rms of S - I {pose.strain:.1g}): it only bends"
    advice = 'fine for models that see bends; goals="paper" and weights="paper" of shape matching take it for rest'
    return Finding("unstretched", pose.name, text, advice)


def _moves(body: Body, pose: Deformation) -> str:
    return f"moves by up to {pose.distances.max() / diagonal(body.rest):.1%} of the diagonal"


def _kept_length(body: Body, parts: Regions, pose: Deformation) -> list[Finding]:
    """A twist shows under compression only if it is itself shorter along its axis: the mean of a.S a below
    1.
    """
    axis = examples.twist_axis(body, parts, pose)
    if axis is None:
        return []
    mean = float(parts.masses @ np.einsum("i,nij,j->n", axis, pose.stretches, axis) / parts.masses.sum())
    if mean < 0.99:
        return []
    how = "keeps its length" if mean < 1.01 else f"stretches along it by {mean - 1:.0%} on average"
    text = f"twists about {_point(axis, 2)} but {how}, so it does nothing under compression"
    return [
        Finding("length-kept", pose.name, text, "shorten it along the axis, such as twist(..., shorten=0.2)")
    ]


def _set(found: list[Deformation]) -> list[Finding]:
    seen = [pose for pose in found if pose.change >= REST_LIKE]
    if len(seen) < 2:
        return []
    columns = examples.descriptors(seen)
    cosines = examples.cosines(columns)
    findings: list[Finding] = []
    for k, pose in enumerate(seen):
        twin = next((j for j in range(k) if cosines[j, k] > PARALLEL), None)
        if twin is not None:
            text = f'is nearly pose "{seen[twin].name}" (likeness {cosines[twin, k]:.4f})'
            advice = "keep the stronger of the two: a model cannot tell them apart"
            findings.append(Finding("alike", pose.name, text, advice))
            continue
        left, weights = examples.blend_of_earlier(columns, k) if k else (1.0, np.empty(0))
        if left < DEPENDENT:
            parts = [
                f'{w:.2g} "{seen[j].name}"'
                for j, w in enumerate(weights)
                if abs(w) > 0.01 * abs(weights).max()
            ]
            text = f"is a blend of other poses: {' + '.join(parts)}"
            # Weights are convex: only a blend of parts that sum to at most one is reached without the pose.
            reached = weights.min() >= -DEPENDENT and weights.sum() <= 1 + DEPENDENT
            mend = (
                "remove it: that blend is reached without it"
                if reached
                else "weights are not unique: change it"
            )
            findings.append(Finding("dependent", pose.name, text, mend))
    number = examples.condition(columns)
    if not findings and number > 1e6:
        weakest = min(seen, key=lambda pose: pose.change)
        text = f"makes the set hard to tell apart (condition number {number:.1g})"
        findings.append(Finding("ill-conditioned", weakest.name, text, "deform it more, or the others less"))
    return findings


def _elements(noun: str, which: NDArray[np.intp]) -> str:
    numbers = ", ".join(map(str, which[:NUMBERS_TOLD])) + (", ..." if len(which) > NUMBERS_TOLD else "")
    return f"{noun} {numbers}" if len(which) == 1 else f"{len(which)} {noun}s ({numbers})"


def _place(body: Body, which: NDArray[np.intp]) -> str:
    """Where the first of these elements is at rest: people look there first, and a mean may lie outside."""
    return _where(body, body.rest[body.elements[which[0]]].mean(axis=0))


def _where(body: Body, place: NDArray[np.float64]) -> str:
    low, size = body.rest.min(axis=0), body.size
    words = []
    for k, (less, more) in ((1, ("bottom", "top")), (0, ("left", "right")), (2, ("back", "front"))):
        part = (place[k] - low[k]) / size[k] if size[k] > 1e-9 * size.max() else 0.5
        words += [less] if part < 1 / 3 else [more] if part > 2 / 3 else []
    return f"near {_point(place, 3)}, {' '.join(words) or 'middle'}"


def _point(values: NDArray[np.float64], digits: int) -> str:
    return "(" + ", ".join(f"{round(float(x), digits) + 0.0:g}" for x in values) + ")"
