"""Names that USD takes, from names that people give."""

import re
import unicodedata


def identifier(name: str, taken: set[str], fallback: str) -> str:
    """A name of plain letters, digits and underscores that is not taken yet, and is from now on.

    USD itself takes more letters since 2024, many programs that read it do not. Names that differ by capitals only are
    one file on some disks, so they are not given.

    >>> taken = set()
    >>> [identifier(name, taken, "actor") for name in ("Bär 2", "bar_2", "2nd", "熊", "")]
    ['Bar_2', 'bar_2_1', '_2nd', 'actor', 'actor_1']
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_") or fallback
    if plain[0].isdigit():
        plain = "_" + plain
    number, free = 0, plain
    while free.lower() in taken:
        number += 1
        free = f"{plain}_{number}"
    taken.add(free.lower())
    return free
