"""The example weights of all actors in one row of numbers: a recording takes them sixty times a second."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.world.spans import Span

if TYPE_CHECKING:
    from pliant.world.actor_registry import ActorRegistry


class WeightLayout:
    """Where the weights of all actors are, once these are laid out."""

    def __init__(self, registry: "ActorRegistry") -> None:
        self.spans: dict[str, Span] = {}  # by name, in the order of the state
        self._slices: list[slice] = []  # of each model
        first = 0
        for model, pack in registry.solvers:
            begin = first
            for actor in registry.order:
                if actor._model is model:
                    groups = 1 if model.examples is None else len(model.examples.groups(pack, actor._number))
                    span = Span(first, groups, 1 + len(actor.body.poses))
                    self.spans[actor.name], first = span, span.last
            self._slices.append(slice(begin, first))
        self._size = first

    def row(self, registry: "ActorRegistry") -> NDArray[Any]:
        """The weights as they were used in the last step, in the precision of the world."""
        row = np.empty(self._size, registry.dtype)
        for (model, pack), part in zip(registry.solvers, self._slices, strict=True):
            own = registry.state.own[model.name]
            examples = model.examples
            if examples is not None and examples.all_weights is not None:
                examples.all_weights(pack, own, row[part])
                continue
            for actor in registry.order:
                if actor._model is model:
                    span = self.spans[actor.name]
                    found = np.eye(1, span.columns) if examples is None else examples.weights(pack, own, actor._number)
                    span.of(row)[:] = found
        return row
