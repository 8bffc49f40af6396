# SPDX-License-Identifier: GPL-3.0-or-later
"""Environments with Blender as a module, one for each version, and the tests in each of them.

    python blender/tests/environments.py PLIANT      PLIANT: the command of the solver

An environment is made once, in .venv-blender/; a stamp, written last, says that it is whole.
"""

import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / ".venv-blender"
BLENDERS = {"4.5.15": (3, 11), "5.0.1": (3, 11), "5.2.3": (3, 13)}  # and the Python that each is made for
NEEDED = ("4.5.15", "5.0.1")  # the others where their Python is found
TO_INSTALL, TO_TEST = 1800, 900  # s


def python_of(version: tuple[int, int]) -> str | None:
    """A Python of that very version, if there is one that starts."""
    name = f"python{version[0]}.{version[1]}"
    kept = (Path.home() / ".pyenv" / "versions").glob(f"{version[0]}.{version[1]}.*/bin/python")
    for each in (sys.executable, shutil.which(name), *sorted(map(str, kept), reverse=True)):
        if each is None:
            continue
        asked = [each, "-c", f"import sys; sys.exit(sys.version_info[:2] != {version})"]
        if subprocess.run(asked, capture_output=True).returncode == 0:
            return each
    return None


def environment(blender: str, python: str) -> Path:
    """The Python of an environment with that Blender, made if it is not there."""
    folder = PLACE / blender
    inside = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = folder / "complete"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != str(folder):
        print(f"Installing Blender {blender} as a module in {folder.relative_to(ROOT)}; it has 400 MB.", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        made = [python, "-m", "venv", str(folder)] if python != sys.executable else None
        subprocess.run(made, check=True) if made else venv.create(folder, with_pip=True)
        pip = [str(inside), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"bpy=={blender}"]
        done = subprocess.run(pip, capture_output=True, text=True, timeout=TO_INSTALL)
        if done.returncode:
            said = (done.stderr.strip() or "pip failed").splitlines()[-1]
            sys.exit(f"make test-blender: the package bpy {blender} cannot be had from the package index: {said}")
        stamp.write_text(str(folder), encoding="utf-8")
    return inside


def main(solver: str) -> int:
    sys.path.insert(0, str(ROOT / "blender"))
    from build import build

    package = build(ROOT / "dist")
    for blender, version in BLENDERS.items():
        python = python_of(version)
        if python is None:
            wanted = f"Python {version[0]}.{version[1]}, which Blender {blender} is made for, was not found"
            if blender in NEEDED:
                sys.exit(f"make test-blender: {wanted}; install it")
            print(f"{wanted}: left out", flush=True)
            continue
        inside = environment(blender, python)
        begun = time.monotonic()
        command = [str(inside), str(ROOT / "blender" / "tests" / "run.py"), str(package), str(Path(solver).absolute())]
        clean = {name: value for name, value in os.environ.items() if not name.startswith("BLENDER_")}
        done = subprocess.run(command, env=clean, timeout=TO_TEST)
        if done.returncode:
            print(f"Blender {blender}: the tests failed", file=sys.stderr)
            return 1
        print(f"Blender {blender}: passed in {time.monotonic() - begun:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: environments.py PLIANT")
    sys.exit(main(sys.argv[1]))
