"""Save what happened: a span of the recording as a file for other programs or as a film, or a picture of the view."""

import threading
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from nicegui import run, ui

from pliant.runtime.errors import PliantError
from pliant.viewer.panels.viewport_element import Viewport
from pliant.viewer.recording.file_names import plain_name
from pliant.viewer.server.session import Session
from pliant.viewer.server.temporary_files import PageFiles

if TYPE_CHECKING:
    from pliant.viewer.recording.film import Film
    from pliant.viewer.simulation.panel_state import PanelState

MARKED = 0
SPANS = {5: "last 5 s", 10: "last 10 s", 30: "last 30 s", 60: "last minute"}
SAVED_FORMATS = {
    ".glb": ("GLB", "glTF: Blender, Unity, Godot, the web"),
    ".usdc": ("USD", "Blender, Houdini, Maya, Omniverse"),
    ".npz": ("NPZ", "NumPy arrays: particles, weights, times"),
    ".pc2": ("PC2", "Point caches with their meshes: Blender, Maya, 3ds Max"),
}


class Saving:
    """The recording runs always; files are made in folders that go when the page does."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        from pliant.viewer.recording.film import FILM_PACKAGES, can_film

        self.session, self.viewport = session, viewport
        self._page_files = PageFiles(session.temporary_files)
        self._film: Film | None = None
        self._chosen = 10  # seconds, if nothing is marked
        with ui.element("div").classes("saving-head"):
            self.recorded = ui.label().classes("recorded")
            self.span = ui.select(SPANS, value=10).props('dense borderless options-dense aria-label="How much"')
        with ui.element("div").classes("saving"):
            self.buttons = [
                self._button(label, "download", about, partial(self._save, ending))
                for ending, (label, about) in SAVED_FORMATS.items()
                if ending != ".usdc" or find_spec("pxr") is not None
            ]
            film = "A film of the recording, seen as in this view" if can_film() else FILM_PACKAGES
            self.film_button = self._button("MP4", "movie", film, self._make_film)
            self.film_button.set_enabled(can_film())
            self._button("PNG", "photo_camera", "A picture of the view (P)", viewport.save_picture)
            self.keys = self._button(
                "Shape keys", "category", "The body at rest with its poses as shape keys: GLB for Blender and others",
                self._save_keys,
            )  # fmt: skip
        if not can_film():
            ui.label(FILM_PACKAGES).classes("saving-note")
        self._progress()
        ui.context.client.on_delete(self._clean)

    def refresh(self) -> None:
        """Take over what the session says."""
        panel_state, marked = self.session.panel_state, self.session.status.marked
        seconds = panel_state.recorder.seconds if panel_state is not None else 0.0
        self.recorded.set_text(f"Recorded: {seconds:.0f} s")
        if marked is None and MARKED in self.span.options:
            self.span.set_options(SPANS, value=self._chosen)
        elif marked is not None:
            options = {MARKED: f"marked {marked[1] - marked[0]:.1f} s", **SPANS}
            if MARKED not in self.span.options:  # what was just marked is what is meant
                self._chosen = int(self.span.value)
                self.span.set_options(options, value=MARKED)
            elif options != self.span.options:
                self.span.set_options(options)

    # ---- parts -------------------------------------------------------------------------------------------

    def _button(self, label: str, icon: str, about: str, act: Callable[[], Any]) -> ui.button:
        button = ui.button(label, icon=icon, on_click=act)
        return button.props(f'outline dense no-caps size=sm color=soft aria-label="Save {label}"').tooltip(about)

    def _progress(self) -> None:
        with ui.element("div").classes("filming") as self.filming:
            self.film_text = ui.label().classes("filming-text")
            button = ui.button(icon="close", on_click=self._cancel)
            button.props('flat round dense size=sm color=soft aria-label="Cancel the film"').tooltip("Cancel")
            self.film_bar = ui.linear_progress(0.0, show_value=False).props("rounded size=4px")
        self.filming.set_visibility(False)
        self._watch = ui.timer(0.2, self._show_film, active=False)

    def _show_film(self) -> None:
        if self._film is not None:
            self.film_bar.set_value(self._film.progress)
            done = self._film.progress
            self.film_text.set_text(f"Drawing the film: {100 * done:.0f} %" if done else "Preparing the film")

    def _wanted(self, panel_state: "PanelState") -> tuple[float, float]:
        """The span that is to be saved."""
        marked = self.session.status.marked
        if self.span.value == MARKED and marked is not None:
            return marked
        return panel_state.recorder.last(float(self.span.value or self._chosen))

    # ---- files -------------------------------------------------------------------------------------------

    async def _save(self, ending: str) -> None:
        panel_state = self.session.panel_state
        if panel_state is None:
            return
        for button in self.buttons:
            button.props("loading")
        span, name = self._wanted(panel_state), self.session.name
        await self._offer(run.io_bound(_write, panel_state, name, self._page_files, ending, span))
        for button in self.buttons:
            button.props(remove="loading")

    async def _offer(self, making: Awaitable[Path | None]) -> None:
        """Have the browser download a file when it is made."""
        try:
            path = await making
            if path is not None:  # None: it was cancelled, or the server is being stopped
                ui.download.file(path, path.name)
        except PliantError as error:
            ui.notify(str(error), type="negative", multi_line=True)

    async def _save_keys(self) -> None:
        panel_state = self.session.panel_state
        if panel_state is not None:
            await self._offer(run.io_bound(_write_keys, panel_state, self.session.name, self._page_files))

    # ---- films -------------------------------------------------------------------------------------------

    async def _make_film(self) -> None:
        panel_state = self.session.panel_state
        if panel_state is None or self._film is not None:
            return
        try:
            told = await self.viewport.lens()
            args = panel_state, self.session.name, self._page_files, self._wanted(panel_state), told
            film = await run.io_bound(_film_of, *args)
        except (PliantError, TimeoutError) as error:
            ui.notify(str(error) or "the page does not answer; load it again", type="negative")
            return
        if film is None or self._film is not None:
            return
        self._film = film
        self._show_film()
        self.film_button.set_enabled(False)
        self.filming.set_visibility(True)
        self._watch.activate()
        forget = self.session.temporary_files.at_end(film.cancel)
        await self._offer(run.io_bound(film.draw))
        forget()
        self._film = None
        self._watch.deactivate()
        self.filming.set_visibility(False)
        self.film_button.set_enabled(True)

    async def _cancel(self) -> None:
        if self._film is not None:
            self.film_text.set_text("Cancelling")
            await run.io_bound(self._film.cancel)

    def _clean(self) -> None:
        if self._film is not None:  # not here: it waits for the process
            threading.Thread(target=self._film.cancel, daemon=True).start()
        self._page_files.remove()


def _write(panel_state: "PanelState", name: str, page_files: PageFiles, ending: str, span: tuple[float, float]) -> Path:
    from pliant.viewer.recording.recorder import save

    take = panel_state.recorder.take(name, panel_state.recorded, span)
    folder = page_files.folder()
    with page_files.temporary_files.writing() as check:
        made = save(take, folder, ending, plain_name(name), check)
    files = sorted(folder.iterdir())
    if len(files) == 1:
        return made
    bundle = folder / f"{plain_name(name)}-{ending[1:]}.zip"  # a browser downloads one file
    with ZipFile(bundle, "w", ZIP_DEFLATED) as archive:
        for each in files:
            archive.write(each, each.name)
            each.unlink()
    return bundle


def _write_keys(panel_state: "PanelState", name: str, page_files: PageFiles) -> Path:
    from pliant.viewer.recording.shape_keys import write_shape_keys

    path = page_files.folder() / f"{plain_name(name)}-shape-keys.glb"
    write_shape_keys(panel_state.actors, path)
    return path


def _film_of(
    panel_state: "PanelState", name: str, page_files: PageFiles, span: tuple[float, float], told: object
) -> "Film":
    from pliant.viewer.recording.film import MOMENTS_PER_PICTURE, Film, FilmTask, Lens, sampled
    from pliant.viewer.recording.recorder import FPS, take_of

    camera = Lens.of(told).camera()
    moments, fps = panel_state.recorder.cut(span, MOMENTS_PER_PICTURE), FPS / MOMENTS_PER_PICTURE
    colliders = sampled(panel_state.colliders, [moment.time for moment in moments], fps)
    take = take_of(name, moments, panel_state.recorded, fps)
    return Film(FilmTask(take, colliders, camera, page_files.folder() / f"{plain_name(name)}.mp4"))
