"""All gestures and keys, in one list over the page."""

from nicegui import ui

from pliant.viewer.panels.inside import INSIDE_KEYS

GESTURES = {
    "Drag a body": "pull it; let go to throw it",
    "Shift-drag or right-drag; let a finger rest, or tap with a second one": "pull it and pin it there",
    "Drag a pin": "move it",
    "Shift-click or right-click a pin, or let a finger rest on it": "take it away",
    "Drag an obstacle": "move it; bodies feel it come",
    "Drag elsewhere": "turn the view",
    "Right-drag elsewhere, or two fingers": "move the view",
    "Wheel, or pinch": "come nearer or go away",
    "With the brush: drag on a body, beside it": "paint the chosen group, turn the view",
    "With the box: drag, right-drag": "choose all in it, turn the view",
    "Drag the timeline": "see what happened; with shift choose what is saved",
}
KEYS = {
    "Space": "play or pause, also the recording",
    "S": "a single step",
    "R": "reset",
    "F": "see everything",
    "U": "take all pins away, and put obstacles back",
    "P": "save a picture of the view",
    "← or →": "a moment back or on in the recording; with shift half a second",
    "Home": "the beginning of the recording",
    "L or End": "leave the recording and go on",
    "I or O": "mark the beginning or the end of what is saved",
    "B or X": "paint groups with a brush, or with a box",
    "[ or ]": "a smaller or a larger brush",
    "Z": "undo the last stroke",
    "Ctrl+Z or Ctrl+Shift+Z": "undo, and do again what was undone",
    "Esc": "leave the studio, or put the brush away",
    "H or ?": "this list",
}


def help_dialog() -> ui.dialog:
    """Not open yet."""
    with ui.dialog() as dialog, ui.card().classes("help"):
        ui.label("Mouse and touch").classes("title")
        _list(GESTURES)
        ui.label("Keys").classes("title")
        _list(KEYS, "kbd")
        ui.label("See inside").classes("title")
        _list(INSIDE_KEYS, "kbd")
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
