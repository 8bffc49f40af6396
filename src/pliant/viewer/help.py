"""All gestures and keys, in one list over the page."""

from nicegui import ui

GESTURES = {
    "Drag a body": "pull it; let go to throw it",
    "Shift-drag, right-drag, or double-tap and drag": "pull it and pin it there",
    "Drag a pin": "move it",
    "Shift-click or right-click a pin": "take it away",
    "Drag elsewhere": "turn the view",
    "Right-drag elsewhere, or two fingers": "move the view",
    "Wheel, or pinch": "come nearer or go away",
}
KEYS = {
    "Space": "play or pause",
    "S": "a single step",
    "R": "reset",
    "F": "see everything",
    "U": "take all pins away",
    "P": "save a picture of the view",
    "H or ?": "this list",
}


def help_dialog() -> ui.dialog:
    """Not open yet."""
    with ui.dialog() as dialog, ui.card().classes("help"):
        ui.label("Mouse and touch").classes("title")
        _list(GESTURES)
        ui.label("Keys").classes("title")
        _list(KEYS, "kbd")
    return dialog


def _list(table: dict[str, str], tag: str = "span") -> None:
    with ui.element("dl"):
        for key, what in table.items():
            with ui.element("dt"):
                for i, part in enumerate(key.split(" or ") if tag == "kbd" else [key]):
                    if i:
                        ui.label("or").classes("or")
                    with ui.element(tag):
                        ui.label(part)
            with ui.element("dd"):
                ui.label(what)
