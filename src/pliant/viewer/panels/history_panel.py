"""What was done, as a list that can be clicked, with undo and redo."""

from collections.abc import Sequence

from nicegui import ui

from pliant.viewer.panels.kept_list import KeptList
from pliant.viewer.panels.refusal import RefusalNote
from pliant.viewer.protocol.commands import GoTo, Redo, Undo
from pliant.viewer.server.session import Session

MOST_LINES = 60  # that are listed; older steps are reached by undo


class HistoryButtons:
    """Undo and redo; what each would do is said beside it when the pointer rests."""

    def __init__(self, session: Session) -> None:
        self._seen: tuple[Sequence[str], int] = ((), -1)
        self.session = session
        with ui.element("div").classes("history-buttons"):
            self.undo = self._button("undo", "Undo", Undo(), "Ctrl+Z")
            self.redo = self._button("redo", "Redo", Redo(), "Ctrl+Shift+Z")

    def _button(self, icon: str, label: str, command: Undo | Redo, key: str) -> ui.button:
        button = ui.button(icon=icon, on_click=lambda: self.session.do(command))
        return button.props(f'flat round dense color=soft aria-label="{label}" title="{label} ({key})"')

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state = self.session.panel_state
        if panel_state is None or (panel_state.steps, panel_state.step) == self._seen:
            return
        self._seen = steps, step = panel_state.steps, panel_state.step
        self.undo.set_enabled(step > 0)
        self.redo.set_enabled(step + 1 < len(steps))
        told = steps[step].replace('"', "") if 0 < step < len(steps) else ""
        self.undo.props(f'title="Undo: {told} (Ctrl+Z)"' if told else 'title="Undo (Ctrl+Z)"')
        told = steps[step + 1].replace('"', "") if step + 1 < len(steps) else ""
        self.redo.props(f'title="Redo: {told} (Ctrl+Shift+Z)"' if told else 'title="Redo (Ctrl+Shift+Z)"')


class HistoryList:
    """All steps, the last one first; what was taken back is grey."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._seen: tuple[Sequence[str], int] = ((), -1)
        with ui.element("div").classes("history"):
            place = ui.element("div").classes("history-rows").props('role="group" aria-label="What was done"')
            self._rows: KeptList[tuple[int, str], HistoryRow] = KeptList(place, lambda key: HistoryRow(session, *key))
            self.note = RefusalNote("stage")
            self.kept = ui.label().classes("history-kept").props('role="status"')

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state, keeper = self.session.panel_state, self.session.keeper
        self.note.show(self.session.status)
        if keeper is not None:
            self.kept.set_text(said_kept(keeper.problem, keeper.kept is not None))
        if panel_state is None or (panel_state.steps, panel_state.step) == self._seen:
            return
        self._seen = steps, step = panel_state.steps, panel_state.step
        numbered = list(enumerate(steps))[-MOST_LINES:]
        self._rows.follow(numbered[::-1])
        for (number, _), row in self._rows.parts.items():
            row.show(number - step)


class HistoryRow:
    """One step; a click leads to it."""

    def __init__(self, session: Session, number: int, label: str) -> None:
        self.root = ui.element("button").classes("history-row").props("type=button")
        with self.root:
            ui.label(label)
        self.root.on("click", lambda: session.do(GoTo(step=number)))

    def show(self, ahead: int) -> None:
        """How many steps it is after the one where we are."""
        self.root.classes(add="here" if ahead == 0 else "", remove="" if ahead == 0 else "here")
        self.root.classes(add="ahead" if ahead > 0 else "", remove="" if ahead > 0 else "ahead")
        self.root.props("aria-current=step" if ahead == 0 else "", remove="" if ahead == 0 else "aria-current")


def said_kept(problem: str, kept: bool) -> str:
    """What is said below the list.

    >>> said_kept("", True)
    'Kept in your files, which stand in the gallery.'
    """
    if problem:
        return problem
    return "Kept in your files, which stand in the gallery." if kept else "What you change is kept by itself."
