"""What a command does, in a few words for the history."""

from typing import Any

from pliant.viewer.protocol.commands import (
    AddPose,
    Arrange,
    Balance,
    Command,
    Compare,
    Continue,
    Defaults,
    DeletePose,
    Drag,
    Force,
    Keep,
    MendPose,
    OnSecond,
    RenamePose,
    Reset,
    Settle,
    Tune,
    Unpin,
    UseModel,
)
from pliant.viewer.protocol.group_commands import (
    AddGroup,
    DeleteGroup,
    Enclose,
    Painted,
    RenameGroup,
    Share,
    SplitGroups,
    UndoPaint,
)
from pliant.viewer.protocol.studio_commands import (
    BlendDraft,
    BrushDraft,
    CloseStudio,
    DraftFrom,
    KeepDraft,
    MirrorDraft,
    OpenStudio,
    ReadyPose,
    RestDraft,
    StudioPull,
)

MENDED = {
    "inverted": "made gentler", "crushed": "made gentler", "mirrored": "mirrored back",
    "length-kept": "shortened along its axis",
}  # fmt: skip


def said(command: Command) -> str:
    """A line of the history.

    >>> said(Tune(actor=None, field="example_strength", value=0.95))
    'Example strength 0.95'
    >>> said(Force(actor="bar", pose="twist", weight=0.5)), said(OnSecond(command=DeletePose(actor=None, pose="twist")))
    ('Hold “twist” at 50%', 'Delete “twist” in B')
    """
    match command:
        case OnSecond(command=inner):
            return f"{said(inner)} in B"
        case Tune(field=field, value=value):
            return f"{_titled(field)} {_value(value)}"
        case Arrange(field=field, value=value):
            return f"{_titled(field)} {value:.4g}"
        case Force(pose=pose, weight=weight):
            if weight is None:
                return f"Free “{pose}”"
            if command.toggle:
                return f"Hold “{pose}”, or free it" if weight else f"Switch “{pose}” on or off"
            return f"Hold “{pose}” at {weight:.0%}"
        case AddPose(name=name):
            return f"Add the pose “{name}”"
        case RenamePose(pose=pose, name=name):
            return f"Rename “{pose}” to “{name}”"
        case DeletePose(pose=pose):
            return f"Delete “{pose}”"
        case MendPose(pose=pose, finding=finding):
            return f"“{pose}” {MENDED.get(finding, 'mended')}"
        case UseModel(model=model):
            return f"Model: {model.replace('_', ' ')}"
        case Balance(how=how):
            return "Copy A to B" if how == "copy" else "Swap A and B"
        case Compare(on=on):
            return "Compare side by side" if on else "End the comparison"
        case Share(mode=mode):
            whose = {"global": "all as one", "regions": "each region"}.get(mode, "groups")
            return f"Weights for {whose}"
        case AddGroup(name=name):
            return f"Add the group “{name}”"
        case RenameGroup(name=name):
            return f"Rename a group to “{name}”"
        case ReadyPose(formula=formula):
            return f"Draw a {formula.replace('_', ' ')}"
        case BrushDraft(tool=tool):
            return f"Brush: {tool}"
        case KeepDraft(name=name):
            return f"Keep “{name}”"
    return _PLAIN.get(type(command), _titled(type(command).__name__))


_PLAIN: dict[type[Any], str] = {
    Keep: "Pin",
    Unpin: "Take pins away",
    Drag: "Move an obstacle",
    Settle: "Settle",
    Defaults: "All as the exhibit has them",
    Reset: "Reset",
    Continue: "Continue from here",
    DeleteGroup: "Delete a group",
    SplitGroups: "Split left | right",
    Painted: "Paint",
    UndoPaint: "Take a stroke back",
    Enclose: "Paint with the box",
    OpenStudio: "Open the studio",
    CloseStudio: "Leave the studio",
    RestDraft: "Begin a new pose",
    StudioPull: "Pull",
    MirrorDraft: "Mirror",
    BlendDraft: "Blend",
    DraftFrom: "Shape from a file",
}


def subject(command: Command) -> str:
    """What a command changes where several in a row count as one; empty where each counts.

    >>> subject(Tune(actor="bar", field="stiffness", value=4)), subject(Settle(actor="bar"))
    ('bar stiffness', '')
    """
    match command:
        case OnSecond(command=inner):
            inside = subject(inner)
            return f"B {inside}" if inside else ""
        case Tune(actor=actor, field=field):
            return f"{actor} {field}"
        case Arrange(field=field):
            return f"world {field}"
        case Force(actor=actor, pose=pose, toggle=False):
            return f"{actor} forced {pose}"
        case ReadyPose(actor=actor, formula=formula):
            return f"{actor} draws {formula}"
        case BlendDraft(actor=actor):
            return f"{actor} blends"
    return ""


def _titled(field: str) -> str:
    text = "".join(f" {each.lower()}" if each.isupper() else each for each in field.replace("_", " ")).strip()
    return text[:1].upper() + text[1:]


def _value(value: Any) -> str:
    if isinstance(value, float | int) and not isinstance(value, bool):
        return f"{value:.4g}"
    return value if isinstance(value, str) else "default" if value is None else ""
