"""How two copies that are compared differ, in a few words for each."""

from typing import TYPE_CHECKING, Any

from pliant.viewer.protocol.commands import FIRST, SECOND

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import PanelState

MOST_WORDS = 3  # over each of the two


def said_model(name: str) -> str:
    """A model as people read it.

    >>> said_model("shape_matching")
    'Shape matching'
    """
    return name.replace("_", " ").capitalize()


def captions(panel_state: "PanelState") -> dict[str, str]:
    """What to write over each of the two: the model, where they differ in it, and the settings in which they differ.
    Empty while there is only one."""
    first, second = panel_state, panel_state.second
    if second is None:
        return {}
    said: dict[str, list[str]] = {FIRST: [], SECOND: []}
    for name, side in ((FIRST, first), (SECOND, second)):
        if first.models != second.models:
            said[name] += sorted({said_model(model) for model in side.models.values()})
    for field, (mine, theirs) in differences(first, second).items():
        title = field.replace("_", " ")
        said[FIRST].append(f"{title} {_said(mine)}")
        said[SECOND].append(f"{title} {_said(theirs)}")
    return {name: " · ".join([name, *words[:MOST_WORDS]]) for name, words in said.items()}


def differences(first: "PanelState", second: "PanelState") -> dict[str, tuple[Any, Any]]:
    """Fields that both have, with the values where these differ: of the first actor that differs, and of the world."""
    found: dict[str, tuple[Any, Any]] = {}
    pairs: list[tuple[Any, Any]] = [(mine, second.settings.get(name)) for name, mine in first.settings.items()]
    for mine, theirs in [*pairs, (first.conditions, second.conditions)]:
        if theirs is None:
            continue
        for field in type(mine).model_fields:
            if field in type(theirs).model_fields and field not in found:
                values = getattr(mine, field), getattr(theirs, field)
                if values[0] is not values[1] and values[0] != values[1]:
                    found[field] = values
    return found


def _said(value: Any) -> str:
    if isinstance(value, float | int):
        return f"{value:.4g}"
    if isinstance(value, str):
        return value
    if value is None:
        return "not set"
    try:
        return ", ".join(f"{key} {_said(each)}" if isinstance(each, float) else str(key) for key, each in value.items())
    except AttributeError:
        return "other"
