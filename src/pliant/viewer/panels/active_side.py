"""A session as a panel sees it: while two copies are compared, one of them."""

from typing import TYPE_CHECKING, Any

from pliant.viewer.protocol.commands import Command, OnSecond
from pliant.viewer.server.session import Session

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import Backstage


class Facing:
    """Panels that are made with it show the first copy, or the second while `second` is set, and act on that one.
    Each page faces the copy that its visitor has chosen."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.second = False

    @property
    def backstage(self) -> "Backstage | None":
        """Of the copy that is faced; of the only one, if there is no second."""
        first = self.session.backstage
        if self.second and first is not None and first.second is not None:
            return first.second
        return first

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of each actor."""
        backstage = self.backstage
        return dict(backstage.settings) if backstage is not None else {}

    @property
    def compares(self) -> bool:
        """Whether there are two."""
        first = self.session.backstage
        return first is not None and first.second is not None

    def do(self, command: Command) -> None:
        """Ask for something that is done to the copy that is faced."""
        self.session.do(OnSecond(command=command) if self.second and self.compares else command)
