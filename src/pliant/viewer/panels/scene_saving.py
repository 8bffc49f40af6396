"""The button that saves a session as a scene: bodies, poses, groups, settings, the world and what is pinned."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import run, ui

from pliant.runtime.errors import PliantError
from pliant.viewer.panels.active_side import Facing
from pliant.viewer.panels.viewport_element import Viewport
from pliant.viewer.recording.file_names import plain_name
from pliant.viewer.server.temporary_files import Drawer

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import Backstage

ABOUT = "One file with everything: opens with `pliant view`, `pliant bake`, or dropped on this page"


class SceneSaving:
    """Of the copy that the page faces. Files are made in folders that go when the page does."""

    def __init__(self, facing: Facing, viewport: Viewport) -> None:
        self.facing, self.viewport = facing, viewport
        self._drawer = Drawer(facing.session.shelf)
        self.button = ui.button("Save the scene", icon="inventory_2", on_click=self._save)
        self.button.props('outline dense no-caps size=sm color=soft aria-label="Save scene"').classes("save-scene")
        self.button.tooltip(ABOUT)
        self.notes = ui.label().classes("saving-note")
        self.notes.set_visibility(False)
        ui.context.client.on_delete(self._drawer.remove)

    async def _save(self) -> None:
        backstage = self.facing.backstage
        if backstage is None:
            return
        self.button.props("loading")
        try:
            told = await self.viewport.lens()
            made = await run.io_bound(_write, backstage, self.facing.session.name, self._drawer, told)
            if made is not None:  # None: the server is being stopped
                path, notes = made
                ui.download.file(path, path.name)
                self.notes.set_text("\n".join(note[:1].upper() + note[1:] + "." for note in notes))
                self.notes.set_visibility(bool(notes))
        except (PliantError, TimeoutError) as error:
            ui.notify(str(error) or "the page does not answer; load it again", type="negative", multi_line=True)
        finally:
            self.button.props(remove="loading")


def _write(backstage: "Backstage", name: str, drawer: Drawer, told: object) -> tuple[Path, Sequence[str]]:
    from pliant.viewer.recording.film import Lens
    from pliant.viewer.simulation.scene_files import scene_zip

    camera = Lens.of(told).camera()
    away = [eye - target for eye, target in zip(camera.eye, camera.target, strict=True)]
    length = sum(each * each for each in away) ** 0.5
    content, notes = scene_zip(backstage, [round(each / length, 4) for each in away])
    path = drawer.folder() / f"{plain_name(name)}-scene.zip"
    path.write_bytes(content)
    return path, notes
