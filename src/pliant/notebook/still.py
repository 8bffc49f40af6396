"""The picture that a saved notebook shows: drawn once, when the output is made."""

import io
from typing import Any

import numpy as np

from pliant.runtime.errors import PliantError
from pliant.session.player.shot import Shot
from pliant.session.player.unpacked import Unpacked
from pliant.session.render.view import View

STILL_SIZE = (640, 360)  # pixels: below 100 kB, so that notebooks stay small
STILL_PASSES = 24  # pictures that are added up; 64 are for print


def still(view: View, size: tuple[int, int] = STILL_SIZE) -> bytes | None:
    """A PNG, or None where nothing can be drawn (no [render], no OpenGL): the notebook works without it."""
    from pliant.session.render.renderer import Renderer

    try:
        from PIL import Image

        with Renderer(*size, passes=STILL_PASSES) as renderer:
            drawn = Image.fromarray(renderer.draw(view))
    except (PliantError, ImportError):
        return None
    file = io.BytesIO()
    drawn.quantize(256).save(file, format="png", optimize=True)  # a third of the bytes, and hardly seen
    return file.getvalue()


def telling(numbers: Any, first_of_bars: list[int], frames: int) -> int:
    """The frame in which the poses count most; in the middle, where there are none.

    >>> telling(np.array([[1.0, 0.0], [0.2, 0.8], [0.9, 0.1]]), [0], 3)
    1
    """
    if not first_of_bars or not len(numbers):
        return frames // 2
    return int(np.asarray(numbers)[:, first_of_bars].mean(axis=1).argmin())


def view_of_recording(recording: Unpacked) -> View:
    """Its most telling moment."""
    firsts, first = [], 0
    for bar in recording.setup["bars"]:
        firsts.append(first)
        first += len(bar["names"])
    return recording.view(telling(recording.numbers, firsts, recording.frames))


def view_of_shot(shot: Shot) -> View:
    """The same of a shot in memory."""
    firsts = np.cumsum([0, *(len(bar.names) for bar in shot.bars)])[:-1].tolist()
    return shot.stage.view(shot.frame(telling(shot.numbers(), firsts, shot.take.frames)), shot.seen_from)
