"""One example of a body: its picture, how much of it is in force, how much is asked for, and what the report says."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from nicegui import ui

from pliant.viewer.panels.group_row import quoted
from pliant.viewer.panels.panel import SMALL_BUTTON
from pliant.viewer.server.pose_pictures import POSE_PICTURES
from pliant.viewer.server.verdicts import Verdict

if TYPE_CHECKING:
    from pliant.body import Body

ICONS = {"good": "check_circle", "poor": "error_outline", "bad": "warning_amber"}


class CardActions(Protocol):
    """Does what a card is asked for."""

    actor: str

    def toggle(self, pose: str, weight: float) -> None: ...
    def force(self, pose: str, weight: float | None) -> None: ...
    def rename(self, pose: str) -> None: ...
    def change(self, pose: str) -> None: ...
    def try_it(self, pose: str) -> Any: ...
    def delete(self, pose: str) -> None: ...
    def mend(self, pose: str, verdict: Verdict) -> None: ...
    def show_places(self, places: Sequence[int]) -> None: ...


class PoseCard:
    """Of a pose, or of the rest shape (None), which has only a picture and a weight."""

    def __init__(self, actions: CardActions, pose: str | None) -> None:
        self.actions, self.pose = actions, pose
        self.body: Body | None = None
        self.verdict: Verdict | None = None
        self._pictured: Body | None = None  # whose picture is shown
        self._following = False
        name = quoted("rest" if pose is None else pose)
        self.root = ui.element("div").classes("pose-card")
        self.root.props(f'data-pose="{name}" data-actor="{quoted(actions.actor)}" role="listitem"')
        with self.root:
            with ui.element("div").classes("pose-picture"):
                self._image = ui.image().props(f'no-spinner no-transition alt="{name}"')
            with ui.element("div").classes("pose-main"):
                with ui.element("div").classes("pose-line"):
                    ui.label("rest" if pose is None else pose).classes("pose-name")
                    if pose is not None:
                        self._verdict_chip(name)
                        self._menu(pose, name)
                with ui.element("div").classes("pose-live").props(f'title="How much of {name} is in force"'):
                    with ui.element("div").classes("track"):
                        ui.element("div").classes("fill")
                    ui.element("span").classes("number")
                if pose is None:
                    self.root.classes("rest")
                    return
                self._force_row(pose, name)

    # ---- parts -------------------------------------------------------------------------------------------

    def _verdict_chip(self, name: str) -> None:
        self._chip = ui.button("", icon="hourglass_empty", color=None).classes("verdict")
        self._chip.props("flat dense no-caps size=xs")
        self._chip.props(f'aria-label="{name}: what the report says"')
        with self._chip, ui.menu() as menu, ui.element("div").classes("verdict-more"):
            self._more = ui.label()
            self._remedy = ui.button("", on_click=self._mend).props("unelevated dense no-caps text-color=on-accent")
        menu.on_value_change(lambda event: self._show_places(bool(event.value)))

    def _menu(self, pose: str, name: str) -> None:
        actions = self.actions
        more = ui.button(icon="more_vert").props(SMALL_BUTTON).props(f'aria-label="{name}: more"')
        with more, ui.menu():
            ui.menu_item("Change it in the studio", partial(actions.change, pose))
            ui.menu_item("Try it", partial(actions.try_it, pose))
            ui.menu_item("Rename", partial(actions.rename, pose))
            ui.menu_item("Delete", partial(actions.delete, pose))

    def _force_row(self, pose: str, name: str) -> None:
        with ui.element("div").classes("pose-force"):
            self._switch = ui.button(icon="visibility", on_click=partial(self.actions.toggle, pose, 0.0))
            self._switch.tooltip("On or off: may the body choose it?")
            hold = ui.button(icon="push_pin", on_click=partial(self.actions.toggle, pose, 1.0)).classes("hold")
            hold.tooltip("Hold: the body always wants this pose")
            for button, what in ((self._switch, "on or off"), (hold, "hold")):
                button.props(SMALL_BUTTON).props(f'aria-label="{name}: {what}"')
            self._slider = ui.slider(min=0.0, max=1.0, step=0.01, value=0.0)
            self._slider.props(f'aria-label="{name}: force" dense')
            self._number = ui.number(min=0.0, max=1.0, step=0.05, format="%.2f", placeholder="free")
            self._number.props(f'dense borderless aria-label="{name}: force, typed"').classes("force-typed")
            self._number.tooltip("0 to 1; empty: the body finds it itself")
        self._slider.on_value_change(lambda event: self._forced(event.value))
        self._number.on("change", lambda: self._forced(self._number.value))

    # ---- what is shown -----------------------------------------------------------------------------------

    def show(self, forced: float | None, can_force: bool) -> None:
        """Whether it is switched off (0), held to some part, or free (None)."""
        if self.pose is None:
            return
        for kind, on in (("off", forced == 0), ("held", bool(forced)), ("plain", not can_force)):
            self.root.classes(add=kind if on else "", remove="" if on else kind)
        self._switch.set_icon("visibility_off" if forced == 0 else "visibility")
        self._following = True
        self._slider.set_value(forced or 0.0)
        self._number.set_value(forced)
        self._following = False

    def judge(self, verdict: Verdict | None) -> None:
        """What the report says of it; None while that is not known."""
        if self.pose is None or verdict is None or verdict == self.verdict:
            return
        self.verdict = verdict
        self._chip.set_icon(ICONS[verdict.level])
        self._chip.set_text(verdict.words)
        self._chip.classes(add=verdict.level, remove=" ".join(level for level in ICONS if level != verdict.level))
        self._more.set_text(verdict.text)
        self._remedy.set_text(verdict.remedy)
        self._remedy.set_visibility(bool(verdict.remedy))

    def fetch_picture(self) -> None:
        """The old one stays until it is drawn."""
        if self.body is None or self.body is self._pictured:
            return
        address = POSE_PICTURES.of(self.body, self.pose)
        if address:
            self._image.set_source(address)
        if address or POSE_PICTURES.impossible:
            self._pictured = self.body

    # ---- what is asked for -------------------------------------------------------------------------------

    def _forced(self, weight: float | None) -> None:
        if not self._following and self.pose is not None:
            self.actions.force(self.pose, None if weight is None else min(max(float(weight), 0.0), 1.0))

    def _mend(self) -> None:
        if self.pose is not None and self.verdict is not None:
            self.actions.mend(self.pose, self.verdict)

    def _show_places(self, on: bool) -> None:
        self.actions.show_places(self.verdict.places if on and self.verdict is not None else ())
