"""The viewport as a NiceGUI element. Its modules are plain files, served as they are."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nicegui
from nicegui.element import Element

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import PinMark

# NiceGUI bundles three.js for its own scene.
THREE_JS = Path(nicegui.__file__).parent / "elements" / "scene" / "dist"
MODULES = Path(__file__).parents[1] / "viewport"


class Viewport(Element, component=MODULES / "viewport.js", esm={"nicegui-scene": str(THREE_JS)}):
    """Draws the session of an exhibit, its weights in the element with the id `bars` and its timeline in `reel`.

    Emits `help` and `tool` (with the name of a tool for groups) when their keys are pressed, `lost` (true or false)
    when the stream breaks or comes back, and `place` with a vertex of the body in the studio that was clicked.
    """

    def __init__(self, name: str, bars: str, reel: str) -> None:
        super().__init__()
        self._props["name"] = name
        self._props["bars"] = bars
        self._props["reel"] = reel
        self._props["pins"] = []
        self._props["captions"] = {}
        self._props["inside"] = {"skin": "solid"}
        self._props["painting"] = None
        self._props["studio"] = None
        self._props["spots"] = None

    def show_pins(self, pins: "Sequence[PinMark]") -> None:
        """Mark what is pinned."""
        told = [asdict(pin) for pin in pins]
        if told != self._props["pins"]:
            self._props["pins"] = told
            self.update()

    def show_captions(self, texts: dict[str, str]) -> None:
        """What is written over each of two copies that are compared, by its name."""
        if texts != self._props["captions"]:
            self._props["captions"] = texts
            self.update()

    def show_painting(self, painting: "dict[str, Any] | None") -> None:
        """Which tool is in hand and what it paints, as painting.js has it; None for none."""
        if painting != self._props["painting"]:
            self._props["painting"] = painting
            self.update()

    def show_studio(self, studio: "dict[str, Any] | None") -> None:
        """The body that is in the hand, and the tool, as studio.js has them; None while time goes on."""
        if studio != self._props["studio"]:
            self._props["studio"] = studio
            self.update()

    def show_spots(self, actor: str, particles: Sequence[int]) -> None:
        """Mark places of a body, by its particles; none takes the marks away."""
        spots = {"actor": actor, "particles": list(particles)} if len(particles) else None
        if spots != self._props["spots"]:
            self._props["spots"] = spots
            self.update()

    def show_inside(self, inside_view: dict[str, Any]) -> None:
        """Show what a person wants to see in and on the bodies (inside.py)."""
        if inside_view != self._props["inside"]:
            self._props["inside"] = inside_view
            self.update()

    async def lens(self) -> Any:
        """Where the page sees it from, as the page says it (see `film.Lens`)."""
        return await self.run_method("lens", timeout=30.0)

    def save_picture(self) -> None:
        """Have the browser save what it shows."""
        self.run_method("picture")
