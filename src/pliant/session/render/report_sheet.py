"""The report on a set of poses as a picture: the poses in a row, below each what models see of it, below all the
advice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.body.examples import deformations
from pliant.body.report import Report
from pliant.examples.gram import UNSEEN
from pliant.session.render import film
from pliant.session.render.palette import INK, rgb
from pliant.session.render.picture import Picture, pillow

Array = NDArray[np.float64]

# How much a ring changes its shape, as a part of its size, and the colour for it; in between colours are mixed by the
# logarithm. Below the first, a descriptor cannot be told from that of rest: no model sees it.
HEAT = ((UNSEEN, "#b9bec7"), (0.02, "#f7e08b"), (0.1, "#f0913a"), (0.4, "#b3202c"))
LEGEND = "what models see of it: grey nothing (rest, or carried along), yellow 2 %, orange 10 %, red 40 % and more"
MOST_ADVICE = 12  # lines
LETTER_HEIGHT = 1 / 26  # height of the letters, as a part of a tile's


def report_sheet(body: Body, report: Report, *, height: int = film.TILE_HEIGHT) -> Picture:
    """A picture of the poses of a body, with the heat map of what models see of each, and the findings of its
    report."""
    poses = film.pose_sheet(body, height=height)
    if not body.poses:
        return poses
    heat = film.pose_sheet(body, height=height, colours=_heat(body))
    lines = [LEGEND, "", *_advice(report)]
    return np.concatenate([poses, heat, _text(lines, poses.shape[1], max(12, round(LETTER_HEIGHT * height)))])


def ring_changes(body: Body) -> dict[str, Array]:
    """For each pose, how much the ring of each particle (V,) changes its shape, as a part of the ring's size.

    >>> import pliant
    >>> bar = pliant.shapes.cuboid(cells=(2, 2, 2)).with_pose("long", lambda x: x * (1, 1, 1.5))
    >>> changes = ring_changes(bar)["long"]
    >>> bool(0.2 < changes.min() < changes.max() < 0.5)
    True
    """
    parts, found = deformations(body)
    starts = parts.starts[:-1]
    shares = parts.effective[parts.members]
    unit = np.sqrt(np.add.reduceat(shares * np.square(parts.offsets).sum(axis=1), starts))
    whole = np.sqrt(max(float(np.square(unit).sum()), 1e-300))
    scale = whole / np.maximum(unit, 1e-300)
    return {
        each.name: scale * np.sqrt(np.add.reduceat(np.square(each.shapes).sum(axis=1), starts)) for each in found
    }


def heat_colours(changes: Array) -> Array:
    """Colours (N, 3), sRGB 0 to 1, of changes (N,)."""
    levels = np.log([level for level, _ in HEAT])
    colours = np.array([rgb(colour) for _, colour in HEAT], np.float64)
    at = np.log(np.maximum(changes, 1e-12))
    return np.stack([np.interp(at, levels, colours[:, k]) for k in range(3)], axis=1)


def _heat(body: Body) -> list[Array]:
    """Colours of the vertices at rest and in each pose."""
    skin = body.skin

    def on_skin(values: Array) -> Array:
        return heat_colours(np.einsum("nk,nk->n", np.abs(skin.weights), values[skin.indices]))

    return [on_skin(np.zeros(len(body.rest))), *(on_skin(changes) for changes in ring_changes(body).values())]


def _advice(report: Report) -> list[str]:
    lines = [f'{each.kind}: pose "{each.pose}" {each.text}; {each.advice}' for each in report.findings]
    if not lines:
        return ["nothing to mend"]
    more = len(lines) - MOST_ADVICE
    return lines[:MOST_ADVICE] + ([f"and {more} more findings: print(body.report())"] if more > 0 else [])


def _text(lines: Sequence[str], width: int, letters: int) -> Picture:
    """Lines on paper, broken where they are too long."""
    from_pillow = pillow()
    font = from_pillow.ImageFont.load_default(letters)
    measure = from_pillow.ImageDraw.Draw(from_pillow.Image.new("RGB", (8, 8))).textlength
    broken: list[str] = []
    for line in lines:
        row = ""
        for word in line.split(" "):
            longer = f"{row} {word}" if row else word
            if row and measure(longer, font=font) > width - 2 * letters:
                broken.append(row)
                longer = f"   {word}"
            row = longer
        broken.append(row)
    step = round(1.5 * letters)
    canvas = from_pillow.Image.new("RGB", (width, step * len(broken) + 2 * letters), "#ffffff")
    pen = from_pillow.ImageDraw.Draw(canvas)
    for number, row in enumerate(broken):
        pen.text((letters, letters + step * number), row, fill=INK, font=font)
    return np.asarray(canvas)
