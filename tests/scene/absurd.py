"""Builds scenes with absurd numbers, in a process that may take little memory: `python absurd.py CASES`, a JSON file of
[label, scene] pairs. Prints a line of JSON for each: [label, what became of it]."""

import json
import sys
from pathlib import Path

from pliant.runtime.errors import PliantError
from pliant.scene import scene_from_text
from pliant.scene.build import stage

ROOM = 2_500_000_000  # bytes beyond what the libraries take


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    if sys.platform == "linux":
        held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (held + ROOM, held + ROOM))


def outcome(text: str) -> str:
    try:
        show = stage(scene_from_text(text, Path("absurd.toml")))
        next(iter(show.play(1)))
        return "built"
    except PliantError as error:
        return str(error)
    except BaseException as error:
        return f"{type(error).__name__} {error}"


if __name__ == "__main__":
    import pliant

    pliant.World()
    limit_memory()
    for label, text in json.loads(Path(sys.argv[1]).read_text()):
        print(json.dumps([label, outcome(text)]), flush=True)
