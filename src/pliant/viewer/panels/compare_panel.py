"""Compare: two copies side by side, and which of them the panel is about."""

from nicegui import ui

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.panel import SEGMENTS, SMALL_BUTTON
from pliant.viewer.protocol.commands import FIRST, SECOND, Balance, Compare


class ComparePanel:
    """A button that begins it; then tabs A and B, copy, exchange and end."""

    def __init__(self, active: ActiveSide) -> None:
        self.active = active
        do = active.session.do
        with ui.element("div").classes("compare"):
            self.begin = ui.button("Compare side by side", icon="compare", on_click=lambda: do(Compare(on=True))).props(
                "flat dense no-caps size=sm color=soft"
            )
            # No tooltip of Quasar's: it would stay when the button goes.
            self.begin.classes("compare-begin").props('title="A second copy with settings of its own; both begin anew"')
            with ui.element("div").classes("compare-row") as self.row:
                self.tabs = ui.toggle([FIRST, SECOND], value=FIRST, on_change=lambda event: self._face(event.value))
                self.tabs.props(SEGMENTS).props('aria-label="Which copy the panel is about"')
                with ui.element("div").classes("compare-tools"):
                    self._tool("content_copy", "Copy A to B", Balance(how="copy"))
                    self._tool("swap_horiz", "Swap A and B", Balance(how="swap"))
                    self._tool("close", "End the comparison", Compare(on=False))
        self.row.set_visibility(False)

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        compares = self.active.compares
        if self.row.visible == compares:
            return
        self.row.set_visibility(compares)
        self.begin.set_visibility(not compares)
        self.tabs.set_value(SECOND if compares else FIRST)  # the second is there to be changed

    def _face(self, name: str) -> None:
        self.active.second = name == SECOND

    def _tool(self, icon: str, title: str, command: Balance | Compare) -> None:
        button = ui.button(icon=icon, on_click=lambda: self.active.session.do(command))
        button.props(SMALL_BUTTON).props(f'aria-label="{title}"').tooltip(title)
