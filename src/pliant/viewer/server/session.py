"""An exhibit being played: shared by all pages that watch it, in a thread that ends when none does."""

import logging
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from pliant.runtime.errors import Diverged, PliantError
from pliant.viewer.protocol.commands import (
    Command,
    Continue,
    Follow,
    Grab,
    Live,
    Loop,
    Mark,
    Move,
    Nudge,
    Play,
    Release,
    Reset,
    Seek,
    Settle,
    ShowLayers,
    Speed,
    Step,
)
from pliant.viewer.protocol.studio_commands import CloseStudio, OpenStudio
from pliant.viewer.server.preparation import Preparation, Progress
from pliant.viewer.server.step_clock import StepClock
from pliant.viewer.server.temporary_files import TemporaryFiles
from pliant.viewer.server.watching import NO_LAYERS, Bell, Picture, Refusal, Status, Watcher, place_of

if TYPE_CHECKING:
    from pliant.body.look import Image
    from pliant.gallery.exhibit import Exhibit
    from pliant.viewer.recording.recorder import Moment
    from pliant.viewer.server.keeping import Keeper
    from pliant.viewer.simulation.opened import Opened
    from pliant.viewer.simulation.panel_state import PanelState
    from pliant.viewer.simulation.simulation import Simulation

log = logging.getLogger("pliant.viewer")

FRAME_TIME = 1 / 60  # seconds between frames that are sent in slow motion
STALE = 3.0  # seconds: a page that took no frame for so long is not looked at
IDLE = 20.0  # seconds without any page after which a session ends
MOST_WAITING = 1000  # commands
MEASURED = 0.2  # s between two measurements of how far bodies are from their poses
UNCHANGED = 10  # frames without a command, after which all that pages are told is looked up again


