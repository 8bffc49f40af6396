"""Keeps what people make in a session, by itself: a moment after each step of its history."""

import logging
import threading
from typing import TYPE_CHECKING

from pliant.runtime.errors import PliantError
from pliant.viewer.server.works import Work, Works

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import PanelState

log = logging.getLogger("pliant.viewer")

KEPT_AFTER = 1.0  # s: what follows sooner is kept together with it


class Keeper:
    """Of one session. `kept` and `problem` may be read by anyone."""

    def __init__(self, works: Works, origin: str, name: str | None = None) -> None:
        self.works, self.origin = works, origin
        self.kept: Work | None = None
        self.problem = ""
        self._name = name  # of the file; a new one is made with the first step
        self._seen: tuple[str, ...] | None = None
        self._place = 0
        self._wanted: PanelState | None = None
        self._lock = threading.Lock()  # of what is wanted
        self._writing = threading.Lock()
        self._timer: threading.Timer | None = None

    def begin(self) -> None:
        """The session begins anew: what was made in it so far has a file of its own."""
        self.flush()
        self._seen, self._place = None, 0
        if self.kept is not None:
            self._name, self.kept = None, None

    def note(self, panel_state: "PanelState") -> None:
        """Something may have changed; it is kept if it can be taken back."""
        if panel_state.steps is self._seen and panel_state.step == self._place:
            return
        first = self._seen is None and len(panel_state.steps) < 2
        self._seen, self._place = panel_state.steps, panel_state.step
        if first:
            return
        with self._lock:
            self._wanted = panel_state
            if self._timer is None:
                self._timer = threading.Timer(KEPT_AFTER, self.flush)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Keep what there is, now."""
        with self._writing:
            with self._lock:
                wanted, self._wanted = self._wanted, None
                timer, self._timer = self._timer, None
            if timer is not None:
                timer.cancel()
            if wanted is None:
                return
            try:
                self._name = self._name or self.works.free_name(self.origin)
                self.kept = self.works.keep(self._name, wanted, self.origin)
                self.problem = ""
            except PliantError as error:
                self.problem = str(error)
                return
            except Exception as error:
                log.exception("what was made of %s was not kept", self.origin)
                self.problem = f"it was not kept: {type(error).__name__}: {error}"
                return
        self._draw(wanted)

    def _draw(self, panel_state: "PanelState") -> None:
        """A picture for the gallery; without OpenGL there is none."""
        from pliant.viewer.server.pose_pictures import POSE_PICTURES

        posed = next((actor for actor in panel_state.actors if actor.body.poses), panel_state.actors[0])
        pose = posed.body.pose_names[-1] if posed.body.poses else None
        if self.kept is not None:
            POSE_PICTURES.write(posed.body, pose, self.kept.picture)
