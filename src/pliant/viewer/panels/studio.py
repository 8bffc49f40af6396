"""The studio beside the stage: tools to draw a pose, and the button that keeps it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.naming import wrong_name
from pliant.viewer.panels.panel import SEGMENTS
from pliant.viewer.panels.refusal import RefusalNote
from pliant.viewer.panels.studio_blend import BlendTool
from pliant.viewer.panels.studio_file import FileTool
from pliant.viewer.panels.studio_ready import ReadyTool
from pliant.viewer.protocol.studio_commands import CloseStudio, KeepDraft, MirrorDraft, RestDraft

if TYPE_CHECKING:
    from pliant.viewer.panels.viewport_element import Viewport
    from pliant.viewer.simulation.panel_state import PanelState
    from pliant.viewer.simulation.studio import DraftShown

TOOLS = {"ready": "Ready", "pull": "Pull", "brush": "Brush", "blend": "Blend", "file": "File"}
BRUSHES = {
    "move": ("open_with", "Move", "Drag the skin where you want it"),
    "inflate": ("add_circle_outline", "Inflate", "It swells under the brush"),
    "deflate": ("remove_circle_outline", "Deflate", "It shrinks under the brush"),
    "smooth": ("blur_on", "Smooth", "Takes kinks out, and keeps the shape"),
    "relax": ("spa", "Relax", "Takes the strain out: a step back to rest, without unbending"),
}
TOOL_HINTS = {
    "ready": "Choose a pose and pull its sliders. The ghost is the body at rest; drag anywhere to turn the view",
    "pull": "Pull the body: it settles as you pull; with shift, or a finger that rests, it stays pinned",
    "brush": "Paint on the body; drag beside it, or with the right button, to turn the view",
    "blend": "Mix the poses that there are",
    "file": "Take the shape from a file of the same mesh",
    "place": "Click on the body where it is to be",
}


class StudioPanel:
    """Shown while time stands still. Which tool is in hand is the page's own affair; the draft is that of all pages."""

    def __init__(
        self, active: ActiveSide, viewport: "Viewport", file_of: Callable[[str], Path | None]
    ) -> None:
        self.active, self.viewport, self._file_of = active, viewport, file_of
        self.tool, self.brush = "ready", "move"
        self.size, self.strength = 0.25, 0.5  # of the brush: of the diagonal, and of its effect
        self._draft: DraftShown | None = None
        self._names: list[str] = []
        self._diagonal = 1.0
        self._seen: Any = None
        self._named = False  # a person has typed a name
        with ui.element("div").classes("studio") as self.root:
            self._build()
        self.root.set_visibility(False)
        viewport.on("place", self._place)

    @property
    def hint(self) -> str:
        """What the tool in hand does."""
        if self._draft is None:
            return ""
        return TOOL_HINTS["place" if self.tool == "ready" and self.ready.picking else self.tool]

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state = self.active.session.panel_state
        self.note.show(self.active.session.status)
        if panel_state is None or panel_state is self._seen:
            return
        self._seen = panel_state
        before, self._draft = self._draft, panel_state.studio
        self.root.set_visibility(self._draft is not None)
        if self._draft is not None:
            fresh = before is None or before.actor != self._draft.actor or before.pose != self._draft.pose
            self._follow(panel_state, self._draft, fresh)
        self._tell()

    # ---- what is on the page -----------------------------------------------------------------------------

    def _build(self) -> None:
        with ui.element("div").classes("studio-head"):
            with ui.element("div"):
                ui.label("Pose studio").classes("studio-title").props('role="heading" aria-level="2"')
                self._about = ui.label().classes("studio-about")
            self.done = ui.button("Done", icon="check", on_click=lambda: self.active.session.do(CloseStudio()))
            self.done.props('unelevated dense no-caps color=raised text-color=ink aria-label="Leave the studio"')
            self.done.tooltip("Time goes on where it stood (Esc)")
        self._tools = ui.toggle(TOOLS, value=self.tool, on_change=lambda event: self._use(event.value))
        self._tools.props(SEGMENTS).props('spread aria-label="Tool"').classes("studio-tools")
        self.parts: dict[str, ui.element] = {}
        with ui.element("div") as self.parts["ready"]:
            self.ready = ReadyTool(self.active.session, self._tell)
        with ui.element("div") as self.parts["pull"]:
            ui.label(
                "Take hold of the skin and pull: the body comes to rest as you go. What is far from your hand stays; "
                "pin it (with shift) to hold it elsewhere. Click a pin with shift to take it away."
            ).classes("groups-note")
        with ui.element("div") as self.parts["brush"]:
            self._build_brush()
        with ui.element("div") as self.parts["blend"]:
            self.blend = BlendTool(self.active.session)
        with ui.element("div") as self.parts["file"]:
            self.file = FileTool(self.active.session, self._file_of)
        self._show_tool()
        with ui.element("div").classes("studio-turns"):
            self._turn("Mirror", "flip", "Left and right exchanged", "flip")
            self._turn("L → R", "east", "The right side does what the left does", "left")
            self._turn("R → L", "west", "The left side does what the right does", "right")
            new = ui.button("New", icon="restart_alt", on_click=lambda: self._do(RestDraft))
            new.props('flat dense no-caps size=sm color=soft aria-label="Begin a new pose"')
            new.tooltip("Begin a new pose, from the shape at rest")
        self.note = RefusalNote("studio")
        with ui.element("div").classes("studio-keep"):
            self.name = ui.input("Called", validation=lambda text: wrong_name(text or "", self._taken()))
            self.name.props('outlined dense maxlength=40 aria-label="Called"').on("keydown.enter", self._keep)
            self.name.on("input", self._note_typing)
            self.keep = ui.button("Keep as a pose", on_click=self._keep)
            self.keep.props("unelevated no-caps no-wrap text-color=on-accent").classes("keep-pose")

    def _build_brush(self) -> None:
        with ui.element("div").classes("studio-brushes").props('role="radiogroup" aria-label="Brush"'):
            self._brushes = {}
            for name, (icon, title, about) in BRUSHES.items():
                button = ui.button(title, icon=icon, on_click=partial(self._take, name))
                button.props("flat dense no-caps stack size=sm role=radio").classes("studio-tile").tooltip(about)
                self._brushes[name] = button
        for title, low, high, value, change in (
            ("Size", 0.05, 0.8, self.size, self._resize), ("Strength", 0.05, 1.0, self.strength, self._strengthen),
        ):  # fmt: skip
            with ui.element("div").classes("studio-slider"):
                ui.label(title)
                slider = ui.slider(min=low, max=high, step=0.01, value=value).props(f'aria-label="Brush: {title}"')
                slider.on_value_change(lambda event, change=change: change(event.value))
        self._take(self.brush)

    def _turn(self, title: str, icon: str, about: str, how: str) -> None:
        button = ui.button(title, icon=icon, on_click=lambda: self._do(MirrorDraft, how=how))
        button.props(f'flat dense no-caps size=sm color=soft aria-label="{about}"').tooltip(about)

    def _follow(self, panel_state: "PanelState", draft: "DraftShown", fresh: bool) -> None:
        body = next(each.body for each in panel_state.actors if each.name == draft.actor)
        self._names = list(body.poses)
        self._diagonal = float((body.size**2).sum() ** 0.5)
        self._about.set_text(
            f"{draft.actor} · time stands still" + (f" · changing “{draft.pose}”" if draft.pose else "")
        )
        self.ready.follow(draft, fresh)
        self.blend.follow(draft, self._names)
        self.file.follow(draft)
        if fresh or not self._named:
            self._named = False
            self.name.set_value(draft.pose or self._free_name(draft))
        self.keep.set_text(f"Change “{draft.pose}”" if draft.pose else "Keep as a pose")
        self.keep.set_enabled(draft.may_be_kept)

    def _free_name(self, draft: "DraftShown") -> str:
        stem = draft.ready.formula.replace("s_curve", "S") if draft.ready is not None else "pose"
        names = (stem if n == 1 and stem != "pose" else f"{stem} {n}" for n in range(1, 1000))
        return next(name for name in names if name not in self._names)

    def _taken(self) -> list[str]:
        own = self._draft.pose if self._draft is not None else None
        return ["rest", *(name for name in self._names if name != own)]

    def _show_tool(self) -> None:
        for name, part in self.parts.items():
            part.set_visibility(name == self.tool)

    # ---- what can be done --------------------------------------------------------------------------------

    def _do(self, command: type[Any], **values: Any) -> None:
        if self._draft is not None:
            self.active.session.do(command(actor=self._draft.actor, **values))

    def _use(self, tool: str) -> None:
        self.tool = tool
        self.ready.picking = False
        self._show_tool()
        self._tell()

    def _take(self, brush: str) -> None:
        self.brush = brush
        for name, button in self._brushes.items():
            on = name == brush
            button.props(f"color={'primary' if on else 'soft'} aria-checked={'true' if on else 'false'}")
            button.classes(add="on" if on else "", remove="" if on else "on")
        self._tell()

    def _resize(self, size: float) -> None:
        self.size = size
        self._tell()

    def _strengthen(self, strength: float) -> None:
        self.strength = strength
        self._tell()

    def _place(self, event: GenericEventArguments) -> None:
        if self._draft is not None and isinstance(event.args, int) and self.tool == "ready":
            self.ready.place(event.args)

    def _note_typing(self) -> None:
        self._named = True

    def _keep(self) -> None:
        if self._draft is not None and self.name.validate():
            self._named = False
            self._do(KeepDraft, name=str(self.name.value).strip(), instead=self._draft.pose)

    def _tell(self) -> None:
        """Let the viewport know what is in hand, and which axis is meant."""
        draft, told = self._draft, None
        if draft is not None:
            picking = self.tool == "ready" and self.ready.picking
            told = {
                "actor": draft.actor,
                "offset": list(draft.offset),
                "tool": self.brush if self.tool == "brush" else "place" if picking else "pull",
                "axis": self.ready.axis_shown if self.tool == "ready" else None,
                "radius": self.size * self._diagonal,
                "strength": self.strength,
            }
        self.viewport.show_studio(told)

