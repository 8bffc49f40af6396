"""A body: rest shape, elements, masses, skin and example poses, frozen and checked.

Names are imported when they are first used: a reader of files needs `pliant.body.look` and none of SciPy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pliant.body.body import Body as Body
    from pliant.body.skin import Skin as Skin

__all__ = ["Body", "Skin"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'pliant.body' has no attribute {name!r}")
    value = getattr(import_module(f"pliant.body.{name.lower()}"), name)
    globals()[name] = value
    return value
