"""The model and the settings of bodies beside the viewport, changed while they run."""

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.controls import Choice, Slider, controls_of
from pliant.viewer.panels.knobs import Knob
from pliant.viewer.panels.models_panel import ModelChoice
from pliant.viewer.protocol.commands import Defaults, Tune

SEGMENTS = "dense unelevated no-caps toggle-color=raised toggle-text-color=ink text-color=soft"
SMALL_BUTTON = "flat round dense size=sm color=soft"
ALL = "all bodies"
MOST_NAMES = 12  # actors that are offered one by one


class Panel:
    """Controls for one actor, or for all: then those that all of their models have. `refresh` takes over what others
    have changed."""

    def __init__(self, active: ActiveSide) -> None:
        self.active = active
        self.actor: str | None = None
        self._seen: Any = None  # the state that is shown
        self._names: list[str] = []
        self._kinds: list[type] = []
        self._knobs: list[Knob] = []
        self._place = ui.element("div").classes("controls")

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state = self.active.panel_state
        if panel_state is None or not panel_state.settings or panel_state is self._seen:
            return
        self._seen = panel_state
        settings = panel_state.settings
        if list(settings) != self._names:
            self._names, self._kinds = list(settings), []
            self._build()
        chosen = self._chosen(settings)
        kinds = list(dict.fromkeys(type(each) for each in chosen.values()))
        if kinds != self._kinds:
            self._kinds = kinds
            self._build_knobs()
        own_models = {name: panel_state.own_models[name] for name in chosen}
        self.model.follow({name: panel_state.models[name] for name in chosen}, own_models)
        name, shown = next(iter(chosen.items()))
        own = panel_state.own_settings.get(name, shown)
        for knob in self._knobs:
            knob.follow(getattr(shown, knob.control.field), getattr(own, knob.control.field))

    def _chosen(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.actor is None or self.actor not in settings:
            return settings
        return {self.actor: settings[self.actor]}

    def _build(self) -> None:
        self._place.clear()
        self.actor = None
        with self._place:
            if 1 < len(self._names) <= MOST_NAMES:
                self._choose_actor(self._names)
            self.model = ModelChoice(self.active)
            self._knobs_place = ui.element("div").classes("controls")
            ui.button("All as the exhibit has them", icon="undo", on_click=lambda: self.active.do(Defaults())).props(
                'flat dense no-caps size=sm color=soft aria-label="Defaults"'
            ).classes("defaults")

    def _build_knobs(self) -> None:
        self._knobs_place.clear()
        with self._knobs_place:
            self._knobs = [Knob(control, self._tune) for control in _in_common(self._kinds)]

    def _choose_actor(self, names: list[str]) -> None:
        def choose(name: str) -> None:
            self.actor = self.model.actor = None if name == ALL else name
            self._seen = None
            self.refresh()

        ui.select([ALL, *names], value=ALL, on_change=lambda event: choose(event.value)).props(
            'dense outlined options-dense aria-label="Settings of"'
        ).classes("wide").mark("actor")

    def _tune(self, field: str, value: Any) -> None:
        self.active.do(Tune(actor=self.actor, field=field, value=value))


def _in_common(kinds: list[type]) -> list[Slider | Choice]:
    """The controls that all of these settings classes have."""
    first, *others = [controls_of(kind) for kind in kinds]
    return [control for control in first if all(control in each for each in others)]
