"""Deformable models, one folder each, found by their folder's name. A model is a record of functions.

To add one, add a folder with `settings.py prepare.py solve.py kernels.py README.md` whose package has a `MODEL`. What
it can do is told by the functions it brings: the world asks for no more than these.
"""

import pkgutil
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.dynamics.nodes import Node
from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.dynamics.step_inputs import Handles
from pliant.graph import Graph
from pliant.models.settings import Settings
from pliant.runtime.task_list import TaskList

S = TypeVar("S", bound=Settings)  # the settings of a model
P = TypeVar("P")  # its pack: the constants of all its actors in a world, as it likes to lay them out
M = TypeVar("M")  # what it remembers of one actor
Precision = type[np.float32] | type[np.float64]


@dataclass(frozen=True, eq=False)
class Role(Generic[S]):
    """One actor as a model sees it: the body (already scaled), its settings, where its particles begin in the state,
    and its initial rotation as a quaternion (x, y, z, w). Its number is its place in the list that `prepare` gets."""

    name: str
    body: Body
    settings: S
    first: int
    rotation: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Memory(Generic[P, M]):
    """What actors remember from step to step: arrays of the model in the state, which snapshots keep."""

    # pack -> those arrays, as they are before the first step
    start: Callable[[P], Own]
    # (pack, own, number) -> what one actor remembers, and (pack, own, number, that): so it survives a new layout. The
    # actor may have other poses and groups when it recalls.
    remember: Callable[[P, Own, int], M]
    recall: Callable[[P, Own, int, M], None]


@dataclass(frozen=True, eq=False)
class ExampleWeights(Generic[S, P]):
    """What a model that obeys example poses can tell of them. G groups, K poses."""

    # (body that is played, settings) -> (K,) which poses its descriptor tells from rest
    sees: Callable[[Body, S], NDArray[np.bool_]]
    # (pack, number) -> the names of the G groups that have weights of their own
    groups: Callable[[P, int], tuple[str, ...]]
    # (pack, own, number) -> (G, 1 + K) weights as used in the last step, rest first; rows sum to 1
    weights: Callable[[P, Own, int], NDArray[np.float64]]
    # (pack, number, settings): only the forced weights are others, as in every sub-step while a pose is approached
    force: Callable[[P, int, S], None]
    # (pack, own, out): `weights` of all actors one after the other, in the precision of the world; None: one by one
    all_weights: Callable[[P, Own, NDArray[Any]], None] | None = None
    # (pack, own, number) -> (G, 1 + K) weights that have stayed, rest first; and (pack, own, number, s): they go back
    # to rest in so many seconds. None: weights do not stay (its settings have no `plasticity`)
    plastic: Callable[[P, Own, int], NDArray[np.float64]] | None = None
    anneal: Callable[[P, Own, int, float], None] | None = None


@dataclass(frozen=True, eq=False)
class Model(Generic[S, P]):
    """What the world asks of a deformable model. All its actors are handled together."""

    name: str  # of its folder
    settings: type[S]
    node: Node  # what contacts, pins and handles act on
    # (body, settings, name of the actor): raises if they do not go together; cheap, before anything is prepared
    check: Callable[[Body, S, str], None]
    # (body, settings) -> key: actors with equal keys stand next to each other in the state, for one kernel call
    cohort: Callable[[Body, S], Hashable]
    # (roles in the order of the state, precision) -> the constants of all of them
    prepare: Callable[[list[Role[S]], Precision], P]
    # (pack, number, settings): change the numbers that may change without preparing anew
    retune: Callable[[P, int, S], None]
    memory: Memory[P, Any]
    # (pack, own, context): from y, where inertia would take the particles (m), to p, where they settle (m)
    solve: Callable[[P, Own, StepContext], None]

    # ---- what not every model can, or has to ----
    # None: it has no examples; its actors have one group, "all", and are at rest
    examples: ExampleWeights[S, P] | None = None
    # (body, settings): the body that is played, such as a few particles instead of many; None: the one that was given
    embody: Callable[[Body, S], Body] | None = None
    # (pack, handles, state): pins (inverse mass 0 in the state) or handles have come or gone. `solve` pulls at these
    # handles, whose targets are up to date in every sub-step; None: the world pulls, after it
    hold: Callable[[P, Handles, State], None] | None = None
    # (pack, own, context, threads): what `solve` would do, as task lists, one for each of so many threads; empty if it
    # cannot be said so now
    task_lists: Callable[[P, Own, StepContext, int], list[TaskList]] | None = None
    # (pack, number): how the last step was solved, for models that can tell
    solved: Callable[[P, int], object] | None = None
    # (body, settings, h): how fast a push goes through it in steps of h (s), m/s; None: at once
    sound: Callable[[Body, S, float], float] | None = None
    # (body, settings): the longest sub-step (s) in which its material is as stiff as it is set; None: any will do
    longest_step: Callable[[Body, S], float] | None = None


@cache
def models() -> dict[str, Model[Any, Any]]:
    """Every model by its folder's name."""
    found = {}
    for entry in pkgutil.iter_modules(__path__):
        if entry.ispkg:
            found[entry.name] = import_module(f"{__name__}.{entry.name}").MODEL
    return found


def model_of(settings: object) -> Model[Any, Any] | None:
    """The model whose settings these are."""
    for model in models().values():
        if type(settings) is model.settings:
            return model
    return None


def played(body: Body, model: Model[Any, Any], settings: Settings) -> Body:
    """The body that a model plays: its own version of what was given, or just that."""
    if model.embody is not None:
        return model.embody(body, settings)
    return body.source if isinstance(body, Graph) and body.source is not None else body
