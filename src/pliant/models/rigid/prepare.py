"""From bodies to flat arrays: where each particle is from the centre of mass, and how hard the body is to turn."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.dynamics.step_inputs import Handles
from pliant.graph import Graph
from pliant.models import Precision, Role
from pliant.models.rigid.settings import Rigid
from pliant.runtime.task_list import TaskList

Array = NDArray[np.float64]


@dataclass(eq=False)
class Pack:
    """heads, constants: see above.  rest: 4 numbers a particle, from the centre of mass (m), and its mass (kg).
    holds, springs: of each handle the actor, the first row of its particles (4); stiffness, target (3), weights (4)."""

    roles: list[Role[Rigid]]
    heads: NDArray[np.uint32]
    rest: Array
    constants: Array
    handles: Handles = field(default_factory=lambda: Handles.room(0))
    holds: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    springs: Array = field(default_factory=lambda: np.empty(0))
    places: NDArray[np.int64] | None = None  # of the actors in the order of the state
    asleep: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))  # which of them sleep: 1 or 0
    task_lists: tuple[tuple[Any, ...], tuple[Any, ...], list[TaskList]] = ((), (), [])  # and what they are made of


def cohort_key(_body: Body, settings: Rigid) -> Hashable:
    """Another mass is another body."""
    return settings.mass


def check(_body: Body, _settings: Rigid, _name: str) -> None:
    """Any body can be rigid."""


def embody(body: Body, settings: Rigid) -> Body:
    """The body with the mass that it is to have."""
    if isinstance(body, Graph) and body.source is not None:
        body = body.source
    if settings.mass is None:
        return body
    return body.with_mass(settings.mass)


def prepare(roles: list[Role[Rigid]], _precision: Precision) -> Pack:
    """All actors one after the other."""
    heads: list[tuple[int, int, int]] = []
    rest: list[Array] = []
    constants: list[Array] = []
    placed = 0
    for role in roles:
        masses = role.body.masses
        mass = float(masses.sum())
        arms = role.body.rest - masses @ role.body.rest / mass
        squares = np.einsum("n,ni,nj->ij", masses, arms, arms)
        inertia = np.trace(squares) * np.eye(3) - squares
        # What has no extent across a line has no inertia about it, and is not turned about it either.
        inverse = np.linalg.pinv(inertia, rcond=1e-9, hermitian=True)
        heads.append((role.first, len(arms), 4 * placed))
        placed += len(arms)
        rest.append(np.column_stack([arms, masses]))
        constants.append(np.concatenate([[mass], inverse.reshape(-1), [role.settings.drag]]))
    flat = np.array(heads, np.uint32).reshape(-1)
    return Pack(list(roles), flat, np.concatenate(rest).reshape(-1), np.concatenate(constants))
