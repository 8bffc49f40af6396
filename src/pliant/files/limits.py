"""How much is too much: numbers in a file are not believed until they are below these."""

from pathlib import Path

from pliant.runtime.errors import FileError

MOST_BYTES = 2_000_000_000
MOST_VERTICES = 20_000_000
MOST_ELEMENTS = 60_000_000  # faces, tets or segments
MOST_POSES = 1000
MOST_PICTURE_BYTES = 200_000_000


def check(path: Path, what: str, number: int, most: int) -> int:
    """The number, if a file may have that many of something.

    >>> check(Path("bear.obj"), "vertices", 812, MOST_VERTICES)
    812
    >>> check(Path("bear.obj"), "vertices", 4294967295, MOST_VERTICES)
    Traceback (most recent call last):
    pliant.FileError: bear.obj: 4,294,967,295 vertices, at most 20,000,000 can be read; make it simpler, or
    export it again if that is not what it holds
    """
    if not 0 <= number <= most:
        raise FileError(
            f"{path}: {number:,} {what}, at most {most:,} can be read; make it simpler, or export it again if that is "
            f"not what it holds"
        )
    return number
