"""Sliders and selects on a page: a title, the value with its unit, help, and a way back to the default."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from pliant.viewer.panels.controls import Choice, Slider


class Knob:
    """`follow` takes over what the session says and asks for nothing; `on_change` gets what a person chose."""

    def __init__(self, control: Slider | Choice, on_change: Callable[[str, Any], None]) -> None:
        self.control = control
        self._on_change = on_change
        self._default: Any = None
        self._following = False
        self.root = ui.element("div").classes("control").mark(control.field)
        with self.root:
            with ui.element("div").classes("control-head"):
                ui.label(control.title).classes("control-title")
                self._back = ui.button(icon="undo", on_click=self._restore).props(
                    f'flat round dense size=xs color=soft aria-label="{control.title}: default"'
                )
                self._back.classes("control-back").set_visibility(False)
                with self._back:
                    self._back_help = ui.tooltip("Default")
                if isinstance(control, Slider):
                    self._number = ui.label().classes("control-value").props(f'data-field="{control.field}"')
                else:
                    self._input: Any = ui.select(list(control.words)).props(
                        f'dense borderless options-dense aria-label="{control.title}" data-field="{control.field}"'
                    )
            if isinstance(control, Slider):
                self._input = ui.slider(min=0.0, max=1.0, step=_step(control)).props(f'aria-label="{control.title}"')
            ui.tooltip(control.help[:1].upper() + control.help[1:]).props("delay=400 max-width=16rem")
        self._input.on_value_change(lambda event: self._changed(event.value))

    def follow(self, value: Any, default: Any) -> None:
        """Show a value; the button that restores the default is there when it is another."""
        self._default = default
        self._following = True
        if isinstance(self.control, Slider):
            self._follow_number(value, default)
        elif isinstance(value, str):
            if self._input.value != value:
                self._input.set_value(value)
            self._back_help.set_text(f"Default: {default if isinstance(default, str) else 'named groups'}")
        else:  # groups with names of their own: none of the words
            self._input.set_value(None)
        self._back.set_visibility(value is not default and value != default)
        self._following = False

    def _follow_number(self, value: Any, default: Any) -> None:
        control = self.control
        assert isinstance(control, Slider)
        self._number.set_text(control.said(value))
        self._back_help.set_text(f"Default: {control.said(default)}")
        if value is None:  # another setting says it; where the slider stands means nothing
            self._input.set_value(0.0)
        elif self._input.value is None or control.value(self._input.value) != value:
            self._input.set_value(control.place(value))

    def _changed(self, value: Any) -> None:
        if self._following or value is None:
            return
        chosen = self.control.value(value) if isinstance(self.control, Slider) else value
        self._on_change(self.control.field, chosen)

    def _restore(self) -> None:
        self._on_change(self.control.field, self._default)


def _step(control: Slider) -> float:
    return 1.0 / (control.high - control.low) if control.whole else 0.001
