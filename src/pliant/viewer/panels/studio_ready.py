"""Ready poses: one is chosen, and its sliders draw it at once."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from pliant.viewer.panels.panel import SEGMENTS
from pliant.viewer.protocol.studio_commands import FixDraft, ReadyPose
from pliant.viewer.server.session import Session

if TYPE_CHECKING:
    from pliant.viewer.simulation.ready_poses import Ready
    from pliant.viewer.simulation.studio import DraftShown

OWN = "auto"  # the formula chooses the axis itself
AXIS_WORDS = [OWN, "x", "y", "z"]


class ReadyTool:
    """Tiles for the formulas, and below them what the chosen one takes. `tell` is called when the stage is to show
    something else."""

    def __init__(self, session: Session, tell: Callable[[], None]) -> None:
        from pliant.viewer.simulation.ready_poses import READY  # with all of the poses: late

        self.session, self._tell = session, tell
        self.picking = False  # the next click on the body says where
        self.ready = READY
        self._draft: DraftShown | None = None
        self._formula: str | None = None
        self._following = False
        self._sliders: dict[str, tuple[ui.slider, ui.number]] = {}
        with ui.element("div").classes("studio-tiles").props('role="radiogroup" aria-label="Ready poses"'):
            self._tiles = {}
            for name, each in READY.items():
                tile = ui.button(each.title, icon=each.icon, on_click=partial(self._choose, name))
                tile.props("flat dense no-caps stack size=sm role=radio").classes("studio-tile")
                self._tiles[name] = tile
        self._numbers = ui.element("div").classes("studio-numbers")

    @property
    def axis_shown(self) -> str | None:
        """The axis that is meant, for the stage."""
        asked = self._draft.ready if self._draft is not None else None
        return asked.axis if asked is not None and self.ready[asked.formula].axis else None

    def follow(self, draft: "DraftShown", fresh: bool) -> None:
        """Show what is drawn."""
        self._draft = draft
        formula = draft.ready.formula if draft.ready is not None else None
        if formula != self._formula or fresh:
            self._formula = formula
            self._build(None if formula is None else self.ready[formula])
        for name, tile in self._tiles.items():
            on = name == formula
            tile.classes(add="on" if on else "", remove="" if on else "on")
            tile.props(f"color={'primary' if on else 'soft'} aria-checked={'true' if on else 'false'}")
        if draft.ready is not None:
            self._following = True
            for number in self.ready[draft.ready.formula].numbers:
                value = draft.ready.numbers.get(number.name, number.first)
                for control in self._sliders[number.name]:
                    if control.value != value:
                        control.set_value(value)
            self._following = False

    def place(self, vertex: int) -> None:
        """It is to be there, on the skin."""
        self.picking = False
        self._again(vertex=vertex)
        self._tell()

    # ---- parts -------------------------------------------------------------------------------------------

    def _build(self, ready: "Ready | None") -> None:
        self._numbers.clear()
        self._sliders = {}
        self.picking = False
        with self._numbers:
            if ready is None:
                ui.label("Choose a shape to begin with. Several can come on top of each other.").classes("groups-note")
                return
            for each in ready.numbers:
                with ui.element("div").classes("studio-slider"):
                    ui.label(each.title)
                    step = 1.0 if each.unit else 0.01
                    slider = ui.slider(min=each.low, max=each.high, step=step, value=each.first)
                    slider.props(f'aria-label="{each.title}"')
                    typed = ui.number(min=each.low, max=each.high, step=step, value=each.first, suffix=each.unit)
                    typed.props(f'dense borderless aria-label="{each.title}, typed"').classes("studio-typed")
                slider.on_value_change(partial(self._changed, each.name))
                typed.on("change", partial(self._typed, each.name, typed))
                self._sliders[each.name] = slider, typed
            for title, there, field in (("Along", ready.axis, "axis"), ("Towards", ready.toward, "toward")):
                if there:
                    with ui.element("div").classes("studio-axis"):
                        ui.label(title)
                        value = getattr(self._draft.ready, field, None) if self._draft is not None else None
                        toggle = ui.toggle(AXIS_WORDS, value=value or OWN, on_change=partial(self._turned, field))
                        toggle.props(SEGMENTS).props(f'aria-label="{title}"')
            with ui.element("div").classes("studio-more"):
                flat = "flat dense no-caps size=sm color=soft"
                if ready.placed:
                    ui.button("Choose the place", icon="my_location", on_click=self._pick).props(flat)
                more = ui.button("Draw more on top", icon="layers", on_click=self._fix).props(flat)
                more.tooltip("Keeps this, so that the next shape comes on top of it")

    def _choose(self, formula: str) -> None:
        if self._draft is not None:
            self.session.do(ReadyPose(actor=self._draft.actor, formula=formula))  # type: ignore[arg-type]

    def _changed(self, name: str, event: Any) -> None:
        if not self._following and event.value is not None:
            self._again(numbers={name: float(event.value)})

    def _typed(self, name: str, control: ui.number) -> None:
        if control.value is not None:
            self._again(numbers={name: float(control.value)})

    def _turned(self, field: str, event: Any) -> None:
        self._again(**{field: None if event.value == OWN else event.value})

    def _again(self, numbers: dict[str, float] | None = None, **changes: Any) -> None:
        """Draw it with something else than now."""
        asked = self._draft.ready if self._draft is not None else None
        if asked is not None:
            both = {**asked.numbers, **(numbers or {})}
            command = asked.model_copy(update={**changes, "numbers": both})
            if self._draft is not None and self._draft.ready is asked:
                from dataclasses import replace

                self._draft = replace(self._draft, ready=command)  # sliders that move at once each add to it
            self.session.do(command)

    def _pick(self) -> None:
        self.picking = not self.picking
        self._tell()

    def _fix(self) -> None:
        if self._draft is not None:
            self.session.do(FixDraft(actor=self._draft.actor))
