"""What of a surface is worked out once and serves all frames of a film."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pliant.session.render.batch import Batch
from pliant.session.render.draw_list import Casters
from pliant.session.render.simplify import coarse, refined
from pliant.session.render.view import Drawable

LONGEST_EDGE = 0.1  # of the action's radius: edges of surfaces, whose vertices are told the light of the sky
FINEST_EDGE = 0.02  # of a surface's own size: walls that reach far beyond the action
SKY_TRIANGLES = 3000  # triangles that shade the sky, of all surfaces together


class Figure:
    """A surface with edges short enough for light per vertex, and a coarser one for its shade."""

    def __init__(self, drawable: Drawable, radius: float, most: int) -> None:
        self.drawable = drawable
        vertices, faces = np.asarray(drawable.vertices), np.asarray(drawable.faces)
        size = float(np.linalg.norm(np.ptp(vertices, axis=0))) if len(vertices) else 0.0
        finer = refined(vertices, faces, max(LONGEST_EDGE * radius, FINEST_EDGE * size))
        self._blend = None if finer is None else finer[0]
        self._faces = faces if finer is None else finer[1]
        self.coarse = coarse(vertices, faces, most)

    def finer(self, now: Drawable) -> Drawable:
        """The surface where it is now, finer where it needs to be."""
        if self._blend is None:
            return now
        there: NDArray[np.float64] = self._blend @ np.concatenate([now.vertices, now.normals], axis=1)
        return self._fixed.moved(there[:, :3], there[:, 3:])

    @cached_property
    def _fixed(self) -> Drawable:
        """The finer surface at first, with all that stays the same."""
        assert self._blend is not None
        rows = {
            name: self._blend @ value
            for name in ("vertices", "normals", "colour", "inside", "uv")
            for value in (getattr(self.drawable, name),)
            if np.ndim(value) == 2  # one row a vertex; others are a colour for all, or nothing
        }
        return replace(self.drawable, faces=self._faces, **rows)


class Company:
    """The figures of a film's drawables. Those that stay on keep their figures when others come and go."""

    def __init__(self, radius: float) -> None:
        self.radius = radius
        self.figures: list[Figure] = []

    def knows(self, drawables: Sequence[Drawable]) -> bool:
        """Whether these are the same surfaces as before."""
        return len(drawables) == len(self.figures) and all(
            figure.drawable.looks_like(drawable) for figure, drawable in zip(self.figures, drawables, strict=True)
        )

    def meet(self, drawables: Sequence[Drawable]) -> None:
        """Makes figures for those that have none."""
        total = sum(len(np.asarray(each.faces)) for each in drawables)
        known = list(self.figures)
        self.figures = []
        for drawable in drawables:
            found = next((figure for figure in known if figure.drawable.looks_like(drawable)), None)
            if found is None:
                share = SKY_TRIANGLES * len(np.asarray(drawable.faces)) // max(total, 1)
                found = Figure(drawable, self.radius, max(share, 32))
            self.figures.append(found)

    def finer(self, drawables: Sequence[Drawable]) -> list[Drawable]:
        return [figure.finer(drawable) for figure, drawable in zip(self.figures, drawables, strict=True)]

    def casters(self, batch: Batch, finer: Sequence[Drawable]) -> Casters:
        """Faces that cast shadows, closed surfaces and open ones: as they are for the lamp, coarser for the sky."""
        kinds: dict[str, list[list[NDArray[np.int32]]]] = {"lamp": [[], []], "sky": [[], []]}
        start = 0
        for index in batch.order:
            figure = self.figures[index]
            if figure.drawable.alpha == "opaque":
                bare = not figure.drawable.closed
                kinds["lamp"][bare].append(np.asarray(figure.drawable.faces) + start)
                kinds["sky"][bare].append(figure.coarse + start)
            start += len(np.asarray(finer[index].vertices))
        none = np.empty((0, 3), np.int32)

        def joined(faces: list[NDArray[np.int32]]) -> NDArray[np.int32]:
            return np.concatenate([none, *faces]).astype(np.int32)

        return {name: (joined(closed), joined(bare)) for name, (closed, bare) in kinds.items()}
