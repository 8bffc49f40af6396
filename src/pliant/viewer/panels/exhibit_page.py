"""The page of an exhibit: the viewport, and beside it what can be played with."""

from collections.abc import Callable
from pathlib import Path

from nicegui import ui
from nicegui.events import GenericEventArguments

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.captions import captions
from pliant.viewer.panels.compare_panel import ComparePanel
from pliant.viewer.panels.groups import GroupsPanel
from pliant.viewer.panels.help import help_dialog
from pliant.viewer.panels.history_panel import HistoryButtons, HistoryList
from pliant.viewer.panels.inside import Inside
from pliant.viewer.panels.notice import Notice, waiting_for
from pliant.viewer.panels.panel import Panel
from pliant.viewer.panels.poses import PoseStrip
from pliant.viewer.panels.saving import Saving
from pliant.viewer.panels.scene_saving import SceneSaving
from pliant.viewer.panels.sections import section
from pliant.viewer.panels.studio import StudioPanel
from pliant.viewer.panels.transport import Transport
from pliant.viewer.panels.tryout_dialog import TryoutDialog
from pliant.viewer.panels.viewport_element import Viewport
from pliant.viewer.panels.world_panel import WorldPanel
from pliant.viewer.protocol.commands import Reset
from pliant.viewer.protocol.studio_commands import OpenStudio
from pliant.viewer.server.session import Session
from pliant.viewer.server.watching import Status
from pliant.viewer.server.works import Works

PANEL_REFRESH = 0.1  # seconds
PULL_HINT = "Drag the body to pull it; with shift, or a finger that rests, to pin it"
HINT_OF_THE_PAST = "This is the recording: drag to turn the view, press L to go on"


class ExhibitPage:
    """Built for each visitor; all of them share the session."""

    def __init__(self, session: Session, works: Works, file_of: Callable[[str], Path | None]) -> None:
        self.session, self.works = session, works
        self.active = ActiveSide(session)
        self._shown: Status | None = None
        self._lost = False
        with ui.element("main").classes("exhibit"):
            with ui.element("section").classes("stage"):
                self.viewport = Viewport(session.name, bars="weights", reel="timeline")
                self.viewport.on("help", self._toggle_help)
                self.viewport.on("lost", self._note_link)
                self.hint = ui.label(PULL_HINT).classes("hint")
                ui.element("div").props("id=timeline")
                self.notice = Notice()
                self._problem()
            with ui.element("aside").classes("panel") as self.aside:
                self._heading()
                with ui.element("div").classes("playing") as self.time:
                    self.transport = Transport(session)
                    self.compare = ComparePanel(self.active)
                self.studio = StudioPanel(self.active, self.viewport, file_of)
                with section("Poses", "accessibility_new"):
                    self.tryouts = TryoutDialog(self.active)
                    self.poses = PoseStrip(self.active, self.viewport, self.tryouts.ask)
                with ui.element("div").classes("playing") as self.parts:
                    with section("Weights", "show_chart"):
                        ui.element("div").props("id=weights").classes("weights")
                    with section("Model & settings", "tune"):
                        self.panel = Panel(self.active)
                    with section("Groups", "palette", open=False):
                        self.groups = GroupsPanel(self.active, self.viewport)
                    with section("See inside", "visibility"):
                        self.inside = Inside(session, self.viewport)
                    with section("World", "public"):
                        self.world = WorldPanel(self.active)
                with section("Save", "save_alt"):
                    self.saving = Saving(session, self.viewport)
                    self.scene_saving = SceneSaving(self.active, self.viewport)
                with section("History", "history", open=False):
                    self.history = HistoryList(session)
        self.help = help_dialog()
        ui.timer(PANEL_REFRESH, self._refresh)

    # ---- parts -------------------------------------------------------------------------------------------

    def _heading(self) -> None:
        exhibit = self.session.exhibit
        with ui.element("div").classes("heading"):
            with ui.element("div").classes("heading-top"):
                ui.link("← Gallery", "/").classes("back")
                with ui.element("div").classes("heading-tools"):
                    self.history_buttons = HistoryButtons(self.session)
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

    def _open_by_itself(self) -> None:
        """The studio, for a file that has brought no poses: once, by the first page that sees it."""
        panel_state, exhibit = self.session.panel_state, self.session.exhibit
        if panel_state is None or not getattr(exhibit, "is_asset", False) or self.session.welcomed:
            return
        self.session.welcomed = True
        if len(panel_state.actors) == 1 and not panel_state.actors[0].body.poses and len(panel_state.steps) < 2:
            self.session.do(OpenStudio(actor=panel_state.actors[0].name))

    # ---- what changes ------------------------------------------------------------------------------------

    def _toggle_help(self) -> None:
        self.help.set_value(not self.help.value)

    def _note_link(self, event: GenericEventArguments) -> None:
        self._lost = bool(event.args)

    def _refresh(self) -> None:
        status = self.session.status
        self._refresh_notice(status)
        self.compare.refresh()
        self.panel.refresh()
        self.world.refresh()
        self.poses.refresh()
        self.groups.refresh()
        self.inside.refresh()
        self.studio.refresh()
        self.history.refresh()
        self.history_buttons.refresh()
        self._open_by_itself()
        self.hint.set_text(self.studio.hint or self.groups.hint or (PULL_HINT if status.live else HINT_OF_THE_PAST))
        drawing = self.studio.hint != ""
        for part in (self.time, self.parts, self.poses.make):
            part.set_visibility(not drawing)
        self.aside.classes(add="drawing" if drawing else "", remove="" if drawing else "drawing")
        if status == self._shown:
            return
        self._shown = status
        self.transport.show(status)
        self.saving.refresh()
        if self.session.panel_state is not None:
            self.viewport.show_pins(self.session.panel_state.pins)
            self.viewport.show_captions(captions(self.session.panel_state))
        self.notes.set_text("\n".join(self.session.notes))
        self.problem_text.set_text(status.problem)
        self.problem.set_visibility(bool(status.problem))

    def _refresh_notice(self, status: Status) -> None:
        text, progress = waiting_for(self.session)
        if not text and self._lost:
            text = "The connection is lost; trying again"
        self.notice.show(text, progress)
