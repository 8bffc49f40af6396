"""A scene to start from: the default scene of an asset, with a word on every line and the next things to try."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.scene.default import dropped
from pliant.scene.locate import Key
from pliant.scene.mistakes import guide
from pliant.scene.save import document, name, value
from pliant.scene.schema_text import Node

if TYPE_CHECKING:
    from pliant.files.asset import Asset

ASIDE = 44  # column of the remarks
STARTER_WIDTH = 120


def starter_text(asset_path: str | Path, folder: str | Path | None = None, called: str = "scene.toml") -> str:
    """The text of a scene file for an asset. It is to be saved in `folder` (here if not said) as `called`."""
    from pliant.files.reading import read_asset
    from pliant.volume import embody

    asset = read_asset(asset_path)
    file = _relative(Path(asset_path), Path() if folder is None else Path(folder))
    data = dropped({"file": file}, embody(asset).body)
    lines = [
        f"# {Path(asset_path).name} falls on the floor.",
        "#",
        f"#   pliant scene {called}                checks this file",
        f"#   pliant view {called}                 plays it in the browser",
        f"#   pliant bake {called} -o out.glb      writes it to a file",
        "#",
        "# Lengths are metres, times seconds, angles degrees; y is up. `pliant scene --keys` prints every key.",
        "# Lines that begin with #> are further things to try; take the mark away.",
        "",
    ]
    for line in _remarked(data):
        lines += [line, *_of_the_file(asset)] if line.startswith("file = ") else [line]
    lines += ["", *_ideas(asset)]
    return "\n".join(lines) + "\n"


def _relative(path: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return path.absolute().as_posix()


def _remarked(data: Mapping[str, Any]) -> list[str]:
    """Each line with what the schema says of its key, beside it or, if that is long, above. Of several models, shapes
    and the like it is what the data are that counts."""
    lines: list[str] = []
    table: Key = ()
    for line in document(data).splitlines():
        if line.startswith("["):
            table = _path(line, table)
        key, equals, _ = line.partition(" = ")
        said = next(iter(guide().find(data, (*table, key))), None) if equals else None
        beside = line if said is None else f"{line.ljust(ASIDE - 2)}  # {remark(said)}"
        lines += [beside] if len(beside) <= STARTER_WIDTH else [f"# {remark(said or {})}", line]
    return lines


def _path(heading: str, before: Key) -> Key:
    """The path of the table under a heading; `before`: of the table above it.

    >>> _path("[[bodies]]", ("bodies", 0)), _path("[bodies.model]", ("bodies", 1))
    (('bodies', 1), ('bodies', 1, 'model'))
    """
    first, *inner = heading.strip("[]").split(".")
    number = before[1] if before[:1] == (first,) and len(before) > 1 else None
    if heading.startswith("[[") and not inner:
        return (first, 0 if number is None else int(number) + 1)
    return (first, *inner) if number is None else (first, number, *inner)


def remark(node: Node) -> str:
    """What a key means, and its unit."""
    unit = f" ({node['unit']})" if "unit" in node else ""
    return f"{node.get('description', '')}{unit}"


def _of_the_file(asset: "Asset") -> list[str]:
    """What there is in the file to choose from."""
    poses, groups = list(asset.poses), list(asset.groups)
    choice = [f"#> file_poses = {value(poses)}"] if poses else []
    return [f"# The file has {_names('pose', poses)} and {_names('group', groups)}.", *choice]


def _ideas(asset: "Asset") -> list[str]:
    """What to try next, with the names that the asset has."""
    first = name(next(iter(asset.poses), "squash"))
    group = next(iter(asset.groups), None)
    where = '{ side = "top", fraction = 0.1 }' if group is None else f"{{ group = {value(group)} }}"
    return [
        "# A body of a material: young (Pa) in place of stiffness, the same on every mesh; jelly 1e4, rubber 1e6.",
        "",
        "# Poses: what the body may do when it is pushed. These are added to those of the file.",
        "#> [bodies.poses]",
        '#> squash = { type = "squash", amount = 0.4, axis = "y" }',
        "",
        "# Settings may change over time: keys [[seconds, value], ...], linear, smooth or by steps.",
        "#> [bodies.model.keys]",
        "#> stiffness = [[0, 1], [2, 8]]",
        '#> example_strength = { keys = [[0, 0.8], [3, 0.98]], between = "smooth" }',
        f'#> forced.{first} = [[0, "free"], [2, 0], [2.5, 1], [3, "free"]]',
        "",
        "# Hold a part of it, and take it along a path: pins are hard, handles soft.",
        "#> [[bodies.handles]]",
        f"#> where = {where}",
        "#> path = [[1, [0, 0, 0]], [2, [0, 0.5, 0]]]",
        "#> end = 3",
        "",
        "# What `pliant bake` writes if nothing else is asked for.",
        "#> [output]",
        '#> file = ["out.glb", "out.mp4"]',
        "#> fps = 30",
    ]


def _names(noun: str, names: list[str]) -> str:
    if not names:
        return f"no {noun}s"
    shown = ", ".join(value(each) for each in names[:12])
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"the {noun}{'s'[: len(names) - 1]} {shown}{more}"
