"""See inside: what is drawn in and on the bodies besides their skin. Each page has its own view."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from pliant.viewer.panels.panel import SEGMENTS
from pliant.viewer.panels.viewport_element import Viewport
from pliant.viewer.server.session import Session

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import PanelState

SWITCHES = {  # what can be shown: icon, title, help, key
    "particles": ("grain", "Particles", "what is simulated; the skin rides on them", "1"),
    "links": ("polyline", "Links", "between particles that are neighbours", "2"),
    "regions": ("hub", "Regions", "a particle and its ring: point at one, click to keep it", "3"),
    "elements": ("change_history", "Tets", "of a solid; triangles of a shell, segments of a rod", "4"),
    "wireframe": ("grid_4x4", "Wireframe", "the edges of the skin", "5"),
    "contacts": ("adjust", "Contacts", "where bodies touch obstacles and one another", "6"),
    "ellipsoids": ("egg", "Ellipsoids", "oriented particles as they are", "7"),
}
WITHIN = ("particles", "links", "regions", "elements", "ellipsoids")  # seen through glass only
SKINS = {"solid": "Solid", "glass": "Glass", "hidden": "Hidden"}
HEAT_TITLES = {  # title in the list, title and unit in the legend
    "": ("None", "", ""),
    "stretch": ("Stretch", "Stretch of regions", "%"),
    "weights": ("Weight of a pose", "Weight of {}", "part"),
    "groups": ("Groups", "Groups that share weights", ""),
    "distance": ("Distance to an example", "Distance to {}", "m"),
}
POSED = ("weights", "distance")  # maps of a pose
NEAREST = "nearest"
REST = "rest"
AXES = {"": "Off", "x": "x", "y": "y", "z": "z", "view": "View"}
INSIDE_KEYS = {
    "1 to 7": "particles, links, regions, tets, wireframe, contacts, ellipsoids",
    "G": "the skin: solid, glass, hidden",
    "M": "the next heat map",
    "C": "the clipping plane: off, x, y, z, facing the view",
    "V": "open the other side of it",
    "0": "nothing of all this",
}


@dataclass(frozen=True)
class InsideView:
    """What a page shows. `axis` "" is no clipping plane, `heat` "" no map; `place` goes from 0 (all is kept) to 1."""

    particles: bool = False
    links: bool = False
    regions: bool = False
    elements: bool = False
    wireframe: bool = False
    contacts: bool = False
    ellipsoids: bool = False
    skin: str = "solid"
    heat: str = ""
    pose: str = ""
    axis: str = ""
    place: float = 0.5
    flip: bool = False

    def switched(self, name: str) -> "InsideView":
        """One of the switches the other way. The skin turns to glass with the first thing within it, and back with
        the last."""
        changed = replace(self, **{name: not getattr(self, name)})  # type: ignore[arg-type]
        before, after = self._within, changed._within
        if before != after and self.skin == ("solid" if after else "glass"):
            changed = replace(changed, skin="glass" if after else "solid")
        return changed

    def next(self, field: str, values: list[str]) -> "InsideView":
        """The value of a field after the present one, and from the last to the first."""
        place = values.index(getattr(self, field)) + 1
        return self.changed(**{field: values[place % len(values)]})

    def changed(self, **changes: Any) -> "InsideView":
        """With other values. Another map is of the pose that suits it best."""
        if changes.get("heat", self.heat) != self.heat:
            changes["pose"] = ""
        return replace(self, **changes)

    @property
    def _within(self) -> bool:
        return any(getattr(self, name) for name in WITHIN)


class Inside:
    """The section of the panel; `refresh` takes over what poses and groups there are."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        self.session, self.viewport = session, viewport
        self.inside_view = InsideView()
        self._poses: list[str] = []
        self._groups: list[str] = []
        self._seen: Any = None
        self._following = False
        with ui.element("div").classes("inside"):
            self._build_switches()
            self._build_heat()
            self._build_clip()
        viewport.on("look", self._on_key)
        self._show()

    def _build_switches(self) -> None:
        self.switches: dict[str, ui.button] = {}
        with ui.element("div").classes("inside-switches"):
            for name, (icon, title, about, key) in SWITCHES.items():
                button = ui.button(icon=icon, on_click=lambda name=name: self.look(name)).props(
                    f'flat round dense color=soft aria-label="{title}"'
                )
                button.tooltip(f"{title}: {about} ({key})").classes("inside-switch")
                self.switches[name] = button
        with ui.element("div").classes("inside-row"):
            ui.label("Skin").classes("control-title")
            self.skin = self._toggle(SKINS, "skin")

    def _build_heat(self) -> None:
        with ui.element("div").classes("inside-row"):
            ui.label("Heat map").classes("control-title")
            self.heat = ui.select({name: each[0] for name, each in HEAT_TITLES.items()}, value="").props(
                'dense borderless options-dense aria-label="Heat map"'
            )
        with ui.element("div").classes("inside-row") as self.pose_row:
            ui.label("Pose").classes("control-title")
            self.pose = ui.select([], on_change=lambda event: self._change(pose=event.value or "")).props(
                'dense borderless options-dense aria-label="Pose of the heat map"'
            )
        self.heat.on_value_change(lambda event: self._change(heat=event.value or ""))

    def _build_clip(self) -> None:
        with ui.element("div").classes("inside-row"):
            ui.label("Clip").classes("control-title").tooltip("A plane that opens the bodies (C)")
            self.axis = self._toggle(AXES, "axis")
        with ui.element("div").classes("inside-row") as self.place_row:
            self.place = ui.slider(min=0.0, max=1.0, step=0.005, value=0.5).props('aria-label="Clipping plane"')
            self.place.on_value_change(lambda event: self._change(place=float(event.value)))
            ui.button(icon="flip", on_click=lambda: self.look("flip")).props(
                'flat round dense size=sm color=soft aria-label="Open the other side"'
            ).tooltip("Open the other side (V)")

    def _toggle(self, words: dict[str, str], field: str) -> ui.toggle:
        toggle = ui.toggle(words, value=getattr(self.inside_view, field)).props(SEGMENTS)
        toggle.on_value_change(lambda event: self._change(**{field: event.value}))
        return toggle

    # ---- what people do ----------------------------------------------------------------------------------

    def look(self, name: str) -> None:
        """A switch or a key of that name was pressed."""
        inside_view = self.inside_view
        if name in self.switches:
            if self.switches[name].visible:
                inside_view = inside_view.switched(name)
        elif name == "heat":
            inside_view = inside_view.next("heat", list(HEAT_TITLES))
        elif name == "clip":
            inside_view = inside_view.next("axis", list(AXES))
        elif name == "skin":
            inside_view = inside_view.next("skin", list(SKINS))
        elif name == "flip":
            inside_view = replace(inside_view, flip=not inside_view.flip)
        elif name == "nothing":
            inside_view = InsideView(place=inside_view.place)
        self.inside_view = inside_view
        self._show()

    def _on_key(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, str):
            self.look(event.args)

    def _change(self, **changes: Any) -> None:
        if not self._following:
            self.inside_view = self.inside_view.changed(**changes)
            self._show()

    # ---- what changes ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Cheap when nothing has changed."""
        panel_state = self.session.panel_state
        if panel_state is not None and panel_state is not self._seen:
            self._seen = panel_state
            self._take_over(panel_state)
            self._show()

    def _take_over(self, panel_state: "PanelState") -> None:
        from pliant.viewer.protocol.heat import group_list

        bodies = [actor.body for actor in panel_state.actors]
        self._poses = list(dict.fromkeys(name for body in bodies for name in body.poses))
        self._groups = group_list([actor.groups for actor in panel_state.actors])
        oriented = any(getattr(body, "ellipsoids", None) is not None for body in bodies)
        self.switches["ellipsoids"].set_visibility(oriented)
        if not oriented:
            self.inside_view = replace(self.inside_view, ellipsoids=False)

    def _show(self) -> None:
        """Make controls and viewport say what `inside_view` says."""
        choices = self._choices()
        if self.inside_view.heat in POSED and self.inside_view.pose not in choices:
            self.inside_view = replace(self.inside_view, pose=choices[0])
        inside_view = self.inside_view
        self._following = True
        for name, button in self.switches.items():
            on = getattr(inside_view, name)
            button.classes(add="on" if on else "", remove="" if on else "on")
            button.props(f"aria-pressed={'true' if on else 'false'}")
        self.skin.set_value(inside_view.skin)
        self.heat.set_value(inside_view.heat)
        self.axis.set_value(inside_view.axis)
        self.pose_row.set_visibility(inside_view.heat in POSED)
        if inside_view.heat in POSED:
            self.pose.set_options(choices, value=inside_view.pose)
        self.place_row.set_visibility(bool(inside_view.axis))
        self._following = False
        self.viewport.show_inside(self._told())

    def _choices(self) -> list[str]:
        """Poses that a map can be of."""
        if self.inside_view.heat == "distance":
            return [NEAREST, REST, *self._poses] if self._poses else [REST]
        return [*self._poses, REST]

    def _told(self) -> dict[str, Any]:
        """As viewport/inside.js wants it."""
        inside_view = self.inside_view
        told: dict[str, Any] = {name: True for name in SWITCHES if getattr(inside_view, name)}
        told["skin"] = inside_view.skin
        if inside_view.axis:
            told["clip"] = {"axis": inside_view.axis, "place": inside_view.place, "flip": inside_view.flip}
        if inside_view.heat:
            _, title, unit = HEAT_TITLES[inside_view.heat]
            pose = "the nearest example" if inside_view.pose == NEAREST else f"“{inside_view.pose}”"
            told["heat"] = inside_view.heat
            told["legend"] = {"title": title.format(pose), "unit": unit}
            if inside_view.heat in POSED:
                told["pose"] = inside_view.pose
            if inside_view.heat == "groups":
                told["legend"]["names"] = self._groups
        return told
