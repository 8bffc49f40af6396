"""The examples of a body: a card for each, and the ways to make more."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from pliant.viewer.panels.active_side import ActiveSide
from pliant.viewer.panels.actor_choice import ActorChoice
from pliant.viewer.panels.kept_list import KeptList
from pliant.viewer.panels.naming import Naming
from pliant.viewer.panels.pose_card import PoseCard
from pliant.viewer.panels.refusal import RefusalNote
from pliant.viewer.protocol.commands import AddPose, DeletePose, Force, MendPose, RenamePose, Settle
from pliant.viewer.protocol.studio_commands import OpenStudio
from pliant.viewer.server.verdicts import DELETABLE, VERDICTS, Verdict

if TYPE_CHECKING:
    from pliant.viewer.panels.viewport_element import Viewport
    from pliant.viewer.simulation.panel_state import PanelState

# What the page shows at the click, not when the click arrives.
SHOWN_TIME = "() => emit(document.querySelector('.viewport')?.view?.shown?.time ?? null)"


class PoseStrip:
    """Cards of the rest shape and of the poses of one actor. What is switched off is never chosen; what is held
    is all that the body wants to be."""

    def __init__(self, active: ActiveSide, viewport: "Viewport", try_it: Callable[[str, str], Any]) -> None:
        self.active, self.viewport, self._try = active, viewport, try_it
        self.actor = ""
        self._seen: Any = None
        self._added: tuple[str, str] | None = None  # (actor, pose) that is to be named when it is there
        flat = "flat dense no-caps size=sm color=soft"
        with ui.element("div").classes("poses"):
            self.actors = ActorChoice("Body", self._choose)
            strip = ui.element("div").classes("strip").props('role="list" aria-label="Poses"')
            self._cards: KeptList[tuple[str, str | None], PoseCard] = KeptList(
                strip, lambda key: PoseCard(self, key[1])
            )
            self._empty = ui.label("No poses yet. A pose is a shape that the body likes: make the first one.")
            self._empty.classes("groups-note")
            self.note = RefusalNote("poses")
            with ui.element("div").classes("pose-buttons"):
                self.make = ui.button("Make a pose", icon="gesture", on_click=lambda: self.open_studio(None))
                self.make.props("unelevated dense no-caps size=sm text-color=on-accent").classes("make-pose")
                self.make.tooltip("Opens the studio: time stands still, and the body is in your hand")
                add = ui.button("Add this moment as a pose", icon="add_a_photo").props(flat).classes("add-pose")
                add.on("click", self._add, js_handler=SHOWN_TIME)
                add.tooltip("The shape that you see now becomes an example")
                self._settles = ui.button("Settle", icon="fitness_center", on_click=self._settle).props(flat)
                self._settles.classes("settle").tooltip(
                    "Pin the body in a few places (pull with shift): it comes to rest between them, ready to be added"
                )
        self.naming = Naming()

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state = self.active.panel_state
        self.note.show(self.active.session.status)
        if panel_state is not None and panel_state.actors and panel_state is not self._seen:
            self._seen = panel_state
            self._follow(panel_state)
        if self._cards.parts and panel_state is not None:
            self._judge(panel_state)
        for card in self._cards.parts.values():
            card.fetch_picture()

    def _follow(self, panel_state: "PanelState") -> None:
        """Every reset brings another body, of the same poses: their cards stay."""
        names = [actor.name for actor in panel_state.actors]
        if panel_state.studio is not None:
            self.actor = panel_state.studio.actor
        if self.actor not in names:
            posed = [actor.name for actor in panel_state.actors if actor.body.poses]
            self.actor = (posed or names)[0]
        self.actors.follow(names, self.actor)
        body = next(each for each in panel_state.actors if each.name == self.actor).body
        self._settles.set_visibility(body.tets is not None)
        self._empty.set_visibility(not body.poses)
        self._cards.follow([(self.actor, pose) for pose in (None, *body.poses)])
        settings = self.active.settings.get(self.actor)
        forced = getattr(settings, "forced", {})
        for card in self._cards.parts.values():
            card.body = body
            card.show(forced.get(card.pose), hasattr(settings, "forced"))
        if self._added is not None and self._added[0] == self.actor and self._added[1] in body.poses:
            self._name(self._added[1])

    def _judge(self, panel_state: "PanelState") -> None:
        body = next((each.body for each in panel_state.actors if each.name == self.actor), None)
        settings = panel_state.settings.get(self.actor)
        verdicts = VERDICTS.of(body, settings) if body is not None and settings is not None else None
        for card in self._cards.parts.values():
            if verdicts is not None and card.pose is not None:
                card.judge(verdicts.get(card.pose))

    # ---- what can be done --------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """Of all poses, and the word that none can have."""
        return [pose or "rest" for _, pose in self._cards.parts]

    def _choose(self, name: str) -> None:
        self.actor, self._seen = name, None

    def open_studio(self, pose: str | None) -> None:
        """With the body at rest, or in a pose that is to be changed."""
        self.active.do(OpenStudio(actor=self.actor, pose=pose))

    def _add(self, event: GenericEventArguments) -> None:
        """At once; the name comes after."""
        number = next(n for n in range(1, 1000) if f"pose {n}" not in self.names)
        self._added = self.actor, f"pose {number}"
        at = event.args if isinstance(event.args, int | float) else None
        self.active.do(AddPose(actor=self.actor, name=f"pose {number}", at=at))

    def _name(self, pose: str) -> None:
        actor, self._added = self.actor, None

        def rename(name: str) -> None:
            if name != pose:
                self.active.do(RenamePose(actor=actor, pose=pose, name=name))

        self.naming.ask("It is kept. What is it called?", pose, rename, lambda: self.names)

    def _settle(self) -> None:
        self.active.do(Settle(actor=self.actor))

    def toggle(self, pose: str, weight: float) -> None:
        self.active.do(Force(actor=self.actor, pose=pose, weight=weight, toggle=True))

    def force(self, pose: str, weight: float | None) -> None:
        self.active.do(Force(actor=self.actor, pose=pose, weight=weight))

    def rename(self, pose: str) -> None:
        def rename(name: str) -> None:
            self.active.do(RenamePose(actor=self.actor, pose=pose, name=name))

        self.naming.ask(f"Rename “{pose}”", pose, rename, lambda: self.names)

    def change(self, pose: str) -> None:
        self.open_studio(pose)

    async def try_it(self, pose: str) -> None:
        await self._try(self.actor, pose)

    def delete(self, pose: str) -> None:
        self.active.do(DeletePose(actor=self.actor, pose=pose))

    def mend(self, pose: str, verdict: Verdict) -> None:
        if verdict.finding in DELETABLE:
            self.delete(pose)
        else:
            self.active.do(MendPose(actor=self.actor, pose=pose, finding=verdict.finding))

    def show_places(self, places: Sequence[int]) -> None:
        """On the stage: where in the body something is wrong with a pose."""
        self.viewport.show_spots(self.actor, places)
