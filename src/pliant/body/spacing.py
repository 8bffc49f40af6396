"""How far apart the particles of a body are."""

from weakref import WeakKeyDictionary

import numpy as np

from pliant.body.body import Body

_spacings: WeakKeyDictionary[Body, float] = WeakKeyDictionary()


def spacing(body: Body) -> float:
    """The usual distance of neighbours at rest (m), found once; 0 if there are none."""
    if body not in _spacings:
        corners = body.rest[body.elements]
        edges = np.linalg.norm(corners[:, 1:] - corners[:, :1], axis=2)
        _spacings[body] = float(np.median(edges)) if edges.size else 0.0
    return _spacings[body]
