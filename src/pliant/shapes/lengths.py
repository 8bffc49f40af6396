"""Lengths that a shape can have."""

from pliant.runtime.errors import BodyError

# Beyond these, squares and cubes of lengths leave the numbers that single precision can tell apart.
SHORTEST, LONGEST = 1e-6, 1e6  # m
THINNEST = 1e-4  # dimensionless: the least part of its greatest length that a solid is thick; tets of less are flat


def check_lengths(shape: str, **lengths: float) -> None:
    """
    >>> check_lengths("ball", radius=float("nan"))
    Traceback (most recent call last):
    pliant.BodyError: ball: a radius of nan m; give a length from 1e-06 to 1e+06 m
    """
    for name, length in lengths.items():
        if not SHORTEST <= length <= LONGEST:  # nor what is not a number
            raise BodyError(f"{shape}: {_given(name, length)}; give a length from {SHORTEST:g} to {LONGEST:g} m")


def check_proportions(shape: str, **lengths: float) -> None:
    """
    >>> check_proportions("cuboid", cell_length=1e6, cell_height=1)
    Traceback (most recent call last):
    pliant.BodyError: cuboid: a cell length of 1e+06 m and a cell height of 1 m; give lengths that are at most
    10,000 times each other
    """
    longest, shortest = max(lengths, key=lengths.__getitem__), min(lengths, key=lengths.__getitem__)
    if lengths[shortest] < THINNEST * lengths[longest]:
        given = " and ".join(_given(name, lengths[name]) for name in (longest, shortest))
        raise BodyError(f"{shape}: {given}; give lengths that are at most {1 / THINNEST:,.0f} times each other")


def _given(name: str, length: float) -> str:
    return f"a {name.replace('_', ' ')} of {length:g} m"
