"""The same bits as before? `python benchmarks/golden.py [--write FILE | --check FILE] [--scene NAME] [--quick]`.

Plays twelve scenes (golden_scenes.py: all models, contact, sleep, obstacles, pins and handles) in single and in double
precision, with one thread and with two, and prints a SHA-256 over the positions of all frames of each. --write keeps
them, with a short hash of every frame; --check compares with what was kept and names the scene and the first frame that
differ. So a change that should not change a single bit (names, records, the order of files) is seen not to.

The bits depend on the processor and on Numba: it chooses what is computed in one instruction, and how many numbers at a
time. A file therefore says where it was made, and is not compared elsewhere.

Ends with code 1 if something differs, 2 if it cannot be compared. --quick plays the first frames only, which are
compared with the first frames that were kept.
"""

import argparse
import json
import platform
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from golden_scenes import SCENES, Scene

PRECISIONS = ("single", "double")
THREADS = (1, 2)
SHORT = 8  # digits of the hash of a frame
QUICK = 4  # frames


class Unusable(Exception):
    """A file that cannot be compared with; the message is one line."""


@dataclass(frozen=True)
class Played:
    """The hash of all frames, and a short one of each."""

    sha256: str
    frames: tuple[str, ...]


def hashed(frames: Iterable[bytes]) -> Played:
    whole, each = sha256(), []
    for frame in frames:
        whole.update(frame)
        each.append(sha256(frame).hexdigest()[:SHORT])
    return Played(whole.hexdigest(), tuple(each))


def played(scene: Scene, precision: str, threads: int, quick: bool) -> Played:
    world = scene.build(precision=precision, threads=threads)
    return hashed(scene.play(world, 0, QUICK if quick else scene.frames))


def key_of(scene: Scene, precision: str, threads: int) -> str:
    return f"{scene.name}, {precision}, {threads} thread{'s' if threads > 1 else ''}"


def machine() -> dict[str, str]:
    """What the bits depend on, besides the code."""
    from llvmlite import binding

    features = sorted(name for name, there in binding.get_host_cpu_features().items() if there)
    packages = {name: version(name) for name in ("numba", "llvmlite", "numpy", "scipy")}
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": binding.get_host_cpu_name(),
        "instructions": sha256(" ".join(features).encode()).hexdigest()[:SHORT],
        "python": platform.python_version(),
        **packages,
    }


def read(path: Path) -> dict[str, Played]:
    """What was kept, if it was made here."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        made, scenes = kept["machine"], kept["scenes"]
        found = {key: Played(row["sha256"], tuple(row["frames"])) for key, row in scenes.items()}
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}; make it with --write") from None
    except (ValueError, KeyError, TypeError):
        raise Unusable(f"{path}: is not a file of golden.py; make one with --write") from None
    here = machine()
    others = [f"{name} {made.get(name, 'unknown')}, here {here[name]}" for name in here if made.get(name) != here[name]]
    if others:
        raise Unusable(f"{path}: was made elsewhere ({'; '.join(others)}); make one here with --write")
    return found


def write(path: Path, rows: dict[str, Played]) -> None:
    kept = {"machine": machine(), "scenes": {key: asdict(row) for key, row in rows.items()}}
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def differences(rows: dict[str, Played], kept: dict[str, Played]) -> Iterator[str]:
    """A line for each scene that is not as it was kept."""
    for key, row in rows.items():
        if key not in kept:
            yield f"{key}: is not in the file"
            continue
        before = kept[key].frames
        first = next((i for i, pair in enumerate(zip(row.frames, before, strict=False)) if pair[0] != pair[1]), None)
        if first is not None:
            yield f"{key}: differs from frame {first + 1} of {len(row.frames)} on"
        elif len(row.frames) > len(before):
            yield f"{key}: has {len(row.frames)} frames, the file {len(before)}"
        elif len(row.frames) == len(before) and row.sha256 != kept[key].sha256:
            yield f"{key}: the hash of all frames differs, those of single frames do not: the file was edited"


def divided(rows: dict[str, Played]) -> Iterator[str]:
    """A line for each scene whose bits depend on the number of threads."""
    for scene in SCENES:
        for precision in PRECISIONS:
            one, *others = (key_of(scene, precision, threads) for threads in THREADS)
            for other in others:
                if one in rows and other in rows:
                    for line in differences({other: rows[other]}, {other: rows[one]}):
                        yield f"{line} (from one thread)"


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Hashes of positions over twelve scenes: are they the same bits?")
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep the hashes in a file")
    parser.add_argument("--check", type=Path, metavar="FILE", help="compare with the hashes of a file")
    names = [scene.name for scene in SCENES]
    parser.add_argument("--scene", action="append", choices=names, help="play this one; may be given again")
    parser.add_argument("--quick", action="store_true", help="the first frames only")
    asked = parser.parse_args(words)
    try:
        kept = None if asked.check is None else read(asked.check)
    except Unusable as reason:
        print(reason, file=sys.stderr)
        return 2
    rows: dict[str, Played] = {}
    for scene in SCENES:
        for precision in PRECISIONS if scene.name in (asked.scene or names) else ():
            for threads in THREADS:
                key = key_of(scene, precision, threads)
                rows[key] = played(scene, precision, threads, asked.quick)
                print(f"{rows[key].sha256}  {key}, {len(rows[key].frames)} frames", flush=True)
    wrong = [*divided(rows), *(differences(rows, kept) if kept is not None else ())]
    for line in wrong:
        print(line)
    if asked.write is not None:
        write(asked.write, rows)
    if kept is not None and not wrong:
        print(f"all {len(rows)} as in {asked.check}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
