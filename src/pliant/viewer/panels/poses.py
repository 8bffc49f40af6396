"""The examples of a body: a picture of each, and what can be done with it."""

from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.group_row import quoted
from pliant.viewer.panels.kept_list import KeptList
from pliant.viewer.panels.panel import MOST_NAMES, SMALL_BUTTON
from pliant.viewer.protocol.commands import AddPose, DeletePose, Force, RenamePose, Settle

if TYPE_CHECKING:
    from pliant.body import Body


class PoseStrip:
    """Cards of the rest shape and of the poses of one actor. What is switched off is never chosen; what is held
    is all that the body wants to be."""

    def __init__(self, active: ActiveSide) -> None:
        self.active = active
        self.actor = ""
        self._seen: Any = None
        self._following = False
        flat = "flat dense no-caps size=sm color=soft"
        with ui.element("div").classes("poses"):
            self._actors = ui.select([], on_change=lambda event: self._choose(event.value)).classes("wide")
            self._actors.props('dense outlined options-dense aria-label="Body"').set_visibility(False)
            strip = ui.element("div").classes("strip")
            self._cards: KeptList[tuple[str, str | None], PoseCard] = KeptList(
                strip, lambda key: PoseCard(self, key[1])
            )
            add = ui.button("Add this moment as a pose", icon="add_a_photo", on_click=self._add).props(flat)
            add.classes("add-pose").tooltip("Pause or pull the body; its present shape becomes an example")
            self._settles = ui.button("Settle", icon="fitness_center", on_click=self._settle).props(flat)
            self._settles.classes("settle").tooltip(
                "Pin the body in a few places (pull with shift): it comes to rest between them, ready to be added"
            )
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
            self._follow(next(each for each in panel_state.actors if each.name == self.actor).body, names)
            forced = getattr(self.active.settings.get(self.actor), "forced", {})
            for card in self._cards.parts.values():
                card.show(forced.get(card.pose))
        for card in self._cards.parts.values():
            card.fetch_picture()

    def _follow(self, body: "Body", names: list[str]) -> None:
        """Every reset brings another body, of the same poses: their cards stay."""
        self._following = True
        if names != self._actors.options or self._actors.value != self.actor:
            self._actors.set_options(names, value=self.actor)
        self._following = False
        self._actors.set_visibility(1 < len(names) <= MOST_NAMES)
        self._settles.set_visibility(body.tets is not None)
        self._cards.follow([(self.actor, pose) for pose in (None, *body.poses)])
        for card in self._cards.parts.values():
            card.body = body

    # ---- what can be done --------------------------------------------------------------------------------

    def _choose(self, name: str) -> None:
        if not self._following:
            self.actor, self._seen = name, None

    def _add(self) -> None:
        def add(name: str) -> None:
            self.active.do(AddPose(actor=self.actor, name=name))

        taken = {pose for _, pose in self._cards.parts}
        number = next(n for n in range(1, 1000) if f"pose {n}" not in taken)
        self.naming.ask("Add this moment as a pose", f"pose {number}", add)

    def _settle(self) -> None:
        self.active.do(Settle(actor=self.actor))

    def toggle(self, pose: str, weight: float) -> None:
        self.active.do(Force(actor=self.actor, pose=pose, weight=weight, toggle=True))

    def rename(self, pose: str) -> None:
        def rename(name: str) -> None:
            self.active.do(RenamePose(actor=self.actor, pose=pose, name=name))

        self.naming.ask(f"Rename “{pose}”", pose, rename)

    def delete(self, pose: str) -> None:
        self.active.do(DeletePose(actor=self.actor, pose=pose))


class PoseCard:
    """The picture of a pose, and under it a switch, a hold button and a menu; of the rest shape (None) the picture."""

    def __init__(self, strip: PoseStrip, pose: str | None) -> None:
        self.strip, self.pose = strip, pose
        self.body: Body | None = None
        self._pictured: Body | None = None  # whose picture is shown
        name = quoted("rest" if pose is None else pose)
        self.root = ui.element("div").classes("pose-card").props(f'data-pose="{name}"')
        with self.root:
            with ui.element("div").classes("pose-picture"):
                self._image = ui.image().props("no-spinner no-transition")
            ui.label("rest" if pose is None else pose).classes("pose-name")
            if pose is None:
                self.root.classes("rest")
                return
            with ui.element("div").classes("pose-tools"):
                self._switch = ui.button(icon="visibility", on_click=partial(strip.toggle, pose, 0.0))
                self._switch.tooltip("On or off: may the body choose it?")
                hold = ui.button(icon="push_pin", on_click=partial(strip.toggle, pose, 1.0))
                hold.tooltip("Hold: the body always wants this pose")
                for button, what in ((self._switch, "on or off"), (hold, "hold")):
                    button.props(SMALL_BUTTON).props(f'aria-label="{name}: {what}"')
                more = ui.button(icon="more_vert").props(SMALL_BUTTON).props(f'aria-label="{name}: more"')
                with more, ui.menu():
                    ui.menu_item("Rename", partial(strip.rename, pose))
                    ui.menu_item("Delete", partial(strip.delete, pose))

    def show(self, forced: float | None) -> None:
        """Whether it is switched off (0), held, or free (None)."""
        if self.pose is None:
            return
        self.root.classes(add="off" if forced == 0 else "", remove="" if forced == 0 else "off")
        self.root.classes(add="held" if forced else "", remove="" if forced else "held")
        self._switch.set_icon("visibility_off" if forced == 0 else "visibility")

    def fetch_picture(self) -> None:
        """The old one stays until it is drawn."""
        if self.body is None or self.body is self._pictured:
            return
        from pliant.viewer.server.pose_pictures import POSE_PICTURES

        address = POSE_PICTURES.of(self.body, self.pose)
        if address:
            self._image.set_source(address)
        if address or POSE_PICTURES.impossible:
            self._pictured = self.body


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
