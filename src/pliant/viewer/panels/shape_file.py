"""A button that takes a file for the studio, as an element of the page."""

from nicegui.element import Element

from pliant.viewer.panels.viewport_element import MODULES
from pliant.viewer.server.guard import LARGEST_UPLOAD, UPLOAD_PATH


class ShapeFile(Element, component=MODULES / "shape_file.js"):
    """Emits `shape` with the name by which the server knows the file, or `wrong` with what is wrong with it."""

    def __init__(self, endings: tuple[str, ...]) -> None:
        super().__init__()
        self._props["path"] = f"{UPLOAD_PATH}?for=shape"
        self._props["largest"] = LARGEST_UPLOAD
        self._props["endings"] = list(endings)
