"""The settings beside the viewport, changed while it runs."""

from typing import Any

from nicegui import ui

from pliant.viewer.commands import Arrange, Defaults, Tune
from pliant.viewer.controls import controls_of
from pliant.viewer.knobs import Knob
from pliant.viewer.sessions import Session

SEGMENTS = "dense unelevated no-caps toggle-color=raised toggle-text-color=ink text-color=soft"
ALL = "all bodies"
MOST_NAMES = 12  # actors that are offered one by one


class Panel:
    """Controls for the settings of one actor, or of all, and for the world. `refresh` takes over what others have
    changed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.actor: str | None = None
        self._seen: Any = None  # the backstage that is shown
        self._names: list[tuple[str, type]] = []
        self._knobs: list[Knob] = []
        self._world: list[Knob] = []
        self._place = ui.element("div").classes("controls")

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        backstage, settings = self.session.backstage, self.session.settings
        if backstage is None or not settings or backstage is self._seen:
            return
        names = [(name, type(each)) for name, each in settings.items()]
        if names != self._names:
            self._build(settings)
        self._names, self._seen = names, backstage
        name = self.actor if self.actor in settings else next(iter(settings))
        own = backstage.own_settings.get(name, settings[name])
        for knob in self._knobs:
            field = knob.control.field
            knob.follow(getattr(settings[name], field, None), getattr(own, field, None))
        for knob in self._world:
            field = knob.control.field
            knob.follow(getattr(backstage.conditions, field), getattr(backstage.own_conditions, field))

    def _build(self, settings: dict[str, Any]) -> None:
        from pliant.viewer.conditions import Conditions  # with all of the world: late, so that the page comes first

        self._place.clear()
        with self._place:
            if 1 < len(settings) <= MOST_NAMES:
                self._choose_actor(list(settings))
            model = type(next(iter(settings.values())))
            self._knobs = [Knob(control, self._tune) for control in controls_of(model)]
            ui.label("World").classes("section-title world-title")
            self._world = [Knob(control, self._arrange) for control in controls_of(Conditions)]
            ui.button("All as the exhibit has them", icon="undo", on_click=lambda: self.session.do(Defaults())).props(
                'flat dense no-caps size=sm color=soft aria-label="Defaults"'
            ).classes("defaults")

    def _choose_actor(self, names: list[str]) -> None:
        def choose(name: str) -> None:
            self.actor = None if name == ALL else name
            self._seen = None
            self.refresh()

        ui.select([ALL, *names], value=ALL, on_change=lambda event: choose(event.value)).props(
            "dense outlined options-dense"
        ).classes("wide").mark("actor")

    def _tune(self, field: str, value: Any) -> None:
        self.session.do(Tune(actor=self.actor, field=field, value=value))

    def _arrange(self, field: str, value: Any) -> None:
        self.session.do(Arrange(field=field, value=float(value)))
