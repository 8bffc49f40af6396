"""What rigid bodies remember from step to step: how they are turned."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.models.rigid.prepare import RIGID_CONSTANTS, RIGID_DRAG, Pack
from pliant.models.rigid.settings import Rigid


def start(pack: Pack) -> list[NDArray[Any]]:
    """Turned as they were placed: quaternions x, y, z, w; and where they are within a step."""
    return [np.concatenate([role.rotation for role in pack.roles]), np.zeros(3 * len(pack.roles))]


def weights(pack: Pack, _own: list[NDArray[Any]], number: int) -> NDArray[np.float64]:
    """(1, 1 + poses): all rest."""
    found = np.zeros((1, 1 + len(pack.roles[number].body.poses)))
    found[:, 0] = 1.0
    return found


def groups(_pack: Pack, _number: int) -> tuple[str, ...]:
    return ("all",)


def retune(pack: Pack, number: int, settings: Rigid) -> None:
    """Another drag; another mass would be another body."""
    pack.roles[number] = replace(pack.roles[number], settings=settings)
    pack.constants[RIGID_CONSTANTS * number + RIGID_DRAG] = settings.drag


def remember(_pack: Pack, own: list[NDArray[Any]], number: int) -> NDArray[Any]:
    return own[0][4 * number : 4 * number + 4].copy()


def recall(_pack: Pack, own: list[NDArray[Any]], number: int, remembered: NDArray[Any]) -> None:
    own[0][4 * number : 4 * number + 4] = remembered
