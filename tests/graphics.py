"""Software OpenGL for the picture tests: found on this machine, or installed by `python tests/graphics.py`."""

import sys

from browser import install, succeeds

DRAW = "import moderngl; moderngl.create_context(standalone=True, backend='egl').release()"


def find_or_install() -> bool:
    """Whether pictures can be drawn in the end."""
    draw = [sys.executable, "-c", DRAW]
    if succeeds(draw):
        return True
    print("Installing software OpenGL for the picture tests.", flush=True)
    return install("libegl1", "libgl1", "libgl1-mesa-dri") and succeeds(draw)


if __name__ == "__main__" and not find_or_install():
    sys.exit("The picture tests need OpenGL by EGL: install libegl1, libgl1 and libgl1-mesa-dri, or a graphics driver.")
