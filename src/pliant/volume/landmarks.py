"""A surface as a few hundred landmarks with rings: what models see of a deformation, before there is a volume."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree

from pliant.files.asset import Asset
from pliant.geometry.regions import Regions, regions
from pliant.volume.draft import point_areas
from pliant.volume.fine import Fine, cut_finer
from pliant.volume.welding import weld

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

LANDMARKS = 400  # half as many miss the fingers of a character, twice as many choose the same frames


@dataclass(frozen=True, eq=False)
class Landmarks:
    """rows (K,): vertices of the asset; rest (K, 3) m; areas (K,) m^2: of the surface nearest to each; parts: their
    rings; units (M,): makes the shapes of the rings a part of the rest shape, as `Deformation.shapes` are."""

    rows: Numbers
    rest: Array
    areas: Array
    parts: Regions
    units: Array

    def describe(self, places: Array) -> Array:
        """(3 M,): how the rings at these places (K, 3) differ from rest, each in its own frame."""
        return (self.units[:, None] * self.parts.shapes(places)).ravel()


def landmarks_of(asset: Asset, count: int = LANDMARKS) -> Landmarks:
    """Up to `count` vertices, as far from one another along the surface as can be; neighbours share a ring. Pieces that
    are apart hold on to their nearest neighbours, as they will in a volume."""
    welded = weld(asset.vertices, asset.faces, {})
    points = asset.vertices[welded.vertices]
    surface = cut_finer(points, welded.faces, np.inf)
    given = np.unique(welded.faces)  # points of the surface, by their numbers
    seeds, owner = spread_points(surface, count)
    pairs = np.sort(owner[surface.edges.ends], axis=1)
    pairs = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
    pairs = np.concatenate([pairs, across_pieces(surface, seeds)])
    areas = np.zeros(len(seeds))
    np.add.at(areas, owner, point_areas(surface.points, surface.faces.astype(np.int32)))
    rest = surface.points[seeds]
    parts = regions(rest, areas, pairs.astype(np.int32), "shell")
    shares = parts.effective[parts.members]
    whole = max(float(shares @ np.square(parts.offsets).sum(axis=1)), 1e-300)
    return Landmarks(welded.vertices[given[seeds]].astype(np.int64), rest, areas, parts, np.sqrt(shares / whole))


def spread_points(surface: Fine, count: int) -> tuple[Numbers, Numbers]:
    """Points (K,) each the farthest from those before it, and for all points which of them is nearest."""
    total = len(surface.points)
    if total <= count:
        return np.arange(total), np.arange(total)
    away = np.full(total, np.inf)
    owner = np.zeros(total, np.int64)
    seeds: list[int] = []
    point = 0
    while len(seeds) < count:
        reached = dijkstra(surface.graph, directed=False, indices=point, limit=float(away.max()))
        closer = reached < away
        away[closer], owner[closer] = reached[closer], len(seeds)
        seeds.append(point)
        point = int(np.argmax(away))
        if away[point] <= 0.0:
            break
    return np.array(seeds), owner


def across_pieces(surface: Fine, seeds: Numbers) -> Numbers:
    """Pairs of landmarks of different pieces: each of a smaller piece with the nearest of the others."""
    pieces, piece = surface.pieces
    of_seed = piece[seeds]
    found = [np.zeros((0, 2), np.int64)]
    largest = np.bincount(of_seed, minlength=pieces).argmax()
    places = surface.points[seeds]
    for number in range(pieces):
        own, others = np.flatnonzero(of_seed == number), np.flatnonzero(of_seed != number)
        if number == largest or not len(own) or not len(others):
            continue
        near = others[cKDTree(places[others]).query(places[own])[1]]
        found.append(np.stack([own, near], axis=1))
    return np.concatenate(found)
