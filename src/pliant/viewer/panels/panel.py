"""The model and the settings of bodies beside the viewport, changed while they run."""

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.actor_choice import ActorChoice
from pliant.viewer.panels.controls import Choice, Slider, controls_of
from pliant.viewer.panels.kept_list import KeptList
from pliant.viewer.panels.knobs import Knob
from pliant.viewer.panels.models_panel import ModelChoice
from pliant.viewer.panels.refusal import RefusalNote
from pliant.viewer.panels.trying import Trying
from pliant.viewer.protocol.commands import Defaults, Tune

SEGMENTS = "dense unelevated no-caps toggle-color=raised toggle-text-color=ink text-color=soft"
SMALL_BUTTON = "flat round dense size=sm color=soft"
ALL = "all bodies"


class Panel:
    """Controls for one actor, or for all: then those that all of their models have. `refresh` takes over what others
    have changed."""

    def __init__(self, active: ActiveSide) -> None:
        self.active = active
        self.actor: str | None = None
        self._seen: Any = None  # the state that is shown
        self._place = ui.element("div").classes("controls")
        self._built = False

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state = self.active.panel_state
        if self._built:
            self.note.show(self.active.session.status)
        if panel_state is None or not panel_state.settings or panel_state is self._seen:
            return
        if not self._built:  # with all models: late, so that the page comes first
            self._build()
        self._seen = panel_state
        self._follow_names(list(panel_state.settings))
        chosen = self._chosen(panel_state.settings)
        self._knobs.follow(_in_common(list(dict.fromkeys(type(each) for each in chosen.values()))))
        own_models = {name: panel_state.own_models[name] for name in chosen}
        self.model.follow({name: panel_state.models[name] for name in chosen}, own_models)
        name, shown = next(iter(chosen.items()))
        own = panel_state.own_settings.get(name, shown)
        for field, knob in ((control.field, knob) for control, knob in self._knobs.parts.items()):
            knob.follow(getattr(shown, field), getattr(own, field))

    def _follow_names(self, names: list[str]) -> None:
        if self.actor not in names:
            self.actor = self.model.actor = None
        self._actors.follow(names, self.actor or ALL, whole=ALL)

    def _chosen(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.actor is None or self.actor not in settings:
            return settings
        return {self.actor: settings[self.actor]}

    def _build(self) -> None:
        self._built = True
        with self._place:
            self._actors = ActorChoice("Settings of", self._choose_actor)
            self.model = ModelChoice(self.active)
            knobs = ui.element("div").classes("controls")
            self._knobs: KeptList[Slider | Choice, Knob] = KeptList(knobs, lambda each: Knob(each, self._tune))
            ui.button("All as the exhibit has them", icon="undo", on_click=lambda: self.active.do(Defaults())).props(
                'flat dense no-caps size=sm color=soft aria-label="Defaults"'
            ).classes("defaults")
            self.note = RefusalNote("settings")
            self.trying = Trying(self.active, lambda: self.actor)

    def _choose_actor(self, name: str) -> None:
        self.actor = self.model.actor = None if name == ALL else name
        self._seen = None
        self.refresh()

    def _tune(self, field: str, value: Any) -> None:
        self.active.do(Tune(actor=self.actor, field=field, value=value))


def _in_common(kinds: list[type]) -> list[Slider | Choice]:
    """The controls that all of these settings classes have."""
    first, *others = [controls_of(kind) for kind in kinds]
    return [control for control in first if all(control in each for each in others)]
