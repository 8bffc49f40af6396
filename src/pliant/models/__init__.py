"""Deformable models, one folder each, found by their folder's name. A model is a record of functions.

To add one, add a folder with `settings.py prepare.py solve.py kernels.py README.md` whose package has a `MODEL`.
"""

import pkgutil
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.models.settings import Settings
from pliant.runtime.task_list import TaskList


@dataclass(frozen=True, eq=False)
class Role:
    """One actor as a model sees it: the body (already scaled), its settings, where its particles begin in the state,
    and its initial rotation as a quaternion (x, y, z, w)."""

    name: str
    body: Body
    settings: Any
    first: int
    rotation: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Model:
    """What the world asks of a deformable model. All its actors are handled together."""

    name: str
    settings: type[Settings]
    # Actors with equal keys stand next to each other in the state, so that one kernel call serves them all.
    cohort: Callable[[Body, Any], Hashable]
    # (body, settings, name of the actor): raises if they do not go together; cheap, before anything is prepared
    check: Callable[[Body, Any, str], None]
    # (roles in the order of the state, dtype) -> the constants of all of them
    prepare: Callable[[list[Role], Any], Any]
    # pack -> the model's own arrays in the state
    start: Callable[[Any], list[NDArray[Any]]]
    # (pack, own, state, inputs, h, pool): where inertia would take the particles (y) -> where they settle (p)
    solve: Callable[..., None]
    # (pack, own, number of the role) -> (groups, 1 + poses), rest first
    weights: Callable[[Any, list[NDArray[Any]], int], NDArray[np.float64]]
    # (pack, number of the role) -> names of the groups
    groups: Callable[[Any, int], tuple[str, ...]]
    # (pack, number of the role, new settings): change what may change without preparing anew
    retune: Callable[[Any, int, Any], None]
    # (pack, own, number of the role) and back: what an actor remembers, so that it survives a new layout of the actors
    remember: Callable[[Any, list[NDArray[Any]], int], Any]
    recall: Callable[[Any, list[NDArray[Any]], int, Any], None]
    # (pack, own, out): `weights` of all roles one after the other, for models that find them faster together
    all_weights: Callable[[Any, list[NDArray[Any]], NDArray[Any]], None] | None = None
    # (body, settings): the body that is played, such as a few particles instead of many; None: the one that was given
    embody: Callable[[Body, Any], Body] | None = None
    # whether its particles turn: then the state has their rotations, angular velocities and hulls
    oriented: bool = False
    # whether handles pull within its solve; else the world moves the particles afterwards
    holds_handles: bool = False
    # (pack, own, state, inputs, h, pool): the task lists that `solve` would share out, one for each thread, if any
    task_lists: Callable[..., list[TaskList]] | None = None
    # (pack, number of the role): how the last step was solved, for models that can tell
    solved: Callable[[Any, int], Any] | None = None
    # (pack, own, state, h): after contact, for models whose particles must stand in some order; None: they need not
    finish: Callable[[Any, list[NDArray[Any]], Any, float], None] | None = None
    # (pack, number of the role, settings): `retune` where only the weights that are given have changed, as they do in
    # every sub-step while a pose is approached; None: `retune` is cheap enough
    force: Callable[[Any, int, Any], None] | None = None
    # (body that is played, settings) -> (K,) which poses its descriptor tells from rest; None: it has no examples
    sees: Callable[[Body, Any], NDArray[np.bool_]] | None = None
    # whether it moves as one: nothing of it deviates from its rigid motion
    rigid: bool = False
    # (body, settings, h): how fast a push goes through it in steps of h, m/s; None: at once
    sound: Callable[[Body, Any, float], float] | None = None
    # (body, settings): the longest sub-step (s) in which its material is as stiff as it is set; None: any will do
    longest_step: Callable[[Body, Any], float] | None = None


@cache
def models() -> dict[str, Model]:
    """Every model by its folder's name."""
    found = {}
    for entry in pkgutil.iter_modules(__path__):
        if entry.ispkg:
            found[entry.name] = import_module(f"{__name__}.{entry.name}").MODEL
    return found


def model_of(settings: Any) -> Model | None:
    """The model whose settings these are."""
    for model in models().values():
        if type(settings) is model.settings:
            return model
    return None
