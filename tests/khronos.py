"""Khronos' validator of glTF files: found in this environment, or installed in it by `python tests/khronos.py`."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from browser import succeeds

PACKAGE = "gltf-validator"
VERSION = "2.0.0-dev.3.10"
FOLDER = Path(sys.prefix) / "node"
SEVERITIES = ("error", "warning", "information", "hint")
SCRIPT = """
const fs = require("fs"), path = require("path"), validator = require("gltf-validator");
const report = (file) => validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
  uri: file, maxIssues: 0,
  externalResourceFunction: async (uri) =>
    new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)))),
});
Promise.all(process.argv.slice(1).map(report)).then((reports) => console.log(JSON.stringify(reports)));
"""


@dataclass(frozen=True)
class Issue:
    severity: str
    code: str
    place: str
    message: str


def validate(path: Path) -> list[Issue]:
    """Everything that the validator has to say about a file."""
    return validate_all([path])[0]


def validate_all(paths: Sequence[Path]) -> list[list[Issue]]:
    """The same of many files, for which it starts only once."""
    node = _program("node")
    if node is None or not is_installed():
        raise RuntimeError(f"{PACKAGE} is missing; run `python tests/khronos.py`")
    environment = {**os.environ, "NODE_PATH": str(FOLDER / "node_modules")}
    command = [node, "-e", SCRIPT, *map(str, paths)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    reports = [report["issues"] for report in json.loads(run.stdout)]
    assert len(reports) == len(paths) and not any(issues["truncated"] for issues in reports)
    return [
        [
            Issue(SEVERITIES[each["severity"]], each["code"], each.get("pointer", ""), each["message"])
            for each in issues["messages"]
        ]
        for issues in reports
    ]


def assert_valid(path: Path, warnings: Iterable[str] = ()) -> None:
    """No errors, and no warnings but those of the given codes."""
    assert_all_valid({path: warnings})


def assert_all_valid(files: Mapping[Path, Iterable[str]]) -> None:
    """The same of many files, each with the codes of its own."""
    for (path, warnings), issues in zip(files.items(), validate_all([*files]), strict=True):
        loud = [issue for issue in issues if issue.severity in SEVERITIES[:2]]
        assert not [issue for issue in loud if issue.severity == "error" or issue.code not in warnings], (path, loud)


def is_installed() -> bool:
    found = FOLDER / "node_modules" / PACKAGE / "package.json"
    return found.is_file() and json.loads(found.read_text())["version"] == VERSION


def find_or_install() -> bool:
    """Whether the validator is there in the end."""
    if is_installed():
        return True
    npm = _program("npm")
    if npm is None:
        return False
    print("Installing the glTF validator.", flush=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    quiet = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"]
    return succeeds([npm, "install", *quiet, "--prefix", str(FOLDER), f"{PACKAGE}@{VERSION}"]) and is_installed()


def _program(name: str) -> str | None:
    """A program of this environment, or the system's."""
    own = Path(sys.executable).with_name(name)
    return str(own) if own.exists() else shutil.which(name)


if __name__ == "__main__" and not find_or_install():
    sys.exit(f"The glTF tests need npm and its package {PACKAGE}: install Node.js, or check the way to npm's packages.")
