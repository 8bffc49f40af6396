"""A session as a panel sees it: while two copies are compared, one of them."""

from typing import TYPE_CHECKING, Any

from pliant.viewer.protocol.commands import Command, OnSecond
from pliant.viewer.server.session import Session

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import PanelState


class ActiveSide:
    """Panels that are made with it show the first copy, or the second while `second` is set, and act on that one.
    Each page has its own, the copy that its visitor has chosen."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.second = False

    @property
    def panel_state(self) -> "PanelState | None":
        """Of the active copy; of the only one, if there is no second."""
        first = self.session.panel_state
        if self.second and first is not None and first.second is not None:
            return first.second
        return first

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of each actor."""
        panel_state = self.panel_state
        return dict(panel_state.settings) if panel_state is not None else {}

    @property
    def compares(self) -> bool:
        """Whether there are two."""
        first = self.session.panel_state
        return first is not None and first.second is not None

    def do(self, command: Command) -> None:
        """Ask for something that is done to the active copy."""
        self.session.do(OnSecond(command=command) if self.second and self.compares else command)
