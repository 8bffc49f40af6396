"""The button that saves a session as a scene: bodies, poses, groups, settings, the world and what is pinned."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import run, ui

from pliant.runtime.errors import PliantError
from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.viewport_element import Viewport
from pliant.viewer.recording.file_names import plain_name
from pliant.viewer.server.temporary_files import PageFiles

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import PanelState

ABOUT = "One file with everything: opens with `pliant view`, `pliant bake`, or dropped on this page"


class SceneSaving:
    """Of the active copy. Files are made in folders that go when the page does."""

    def __init__(self, active: ActiveSide, viewport: Viewport) -> None:
        self.active, self.viewport = active, viewport
        self._page_files = PageFiles(active.session.temporary_files)
        self.button = ui.button("Save the scene", icon="inventory_2", on_click=self._save)
        self.button.props('outline dense no-caps size=sm color=soft aria-label="Save scene"').classes("save-scene")
        self.button.tooltip(ABOUT)
        self.notes = ui.label().classes("saving-note")
        self.notes.set_visibility(False)
        ui.context.client.on_delete(self._page_files.remove)

    async def _save(self) -> None:
        panel_state = self.active.panel_state
        if panel_state is None:
            return
        self.button.props("loading")
        try:
            told = await self.viewport.lens()
            made = await run.io_bound(_write, panel_state, self.active.session.name, self._page_files, told)
            if made is not None:  # None: the server is being stopped
                path, notes = made
                ui.download.file(path, path.name)
                self.notes.set_text("\n".join(note[:1].upper() + note[1:] + "." for note in notes))
                self.notes.set_visibility(bool(notes))
        except (PliantError, TimeoutError) as error:
            ui.notify(str(error) or "the page does not answer; load it again", type="negative", multi_line=True)
        finally:
            self.button.props(remove="loading")


def _write(panel_state: "PanelState", name: str, page_files: PageFiles, told: object) -> tuple[Path, Sequence[str]]:
    from pliant.viewer.recording.film import Lens
    from pliant.viewer.simulation.scene_files import scene_zip

    camera = Lens.of(told).camera()
    away = [eye - target for eye, target in zip(camera.eye, camera.target, strict=True)]
    length = sum(each * each for each in away) ** 0.5
    content, notes = scene_zip(panel_state, [round(each / length, 4) for each in away])
    path = page_files.folder() / f"{plain_name(name)}-scene.zip"
    path.write_bytes(content)
    return path, notes
