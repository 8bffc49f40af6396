"""The first page: a card for each exhibit."""

from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import ui

from pliant.viewer.panels.notice import COMPILING, Notice
from pliant.viewer.panels.your_files import YourFiles
from pliant.viewer.server.preparation import Preparation
from pliant.viewer.server.sessions import Sessions

if TYPE_CHECKING:
    from pliant.gallery.exhibit import Exhibit

PICTURES = Path(__file__).parents[1] / "pictures"
REFRESH = 0.15  # seconds


class GalleryPage:
    """Comes up at once; the cards follow as soon as the exhibits are listed."""

    def __init__(self, preparation: Preparation, sessions: Sessions) -> None:
        self.preparation = preparation
        self._filled = False
        with ui.element("main").classes("gallery"):
            with ui.element("header").classes("masthead"):
                ui.label("Pliant").classes("wordmark").props('role="heading" aria-level="1"')
                ui.label("Soft bodies that obey example poses. Pick one and pull it.").classes("tagline")
                with ui.element("div").classes("open-row"):
                    ui.button("Open a file", icon="upload_file").props(
                        "unelevated no-caps text-color=on-accent data-open-file"
                    )
                    ui.label("or drop a .glb, .usd, .obj or scene .toml on the page").classes("open-hint")
            self.notice = Notice()
            YourFiles(sessions)
            self.cards = ui.element("div").classes("cards")
        self._refresh()
        if not (self._filled and preparation.ready.is_set()):
            self.timer = ui.timer(REFRESH, self._refresh)

    def _refresh(self) -> None:
        if not self._filled and self.preparation.listed.is_set():
            self._filled = True
            with self.cards:
                for exhibit in self.preparation.exhibits:
                    card(exhibit)
        if self.preparation.problem:
            self.notice.show(self.preparation.problem)
        elif self.preparation.progress.total:
            self.notice.show(COMPILING, self.preparation.progress)
        else:
            self.notice.show("" if self._filled else "Opening the gallery")


def card(exhibit: "Exhibit") -> None:
    """A picture, or the name in large letters where there is none; title, a line about it, its figure."""
    with ui.link(target=f"/exhibit/{exhibit.name}").classes("card").mark(exhibit.name):
        with ui.element("div").classes("picture"):
            if (PICTURES / f"{exhibit.name}.png").is_file():
                ui.element("img").props(f'src="/pictures/{exhibit.name}.png" alt="" loading="lazy"')
            else:
                ui.label(exhibit.title).classes("picture-title")
        with ui.element("div").classes("card-text"):
            ui.label(exhibit.title).classes("card-title")
            ui.label(exhibit.about).classes("card-about")
            if exhibit.paper:
                ui.label(exhibit.paper).classes("paper")
