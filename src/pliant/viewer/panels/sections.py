"""A part of the panel that can be folded away; the browser remembers which ones a person has folded."""

from nicegui.element import Element

from pliant.viewer.panels.viewport_element import MODULES


class Section(Element, component=MODULES / "section.js"):
    """Use `with section(...)`: what is made inside goes into it. It stays in the page while it is folded."""

    def __init__(self, title: str, icon: str, open: bool) -> None:
        super().__init__()
        self._props["title"] = title
        self._props["icon"] = icon
        self._props["open"] = open


def section(title: str, icon: str, open: bool = True) -> Section:
    """A section under a title, with an icon (a name of the Material set). `open` is how a first visitor finds it."""
    return Section(title, icon, open)
