"""The viewport as a NiceGUI element. Its modules are plain files, served as they are."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import nicegui
from nicegui.element import Element

if TYPE_CHECKING:
    from pliant.viewer.workshop import PinMark

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
        self._props["pins"] = []

    def show_pins(self, pins: "Sequence[PinMark]") -> None:
        """Mark what is pinned."""
        told = [asdict(pin) for pin in pins]
        if told != self._props["pins"]:
            self._props["pins"] = told
            self.update()

    def save_picture(self) -> None:
        """Have the browser save what it shows."""
        self.run_method("picture")
