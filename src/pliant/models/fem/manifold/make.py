"""From a body with poses to its manifold."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.elastic.columns import columns_of
from pliant.models.fem.manifold import Manifold
from pliant.runtime.jit import make_ready

Array = NDArray[np.float64]
KERNELS = (
    "pliant.elastic.kernels", "pliant.elastic.blend_kernels", "pliant.elastic.rigid", "pliant.elastic.substitution",
    "pliant.elastic.multifrontal", "pliant.maths.blends",
    "pliant.models.fem.manifold",
)  # fmt: skip


def make(
    body: Body, examples: Any, shear: Array, bulk: Array, stiffness: float, forced: Mapping[str, float], form: str
) -> Manifold | None:
    """See `manifold_of`."""
    if not body.poses:
        return None
    columns = columns_of(body, examples)
    if not forced and (columns.given(forced) >= 0.0).all():
        return None  # all poses are like rest
    make_one = kind(form)
    make_ready("double", *KERNELS)
    return make_one(columns, shear, bulk, stiffness, forced)


def kind(form: str) -> Any:
    """The class of a form."""
    if form == "strain":
        from pliant.models.fem.manifold.strain import Strain

        return Strain
    if form == "penalty":
        from pliant.models.fem.manifold.penalty import Penalty

        return Penalty
    from pliant.models.fem.manifold.realised import Realised

    return Realised
