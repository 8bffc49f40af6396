"""Software OpenGL and ffprobe for the picture tests: found here, or installed by `python tests/graphics.py`."""

import shutil
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


def find_or_install_ffprobe() -> None:
    """Films are looked at by ffprobe where it can be had; elsewhere by the ffmpeg that imageio-ffmpeg brings."""
    if not shutil.which("ffprobe"):
        print("Installing ffmpeg, whose ffprobe looks at films in the tests.", flush=True)
        install("ffmpeg")


if __name__ == "__main__":
    if not find_or_install():
        sys.exit(
            "The picture tests need OpenGL by EGL: install libegl1, libgl1 and libgl1-mesa-dri, or a graphics driver."
        )
    find_or_install_ffprobe()
