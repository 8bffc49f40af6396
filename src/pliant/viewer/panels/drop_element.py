"""Dropping files on a page, as a NiceGUI element."""

from pathlib import Path

from nicegui import ui
from nicegui.element import Element

from pliant.viewer.panels.viewport_element import MODULES
from pliant.viewer.server.guard import LARGEST_UPLOAD, UPLOAD_PATH
from pliant.viewer.server.uploads import TAKEN

DROP_STYLE = Path(__file__).parent / "drop.css"


class Drop(Element, component=MODULES / "drop.js"):
    """Takes files that are dropped anywhere on the page, and opens the dialogue for files at a click on whatever has
    the attribute `data-open-file`."""

    def __init__(self) -> None:
        ui.add_css(DROP_STYLE)
        super().__init__()
        self._props["path"] = UPLOAD_PATH
        self._props["largest"] = LARGEST_UPLOAD
        self._props["endings"] = list(TAKEN)
