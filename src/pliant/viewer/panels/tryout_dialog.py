"""Try it: a pose in three short tests, with it and without it, as small films side by side."""

import threading
from typing import TYPE_CHECKING

from nicegui import run, ui

from pliant.runtime.errors import PliantError
from pliant.viewer.panels.active_side import ActiveSide

if TYPE_CHECKING:
    from pliant.viewer.simulation.tryouts import Tryout, Tryouts

TRYOUT_REFRESH = 0.3  # seconds


class TryoutDialog:
    """Opened by `ask`; what comes of the tests is shown as it comes."""

    def __init__(self, active: ActiveSide) -> None:
        self.active = active
        self._tryouts: Tryouts | None = None
        self._cells: dict[tuple[str, bool], Cell] = {}
        with ui.dialog() as self.dialog, ui.card().classes("trials tryouts"):
            with ui.element("div").classes("trials-head"):
                with ui.element("div"):
                    self.title = ui.label().classes("trials-title")
                    self.note = ui.label().classes("trials-note").props('role="status"')
                ui.button(icon="close", on_click=self.dialog.close).props(
                    'flat round dense color=soft aria-label="Close"'
                )
            self.grid = ui.element("div").classes("tryouts-grid")
        self.dialog.on("hide", self._cancel)
        self._watch = ui.timer(TRYOUT_REFRESH, self._refresh, active=False)
        ui.context.client.on_delete(self._cancel)

    async def ask(self, actor: str, pose: str) -> None:
        """Play the tests of a pose of an actor."""
        from pliant.viewer.recording.film import FILM_PACKAGES, can_film
        from pliant.viewer.simulation.tryouts import TESTS, Tryouts, TryoutTask

        panel_state = self.active.panel_state
        if panel_state is None or self._tryouts is not None:
            return
        if not can_film():
            ui.notify(FILM_PACKAGES, type="negative")
            return
        body = next((each.body for each in panel_state.actors if each.name == actor), None)
        if body is None or pose not in body.poses:
            return
        task = TryoutTask(body, panel_state.settings[actor], pose, panel_state.conditions.substeps)
        self._tryouts = tryouts = Tryouts(task)
        self.title.set_text(f"“{pose}” tried out")
        self.note.set_text("It is being dropped, pressed and pulled …")
        self.grid.clear()
        with self.grid:
            self._cells = {(test, posed): Cell(said, pose, posed) for test, said in TESTS.items()
                           for posed in (True, False)}  # fmt: skip
        self.dialog.open()
        self._watch.activate()
        forget = self.active.session.temporary_files.at_end(tryouts.cancel)
        try:
            if await run.io_bound(tryouts.play):
                self._refresh()
                self.note.set_text(said_best(list(tryouts.found.values()), pose))
        except PliantError as error:
            ui.notify(str(error), type="negative", multi_line=True)
            self.dialog.close()
        finally:
            forget()
            self._tryouts = None
            self._watch.deactivate()

    def _refresh(self) -> None:
        if self._tryouts is not None:
            for key, tryout in list(self._tryouts.found.items()):
                self._cells[key].show(tryout)

    def _cancel(self) -> None:
        if self._tryouts is not None:  # not here: it waits for the process
            threading.Thread(target=self._tryouts.cancel, daemon=True).start()


class Cell:
    """One of the films."""

    def __init__(self, said: str, pose: str, posed: bool) -> None:
        with ui.element("div").classes("trial posed" if posed else "trial") as self.root:
            self.film = ui.element("div").classes("trial-film")
            with ui.element("div").classes("trial-text"):
                ui.label(f"{said}\n{'with' if posed else 'without'} “{pose}”")
                self.about = ui.label("…")
        self._shown = False

    def show(self, tryout: "Tryout") -> None:
        """Once; then it plays."""
        if self._shown:
            return
        self._shown = True
        self.about.set_text("" if tryout.reached is None else f"reached {tryout.reached:.0%}\nafter {tryout.at:.1f} s")
        if not tryout.film:
            self.about.set_text("it diverges")
            return
        # As entries: as text it would be cut at the semicolon that is part of a data URL.
        self.film.style["background-image"] = f"url({tryout.film})"
        self.film.style["animation-duration"] = "2s"
        self.film.update()


def said_best(found: "list[Tryout]", pose: str) -> str:
    """What was learnt, in a line."""
    from pliant.viewer.simulation.tryouts import TESTS

    reached = {each.test: each.reached for each in found if each.reached is not None}
    if not reached:
        return "None of the tests could be played to its end."
    most = max(reached, key=lambda test: reached[test])
    if reached[most] < 0.05:
        return f"“{pose}” hardly shows in any of them: none of these looks like it. Pull or bend the body yourself."
    return f"“{pose}” shows most when it is {TESTS[most].lower()}: {reached[most]:.0%}"
