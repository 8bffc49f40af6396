"""A list on a page that changes, with elements that stay."""

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from nicegui import ui


class Part(Protocol):
    """What stands for a key: cards, rows, sliders."""

    root: ui.element


Key = TypeVar("Key")
Shown = TypeVar("Shown", bound=Part)


class KeptList(Generic[Key, Shown]):
    """One part for each key, made when the key comes and deleted when it goes. An element that is built anew loses the
    click that is on its way to the old one: a page may be a second behind, and what it then says about an element that
    is no more means nothing to the server. So all that can be clicked is kept for as long as what it stands for."""

    def __init__(self, place: ui.element, make: Callable[[Key], Shown]) -> None:
        self.place, self._make = place, make
        self.parts: dict[Key, Shown] = {}

    def follow(self, keys: Sequence[Key]) -> None:
        """Have parts for these keys, in this order."""
        if list(self.parts) == list(keys):
            return
        for gone in [key for key in self.parts if key not in keys]:
            self.parts.pop(gone).root.delete()
        with self.place:
            self.parts = {key: self.parts[key] if key in self.parts else self._make(key) for key in keys}
        for index, part in enumerate(self.parts.values()):
            if self.place.default_slot.children[index] is not part.root:
                part.root.move(target_index=index)
