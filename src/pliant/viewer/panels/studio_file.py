"""A shape from a file: the same mesh, saved in another shape."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import ui
from nicegui.events import GenericEventArguments

from pliant.viewer.panels.shape_file import ShapeFile
from pliant.viewer.protocol.studio_commands import DraftFrom
from pliant.viewer.server.session import Session

if TYPE_CHECKING:
    from pliant.viewer.simulation.studio import DraftShown

SHAPES = (".obj", ".ply", ".stl", ".glb", ".usd", ".usda", ".usdc")


class FileTool:
    """A button that takes a file. `file_of` knows what has arrived."""

    def __init__(self, session: Session, file_of: Callable[[str], Path | None]) -> None:
        self.session, self._file_of = session, file_of
        self._actor = ""
        ui.label(
            "The same mesh in another shape, as another program saves it: with the same vertices and settings."
        ).classes("groups-note")
        element = ShapeFile(SHAPES).classes("studio-file")
        element.on("shape", self._take)
        element.on("wrong", self._complain)
        self._wrong: ui.label = ui.label().classes("studio-wrong").props('role="alert"')

    def follow(self, draft: "DraftShown") -> None:
        """Which body is meant."""
        self._actor = draft.actor

    def _complain(self, event: GenericEventArguments) -> None:
        self._wrong.set_text(str(event.args))

    def _take(self, event: GenericEventArguments) -> None:
        self._wrong.set_text("")
        path = self._file_of(str(event.args))
        if path is not None:
            self.session.do(DraftFrom(actor=self._actor, path=str(path)))
