"""The command line from its own help."""

from typing import Any

from typer.main import get_command


def page() -> str:
    """Every command: what it is for, what it is given, what it may be told.

    >>> "## `pliant bake`" in page() and "`--resume`" in page()
    True
    """
    from pliant.cli import app

    return "\n".join(line for name, command in get_command(app).commands.items() for line in _command(name, command))


def _command(name: str, command: Any) -> list[str]:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    usage = " ".join(["pliant", name, *map(_usage, arguments), "[options]"])
    lines = [f"## `pliant {name}`", "", "```text", usage, "```", ""]
    lines += [" ".join(paragraph.split()) + "\n" for paragraph in (command.help or "").split("\n\n")]
    lines += ["| name | takes | meaning |", "| --- | --- | --- |"]
    return [*lines, *map(_row, command.params), ""]


def _usage(argument: Any) -> str:
    text = argument.metavar.removesuffix("…") + (" ..." if argument.nargs != 1 else "")
    return text if argument.required else f"[{text}]"


def _row(parameter: Any) -> str:
    """Its name, what is given with it, and what it means; with its default where it has one."""
    argument = parameter.param_type_name == "argument"
    names = [parameter.metavar or parameter.name] if argument else [*parameter.opts, *parameter.secondary_opts]
    kind = getattr(parameter.type_descriptor.annotation, "__name__", "").upper()
    given = "" if argument or parameter.is_flag else parameter.metavar or {"STR": "TEXT"}.get(kind, kind)
    told = "" if parameter.default in (None, False, True, [], ()) else f" Default: `{parameter.default}`."
    cells = (", ".join(f"`{each}`" for each in names), f"`{given}`" if given else "", f"{parameter.help or ''}{told}")
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
