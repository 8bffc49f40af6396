"""Which parts of a body share their weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples.parts import apart
from pliant.geometry.selection import select
from pliant.runtime.errors import SettingsError

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Groups:
    """names (G,); of (N,): the group of each part, G where it is in none; seen (G, K): which poses have a weight in
    which group."""

    names: tuple[str, ...]
    of: Ints
    seen: NDArray[np.bool_]

    def table(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """(G, 1 + K) from the weights (G, K) of the poses: rest first."""
        return np.concatenate([1.0 - weights.sum(axis=1, keepdims=True), weights], axis=1)


def named_groups(body: Body, examples: Mapping[str, Any], who: str) -> dict[str, NDArray[np.int32]]:
    """Particles in place of selections and of names of the body's groups; each particle in one group at most."""
    found: dict[str, NDArray[np.int32]] = {}
    taken = np.full(len(body.rest), -1)
    for number, (name, selection) in enumerate(examples.items()):
        if isinstance(selection, str):
            if selection not in body.groups:
                have = ", ".join(body.groups) or "none"
                raise SettingsError(
                    f'actor "{who}": examples: group "{name}" names the body\'s group "{selection}", '
                    f"which it has not (it has {have})"
                )
            selection = body.groups[selection]
        chosen = select(selection, body.rest, f'actor "{who}": examples: group "{name}"')
        twice = chosen[taken[chosen] >= 0]
        if len(twice):
            other = list(found)[taken[twice[0]]]
            raise SettingsError(
                f'actor "{who}": examples: particle {twice[0]} is in group "{other}" and in "{name}"; '
                "a particle has one set of weights"
            )
        taken[chosen] = number
        found[str(name)] = chosen
    return found


def groups_of(body: Body, examples: str | Mapping[str, Any], sizes: NDArray[np.float64], who: str) -> Groups:
    """The groups of the N particles of a body, whose poses deform them by `sizes` (K, N; squared lengths)."""
    poses, count = sizes.shape
    if examples == "regions":
        return Groups(tuple(f"region {i}" for i in range(count)), np.arange(count), np.ones((count, poses), bool))
    if isinstance(examples, str):
        sets, owners = apart(sizes)
        parts = int(sets.max(initial=0)) + 1
        seen = sets == np.arange(parts)[:, None]
        if parts == 1:
            return Groups(("all",), owners, seen)
        names = tuple(" + ".join(n for n, s in zip(body.poses, sets, strict=True) if s == k) for k in range(parts))
        return Groups(names, owners, seen)
    return listed(named_groups(body, examples, who), sizes.shape)


def listed(chosen: Mapping[str, NDArray[Any]], shape: tuple[int, ...]) -> Groups:
    """Named groups of particles, which all have weights of all poses; shape: (poses, particles)."""
    of = np.full(shape[1], len(chosen))
    for number, particles in enumerate(chosen.values()):
        of[particles] = number
    return Groups(tuple(chosen), of, np.ones((len(chosen), shape[0]), bool))
