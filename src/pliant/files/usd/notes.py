"""What of a stage was left out or changed, gathered so that a thousand meshes make one line."""

from pliant.files.reading import one_line

NAMES_TOLD = 3


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
            told = ", ".join(list(names)[:NAMES_TOLD])
            more = f" and {len(names) - NAMES_TOLD} more" if len(names) > NAMES_TOLD else ""
            lines.append(f"{what}: {told}{more}" if told else what)
        return tuple(lines)
