"""Names of exhibits as people type them: `twist-bar`, or `gallery:twist-bar` where a scene is asked for."""

from collections.abc import Sequence
from difflib import get_close_matches

from pliant.runtime.errors import PliantError


def known_exhibits(names: Sequence[str]) -> list[str]:
    """The names without `gallery:`; a name that no exhibit has is an error that offers the closest one."""
    from pliant.gallery.listing import list_exhibits

    known = [exhibit.name for exhibit in list_exhibits()]
    bare = [name.removeprefix("gallery:") for name in names]
    for name in bare:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f'did you mean "{close[0]}"?' if close else "`pliant gallery` lists them all"
            raise PliantError(f'there is no exhibit "{name}"; {hint}')
    return bare
