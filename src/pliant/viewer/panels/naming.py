"""A dialogue that asks for a name, and tells what is wrong with it where it is typed."""

from collections.abc import Callable

from nicegui import ui

LONGEST_POSE_NAME = 40  # letters of a name


class Naming:
    """`ask` opens it; `taken` says which names there are already."""

    def __init__(self) -> None:
        self._then: Callable[[str], None] | None = None
        self._taken: Callable[[], list[str]] = list
        self._own = ""
        with ui.dialog() as self.dialog, ui.card().classes("naming"):
            self.title = ui.label().classes("title")
            self.input = ui.input(validation=self._wrong)
            self.input.props('autofocus outlined dense maxlength=40 aria-label="Name"').classes("wide")
            self.input.on("keydown.enter", self._done)
            self.input.on("focus", js_handler="(event) => event.target.select?.()")
            with ui.element("div").classes("buttons"):
                ui.button("Cancel", on_click=self.dialog.close).props("flat no-caps color=soft")
                ui.button("OK", on_click=self._done).props("unelevated no-caps text-color=on-accent")

    def ask(
        self, title: str, name: str, then: Callable[[str], None], taken: Callable[[], list[str]] | None = None
    ) -> None:
        """The name that there is now may stay."""
        self._then, self._own, self._taken = then, name, taken or list
        self.title.set_text(title)
        self.input.set_value(name)
        self.dialog.open()

    def _wrong(self, text: str | None) -> str | None:
        return wrong_name(text or "", [each for each in self._taken() if each != self._own])

    def _done(self) -> None:
        if self.input.validate() and self._then is not None:
            self.dialog.close()
            self._then(str(self.input.value).strip())


def wrong_name(text: str, taken: list[str]) -> str | None:
    """What is wrong with a name, if anything is.

    >>> wrong_name("twist", ["twist", "bend"])
    'there is a “twist” already'
    >>> wrong_name(" ", []), wrong_name("arch", ["twist"]) is None
    ('type 1 to 40 letters', True)
    """
    name = text.strip()
    if not 0 < len(name) <= LONGEST_POSE_NAME or not name.isprintable():
        return f"type 1 to {LONGEST_POSE_NAME} letters"
    return f"there is a “{name}” already" if name in taken else None
