"""From the posed surface to the posed volume: particle positions whose skin takes a pose, the inside smooth.

`fill` does it for all poses of a mesh; the `Fit` of each says how near the skin came, and what to
do if that is not near enough.
"""

from pliant.volume.filling.fill import Filled, fill
from pliant.volume.filling.fit import Fit

__all__ = ["Filled", "Fit", "fill"]
