"""Play, pause, step, reset, slow motion, and how fast time really goes."""

from nicegui import ui

from pliant.viewer.panels.panel import SEGMENTS
from pliant.viewer.protocol.commands import Play, Reset, Speed, Step
from pliant.viewer.server.session import Session
from pliant.viewer.server.watching import Status

SPEEDS = {1.0: "1×", 0.5: "½×", 0.25: "¼×", 0.125: "⅛×"}
KEEPS_UP = 0.93  # of the wanted speed; less is told


class Transport:
    """Buttons and a clock."""

    def __init__(self, session: Session) -> None:
        do = session.do
        self._following = False
        with ui.element("div").classes("transport"):
            self.play = ui.button(icon="pause", on_click=lambda: do(Play())).props(
                "unelevated round text-color=on-accent"
            )
            self.play.classes("play").props('aria-label="Play or pause"').tooltip("Play or pause (space)")
            for icon, label, command in (("skip_next", "Step", Step()), ("replay", "Reset", Reset())):
                button = ui.button(icon=icon, on_click=lambda command=command: do(command))
                button.props(f'flat round color=soft aria-label="{label}"')
                button.tooltip(f"{label} ({label[0]})")
            self.speed = ui.toggle(SPEEDS, value=1.0).props(SEGMENTS).classes("speed")
            self.speed.on_value_change(lambda event: None if self._following else do(Speed(factor=event.value)))
        with ui.element("div").classes("clock"):
            self.time = ui.label("0.00 s").classes("time")
            self.rate = ui.label().classes("rate")

    def show(self, status: Status) -> None:
        """Take over what the session says."""
        self.play.set_icon("pause" if status.playing else "play_arrow")
        self.time.set_text(f"{status.time:.2f} s")
        slow = said_rate(status)
        self.rate.set_text(slow or said_sleep(status))
        self.rate.classes(add="slow" if slow else "", remove="" if slow else "slow")
        self._following = True  # to show the old speed, while a new one was chosen just now, must not ask for it
        self.speed.set_value(status.speed)
        self._following = False


def said_rate(status: Status) -> str:
    """At which part of real time it runs, if it cannot keep up with what is asked.

    >>> said_rate(Status(phase="ready", rate=0.5)), said_rate(Status(phase="ready", rate=0.99))
    ('50 % of real time', '')
    """
    if not status.playing or status.phase != "ready" or status.rate >= KEEPS_UP:
        return ""
    return f"{100 * status.rate * status.speed:.0f} % of real time"


def said_sleep(status: Status) -> str:
    """How many bodies sleep, if any.

    >>> said_sleep(Status(phase="ready")), said_sleep(Status(phase="ready", sleepers=1))
    ('', '1 body asleep')
    >>> said_sleep(Status(phase="ready", sleepers=5))
    '5 bodies asleep'
    """
    if not status.sleepers or status.phase != "ready":
        return ""
    return f"{status.sleepers} {'body' if status.sleepers == 1 else 'bodies'} asleep"
