"""A blend of the poses that there are: a slider for each."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from pliant.viewer.panels.kept_list import KeptList
from pliant.viewer.protocol.studio_commands import BlendDraft
from pliant.viewer.server.session import Session

if TYPE_CHECKING:
    from pliant.viewer.simulation.studio import DraftShown


class BlendTool:
    """What all sliders ask for together counts as one whole: weights above it share it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.weights: dict[str, float] = {}
        self._actor = ""
        self._none = ui.label("There is nothing to blend yet: keep a pose or two first.").classes("groups-note")
        place = ui.element("div").classes("studio-numbers")
        self._rows: KeptList[str, BlendRow] = KeptList(place, lambda name: BlendRow(name, self._changed))

    def follow(self, draft: "DraftShown", names: Sequence[str]) -> None:
        """Show the poses of the body, and how much there is of each."""
        self._actor = draft.actor
        self._none.set_visibility(not names)
        self._rows.follow(list(names))
        self.weights = {name: draft.weights.get(name, 0.0) for name in names}
        for name, row in self._rows.parts.items():
            row.show(self.weights[name])

    def _changed(self, name: str, weight: float) -> None:
        self.weights[name] = weight
        self.session.do(BlendDraft(actor=self._actor, weights=dict(self.weights)))


class BlendRow:
    """Of one pose."""

    def __init__(self, name: str, change: Any) -> None:
        self._following = False
        with ui.element("div").classes("studio-slider") as self.root:
            ui.label(name).classes("pose-name")
            self._slider = ui.slider(min=0.0, max=1.0, step=0.01, value=0.0)
            self._slider.props(f'aria-label="Blend: {name.replace(chr(34), chr(39))}"')
            self._value = ui.label("0.00").classes("studio-value")
        self._slider.on_value_change(partial(self._changed, name, change))

    def show(self, weight: float) -> None:
        self._following = True
        self._slider.set_value(weight)
        self._value.set_text(f"{weight:.2f}")
        self._following = False

    def _changed(self, name: str, change: Any, event: Any) -> None:
        if not self._following and event.value is not None:
            change(name, float(event.value))
