"""A session played several times with settings around its own, in a process of its own (helper_process.py):
`python -m pliant.viewer.simulation.trials`. Each gives a small film; they are told as they come."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from pliant.viewer.recording.helper_process import HelperProcess, say, serve

if TYPE_CHECKING:
    from pliant.files.take import Take
    from pliant.scene import Scene

TRIAL_PICTURES = 12  # of each film
TRIAL_SIZE = (240, 180)  # pixels
LONGEST_TRIAL = 4.0  # seconds that are played
TRIAL_PATIENCE = 8.0  # seconds that one may be simulated for; what there is then is shown


@dataclass(frozen=True)
class Trial:
    """What came of one.  film: its pictures side by side, a data URL, empty if it failed.  seconds: that it shows.
    about: what happened in it."""

    number: int
    film: str
    seconds: float
    about: str


@dataclass(frozen=True, eq=False)
class TrialsTask:
    """scene: the session as a .zip (scene_files.py).  changes: for each trial the settings that are changed, by actor
    and field."""

    scene: bytes
    changes: Sequence[Mapping[tuple[str, str], float]]


class Trials:
    """Under way: `play` waits for them in a thread, `found` and `cancel` are for others."""

    def __init__(self, task: TrialsTask) -> None:
        self.task = task
        self.found: dict[int, Trial] = {}
        self._helper = HelperProcess("pliant.viewer.simulation.trials", task, self._hear, "they")

    def play(self) -> bool:
        """Whether all were played, and it was not cancelled."""
        return self._helper.run()

    def cancel(self) -> None:
        self._helper.cancel()

    def _hear(self, said: dict[str, Any]) -> None:
        if "number" in said:
            trial = Trial(**said)
            self.found[trial.number] = trial


# ---- the other process -----------------------------------------------------------------------------------


def work(task: TrialsTask) -> None:
    """Play and draw them all, through one camera: that which sees the present settings."""
    from pliant.runtime.errors import Diverged
    from pliant.scene import load_scene, stage, with_overrides
    from pliant.session.recording import record
    from pliant.sweeps.films import FilmSpec, draw, sheet, spec_for

    spec: FilmSpec | None = None
    with TemporaryDirectory(prefix="pliant-") as folder:
        with ZipFile(BytesIO(task.scene)) as archive:
            archive.extractall(folder)  # our own
        scene = load_scene(Path(folder) / "scene.toml")
        names = [body.name for body in scene.bodies]
        order = sorted(range(len(task.changes)), key=lambda number: bool(task.changes[number]))
        for number in order:  # the present one first: it tells where to look from
            changes = {f"bodies.{names.index(actor)}.model.{field}": value
                       for (actor, field), value in task.changes[number].items()}  # fmt: skip
            show = stage(with_overrides(_short(scene), changes), Path(folder))
            try:
                take = record(show, patience=TRIAL_PATIENCE)
            except Diverged:
                say(number=number, film="", seconds=0.0, about="it diverges")
                continue
            colliders = show.world.colliders
            if spec is None:
                spec = replace(spec_for(take, colliders, show.camera), size=TRIAL_SIZE, pictures=TRIAL_PICTURES)
            jpeg = sheet(draw(take, colliders, spec), TRIAL_PICTURES)
            address = "data:image/jpeg;base64," + b64encode(jpeg).decode()
            say(number=number, film=address, seconds=(take.frames - 1) / take.fps, about=_about(take))


def _short(scene: "Scene") -> "Scene":
    from pliant.scene import with_overrides

    return with_overrides(scene, {"world.seconds": min(scene.world.seconds, LONGEST_TRIAL), "world.threads": 1})


def _about(take: "Take") -> str:
    """The poses that it takes, and how much of them at most."""
    found = {
        pose: float(track.weights[:, :, number].max())
        for track in take.tracks
        for number, pose in enumerate(track.body.poses, 1)
    }
    strongest = sorted(found.items(), key=lambda each: -each[1])[:2]
    return ", ".join(f"{pose} {weight:.0%}" for pose, weight in strongest)


if __name__ == "__main__":
    serve(work)
