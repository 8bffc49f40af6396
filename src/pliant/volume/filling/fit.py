"""How well a pose of the surface came over into the volume, and what to do about it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["reached", "coarse", "strained", "crushed", "folded", "mirrored"]


@dataclass(frozen=True)
class Fit:
    """How near the skin came to a pose.

    mean, high (99th percentile) and largest distance between wanted and reached skin, in metres, the first two taken
    over the area; diagonal (m) of the skin at rest, their yardstick. smallest_j: the smallest volume of a tet as a
    multiple of its own at rest; inverted: how many tets are inside out. remedy: one line that says what to do, empty
    if the pose is reached.
    """

    name: str
    mean: float
    high: float
    largest: float
    diagonal: float
    smallest_j: float
    inverted: int
    verdict: Verdict
    remedy: str = ""

    @property
    def usable(self) -> bool:
        """Whether a body may take the pose: nothing in it is inside out.

        >>> Fit("smile", 0.0, 0.0, 0.0, 1.0, 0.9, 0, "reached").usable
        True
        """
        return self.verdict not in ("folded", "mirrored")
