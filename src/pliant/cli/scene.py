"""`pliant scene`: checks a scene file, starts one for an asset, prints the schema for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from pliant.runtime.errors import FileError, PliantError


def scene(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The scene file to check.")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema, for editors.")] = False,
    keys: Annotated[bool, typer.Option("--keys", help="Print every key that a scene may have, as tables.")] = False,
    new: Annotated[
        Path | None, typer.Option("--new", metavar="ASSET", help="Start a scene for an asset, with remarks.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write it; else it is printed.")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Check it with this changed; repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Check a scene file and say what is in it; or start one, or print what may stand in it."""
    wanted = [name for name, given in (("--schema", schema), ("--keys", keys), ("--new", new), ("FILE", file)) if given]
    if len(wanted) != 1:
        said = " and ".join(wanted) or "nothing"
        raise PliantError(f"scene: {said} given; give one of a scene file, --new ASSET, --schema or --keys")
    if out is not None and file is not None:
        raise PliantError("scene: -o is for --new, --schema and --keys; a scene is checked where it is")
    if schema:
        from pliant.scene.json_schema import json_schema

        _write(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n", out)
    elif keys:
        from pliant.scene.reference import tables

        _write("\n".join(f"## {name}\n\n{table}\n" for name, table in tables().items()), out)
    elif new is not None:
        _start(new, out)
    elif file is not None:
        _check(file, changes or [], as_json)


def _start(asset: Path, out: Path | None) -> None:
    from pliant.scene.starter import starter_text

    if out is not None and out.exists():
        raise FileError(f"{out}: is there already; choose another name")
    if out is not None and out.suffix.lower() != ".toml":
        raise FileError(f"{out}: a scene file ends in .toml; give it that ending")
    folder, called = (None, f"{asset.stem}.toml") if out is None else (out.parent, out.name)
    _write(starter_text(asset, folder, called), out)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        print(text, end="")
        return
    from pliant.files.whole import whole_file

    with whole_file(out) as path:
        path.write_text(text, encoding="utf-8", newline="\n")
    print(out)


def _check(file: Path, changes: list[str], as_json: bool) -> None:
    from pliant.scene import load_scene, show_of, with_overrides
    from pliant.scene.summary import summary

    checked = with_overrides(load_scene(file), changes)
    facts = summary(checked, show_of(checked))
    if as_json:
        print(json.dumps(facts, indent=2))
    else:
        _print(file, facts)


def _print(file: Path, facts: dict[str, Any]) -> None:
    title = f": {facts['title']}" if facts["title"] else ""
    print(f"{file}{title}")
    frames = f"{facts['frames']} frames, {facts['fps']:g} a second, {facts['substeps']} steps each"
    print(f"  {facts['seconds']:g} s, {frames}")
    for collider in facts["colliders"]:
        name = f" {collider['name']}" if collider["name"] else ""
        source = f" {collider['file']}" if collider["file"] else ""
        print(f"  collider{name}: {collider['type']}{source}{', moving' if collider['moves'] else ''}")
    for body in facts["bodies"]:
        count = len(body["actors"])
        times = f" ({count} copies)" if count > 1 else ""
        content = f"{body['kind']}, {body['particles']} particles, {body['mass']:.4g} kg"
        print(f"  body {body['name']}{times}: {body['source']}, {content}")
        print(f"    {body['model']}, poses: {', '.join(body['poses']) or 'none'}; groups: {', '.join(body['groups'])}")
        held = [f"{body[kind]} {kind if body[kind] > 1 else kind[:-1]}" for kind in ("pins", "handles") if body[kind]]
        if held:
            print(f"    {', '.join(held)}")
    if facts["keyed"]:
        print(f"  over time: {', '.join(facts['keyed'])}")
    for note in facts["notes"]:
        print(f"  note: {note}")
    print("  no mistakes")
