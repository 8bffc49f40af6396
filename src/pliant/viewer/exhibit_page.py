"""The page of an exhibit: the viewport, and beside it what can be played with."""

from nicegui import ui
from nicegui.events import GenericEventArguments

from pliant.viewer.commands import Reset
from pliant.viewer.help import help_dialog
from pliant.viewer.notice import Notice, waiting_for
from pliant.viewer.panel import Panel
from pliant.viewer.poses import PoseStrip
from pliant.viewer.saving import Saving
from pliant.viewer.sessions import Session, Status
from pliant.viewer.transport import Transport
from pliant.viewer.viewport_element import Viewport

REFRESH = 0.1  # seconds


class ExhibitPage:
    """Built for each visitor; all of them share the session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._shown: Status | None = None
        self._lost = False
        with ui.element("main").classes("exhibit"):
            with ui.element("section").classes("stage"):
                self.viewport = Viewport(session.name, bars="weights")
                self.viewport.on("help", self._toggle_help)
                self.viewport.on("lost", self._note_link)
                ui.label("Drag the body to pull it, with shift to pin it").classes("hint")
                self.notice = Notice()
                self._problem()
            with ui.element("aside").classes("panel"):
                self._heading()
                self.transport = Transport(session)
                with _section("Examples"):
                    self.poses = PoseStrip(session)
                with _section("Weights"):
                    ui.element("div").props("id=weights").classes("weights")
                with _section("Material"):
                    self.panel = Panel(session)
                with _section("Save"):
                    self.saving = Saving(session, self.viewport)
        self.help = help_dialog()
        ui.timer(REFRESH, self._refresh)

    # ---- parts -------------------------------------------------------------------------------------------

    def _heading(self) -> None:
        exhibit = self.session.exhibit
        with ui.element("div").classes("heading"):
            with ui.element("div").classes("heading-top"):
                ui.link("← Gallery", "/").classes("back")
                with ui.element("div"):
                    ui.button(icon="upload_file").props(
                        'flat round dense color=soft data-open-file aria-label="Open a file"'
                    ).tooltip("Open a file, or drop it on the page")
                    ui.button(icon="help_outline", on_click=self._toggle_help).props(
                        'flat round dense color=soft aria-label="Help"'
                    ).tooltip("Keys and gestures (H)")
            ui.label(exhibit.title).classes("title")
            ui.label(exhibit.about).classes("about")
            if exhibit.paper:
                ui.label(exhibit.paper).classes("paper")
            self.notes = ui.label().classes("notes")

    def _problem(self) -> None:
        with ui.element("div").classes("problem") as self.problem:
            ui.icon("error_outline")
            self.problem_text = ui.label().classes("problem-text")
            ui.button("Reset", on_click=lambda: self.session.do(Reset())).props("flat dense no-caps")
        self.problem.set_visibility(False)

    # ---- what changes ------------------------------------------------------------------------------------

    def _toggle_help(self) -> None:
        self.help.set_value(not self.help.value)

    def _note_link(self, event: GenericEventArguments) -> None:
        self._lost = bool(event.args)

    def _refresh(self) -> None:
        status = self.session.status
        self._refresh_notice(status)
        self.panel.refresh()
        self.poses.refresh()
        if status == self._shown:
            return
        self._shown = status
        self.transport.show(status)
        self.saving.refresh()
        if self.session.backstage is not None:
            self.viewport.show_pins(self.session.backstage.pins)
        self.notes.set_text("\n".join(self.session.notes))
        self.problem_text.set_text(status.problem)
        self.problem.set_visibility(bool(status.problem))

    def _refresh_notice(self, status: Status) -> None:
        text, progress = waiting_for(self.session)
        if not text and self._lost:
            text = "The connection is lost; trying again"
        self.notice.show(text, progress)


def _section(title: str) -> ui.element:
    with ui.element("div").classes("section") as section:
        ui.label(title).classes("section-title")
    return section
