"""Groups of particles with weights of their own: which there are, and the tools to paint them."""

from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.actor_choice import ActorChoice
from pliant.viewer.panels.group_row import GroupRow, group_colour
from pliant.viewer.panels.kept_list import KeptList
from pliant.viewer.panels.naming import Naming
from pliant.viewer.panels.panel import SEGMENTS, SMALL_BUTTON
from pliant.viewer.panels.refusal import RefusalNote
from pliant.viewer.panels.viewport_element import Viewport
from pliant.viewer.protocol.group_commands import (
    AddGroup,
    DeleteGroup,
    GroupCommand,
    RenameGroup,
    Share,
    SplitGroups,
    UndoPaint,
)

if TYPE_CHECKING:
    from pliant.viewer.simulation.grouping import GroupsShown

MODES = {"global": "All as one", "groups": "Groups", "regions": "Each region"}
MODE_HELP = {
    "global": "The whole body finds one set of weights.",
    "groups": "Each group finds its own weights: what one does costs the others nothing.",
    "regions": "Every particle with its neighbours finds its own weights.",
}
HINTS = {
    "brush": "Paint on the body; drag beside it, or with the right button, to turn the view",
    "box": "Drag a box round particles; with the right button turn the view",
}
SMALLEST_BRUSH, LARGEST_BRUSH = 0.02, 0.4  # the brush, of the body's diagonal
FINER = 1.25  # a step of the brush by key


