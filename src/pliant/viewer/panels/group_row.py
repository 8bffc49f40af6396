"""A row in the list of groups: colour, name, how many particles it has, and what can be done with it."""

from collections.abc import Callable
from typing import Protocol

from nicegui import ui

from pliant.viewer.panels.panel import SMALL_BUTTON

# As colours.js paints them.
GROUP_COLOURS = ("#3f8fd2", "#e8833a", "#3fae8c", "#d7536b", "#f0c548", "#8a76cf", "#7cc4dd", "#a8663f")
NO_COLOUR = "#8f949c"


class Chooser(Protocol):
    """Does what a row is asked for."""

    def choose(self, number: int | None) -> None: ...
    def rename(self, number: int, name: str) -> None: ...
    def delete(self, number: int) -> None: ...


def group_colour(number: int | None) -> str:
    """Of the group with that number; None: of what is in no group."""
    return NO_COLOUR if number is None else GROUP_COLOURS[number % len(GROUP_COLOURS)]


class GroupRow:
    """Of a group, or of what is in none (None). Its number changes when a group before it goes."""

    def __init__(self, chooser: Chooser, name: str | None) -> None:
        self.number: int | None = None
        said = quoted("no group" if name is None else name)
        self.root = ui.element("div").classes("group-row").props(f'role="option" tabindex=0 data-group="{said}"')
        for event in ("click", "keydown.enter"):
            self.root.on(event, lambda: chooser.choose(self.number))
        with self.root:
            self._chip = ui.element("span").classes("group-chip")
            ui.label("no group" if name is None else name).classes("group-name")
            self._count = ui.label().classes("group-count")
            if name is None:
                ui.icon("backspace", size="1.1rem").classes("group-eraser").tooltip("Choose it to erase")
                return
            self._button("edit", f"{said}: rename", lambda: chooser.rename(self._its_number, name))
            self._button("delete", f"{said}: delete", lambda: chooser.delete(self._its_number))

    def show(self, number: int | None, count: int, chosen: bool) -> None:
        """What changes."""
        self.number = number
        self._chip.style(f"background: {group_colour(number)}")
        self._count.set_text(f"{count:,}" if count else "empty")
        self.mark(chosen)

    def mark(self, chosen: bool) -> None:
        """Whether it is the one that is painted with."""
        self.root.classes(add="chosen" if chosen else "", remove="" if chosen else "chosen")
        self.root.props(f"aria-selected={'true' if chosen else 'false'}")

    @property
    def _its_number(self) -> int:
        assert self.number is not None
        return self.number

    def _button(self, icon: str, label: str, act: Callable[[], None]) -> None:
        button = ui.button(icon=icon).props(SMALL_BUTTON).props(f'aria-label="{label}"')
        button.on("click.stop", act)
        button.tooltip(label.rpartition(": ")[2].capitalize())


def quoted(text: str) -> str:
    """Inside the quotes of a property."""
    return text.replace("\\", "").replace('"', "”")
