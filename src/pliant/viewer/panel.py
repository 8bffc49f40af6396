"""The settings beside the viewport, changed while it runs."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from pliant.viewer.commands import Defaults, Gravity, Tune
from pliant.viewer.controls import Choice, Slider, controls_of
from pliant.viewer.sessions import Session

SEGMENTS = "dense unelevated no-caps toggle-color=raised toggle-text-color=ink text-color=soft"
ALL = "all bodies"
MOST_NAMES = 12  # actors that are offered one by one


class Panel:
    """Controls for the settings of one actor, or of all. `refresh` takes over what others have changed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.actor: str | None = None
        self._seen: dict[str, Any] | None = None
        self._following = False  # while controls take values over, they do not ask for them
        self._follow: list[Callable[[Any], None]] = []
        self._place = ui.element("div").classes("controls")

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        settings = self.session.settings
        if settings is self._seen or not settings:
            return
        if self._seen is None or list(settings) != list(self._seen):
            self._build(settings)
        self._seen = settings
        current = settings.get(self.actor or "") or next(iter(settings.values()))
        self._following = True
        for follow in self._follow:
            follow(current)
        self._following = False

    def _build(self, settings: dict[str, Any]) -> None:
        self._follow = []
        self._place.clear()
        with self._place:
            if 1 < len(settings) <= MOST_NAMES:
                self._choose_actor(list(settings))
            for control in controls_of(type(next(iter(settings.values())))):
                if isinstance(control, Slider):
                    self._slider(control)
                else:
                    self._choice(control)
            with ui.element("div").classes("last"):
                self._gravity()
                ui.button("Defaults", on_click=lambda: self.session.do(Defaults())).props(
                    "flat dense no-caps color=soft"
                ).tooltip("All settings as the exhibit has them")

    def _choose_actor(self, names: list[str]) -> None:
        def choose(name: str) -> None:
            self.actor = None if name == ALL else name
            self._seen = {**(self._seen or {})}  # not the same object: the next refresh follows the new actor
            self.refresh()

        ui.select([ALL, *names], value=ALL, on_change=lambda event: choose(event.value)).props(
            "dense outlined options-dense"
        ).classes("wide").mark("actor")

    def _slider(self, control: Slider) -> None:
        with ui.element("div").classes("control").mark(control.field):
            with ui.element("div").classes("control-head"):
                ui.label(control.title).classes("control-title")
                number = ui.label().classes("control-value").props(f'data-field="{control.field}"')
            slider = ui.slider(min=0.0, max=1.0, step=0.001).props(f'aria-label="{control.title}"')
            slider.on_value_change(lambda event: self._tune(control.field, control.value(event.value)))
            ui.tooltip(control.help[:1].upper() + control.help[1:]).props("delay=400 max-width=16rem")

        def follow(settings: Any) -> None:
            value = getattr(settings, control.field, None)
            if not isinstance(value, int | float):
                return
            number.set_text(f"{value:g} {control.unit}".strip())
            if control.value(slider.value or 0.0) != value or slider.value is None:
                slider.set_value(control.place(value))

        self._follow.append(follow)

    def _choice(self, control: Choice) -> None:
        with ui.element("div").classes("control inline").mark(control.field):
            ui.label(control.title).classes("control-title")
            toggle = ui.toggle(list(control.words)).props(SEGMENTS)
            toggle.on_value_change(lambda event: self._tune(control.field, event.value))
            ui.tooltip(control.help[:1].upper() + control.help[1:]).props("delay=400 max-width=16rem")

        def follow(settings: Any) -> None:
            value = getattr(settings, control.field, None)
            if isinstance(value, str) and toggle.value != value:
                toggle.set_value(value)

        self._follow.append(follow)

    def _gravity(self) -> None:
        switch = ui.switch("Gravity", value=self.session.status.gravity).props("dense")
        switch.on_value_change(
            lambda event: None if self._following else self.session.do(Gravity(on=bool(event.value)))
        )

        def follow(_: Any) -> None:
            switch.set_value(self.session.status.gravity)

        self._follow.append(follow)

    def _tune(self, field: str, value: Any) -> None:
        if not self._following:
            self.session.do(Tune(actor=self.actor, field=field, value=value))
