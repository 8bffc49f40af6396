"""The viewport as a NiceGUI element. Its modules are plain files, served as they are."""

from pathlib import Path

import nicegui
from nicegui.element import Element

# NiceGUI bundles three.js for its own scene.
THREE_JS = Path(nicegui.__file__).parent / "elements" / "scene" / "dist"
MODULES = Path(__file__).parent / "viewport"


class Viewport(Element, component=MODULES / "viewport.js", esm={"nicegui-scene": str(THREE_JS)}):
    """Draws the session of an exhibit, and its weights in the element with the id `bars`.

    Emits `help` when its key is pressed and `lost` (true or false) when the stream breaks or comes back.
    """

    def __init__(self, name: str, bars: str) -> None:
        super().__init__()
        self._props["name"] = name
        self._props["bars"] = bars
