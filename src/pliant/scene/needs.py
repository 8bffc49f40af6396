"""What a scene would need, told before anything of it is made. Numbers that no machine can hold are refused by the
schema already; here the rest is weighed against the memory that is free.

The figures were measured on the ready-made shapes, with single precision, as the largest size of the process; they are
rounded up. They need not be exact: what they keep away is larger by orders of magnitude.
"""

from collections.abc import Mapping
from math import prod
from typing import Any

from pliant.runtime import memory
from pliant.runtime.errors import BodyError

PARTICLE = 4_000  # bytes of a body in a world: elements, regions, goals; 2,000 to 3,400 were measured
COPY = 1_500  # bytes of a particle of each further copy: 850 to 1,040
FEM = 16_000  # bytes of a particle of a small body of finite elements, for the factors of its matrix: 13,000 to 16,000
SMALL_BODY = 10_000  # particles; the factors of larger bodies grow with the power 4/3 (nested dissection)
SKIN_VERTEX = 600  # bytes: 480
SKIN = {"rope": 60, "sheet": 2}  # vertices for each particle, where the skin is as fine as the body
# Bytes, and samples of the lattice that fills a surface.
SAMPLE, FEWEST_SAMPLES, PER_PARTICLE, MOST_SAMPLES = 40, 3e6, 1500, 5e7


def particles_of(shape: str, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> int:
    """About how many a shape has."""
    said = {**defaults, **values}
    return prod(each + 1 for each in said["cells"]) if "cells" in said else int(said.get("particles", 0))


def bytes_of_shape(shape: str, particles: int, filled: bool) -> float:
    """What a shape needs while it is made, and in a world. filled: its inside comes from its surface."""
    return particles * (PARTICLE + SKIN.get(shape, 0) * SKIN_VERTEX) + (bytes_of_filling(particles) if filled else 0)


def bytes_of_filling(particles: int) -> float:
    """What the lattice needs from which the inside of a surface is made."""
    return SAMPLE * min(FEWEST_SAMPLES + PER_PARTICLE * particles, MOST_SAMPLES)


def bytes_of_actors(model: str, particles: int, copies: int) -> float:
    """What copies of a body need in a world."""
    own = FEM * max(particles / SMALL_BODY, 1.0) ** (1 / 3) if model == "fem" else COPY
    return particles * copies * own


def check_memory(need: float, what: str, less: str) -> None:
    """That so many bytes are free."""
    free = memory.available()
    if free is not None and need > free:
        raise BodyError(f"{what} would need about {_size(need)} of memory, {_size(free)} are free; give {less}")


def _size(number: float) -> str:
    """
    >>> _size(3.456e9), _size(2.5e6), _size(4e15)
    ('3.5 GB', '2 MB', '4,000,000 GB')
    """
    if number < 1e8:
        return f"{number / 1e6:.0f} MB"
    return f"{number / 1e9:.1f} GB" if number < 1e11 else f"{number / 1e9:,.0f} GB"
