"""What a person has made, in the gallery: a card for each, with a name that can be changed."""

import time
from functools import partial

from nicegui import ui

from pliant.viewer.panels.naming import Naming
from pliant.viewer.server.sessions import Sessions
from pliant.viewer.server.works import Work

FEW = 8  # that are shown at first


class YourFiles:
    """Not there while there are none."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        self._all = False
        self.root = ui.element("section").classes("your-files").props('aria-label="Your files"')
        self.naming = Naming()
        with ui.dialog() as self.asking, ui.card().classes("naming"):
            self._question = ui.label().classes("title")
            ui.label("This cannot be undone.")
            with ui.element("div").classes("buttons"):
                ui.button("Keep it", on_click=self.asking.close).props("flat no-caps color=soft autofocus")
                ui.button("Delete", on_click=self._delete).props("unelevated no-caps color=negative")
        self._chosen: Work | None = None
        self._fill()

    def _fill(self) -> None:
        works = self.sessions.works.all()
        self.root.clear()
        self.root.set_visibility(bool(works))
        with self.root:
            ui.label("Your files").classes("section-heading").props('role="heading" aria-level="2"')
            with ui.element("div").classes("cards small"):
                for work in works if self._all else works[:FEW]:
                    self._card(work)
            if len(works) > FEW and not self._all:
                ui.button(f"Show all {len(works)}", on_click=self._show_all).props("flat no-caps color=soft")
            ui.label("The gallery").classes("section-heading").props('role="heading" aria-level="2"')

    def _card(self, work: Work) -> None:
        with ui.element("div").classes("work-card"):
            with ui.link(target=f"/exhibit/{work.name}").classes("work-link"):
                with ui.element("div").classes("picture"):
                    if work.picture.is_file():
                        source = f"/made/{work.name}.jpg?{work.picture.stat().st_mtime_ns}"
                        ui.element("img").props(f'src="{source}" alt="" loading="lazy"')
                    else:
                        ui.label(work.title).classes("picture-title")
                with ui.element("div").classes("card-text"):
                    ui.label(work.title).classes("card-title")
                    ui.label(said_work(work, time.time())).classes("card-about")
            with ui.element("div").classes("work-tools"):
                said = work.title.replace('"', "'")
                for icon, label, act in (("edit", "rename", self._rename), ("delete", "delete", self._ask)):
                    button = ui.button(icon=icon, on_click=partial(act, work))
                    button.props(f'flat round dense size=sm color=soft aria-label="{said}: {label}"')

    def _show_all(self) -> None:
        self._all = True
        self._fill()

    def _rename(self, work: Work) -> None:
        def rename(title: str) -> None:
            self.sessions.works.rename(work.name, title)
            self._fill()

        self.naming.ask("Rename", work.title[:40], rename)

    def _ask(self, work: Work) -> None:
        self._chosen = work
        self._question.set_text(f"Delete “{work.title}”?")
        self.asking.open()

    def _delete(self) -> None:
        self.asking.close()
        if self._chosen is not None and not self.sessions.delete_work(self._chosen.name):
            ui.notify(f"“{self._chosen.title}” is open in another window; close that first", type="warning")
        self._fill()


def said_work(work: Work, now: float) -> str:
    """When it was made, and what is in it.

    >>> from pathlib import Path
    >>> said_work(Work("bar-1", Path("bar-1.zip"), "A bar", "bar", 1000.0, 2), 1100.0)
    'a minute ago · 2 poses'
    """
    poses = f"{work.poses} {'pose' if work.poses == 1 else 'poses'}" if work.poses else "no poses"
    return f"{said_ago(now - work.saved)} · {poses}"


def said_ago(seconds: float) -> str:
    """How long ago something was.

    >>> said_ago(10), said_ago(7300), said_ago(200000)
    ('just now', '2 hours ago', '2 days ago')
    """
    for unit, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        count = int(seconds // unit)
        if count:
            return f"{'an' if name == 'hour' else 'a'} {name} ago" if count == 1 else f"{count} {name}s ago"
    return "just now"
