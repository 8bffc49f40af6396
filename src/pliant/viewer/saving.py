"""Save what happened: the last seconds as a file for other programs, or a picture of the view."""

import re
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import run, ui

from pliant.errors import PliantError
from pliant.viewer.sessions import Session
from pliant.viewer.viewport_element import Viewport

if TYPE_CHECKING:
    from pliant.viewer.workshop import Backstage

SPANS = {5: "last 5 s", 10: "last 10 s", 30: "last 30 s", 60: "last minute"}
FORMATS = {
    ".glb": ("GLB", "glTF: Blender, Unity, Godot, the web"),
    ".usdc": ("USD", "Blender, Houdini, Maya, Omniverse"),
    ".npz": ("NPZ", "NumPy arrays: particles, weights, times"),
}


class Saving:
    """The recording runs always; files are made in a folder that goes when the page does."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        self.session = session
        self._folder: Path | None = None
        with ui.element("div").classes("saving-head"):
            self.recorded = ui.label().classes("recorded")
            self.span = ui.select(SPANS, value=10).props('dense borderless options-dense aria-label="How much"')
        with ui.element("div").classes("saving"):
            self.buttons = [
                self._button(label, "download", about, lambda ending=ending: self._save(ending))
                for ending, (label, about) in FORMATS.items()
                if ending != ".usdc" or find_spec("pxr") is not None
            ]
            self._button("PNG", "photo_camera", "A picture of the view (P)", viewport.save_picture)
        ui.context.client.on_delete(self._clean)

    def _button(self, label: str, icon: str, about: str, act: object) -> ui.button:
        button = ui.button(label, icon=icon, on_click=act)  # type: ignore[arg-type]
        return button.props(f'outline dense no-caps size=sm color=soft aria-label="Save {label}"').tooltip(about)

    def refresh(self) -> None:
        backstage = self.session.backstage
        seconds = backstage.recorder.seconds if backstage is not None else 0.0
        self.recorded.set_text(f"Recorded: {seconds:.0f} s")

    async def _save(self, ending: str) -> None:
        backstage = self.session.backstage
        if backstage is None:
            return
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="pliant-"))
        for button in self.buttons:
            button.props("loading")
        try:
            name, seconds = self.session.name, float(self.span.value)
            path = await run.io_bound(_write, backstage, name, self._folder, ending, seconds)
            if path is not None:  # None: the server is being stopped
                ui.download.file(path, f"{_plain(name)}{ending}")
        except PliantError as error:
            ui.notify(str(error), type="negative")
        finally:
            for button in self.buttons:
                button.props(remove="loading")

    def _clean(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _write(backstage: "Backstage", name: str, folder: Path, ending: str, seconds: float) -> Path:
    from pliant.viewer.recording import save

    for old in folder.iterdir():  # only the last one is kept
        shutil.rmtree(old, ignore_errors=True)
    return save(backstage.recorder.take(name, backstage.players, seconds), Path(tempfile.mkdtemp(dir=folder)), ending)


def _plain(name: str) -> str:
    """A name that any file system takes.

    >>> _plain("my bear.glb"), _plain("../../etc")
    ('my-bear', 'etc')
    """
    stem = re.sub(r"\.[A-Za-z0-9]{2,4}$", "", name)
    return re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-") or "take"
