"""The example weights of a whole cast in one row of numbers: a recording takes them sixty times a second."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pliant.world.cast import Cast


class Place(NamedTuple):
    """Where the weights of an actor are in the row."""

    first: int
    groups: int
    columns: int  # rest and poses

    @property
    def last(self) -> int:
        return self.first + self.groups * self.columns

    def of(self, row: NDArray[Any]) -> NDArray[Any]:
        """(groups, 1 + poses), rest first; a view."""
        return row[self.first : self.last].reshape(self.groups, self.columns)


class Ledger:
    """Knows the places of all actors of a cast that has been laid out."""

    def __init__(self, cast: "Cast") -> None:
        self.places: dict[str, Place] = {}  # by name, in the order of the state
        self._spans: list[slice] = []  # of each model
        first = 0
        for model, pack in cast.solvers:
            begin = first
            for actor in cast.order:
                if actor._model is model:
                    place = Place(first, len(model.groups(pack, actor._number)), 1 + len(actor.body.poses))
                    self.places[actor.name], first = place, place.last
            self._spans.append(slice(begin, first))
        self._size = first

    def row(self, cast: "Cast") -> NDArray[Any]:
        """The weights as they were used in the last step, in the precision of the world."""
        row = np.empty(self._size, cast.dtype)
        for (model, pack), span in zip(cast.solvers, self._spans, strict=True):
            own = cast.state.own[model.name]
            if model.all_weights is not None:
                model.all_weights(pack, own, row[span])
            else:
                for actor in cast.order:
                    if actor._model is model:
                        self.places[actor.name].of(row)[:] = model.weights(pack, own, actor._number)
        return row
