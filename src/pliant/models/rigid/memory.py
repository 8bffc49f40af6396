"""What rigid bodies remember from step to step: how they are turned."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own
from pliant.models.rigid.layout import RIGID_CONSTANTS, RIGID_DRAG
from pliant.models.rigid.prepare import Pack
from pliant.models.rigid.settings import Rigid


def start(pack: Pack) -> Own:
    """Turned as they were placed: quaternions x, y, z, w; and where they are within a step."""
    return [np.concatenate([role.rotation for role in pack.roles]), np.zeros(3 * len(pack.roles))]


def retune(pack: Pack, number: int, settings: Rigid) -> None:
    """Another drag; another mass would be another body."""
    pack.roles[number] = replace(pack.roles[number], settings=settings)
    pack.constants[RIGID_CONSTANTS * number + RIGID_DRAG] = settings.drag


def remember(_pack: Pack, own: Own, number: int) -> NDArray[Any]:
    return own[0][4 * number : 4 * number + 4].copy()


def recall(_pack: Pack, own: Own, number: int, remembered: NDArray[Any]) -> None:
    own[0][4 * number : 4 * number + 4] = remembered
