"""What can go wrong, by name. A message is one line: what is wrong, where, and what would be right."""


class PliantError(Exception):
    """The common ancestor: `except pliant.PliantError` catches everything this library raises on purpose."""


class BodyError(PliantError, ValueError):
    """A rest shape, its elements, skin, groups or poses do not make a body."""


class SettingsError(PliantError, ValueError):
    """A setting of a model, a world, a collider or a pose has no meaning."""


class FileError(PliantError, ValueError):
    """A file cannot be read or written; the message begins with its path and says what would be right."""


class SceneError(PliantError, ValueError):
    """A scene file says something that has no meaning; the message names the file, the line and the key."""


class Diverged(PliantError, ArithmeticError):
    """The simulation left the finite numbers; the message says which actor and when."""


for _error in (PliantError, BodyError, SettingsError, FileError, SceneError, Diverged):
    _error.__module__ = "pliant"  # where people find them, and what a traceback says
