"""The page of an exhibit: the viewport, and beside it what can be played with."""

from nicegui import ui
from nicegui.events import GenericEventArguments

from pliant.viewer.commands import Play, Reset, Speed, Step
from pliant.viewer.notice import COMPILING, Notice
from pliant.viewer.panel import SEGMENTS, Panel
from pliant.viewer.sessions import Session, Status
from pliant.viewer.viewport_element import Viewport

SPEEDS = {1.0: "1×", 0.5: "½×", 0.25: "¼×"}
KEYS = {
    "Drag a body": "pull it; let go to throw it",
    "Drag elsewhere": "turn the view",
    "Right button, or two fingers": "move the view",
    "Wheel, or pinch": "come nearer or go away",
    "Space": "play or pause",
    "S": "a single step",
    "R": "reset",
    "F": "see everything",
    "?": "this list",
}
REFRESH = 0.1  # seconds
KEEPS_UP = 0.93  # of real time; less is told


class ExhibitPage:
    """Built for each visitor; all of them share the session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._shown: Status | None = None
        self._lost = False
        with ui.element("main").classes("exhibit"):
            with ui.element("section").classes("stage"):
                viewport = Viewport(session.name, bars="weights")
                viewport.on("help", self._toggle_help)
                viewport.on("lost", self._note_link)
                ui.label("Drag the body to pull it").classes("hint")
                self.notice = Notice()
                self._problem()
            with ui.element("aside").classes("panel"):
                self._heading()
                self._transport()
                with ui.element("div").classes("section"):
                    ui.label("Examples").classes("section-title")
                    ui.element("div").props("id=weights").classes("weights")
                with ui.element("div").classes("section"):
                    ui.label("Material").classes("section-title")
                    self.panel = Panel(session)
        self.help = self._help()
        ui.timer(REFRESH, self._refresh)

    # ---- parts -------------------------------------------------------------------------------------------

    def _heading(self) -> None:
        exhibit = self.session.exhibit
        with ui.element("div").classes("heading"):
            with ui.element("div").classes("heading-top"):
                ui.link("← Gallery", "/").classes("back")
                ui.button(icon="help_outline", on_click=self._toggle_help).props(
                    'flat round dense color=soft aria-label="Help"'
                ).tooltip("Keys (?)")
            ui.label(exhibit.title).classes("title")
            ui.label(exhibit.about).classes("about")
            if exhibit.paper:
                ui.label(exhibit.paper).classes("paper")

    def _transport(self) -> None:
        do = self.session.do
        with ui.element("div").classes("transport"):
            self.play = ui.button(icon="pause", on_click=lambda: do(Play())).props("unelevated round")
            self.play.classes("play").props('aria-label="Play or pause"').tooltip("Play or pause (space)")
            for icon, label, command in (
                ("skip_next", "Step", Step()),
                ("replay", "Reset", Reset()),
            ):
                button = ui.button(icon=icon, on_click=lambda command=command: do(command))
                button.props(f'flat round color=soft aria-label="{label}"')
                button.tooltip(f"{label} ({label[0]})")
            self.speed = ui.toggle(SPEEDS, value=1.0).props(SEGMENTS).classes("speed")
            self.speed.on_value_change(lambda event: do(Speed(factor=event.value)))
        with ui.element("div").classes("clock"):
            self.time = ui.label("0.00 s").classes("time")
            self.rate = ui.label().classes("rate")

    def _problem(self) -> None:
        with ui.element("div").classes("problem") as self.problem:
            ui.icon("error_outline")
            self.problem_text = ui.label().classes("problem-text")
            ui.button("Reset", on_click=lambda: self.session.do(Reset())).props("flat dense no-caps")
        self.problem.set_visibility(False)

    def _help(self) -> ui.dialog:
        with ui.dialog() as dialog, ui.card().classes("help"):
            ui.label("Mouse, touch and keys").classes("title")
            with ui.element("dl"):
                for key, what in KEYS.items():
                    with ui.element("dt"):
                        ui.label(key)
                    with ui.element("dd"):
                        ui.label(what)
        return dialog

    # ---- what changes ------------------------------------------------------------------------------------

    def _toggle_help(self) -> None:
        self.help.set_value(not self.help.value)

    def _note_link(self, event: GenericEventArguments) -> None:
        self._lost = bool(event.args)

    def _refresh(self) -> None:
        status = self.session.status
        self._refresh_notice(status)
        self.panel.refresh()
        if status == self._shown:
            return
        self._shown = status
        self.play.set_icon("pause" if status.playing else "play_arrow")
        self.time.set_text(f"{status.time:.2f} s")
        slow = status.playing and status.phase == "ready" and status.rate < KEEPS_UP
        self.rate.set_text(f"{100 * status.rate:.0f} % of real time" if slow else "")
        if self.speed.value != status.speed:
            self.speed.set_value(status.speed)
        self.problem_text.set_text(status.problem)
        self.problem.set_visibility(bool(status.problem))

    def _refresh_notice(self, status: Status) -> None:
        preparation = self.session.preparation
        if status.phase in ("ready", "failed"):
            self.notice.show("The connection is lost; trying again" if self._lost else "")
        elif preparation.progress.total:
            self.notice.show(COMPILING, preparation.progress)
        else:
            self.notice.show("Opening the exhibit")
