# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension in real Blender: run by the Python of an environment that has bpy.

    python run.py EXTENSION.zip PLIANT [TEST...]

One process, one solver for all tests; the first that fails ends it with its traceback.
"""

import faulthandler
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

USER = tempfile.mkdtemp(prefix="pliant-blender-")
os.environ["BLENDER_USER_RESOURCES"] = USER  # nothing of this user's own Blender
sys.path.insert(0, str(Path(__file__).parent))

import bpy  # noqa: E402

MODULE = "bl_ext.user_default.pliant"


def validated(package: Path) -> None:
    """By Blender's own command for extensions."""
    tool = Path(bpy.utils.system_resource("SCRIPTS")) / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
    done = subprocess.run([sys.executable, str(tool), "validate", str(package)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def installed(package: Path, solver: str) -> None:
    """As a user installs it, and told where the solver is."""
    answer = bpy.ops.extensions.package_install_files(
        filepath=str(package), repo="user_default", enable_on_install=True
    )
    assert answer == {"FINISHED"} and hasattr(bpy.types.Object, "pliant")
    bpy.context.preferences.addons[MODULE].preferences.solver = solver


def main() -> int:
    package, solver = Path(sys.argv[1]), sys.argv[2]
    validated(package)
    installed(package, solver)
    import cases
    import hard_cases

    folder = Path(tempfile.mkdtemp(dir=USER))
    for name, test in [*vars(cases).items(), *vars(hard_cases).items()]:
        if not name.startswith("test_") or (len(sys.argv) > 3 and name not in sys.argv[3:]):
            continue
        begun = time.monotonic()
        try:
            cases.fresh(folder)
            test()
        except BaseException:
            print(f"FAILED {name}", flush=True)
            traceback.print_exc()
            return 1
        print(f"{time.monotonic() - begun:6.1f} s  {name}", flush=True)
    bpy.ops.preferences.addon_disable(module=MODULE)
    assert not hasattr(bpy.types.Object, "pliant")
    return 0


if __name__ == "__main__":
    faulthandler.dump_traceback_later(600, exit=True)
    code = main()
    shutil.rmtree(USER, ignore_errors=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # Blender as a module is not made to be taken down; some versions hang
