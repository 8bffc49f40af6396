"""The steady droop of a clamped bar, for the comparison of the paper's Figs. 2 and 3."""

from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

if TYPE_CHECKING:
    from pliant.world.actor import Actor


class Swinging(Protocol):
    """A body that is stepped: masses (N,), positions, velocities and angular velocities (N, 3), free to be written."""

    @property
    def m(self) -> NDArray[Any]: ...
    @property
    def x(self) -> NDArray[Any]: ...
    @property
    def v(self) -> NDArray[Any]: ...
    @property
    def omega(self) -> NDArray[Any]: ...

    def step(self, h: float) -> None: ...


class OnStage:
    """An actor of oriented particles, alone in its world, under the names of the twin."""

    def __init__(self, actor: "Actor") -> None:
        self.actor = actor

    @property
    def m(self) -> NDArray[Any]:
        return self.actor.body.masses

    @property
    def x(self) -> NDArray[Any]:
        return self.actor.positions

    @property
    def v(self) -> NDArray[Any]:
        return self.actor.velocities

    @property
    def omega(self) -> NDArray[Any]:
        angular_velocities = self.actor.angular_velocities
        assert angular_velocities is not None, "its particles do not turn"
        return angular_velocities

    def step(self, h: float) -> None:
        self.actor.world.step(h)


def settle(body: Swinging, h: float, most: int = 1000) -> float:
    """Steps until the body hangs still; how far (m) its last particle is then below the first.

    Whenever the energy of motion falls, the body has just passed its state of rest and is stopped there: so it settles
    within a few swings, and the state it settles in is the same, as nothing moves in it.
    """
    most_energy, still, end = 0.0, 0, body.x[-1].copy()
    for _ in range(most):
        body.step(h)
        energy = float(body.m @ (body.v**2).sum(axis=1))
        if energy < most_energy:
            body.v[:], body.omega[:], energy = 0, 0, 0.0
        most_energy = energy
        moved = float(abs(body.x[-1] - end).max())
        end = body.x[-1].copy()
        still = still + 1 if moved < 0.01 * h else 0  # slower than 1 cm/s
        if still * h > 0.2:
            break
    return float(body.x[0, 1] - body.x[-1, 1])