class Session:
    """Commands go in from any thread with `do`; `status`, `picture` and `settings` are replaced whole, so
    that anyone may read them."""

    def __init__(
        self, exhibit: "Exhibit | Opened", preparation: Preparation, temporary_files: TemporaryFiles | None = None
    ) -> None:
        self.exhibit, self.name = exhibit, exhibit.name
        self.status = Status()
        self.picture: Picture | None = None
        self.settings: dict[str, Any] = {}
        self.panel_state: PanelState | None = None
        self.images: dict[str, Image] = {}  # pictures of the skins, by their digest
        self.progress = Progress()  # of filling a body from a file
        self.notes: tuple[str, ...] = ()  # what people should know of the file
        self.preparation = preparation
        self.temporary_files = temporary_files or TemporaryFiles()
        self.keeper: Keeper | None = None  # of what people make, if anything keeps it
        self._commands: deque[tuple[Command, Watcher | None]] = deque(maxlen=MOST_WAITING)
        self._watchers: set[Watcher] = set()
        self._bell = Bell()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._left = 0.0  # when the last page left
        self._measured = 0.0  # when bodies were last compared with their poses
        self.welcomed = False  # the studio was offered
        self._refused = 0  # commands
        self._unchanged = 0  # for how many more frames only time goes on

    # ---- for pages ---------------------------------------------------------------------------------------

    def join(self) -> Watcher:
        """Begin to watch; the thread starts if it does not run."""
        watcher = Watcher()
        with self._lock:
            self._watchers = self._watchers | {watcher}
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"pliant-{self.name}", daemon=True)
                self._thread.start()
        self._bell.ring()
        watcher.wake()
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """What the page holds is let go."""
        with self._lock:
            self._watchers = self._watchers - {watcher}
            self._left = time.monotonic()
        self.do(Release(), watcher)

    def do(self, command: Command, watcher: Watcher | None = None) -> None:
        """Ask for something; it is done before the next step."""
        self._commands.append((command, watcher))
        self._bell.ring()

    @property
    def running(self) -> bool:
        """Whether there is a thread."""
        return self._thread is not None

    # ---- the thread --------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                self._play()
            except PliantError as error:
                self._say(phase="failed", problem=str(error))
            except Exception as error:
                log.exception("the session of %s failed", self.name)
                self._say(phase="failed", problem=f"{type(error).__name__}: {error}")
            self._await_reset()
            if self.keeper is not None:
                self.keeper.flush()
            with self._lock:
                if self._abandoned():
                    self._thread, self.picture, self.status, self.settings = None, None, Status(), {}
                    self.panel_state = None  # and with it the recording
                    self.images = {}
                    return

    def _play(self) -> None:
        """From building the world until all pages have left, or something goes wrong."""
        self._say(phase="preparing", problem="")
        self.preparation.ready.wait()
        if self.preparation.problem:
            raise PliantError(self.preparation.problem)
        self._say(phase="building")
        from pliant.viewer.simulation.simulation import STEP, Simulation

        self._unchanged = 0
        simulation = Simulation(self.exhibit, self._note_progress)
        self.progress = Progress()
        clock = StepClock(STEP)
        clock.start(time.monotonic())  # what came before the first step is no slowness
        self._commands.clear()
        if self.keeper is not None:
            self.keeper.begin()
        self._tell(simulation)
        self._say(phase="ready", playing=True, speed=1.0, rate=1.0)
        self._show(simulation)
        while not self._abandoned():
            changed = self._obey(simulation, clock)
            if self.status.playing and self._watched():
                if simulation.playback.live:
                    self._advance(simulation, clock)
                    pause = min(clock.wait(), FRAME_TIME)  # slow motion is sent more often than it is stepped
                else:
                    pause = self._replay(simulation, clock)
            else:
                clock.start(time.monotonic())
                if changed:
                    self._show(simulation)
                pause = 0.1
            self._bell.wait(pause)

    def _advance(self, simulation: "Simulation", clock: StepClock) -> None:
        due = clock.due(time.monotonic())
        try:
            if due:
                simulation.step()
                clock.stepped()
        except PliantError as error:  # the last good state is kept, and shown
            self._say(playing=False, problem=str(error))
            self._unchanged = 0
        if due or clock.speed < 1.0:
            self._show(simulation, clock.part if clock.speed < 1.0 else 1.0, rate=clock.rate)

    def _replay(self, simulation: "Simulation", clock: StepClock) -> float:
        """The recording goes on while the simulation waits; the seconds until the next picture."""
        now = time.monotonic()
        goes_on = simulation.playback.advance(now, clock.speed)
        clock.start(now)
        self._show(simulation, playing=goes_on, rate=1.0)
        return max(now + FRAME_TIME - time.monotonic(), 0.001)

    def _obey(self, simulation: "Simulation", clock: StepClock) -> bool:
        """Does all that was asked; a request that makes no sense is told and changes nothing."""
        obeyed = False
        while self._commands:
            command, watcher = self._commands.popleft()
            obeyed, self._unchanged = True, 0
            if isinstance(command, Move) and self._commands and _overtakes(self._commands[0], command, watcher):
                continue
            try:
                self._obey_one(command, watcher, simulation, clock)
            except PliantError as error:
                if isinstance(error, Diverged) or isinstance(command, Reset | Step):
                    self._say(playing=False, problem=str(error))
                else:
                    self._refuse(command, str(error))
            except Exception as error:  # a mistake of ours; no session should end with it
                log.exception("%s: %s was not obeyed", self.name, type(command).__name__)
                self._refuse(command, f"{type(error).__name__}: {error}")
            else:
                told = self.status.refusal
                if told is not None and told.place == place_of(command):
                    self._say(refusal=None)
        if obeyed:
            try:
                simulation.studio.follow()
            except PliantError as error:
                self._refuse(CloseStudio(), str(error))
        return obeyed

    def _obey_one(self, command: Command, watcher: Watcher | None, simulation: "Simulation", clock: StepClock) -> None:
        playback = simulation.playback
        if isinstance(command, Play | Step | Reset | Seek | Nudge) and simulation.studio.state is not None:
            self._change(CloseStudio(), simulation, watcher)
        match command:
            case Play(on=on):
                self._say(playing=not self.status.playing if on is None else on, problem="")
                if self.status.playing and not playback.live:
                    playback.start()
            case Seek() | Nudge() | Mark() | Loop():
                playback.obey(command)
                if isinstance(command, Seek | Nudge):
                    self._say(playing=False)
            case Live():
                if not playback.live:
                    self._say(playing=not self.status.problem)
                playback.obey(command)
                clock.start(time.monotonic())
            case Step() if not playback.live:
                playback.obey(Nudge(moments=1))
                self._say(playing=False)
            case Grab() if not playback.live:
                pass  # the past cannot be pulled; the page says so
            case Step():
                self._say(playing=False, problem="")
                simulation.step()
            case Reset():
                simulation.begin_again()
                self.panel_state = simulation.editor.panel_state()
                self._say(problem="", playing=self.status.playing or bool(self.status.problem) or not playback.live)
            case Settle():
                self._settle(command, simulation, watcher)
            case Speed(factor=factor):
                clock.speed = factor
                clock.start(time.monotonic())
                self._say(speed=factor)
            case Grab() | Move() | Release():
                steps = simulation.history.steps
                simulation.apply(command, watcher)
                if steps is not simulation.history.steps:  # a pull in the studio, or an obstacle that was dragged
                    self._tell(simulation)
            case ShowLayers() | Follow():
                pass  # the watcher has it; obeying means to show anew
            case Continue():
                self._change(command, simulation, watcher)
                self._say(playing=True, problem="")
                clock.start(time.monotonic())
            case OpenStudio():
                playback.go_live()
                self._change(command, simulation, watcher)
                self._say(playing=False)
            case _:
                self._change(command, simulation, watcher)
                if simulation.studio.state is not None:
                    self._say(playing=False)

    def _change(self, command: Command, simulation: "Simulation", watcher: Watcher | None) -> None:
        """Something that panels show."""
        try:
            simulation.apply(command, watcher)
        finally:  # a slider shows what was asked at once, and takes it back where it is refused
            self._tell(simulation)

    def _tell(self, simulation: "Simulation") -> None:
        self.settings = simulation.settings()
        self.panel_state = simulation.editor.panel_state()
        if self.keeper is not None:
            self.keeper.note(self.panel_state)

    def _refuse(self, command: Command, why: str) -> None:
        """Something that was asked for cannot be: told where it was asked for, and nothing else changes."""
        self._refused += 1
        self._say(refusal=Refusal(place_of(command), why, self._refused))

    def _settle(self, command: Settle, simulation: "Simulation", watcher: Watcher | None) -> None:
        """It may take seconds; then the shape is there to be looked at and kept, so nothing moves on."""
        self._say(phase="settling")
        try:
            self._change(command, simulation, watcher)
            self._say(playing=False)
        finally:
            self._say(phase="ready")

    def _show(self, simulation: "Simulation", part: float = 1.0, **news: Any) -> None:
        """Make the picture of now, and tell all who watch. While nothing but time goes on, most of it is the last's;
        what pages are told besides need not be looked up sixty times a second."""
        playback = simulation.playback
        playback.check()
        moment = None if playback.live else playback.moment
        frame = simulation.frame(part) if moment is None else _recorded(simulation, moment)
        wanted = {watcher.layers for watcher in self._watchers if watcher.layers is not None}
        layers = {each: simulation.insight.layers(each) for each in wanted} if wanted else NO_LAYERS
        last = self.picture
        if self._unchanged and last is not None and last.epoch == simulation.epoch:
            self._unchanged -= 1
            self.status = self.status._replace(time=simulation.world.time, **news)
            self.picture = last._replace(frame=frame, layers=layers)
        else:
            self._unchanged = UNCHANGED if moment is None else 0
            shown = simulation.world.time if moment is None else moment.time
            sleepers = simulation.sleepers if moment is None else 0
            self._say(time=shown, live=playback.live, marked=playback.span(), sleepers=sleepers, **news)
            self.images, self.notes = simulation.images, simulation.show.notes
            bodies = simulation.insight.bodies() if any(each.bodies for each in wanted) else b""
            reel, history = playback.told(self.status.playing), playback.history(simulation.bars())
            told = simulation.labels(), self._distances(simulation)
            self.picture = Picture(simulation.epoch, simulation.setup, frame, bodies, layers, reel, history, *told)
        for watcher in self._watchers:
            watcher.wake()

    def _distances(self, simulation: "Simulation") -> bytes:
        """Found anew a few times a second; and whenever time stands still, so that the last word is right."""
        now, last = time.monotonic(), self.picture
        if last is None or last.epoch != simulation.epoch or not self.status.playing or now - self._measured > MEASURED:
            self._measured = now
            return simulation.insight.distances()
        return last.distances

    def _await_reset(self) -> None:
        while not self._abandoned():
            while self._commands:
                if isinstance(self._commands.popleft()[0], Reset):
                    return
            self._bell.wait(1.0)

    def _watched(self) -> bool:
        """Whether any page is looked at. A page in the background takes no frames, and time stands still for it."""
        now = time.monotonic()
        return any(watcher.credits > 0 or now - watcher.last_taken < STALE for watcher in self._watchers)

    def _abandoned(self) -> bool:
        return not self._watchers and time.monotonic() - self._left > IDLE

    def _note_progress(self, done: int, total: int) -> None:
        self.progress = Progress(done, total) if done < total else Progress()

    def _say(self, **news: Any) -> None:
        self.status = self.status._replace(**news)


def _recorded(simulation: "Simulation", moment: "Moment") -> bytes:
    from pliant.viewer.simulation.moments import frame_of

    return frame_of(simulation, moment)


def _overtakes(following: tuple[Command, Watcher | None], move: Move, watcher: Watcher | None) -> bool:
    """Whether the next command moves the same handle elsewhere, so that only the last place counts."""
    command, who = following
    return isinstance(command, Move) and who is watcher and command.handle == move.handle
