"""The examples of a body: a picture of each, and what can be done with it."""

from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.panel import MOST_NAMES, SMALL_BUTTON
from pliant.viewer.protocol.commands import AddPose, DeletePose, Force, RenamePose, Settle

if TYPE_CHECKING:
    from pliant.viewer.recording.recorder import RecordedActor


class PoseStrip:
    """Cards of the rest shape and of the poses of one actor. What is switched off is never chosen; what is held
    is all that the body wants to be."""

    def __init__(self, active: ActiveSide) -> None:
        self.active = active
        self.actor = ""
        self._seen: Any = None
        self._shown: Any = None
        self._cards: dict[str, PoseCard] = {}
        self._empty: list[tuple[ui.image, Any, Any]] = []  # pictures to come
        self.place = ui.element("div").classes("poses")
        self.naming = Naming()

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state = self.active.panel_state
        if panel_state is not None and panel_state.actors and panel_state is not self._seen:
            self._seen = panel_state
            names = [actor.name for actor in panel_state.actors]
            if self.actor not in names:
                posed = [actor.name for actor in panel_state.actors if actor.body.poses]
                self.actor = (posed or names)[0]
            actor = next(each for each in panel_state.actors if each.name == self.actor)
            if (actor.body, names) != self._shown:
                self._build(actor, names)
                self._shown = (actor.body, names)
            forced = getattr(self.active.settings.get(self.actor), "forced", {})
            for name, card in self._cards.items():
                card.show(forced.get(name))
        self._fetch_pictures()

    def _build(self, actor: "RecordedActor", names: list[str]) -> None:
        self.place.clear()
        self._cards, self._empty = {}, []
        with self.place:
            if 1 < len(names) <= MOST_NAMES:
                ui.select(names, value=self.actor, on_change=lambda event: self._choose(event.value)).props(
                    'dense outlined options-dense aria-label="Body"'
                ).classes("wide")
            with ui.element("div").classes("strip"):
                with ui.element("div").classes("pose-card rest").props('data-pose="rest"'):
                    self._picture(actor.body, None)
                    ui.label("rest").classes("pose-name")
                for name in actor.body.poses:
                    with ui.element("div").classes("pose-card").props(f'data-pose="{_quoted(name)}"'):
                        self._picture(actor.body, name)
                        self._cards[name] = PoseCard(self, name)
            ui.button("Add this moment as a pose", icon="add_a_photo", on_click=self._add).props(
                "flat dense no-caps size=sm color=soft"
            ).classes("add-pose").tooltip("Pause or pull the body; its present shape becomes an example")
            if actor.body.tets is not None:
                ui.button("Settle", icon="fitness_center", on_click=self._settle).props(
                    "flat dense no-caps size=sm color=soft"
                ).classes("settle").tooltip(
                    "Pin the body in a few places (pull with shift): it comes to rest between them, ready to be added"
                )

    def _picture(self, body: Any, pose: str | None) -> None:
        with ui.element("div").classes("pose-picture"):
            image = ui.image().props("no-spinner no-transition")
        self._empty.append((image, body, pose))

    def _fetch_pictures(self) -> None:
        if not self._empty:
            return
        from pliant.viewer.server.pose_pictures import POSE_PICTURES

        left = []
        for image, body, pose in self._empty:
            address = POSE_PICTURES.of(body, pose)
            if address:
                image.set_source(address)
            elif not POSE_PICTURES.impossible:
                left.append((image, body, pose))
        self._empty = left

    # ---- what can be done --------------------------------------------------------------------------------

    def _choose(self, name: str) -> None:
        self.actor, self._seen, self._shown = name, None, None

    def _add(self) -> None:
        def add(name: str) -> None:
            self.active.do(AddPose(actor=self.actor, name=name))

        taken = set(self._cards)
        number = next(n for n in range(1, 1000) if f"pose {n}" not in taken)
        self.naming.ask("Add this moment as a pose", f"pose {number}", add)

    def _settle(self) -> None:
        self.active.do(Settle(actor=self.actor))

    def force(self, pose: str, weight: float | None) -> None:
        self.active.do(Force(actor=self.actor, pose=pose, weight=weight))

    def rename(self, pose: str) -> None:
        def rename(name: str) -> None:
            self.active.do(RenamePose(actor=self.actor, pose=pose, name=name))

        self.naming.ask(f"Rename “{pose}”", pose, rename)

    def delete(self, pose: str) -> None:
        self.active.do(DeletePose(actor=self.actor, pose=pose))


class PoseCard:
    """A switch, a hold button and a menu under the picture of a pose."""

    def __init__(self, strip: PoseStrip, name: str) -> None:
        self.strip, self.name = strip, name
        self.forced: float | None = None
        self.label = ui.label(name).classes("pose-name")
        with ui.element("div").classes("pose-tools"):
            self.switch = ui.button(icon="visibility", on_click=self._switch).props(SMALL_BUTTON)
            self.switch.props(f'aria-label="{_quoted(name)}: on or off"').tooltip("On or off: may the body choose it?")
            self.hold = ui.button(icon="push_pin", on_click=self._hold).props(SMALL_BUTTON)
            self.hold.props(f'aria-label="{_quoted(name)}: hold"').tooltip("Hold: the body always wants this pose")
            more = ui.button(icon="more_vert").props(SMALL_BUTTON).props(f'aria-label="{_quoted(name)}: more"')
            with more, ui.menu():
                ui.menu_item("Rename", partial(strip.rename, name))
                ui.menu_item("Delete", partial(strip.delete, name))

    def show(self, forced: float | None) -> None:
        self.forced = forced
        card = self.label.parent_slot.parent if self.label.parent_slot else None
        if card is not None:
            card.classes(add="off" if forced == 0 else "", remove="" if forced == 0 else "off")
            card.classes(add="held" if forced else "", remove="" if forced else "held")
        self.switch.set_icon("visibility_off" if forced == 0 else "visibility")

    def _switch(self) -> None:
        self.strip.force(self.name, None if self.forced == 0 else 0.0)

    def _hold(self) -> None:
        self.strip.force(self.name, None if self.forced else 1.0)


class Naming:
    """A dialogue that asks for a name."""

    def __init__(self) -> None:
        self._then: Any = None
        with ui.dialog() as self.dialog, ui.card().classes("naming"):
            self.title = ui.label().classes("title")
            self.input = ui.input(validation={"1 to 40 letters": lambda text: 0 < len(text.strip()) <= 40})
            self.input.props('autofocus outlined dense maxlength=40 aria-label="Name"').classes("wide")
            self.input.on("keydown.enter", self._done)
            with ui.element("div").classes("buttons"):
                ui.button("Cancel", on_click=self.dialog.close).props("flat no-caps color=soft")
                ui.button("OK", on_click=self._done).props("unelevated no-caps text-color=on-accent")

    def ask(self, title: str, name: str, then: Any) -> None:
        self._then = then
        self.title.set_text(title)
        self.input.set_value(name)
        self.dialog.open()

    def _done(self) -> None:
        name = (self.input.value or "").strip()
        if 0 < len(name) <= 40:
            self.dialog.close()
            self._then(name)


def _quoted(text: str) -> str:
    """Inside the quotes of a property."""
    return text.replace("\\", "").replace('"', "”")
