"""Which weights there are: poses, and parts of poses that have weights of their own.

A column is a field of strains with one weight. With examples "global" every pose is a column. With named groups of
particles every pose is one column per group, cut to the tets of that group, and only those tets are blended. Weights
are convex in sets: one per named group; and of global poses those that deform the same part of the body, so that a nod
and a kick do not compete (pliant.examples.parts)."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.elastic.assembly import Pattern, make_pattern
from pliant.elastic.blending import Blending, six_strains
from pliant.elastic.elements import Elements, elements_of
from pliant.examples import given_weights, groups_of, visible
from pliant.geometry.selection import select

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
FROBENIUS = np.array([1, 1, 1, 2, 2, 2.0])
SEVEN = 7  # numbers of a tet: six of its strain, and its volume ratio less one


@dataclass(frozen=True, eq=False)
class Columns:
    """K columns. groups: names of the sets; names: of the poses; strains (K, 6 T); ratios (K, T): volume over that at
    rest, less one; sets (K,): number of the convex set of each column; poses (K,): number of its pose; within (T,): 1
    in the tets that are blended, else 0; lost (T,): tets that some pose turns inside out.

    Strains do not tell inside from outside: a lost tet would be drawn to its mirror image, against all its neighbours,
    and hold the whole body up half-way. So it has no say; its neighbours take its corners along."""

    elements: Elements
    groups: tuple[str, ...]
    names: tuple[str, ...]
    strains: Array
    ratios: Array
    sets: Ints
    poses: Ints
    within: Array
    lost: NDArray[np.bool_]

    def given(self, forced: Mapping[str, float]) -> Array:
        """(K,) the forced weights, -1 where a weight is free, 0 where there is nothing to be found."""
        given = given_weights((self.names[pose] for pose in self.poses), forced, free=-1.0)
        # what a pose leaves unstrained gets no weight, unless it is given one
        return np.where(self.strained, given, np.maximum(given, 0.0))

    @cached_property
    def strained(self) -> NDArray[np.bool_]:
        """(K,) which columns can be told from rest."""
        return visible(np.square(self.strains) @ np.repeat(self.elements.volumes, 6), self.elements.volumes.sum())

    def table(self, weights: Array) -> Array:
        """(groups, 1 + poses), rest first."""
        table = np.zeros((len(self.groups), 1 + len(self.names)))
        table[self.sets, 1 + self.poses] = weights
        table[:, 0] = 1.0 - table[:, 1:].sum(axis=1)
        return table

    @cached_property
    def pattern(self) -> Pattern:
        return make_pattern(self.elements)

    def blending(self) -> Blending:
        """To find shapes between the columns."""
        return Blending(self.elements, self.strains, self.pattern, self.lost)

    @cached_property
    def basis(self) -> Array:
        """(2 K, 7 T): each column, strain and volume together, then its bow:

        B_k = 4 [ D(Pi(1/2)) - (D_0 + D_k)/2 ],    so that  w D_k + (1 - w) w B_k  is a real shape at w = 1/2.

        A column whose half is not found goes straight."""
        count = len(self.elements.tets)
        straight = _descriptors(self.strains.reshape(-1, count, 6), self.ratios)
        bows = np.zeros_like(straight)
        blending, none = self.blending(), np.zeros(len(straight))
        for k, column in enumerate(straight):
            half = none.copy()
            half[k] = 0.5
            shape, arrived = blending.travel(self.elements.rest.reshape(-1), none, half)
            if arrived:
                ratios = np.linalg.det(self.elements.deformation(shape)) - 1.0
                strains = six_strains(self.elements, shape).reshape(1, count, 6)
                bows[k] = 4.0 * (_descriptors(strains, ratios[None])[0] - 0.5 * column)
        return np.concatenate([straight, bows])


def _descriptors(strains: Array, ratios: Array) -> Array:
    return np.concatenate([strains, ratios[:, :, None]], axis=2).reshape(len(strains), -1)


_kept: "WeakKeyDictionary[Body, dict[Hashable, Columns]]" = WeakKeyDictionary()


def columns_of(body: Body, examples: Any = "global") -> Columns:
    """The columns of a body's poses, made at the first use: "global", or group -> selection of particles."""
    if isinstance(examples, str):
        groups: dict[str, NDArray[np.int32]] = {}
    else:
        groups = {str(name): select(chosen, body.rest, f'group "{name}"') for name, chosen in examples.items()}
    key = tuple((name, chosen.tobytes()) for name, chosen in groups.items())
    kept = _kept.setdefault(body, {})
    if key not in kept:
        kept[key] = _make(body, groups)
    return kept[key]


def _make(body: Body, chosen: dict[str, NDArray[np.int32]]) -> Columns:
    elements = elements_of(body)
    names, count = tuple(body.poses), len(elements.tets)
    strains = np.stack([six_strains(elements, pose) for pose in body.poses.values()])
    ratios = np.stack([np.linalg.det(elements.deformation(pose)) for pose in body.poses.values()]) - 1.0
    turned = ratios <= -1.0
    # a pose that is mirrored as a whole has the strains of its mirror image, which is as good
    lost = (turned & (turned.mean(axis=1, keepdims=True) < 0.5)).any(axis=0)
    if not chosen:
        # |E|^2 as a tensor: what is off the diagonal counts twice
        sizes = elements.volumes * (np.square(strains).reshape(len(names), count, 6) @ FROBENIUS)
        shared = groups_of(body, "global", sizes, body.name)
        sets = shared.seen.argmax(axis=0)
        all_poses, everywhere = np.arange(len(names)), np.ones(count)
        return Columns(elements, shared.names, names, strains, ratios, sets, all_poses, everywhere, lost)
    group_of = tet_groups(elements, list(chosen.values()))
    mine = group_of == np.arange(len(chosen))[:, None]  # (groups, T)
    cut = np.where(np.repeat(mine, 6, axis=1)[:, None], strains, 0.0).reshape(-1, 6 * count)
    cut_ratios = np.where(mine[:, None], ratios, 0.0).reshape(-1, count)
    sets, poses = np.divmod(np.arange(len(cut)), len(names))
    within = (group_of >= 0).astype(np.float64)
    return Columns(elements, tuple(chosen), names, cut, cut_ratios, sets, poses, within, lost)


def tet_groups(elements: Elements, groups: list[NDArray[np.int32]]) -> Ints:
    """(T,) the number of the group of each tet, -1 without: the one that holds most of its corners, and at least two of
    them."""
    particle_group = np.full(elements.count, -1)
    for number, particles in enumerate(groups):
        particle_group[particles] = number
    corners = particle_group[elements.tets]
    votes = np.stack([(corners == number).sum(axis=1) for number in range(len(groups))], axis=1)
    return np.where(votes.max(axis=1) >= 2, votes.argmax(axis=1), -1)
