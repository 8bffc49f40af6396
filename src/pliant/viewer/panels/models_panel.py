"""Which deformable model a body has."""

from collections.abc import Mapping

from nicegui import ui

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.captions import said_model
from pliant.viewer.protocol.commands import UseModel

SEVERAL = "several"


class ModelChoice:
    """A select with every model there is, for one actor or for all (None), and a way back to the exhibit's own."""

    def __init__(self, active: ActiveSide) -> None:
        from pliant.models import models  # with its kernels: late, so that the page comes first

        self.active = active
        self.actor: str | None = None
        self._following = False
        self._own = ""
        with ui.element("div").classes("control").mark("model"):
            with ui.element("div").classes("control-head"):
                ui.label("Model").classes("control-title")
                self._back = ui.button(icon="undo", on_click=self._restore).props(
                    'flat round dense size=xs color=soft aria-label="Model: default"'
                )
                self._back.classes("control-back").tooltip("The model that the exhibit has")
                self._select = ui.select({name: said_model(name) for name in models()}).props(
                    'dense borderless options-dense aria-label="Model" data-field="model"'
                )
            ui.tooltip("How the body is simulated. It goes on from where it is").props("delay=400 max-width=16rem")
        self._select.on_value_change(lambda event: self._use(event.value))

    def follow(self, names: Mapping[str, str], own: Mapping[str, str]) -> None:
        """Show the models of the actors (name -> model), and whether they are the exhibit's own."""
        found = set(names.values())
        self._own = next(iter(own.values())) if len(set(own.values())) == 1 else ""
        self._following = True
        self._select.set_value(found.pop() if len(found) == 1 else None)
        self._select.props(f'label="{SEVERAL}"' if self._select.value is None else "", remove="" if found else "label")
        self._back.set_visibility(bool(self._own) and any(names[each] != own[each] for each in names))
        self._following = False

    def _use(self, model: str | None) -> None:
        if model is not None and not self._following:
            self.active.do(UseModel(actor=self.actor, model=model))

    def _restore(self) -> None:
        self.active.do(UseModel(actor=self.actor, model=self._own))
