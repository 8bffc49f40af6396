"""The way to OpenGL without a screen: moderngl on EGL, on a graphics card or in software (llvmpipe)."""

from __future__ import annotations

from typing import Any

from pliant.runtime.errors import PliantError

NO_PACKAGE = "pictures need moderngl and Pillow, which are not installed; run: pip install 'pliant[render]'"
NO_EGL = (
    "pictures need OpenGL 3.3 on EGL, which does not start here ({reason}); "
    "on Debian and Ubuntu run: apt-get install libegl1 libgl1 libgl1-mesa-dri"
)


def open_context() -> Any:
    """A moderngl context of its own, current in this thread."""
    try:
        import moderngl
    except ImportError as error:
        raise PliantError(NO_PACKAGE) from error
    try:
        settings: dict[str, Any] = {"standalone": True, "backend": "egl"}
        return moderngl.create_context(require=330, **settings)
    except Exception as error:  # moderngl raises bare Exceptions, and OSErrors where a library is missing
        reason = " ".join(str(error).split()) or type(error).__name__
        raise PliantError(NO_EGL.format(reason=reason)) from error
