"""In which order tests are run by several processes at once.

pytest-xdist gives each worker a run of neighbours, of equal number; one that has done all of its own takes over from
the end of the longest queue. So whatever takes long comes first in a run, and what is left to be taken over is small:
all pages in one run, which shares one server and one browser, and the slow tests in the others.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def arranged(pages: Sequence[T], slow: Sequence[T], quick: Sequence[T], workers: int) -> list[T]:
    """All of them, for so many workers.

    >>> arranged("PP", "SSSS", "qqqqqq", workers=3)
    ['P', 'P', 'q', 'q', 'S', 'S', 'q', 'q', 'S', 'S', 'q', 'q']
    >>> arranged("PPPP", "S", "q", workers=2)
    ['P', 'P', 'P', 'P', 'S', 'q']
    """
    total = len(pages) + len(slow) + len(quick)
    shares = max(workers - 1, 1) if pages else workers
    heads = [list(pages)] if pages and workers > 1 else []
    rest = list(slow) if heads or not pages else [*pages, *slow]
    heads += [rest[len(rest) * k // shares : len(rest) * (k + 1) // shares] for k in range(shares)]
    order: list[T] = []
    given = 0
    for number, head in enumerate(heads, 1):
        room = max(total * number // len(heads) - len(order) - len(head), 0) if number < len(heads) else len(quick)
        order += [*head, *quick[given : given + room]]
        given += room
    return order
