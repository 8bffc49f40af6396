"""What of a stage was left out or changed, gathered so that a thousand meshes make one line."""

from pliant.files.reading import one_line

MOST_NAMES = 3


class Notes:
    """Lines for `Asset.notes`, in the order in which they were first needed.

    >>> notes = Notes()
    >>> for name in "abcde":
    ...     notes.add("hidden and left out", name)
    >>> notes.lines()
    ('hidden and left out: a, b, c and 2 more',)
    """

    def __init__(self) -> None:
        self._names: dict[str, dict[str, None]] = {}

    def add(self, what: str, name: str = "") -> None:
        """Notes something, and what it happened to."""
        names = self._names.setdefault(one_line(what), {})
        if name:
            names.setdefault(one_line(name))

    def lines(self) -> tuple[str, ...]:
        lines = []
        for what, names in self._names.items():
            told = ", ".join(list(names)[:MOST_NAMES])
            more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
            lines.append(f"{what}: {told}{more}" if told else what)
        return tuple(lines)
