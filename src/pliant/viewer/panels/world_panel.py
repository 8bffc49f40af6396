"""The conditions of the world beside the viewport, changed while it runs."""

from typing import Any

from nicegui import ui

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.controls import controls_of
from pliant.viewer.panels.knobs import Knob
from pliant.viewer.panels.refusal import RefusalNote
from pliant.viewer.protocol.commands import Arrange


class WorldPanel:
    """Controls for gravity, friction and sub-steps. `refresh` takes over what others have changed."""

    def __init__(self, active: ActiveSide) -> None:
        self.active = active
        self._seen: Any = None  # the state that is shown
        self._knobs: list[Knob] = []
        self._place = ui.element("div").classes("controls")
        self.note = RefusalNote("world")

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state = self.active.panel_state
        self.note.show(self.active.session.status)
        if panel_state is None or panel_state is self._seen:
            return
        if not self._knobs:
            self._build()
        self._seen = panel_state
        for knob in self._knobs:
            field = knob.control.field
            knob.follow(getattr(panel_state.conditions, field), getattr(panel_state.own_conditions, field))

    def _build(self) -> None:
        from pliant.viewer.simulation.conditions import (
            Conditions,  # with all of the world: late, so that the page comes first
        )

        with self._place:
            self._knobs = [Knob(control, self._arrange) for control in controls_of(Conditions)]

    def _arrange(self, field: str, value: Any) -> None:
        self.active.do(Arrange(field=field, value=float(value)))
