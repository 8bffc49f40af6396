"""The contact shapes of all actors as flat arrays."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.collision import layout as at
from pliant.collision.records import Shapes
from pliant.collision.shapes import Shape, shape_of
from pliant.geometry.measures import volumes

Array = NDArray[np.float64]


class Placed(NamedTuple):
    """A body as contact sees it: its first particle, and what kind of nodes it is made of."""

    body: Body
    first: int
    kind: int  # at.SOFT, at.STIFF or at.TURNING


def lay_out_shapes(bodies: Sequence[Placed]) -> Shapes:
    """One after the other; attachments and tets name particles of the state."""
    shapes = [shape_of(each.body) for each in bodies]
    heads = np.zeros((len(bodies), at.BODY), np.int64)
    materials = np.zeros((len(bodies), at.BODY_ROW))
    grids = _Grids()
    proxies = attachments = tets = cores = blocks = 0
    starts: list[Any] = [np.zeros(1, np.int64)]
    block_starts, block_proxies = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    for number, (each, shape) in enumerate(zip(bodies, shapes, strict=True)):
        head = heads[number]
        head[at.KIND], head[at.BODY_FIRST], head[at.BODY_END] = each.kind, each.first, each.first + len(each.body.rest)
        head[at.PROXY], head[at.PROXY_END] = proxies, proxies + len(shape)
        head[at.FIELD], head[at.CELLS] = grids.begin(shape)
        head[at.TETS] = tets
        head[at.RANK] = head[at.OF_RANK] = number
        materials[number, at.RADIUS], materials[number, at.BODY_SIZE] = shape.radius, shape.size
        materials[number, at.BODY_REACH] = shape.reach
        materials[number, at.CORE_DEPTH] = shape.core_depth
        head[at.CORE], head[at.CORE_END] = cores, cores + len(shape.core_points)
        cores += len(shape.core_points)
        head[at.BODY_BLOCK], head[at.BODY_BLOCK_END] = blocks, blocks + len(shape.block_starts) - 1
        blocks += len(shape.block_starts) - 1
        block_starts.append(shape.block_starts[1:] + each.first)
        block_proxies.append(shape.block_proxies[1:] + proxies)
        starts.append(shape.starts[1:] + attachments)
        proxies, attachments = proxies + len(shape), attachments + len(shape.particles)
        tets += len(each.body.elements) if _has_tets(each, shape) else 0
    firsts = [each.first for each in bodies]
    with_tets = [each for each, shape in zip(bodies, shapes, strict=True) if _has_tets(each, shape)]
    return Shapes(
        heads.reshape(-1), materials.reshape(-1),
        np.repeat(np.arange(len(bodies)), [len(shape) for shape in shapes]), np.concatenate(starts),
        _joined([shape.particles + first for shape, first in zip(shapes, firsts, strict=True)], np.int64),
        _joined([shape.weights for shape in shapes]),
        _joined([(shape.holders + first).reshape(-1) for shape, first in zip(shapes, firsts, strict=True)], np.int64),
        _joined([shape.shares.reshape(-1) for shape in shapes]),
        _joined([np.column_stack([shape.rest, shape.radii]).reshape(-1) for shape in shapes]),
        _joined([shape.flat for shape in shapes], np.int64),
        _joined([(shape.inner + first).reshape(-1) for shape, first in zip(shapes, firsts, strict=True)], np.int64),
        _joined([shape.inner_weights.reshape(-1) for shape in shapes]),
        _joined([shape.inner_rest.reshape(-1) for shape in shapes]),
        _joined(grids.fields, np.float32), _joined(grids.cells, np.int64),
        _joined([np.asarray(each.body.elements).reshape(-1) + each.first for each in with_tets], np.int64),
        _joined([each.body.rest[each.body.elements].reshape(-1) for each in with_tets]),
        _joined([6.0 * volumes(each.body.rest, each.body.elements) for each in with_tets]),
        _joined([each.body.rest.reshape(-1) for each in bodies]),
        _joined([shape.core_points.reshape(-1) for shape in shapes]),
        _joined([shape.block_particles + first for shape, first in zip(shapes, firsts, strict=True)], np.int64),
        np.concatenate(block_starts), np.concatenate(block_proxies), _joined([shape.reaches for shape in shapes]),
    )  # fmt: skip


def _has_tets(each: Placed, shape: Shape) -> bool:
    return shape.grid is not None and each.body.kind == "solid"


class _Grids:
    """Grids of distances, one after the other; bodies of one shape share theirs."""

    def __init__(self) -> None:
        self.fields: list[NDArray[np.float32]] = []
        self.cells: list[NDArray[np.int64]] = []
        self.known: dict[int, tuple[int, int]] = {}
        self.size = self.points = 0

    def begin(self, shape: Shape) -> tuple[int, int]:
        """Where the grid of a shape begins, and the tets of its points."""
        grid, cells = shape.grid, shape.cells
        if grid is None or cells is None:
            return -1, -1
        if id(grid) not in self.known:
            self.known[id(grid)] = self.size, self.points
            head = np.zeros(at.GRID_HEAD, np.float32)
            head[at.GRID_POINTS : at.GRID_POINTS + 3], head[at.GRID_SPACING] = grid.values.shape, grid.spacing
            for place, corner in ((at.GRID_ORIGIN, grid.origin), (at.GRID_LOW, grid.low), (at.GRID_HIGH, grid.high)):
                head[place : place + 3] = corner
            self.fields += [head, grid.values.reshape(-1)]
            self.cells.append(cells)
            self.size += at.GRID_HEAD + grid.values.size
            self.points += len(cells)
        return self.known[id(grid)]


def _joined(parts: Sequence[NDArray[Any]], dtype: Any = np.float64) -> NDArray[Any]:
    return np.ascontiguousarray(np.concatenate([np.empty(0, dtype), *parts]).astype(dtype, copy=False))
