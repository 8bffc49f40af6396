"""Which body a part of the panel is about."""

from collections.abc import Callable, Sequence

from nicegui import ui

MOST_LISTED = 12  # names that are looked through; among more one types a part of the name


class ActorChoice:
    """A select of names, hidden while there is only one. `choose` is told what a person has chosen."""

    def __init__(self, label: str, choose: Callable[[str], None]) -> None:
        self.label, self._choose = label, choose
        self.root = ui.element("div").classes("actor-choice")
        self.root.set_visibility(False)
        self._select: ui.select | None = None
        self._following = False
        self._searched = False

    def follow(self, names: Sequence[str], chosen: str, whole: str | None = None) -> None:
        """Show these, and which of them is chosen. whole: what stands for all of them, before the others."""
        offered = list(names) if whole is None else [whole, *names]
        self.root.set_visibility(len(names) > 1)
        if len(names) < 2:
            return
        self._following = True
        searched = len(names) > MOST_LISTED
        if self._select is None or searched != self._searched:
            self._build(offered, chosen, searched)
        elif offered != self._select.options or self._select.value != chosen:
            self._select.set_options(offered, value=chosen)
        self._following = False

    def _build(self, offered: list[str], chosen: str, searched: bool) -> None:
        self._searched = searched
        self.root.clear()
        with self.root:
            self._select = ui.select(
                offered, value=chosen, with_input=searched, on_change=lambda event: self._changed(event.value)
            )
            self._select.classes("wide").props(f'dense outlined options-dense aria-label="{self.label}"')

    def _changed(self, name: str | None) -> None:
        if not self._following and name:
            self._choose(name)
