"""The conditions of the world beside the viewport, changed while it runs."""

from typing import Any

from nicegui import ui

from pliant.viewer.panels.active_side import Facing
from pliant.viewer.panels.controls import controls_of
from pliant.viewer.panels.knobs import Knob
from pliant.viewer.protocol.commands import Arrange


class WorldPanel:
    """Controls for gravity, friction and sub-steps. `refresh` takes over what others have changed."""

    def __init__(self, facing: Facing) -> None:
        self.facing = facing
        self._seen: Any = None  # the backstage that is shown
        self._knobs: list[Knob] = []
        self._place = ui.element("div").classes("controls")

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        backstage = self.facing.backstage
        if backstage is None or backstage is self._seen:
            return
        if not self._knobs:
            self._build()
        self._seen = backstage
        for knob in self._knobs:
            field = knob.control.field
            knob.follow(getattr(backstage.conditions, field), getattr(backstage.own_conditions, field))

    def _build(self) -> None:
        from pliant.viewer.simulation.conditions import (
            Conditions,  # with all of the world: late, so that the page comes first
        )

        with self._place:
            self._knobs = [Knob(control, self._arrange) for control in controls_of(Conditions)]

    def _arrange(self, field: str, value: Any) -> None:
        self.facing.do(Arrange(field=field, value=float(value)))
