"""Try eight: the session played with settings around its own, as eight small films beside the present one. One of them
is chosen by a click."""

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import run, ui

from pliant.runtime.errors import PliantError
from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.protocol.commands import Reset, Tune

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import PanelState
    from pliant.viewer.simulation.trials import Trials

TRYING_REFRESH = 0.3  # seconds
ABOUT_TRYING = "Plays this scene with eight settings around these, shows small films of them, and lets you choose one"


class Trying:
    """The button, and the dialog that it opens. actor: says which body is meant, None for all."""

    def __init__(self, active: ActiveSide, actor: Callable[[], str | None]) -> None:
        from pliant.viewer.recording.film import FILM_PACKAGES, can_film

        self.active, self._actor = active, actor
        self._trials: Trials | None = None
        self._changes: list[dict[str, float]] = []
        self._cells: list[Cell] = []
        self._whose: str | None = None
        self.button = ui.button("Try eight", icon="grid_view", on_click=self._try)
        self.button.props('flat dense no-caps size=sm color=soft aria-label="Try eight"').classes("try-eight")
        self.button.tooltip(ABOUT_TRYING if can_film() else FILM_PACKAGES)
        self.button.set_enabled(can_film())
        with ui.dialog() as self.dialog, ui.card().classes("trials"):
            with ui.element("div").classes("trials-head"):
                with ui.element("div"):
                    ui.label("Eight around these settings").classes("trials-title")
                    self.note = ui.label().classes("trials-note")
                ui.button(icon="close", on_click=self.dialog.close).props(
                    'flat round dense color=soft aria-label="Close"'
                )
            self.grid = ui.element("div").classes("trials-grid")
        self.dialog.on("hide", self._cancel)
        self._watch = ui.timer(TRYING_REFRESH, self._refresh, active=False)
        ui.context.client.on_delete(self._cancel)

    async def _try(self) -> None:
        panel_state = self.active.panel_state
        if panel_state is None or self._trials is not None:
            return
        self._whose = self._actor()
        try:
            made = await run.io_bound(_trials, panel_state, self._whose)
        except PliantError as error:
            ui.notify(str(error), type="negative", multi_line=True)
            return
        if made is None or self._trials is not None:  # None: the server is being stopped
            return
        trials, self._changes = made
        self._trials = trials
        self.button.set_enabled(False)  # until the process has ended
        self._lay_out()
        self.dialog.open()
        self._watch.activate()
        forget = self.active.session.temporary_files.at_end(trials.cancel)
        try:
            whole = await run.io_bound(trials.play)
            if whole:
                self._refresh()
                self.note.set_text("Click the one that you want; the middle one is as it is now")
        except PliantError as error:
            ui.notify(str(error), type="negative", multi_line=True)
            self.dialog.close()
        finally:
            forget()
            self._trials = None
            self.button.set_enabled(True)
            self._watch.deactivate()

    def _lay_out(self) -> None:
        self.note.set_text("They are being played …")
        self.grid.clear()
        with self.grid:
            self._cells = [Cell(changes, partial(self._choose, changes)) for changes in self._changes]

    def _refresh(self) -> None:
        if self._trials is not None:
            for number, trial in list(self._trials.found.items()):
                self._cells[number].show(trial.film, trial.seconds, trial.about)

    def _choose(self, changes: Mapping[str, float]) -> None:
        self.dialog.close()
        for field, value in changes.items():
            self.active.do(Tune(actor=self._whose, field=field, value=value))
        if changes:
            self.active.do(Reset())

    def _cancel(self) -> None:
        if self._trials is not None:  # not here: it waits for the process
            threading.Thread(target=self._trials.cancel, daemon=True).start()


class Cell:
    """One of them."""

    def __init__(self, changes: Mapping[str, float], choose: Callable[[], None]) -> None:
        from pliant.sweeps.neighbours import said_step

        said = ", ".join(said_step(field, value) for field, value in changes.items()) or "as it is now"
        with ui.element("button").classes("trial" if changes else "trial now").on("click", choose) as self.root:
            self.root.props(f'type=button aria-label="{said}"')
            self.film = ui.element("div").classes("trial-film")
            with ui.element("div").classes("trial-text"):
                ui.label(said.replace(", ", "\n"))
                self.about = ui.label("…")
        self._shown = False

    def show(self, film: str, seconds: float, about: str) -> None:
        """Once; then it plays."""
        if not self._shown:
            self._shown = True
            self.about.set_text(about)
            if film:
                # As entries: as text it would be cut at the semicolon that is part of a data URL.
                self.film.style["background-image"] = f"url({film})"
                self.film.style["animation-duration"] = f"{max(seconds, 0.5):.2f}s"
                self.film.update()
                self.root.classes("drawn")


def _trials(panel_state: "PanelState", actor: str | None) -> "tuple[Trials, list[dict[str, Any]]]":
    """What is to be played, and for each what it changes."""
    from pliant.sweeps.neighbours import eight_around, steps_around
    from pliant.viewer.simulation.scene_files import scene_zip
    from pliant.viewer.simulation.trials import Trials, TrialsTask

    settings = panel_state.settings if actor is None else {actor: panel_state.settings[actor]}
    steps = steps_around(next(iter(settings.values())))
    changes = eight_around(steps)
    if len(changes) < 2:
        raise PliantError("this body has no settings to try; choose another one")
    scene, _ = scene_zip(panel_state)
    every = [
        {(name, field): value for name, each in settings.items() for field, value in change.items()
         if isinstance(getattr(each, field, None), int | float)}
        for change in changes
    ]  # fmt: skip
    return Trials(TrialsTask(scene, every)), changes
