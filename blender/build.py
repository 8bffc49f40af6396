# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes dist/pliant-blender-VERSION.zip, which Blender installs as an extension. The same bytes every time."""

import sys
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
EPOCH = (1980, 1, 1, 0, 0, 0)  # zip knows no earlier time


def build(out: Path) -> Path:
    """The zip, in a folder."""
    manifest = tomllib.loads((HERE / "extension" / "blender_manifest.toml").read_text(encoding="utf-8"))
    path = out / f"{manifest['id']}-blender-{manifest['version']}.zip"
    out.mkdir(parents=True, exist_ok=True)
    files = sorted(each for each in (HERE / "extension").iterdir() if each.suffix in (".py", ".toml"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in (*files, HERE / "LICENSE"):
            entry = zipfile.ZipInfo(file.name, EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, file.read_bytes())
    return path


if __name__ == "__main__":
    print(build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "dist"))