class GroupsPanel:
    """For one actor. Which tool is in hand is the page's own affair; the groups are those of all pages."""

    def __init__(self, active: ActiveSide, viewport: Viewport) -> None:
        self.active, self.viewport = active, viewport
        self.actor = ""
        self.tool: str | None = None
        self.group: int | None = 0  # None: the eraser
        self.size = 0.12  # of the brush
        self.hint = ""  # what the tool in hand does
        self._seen: Any = None
        self._following = False
        self._shown: GroupsShown | None = None
        self._mode: str | None = None
        self._diagonal = 1.0  # of the body, m
        with ui.element("div").classes("groups"):
            self._build()
            self.note = RefusalNote("groups")
        self.naming = Naming()
        viewport.on("tool", self._key)

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state, live = self.active.panel_state, self.active.session.status.live
        self.note.show(self.active.session.status)
        if panel_state is None or (panel_state, live) == self._seen:
            return
        self._seen = panel_state, live
        names = [name for name, shown in panel_state.groups.items() if shown.mode is not None]
        if self.actor not in names:
            posed = [actor.name for actor in panel_state.actors if actor.body.poses and actor.name in names]
            self.actor = next(iter(posed or names), "")
        self._shown = panel_state.groups.get(self.actor)
        actors = {actor.name: actor.body for actor in panel_state.actors}
        self._diagonal = float((actors[self.actor].size ** 2).sum() ** 0.5) if self.actor in actors else 1.0
        self._following = True
        self._follow(self._shown, names)
        self._following = False
        self._tell()

    # ---- what is on the page -----------------------------------------------------------------------------

    def _build(self) -> None:
        """All that there can be; what does not apply is hidden."""
        self._none = ui.label("This model has no groups; shape matching has.").classes("groups-note")
        self._actors = ActorChoice("Groups of", self._choose_actor)
        self._modes = ui.toggle(MODES, on_change=lambda event: self._share(event.value)).classes("groups-mode")
        self._modes.props(SEGMENTS).props('spread aria-label="Who shares weights"')
        self._mode_help = ui.label().classes("groups-note")
        with ui.element("div").classes("groups") as self._painted:
            group_list = ui.element("div").classes("group-list").props('role="listbox" aria-label="Groups"')
            self._rows: KeptList[str | None, GroupRow] = KeptList(group_list, lambda name: GroupRow(self, name))
            self._build_buttons()
            self._build_tools()
            self._finding = ui.label().classes("groups-note finding")

    def _follow(self, shown: "GroupsShown | None", names: list[str]) -> None:
        mode = None if shown is None else shown.mode
        self._none.set_visibility(mode is None)
        self._actors.follow(names if mode is not None else (), self.actor)
        self._modes.set_visibility(mode is not None)
        self._mode_help.set_visibility(mode is not None)
        self._painted.set_visibility(mode == "groups")
        if mode != self._mode:  # a tool may be in hand already while groups are only asked for
            self._mode = mode
            self.tool = self.tool if mode == "groups" else None
        if shown is None or mode is None:
            return
        offered = {name: words for name, words in MODES.items() if name != "regions" or shown.regions}
        if offered != self._modes.options:
            self._modes.set_options(offered)
        self._modes.set_value(mode)
        self._mode_help.set_text(MODE_HELP[mode])
        if mode == "groups":
            self._follow_groups(shown)

    def _follow_groups(self, shown: "GroupsShown") -> None:
        """What changes with every stroke."""
        if self.group is not None and self.group >= len(shown.names):
            self.group = len(shown.names) - 1 if shown.names else None
        self._rows.follow([*shown.names, None])
        numbers = [*range(len(shown.names)), None]
        for row, number, count in zip(self._rows.parts.values(), numbers, (*shown.counts, shown.without), strict=True):
            row.show(number, count, chosen=number == self.group)
        self._undo.set_enabled(shown.undo)
        text = finding(shown)
        self._finding.set_text(text)
        self._finding.set_visibility(bool(text))
        self._mark_tool()

    def _build_buttons(self) -> None:
        with ui.element("div").classes("group-buttons"):
            flat = "flat dense no-caps size=sm color=soft"
            ui.button("Add", icon="add", on_click=self._add).props(flat).props('aria-label="Add a group"')
            split = ui.button("Split left | right", icon="flip", on_click=lambda: self._do(SplitGroups)).props(flat)
            split.tooltip("Two groups: the left and the right half of the rest shape")
            self._undo = ui.button(icon="undo", on_click=lambda: self._do(UndoPaint)).props(SMALL_BUTTON)
            self._undo.props('aria-label="Undo"').tooltip("Undo (Z)")

    def _build_tools(self) -> None:
        with ui.element("div").classes("group-tools"):
            self._tool_buttons = {
                tool: ui.button(title, icon=icon, on_click=partial(self._use, tool))
                .props("unelevated dense no-caps size=sm text-color=on-accent")
                .tooltip(about)
                for tool, title, icon, about in (
                    ("brush", "Brush", "brush", "Paint on the body (B); drag beside it to turn the view"),
                    ("box", "Box", "highlight_alt", "Drag a box: all in it, through and through (X)"),
                )
            }
        with ui.element("div").classes("group-size") as self._size_row:
            ui.icon("radio_button_unchecked", size="0.8rem")
            slider = ui.slider(min=0.0, max=1.0, step=0.01, value=_place(self.size)).props('aria-label="Brush size"')
            slider.on_value_change(lambda event: self._resize(_size(event.value)))
            ui.icon("radio_button_unchecked", size="1.4rem")
            ui.tooltip("Size of the brush ([ and ])").props("delay=400")
            self._slider = slider

    def _mark_tool(self) -> None:
        for tool, button in self._tool_buttons.items():
            on = tool == self.tool
            button.props(f"color={'primary' if on else 'raised'} text-color={'white' if on else 'ink'}")
            button.props(f"aria-pressed={'true' if on else 'false'}")
        self._size_row.set_visibility(self.tool == "brush")

    # ---- what can be done --------------------------------------------------------------------------------

    def _do(self, command: type[GroupCommand], **values: Any) -> None:
        self.active.do(command(actor=self.actor, **values))  # type: ignore[arg-type]

    def _choose_actor(self, name: str) -> None:
        self.actor, self._seen = name, None

    def _share(self, mode: str) -> None:
        if not self._following:
            self._do(Share, mode=mode)

    def choose(self, number: int | None) -> None:
        """Paint with it."""
        self.group = number
        for row in self._rows.parts.values():
            row.mark(row.number == number)
        if self.tool is None:
            self.tool = "brush"
            self._mark_tool()
        self._tell()

    def rename(self, number: int, name: str) -> None:
        """Ask for another name."""
        self.naming.ask(
            f"Rename “{name}”", name, lambda new: self._do(RenameGroup, group=number, name=new), self._names
        )

    def _names(self) -> list[str]:
        return list(self._shown.names) if self._shown else []

    def delete(self, number: int) -> None:
        """Its particles are in no group then."""
        self._do(DeleteGroup, group=number)

    def _use(self, tool: str) -> None:
        self.tool = None if tool == self.tool else tool
        self._mark_tool()
        self._tell()

    def _resize(self, size: float) -> None:
        self.size = min(max(size, SMALLEST_BRUSH), LARGEST_BRUSH)
        self._tell()

    def _add(self) -> None:
        taken = self._shown.names if self._shown else ()
        number = next(n for n in range(1, 1000) if f"group {n}" not in taken)

        def add(name: str) -> None:
            self.group = len(taken)
            self._do(AddGroup, name=name)

        self.naming.ask("Add a group", f"group {number}", add, self._names)

    def _key(self, event: GenericEventArguments) -> None:
        """A key was pressed on the page: its meaning."""
        key, mode = event.args, self._shown.mode if self._shown else None
        if mode is None:
            return
        if key in ("brush", "box"):
            if mode != "groups":  # the tool is taken in hand, so groups are wanted
                self._do(Share, mode="groups")
                self.tool = None
            self.tool = None if key == self.tool else key
        elif key is None:
            self.tool = None
        elif mode == "groups" and key == "undo":
            self._do(UndoPaint)
        elif mode == "groups" and key in ("smaller", "larger"):
            self._resize(self.size * (FINER if key == "larger" else 1 / FINER))
            self._slider.set_value(_place(self.size))
        self._mark_tool()
        self._tell()

    def _tell(self) -> None:
        """Let the viewport know what is in hand."""
        painting = None
        live = self.active.session.status.live  # what is recorded cannot be painted
        if self.tool is not None and live and self._shown is not None and self._shown.mode == "groups":
            painting = {
                "tool": self.tool,
                "actor": self.actor,
                "second": self.active.second and self.active.compares,
                "group": self.group,
                "radius": self.size * self._diagonal,
                "colour": group_colour(self.group),
            }
        self.hint = HINTS[self.tool] if painting is not None and self.tool is not None else ""
        self.viewport.show_painting(painting)


def finding(shown: "GroupsShown") -> str:
    """What is worth knowing about the groups, empty if nothing is."""
    empty = [name for name, count in zip(shown.names, shown.counts, strict=True) if not count]
    if not any(shown.counts):
        return "No particle is in a group: until one is painted, all share their weights."
    if empty:
        return f"“{'”, “'.join(empty)}” is empty: it counts once it is painted."
    return "What is in no group has no examples: it only goes back to rest." if shown.without else ""


def _place(size: float) -> float:
    """Where a size of the brush lies on its slider, finer towards the small ones."""
    return float(((size - SMALLEST_BRUSH) / (LARGEST_BRUSH - SMALLEST_BRUSH)) ** 0.5)


def _size(place: float) -> float:
    return float(SMALLEST_BRUSH + place * place * (LARGEST_BRUSH - SMALLEST_BRUSH))
