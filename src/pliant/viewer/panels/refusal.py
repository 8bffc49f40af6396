"""Why something was not done: told in the part of the panel where it was asked for, until it is dismissed."""

from nicegui import ui

from pliant.viewer.server.watching import Status


class RefusalNote:
    """Of the parts of the panel that are named (see `watching.place_of`). Hidden while there is nothing to say."""

    def __init__(self, *places: str) -> None:
        self.places = places
        self._dismissed = 0  # the number of the last that was
        self._shown = 0
        with ui.element("div").classes("refusal").props('role="alert"') as self.root:
            ui.icon("info", size="1.1rem")
            self.text = ui.label().classes("refusal-text")
            ui.button(icon="close", on_click=self._dismiss).props(
                'flat round dense size=xs color=soft aria-label="Dismiss"'
            )
        self.root.set_visibility(False)

    def show(self, status: Status) -> None:
        """Cheap when nothing has changed."""
        refusal = status.refusal
        number = refusal.number if refusal is not None and refusal.place in self.places else 0
        if number <= self._dismissed:
            number = 0
        if number == self._shown:
            return
        self._shown = number
        if refusal is not None and number:
            self.text.set_text(refusal.text[:1].upper() + refusal.text[1:])
        self.root.set_visibility(bool(number))

    def _dismiss(self) -> None:
        self._dismissed = max(self._shown, self._dismissed)
        self._shown = 0
        self.root.set_visibility(False)
