"""One row of a sweep: a bake that resumes, its measures and its film. It runs on a worker, and does the same anywhere:
one thread, the same files, the same bytes."""

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from platform import node
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pliant.files.take import Take
from pliant.runtime.caches import cache_folder
from pliant.runtime.errors import BodyError, Diverged, FileError, PliantError, SceneError, SettingsError
from pliant.session.bake_folder import engine
from pliant.sweeps.assets import Assets
from pliant.sweeps.films import FilmSpec
from pliant.sweeps.grid import SEED_KEY, Row
from pliant.sweeps.place import ROWS_FOLDER, Place

if TYPE_CHECKING:
    from pliant.scene.show import Show

ROW_FORMAT = 1  # of rows; another number makes them anew
MEASURES_FILE, RUN_FILE, WEIGHTS_FILE, FILM_FILE = "measures.json", "run.json", "weights.csv", "film.jpg"
LASTING = (Diverged, SceneError, BodyError, SettingsError)  # it would be so the next time, too
Measure = Callable[[Take], float | Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Job:
    """What all rows have in common.  out: the address of the place.  engine: what makes the numbers, which a worker
    must have too.  frames: of each bake, those of the scene if None.  keep: endings of what is written of each bake
    besides its weights.  measure: of the user's own, with its name and a hash of it."""

    out: str
    engine: str
    frames: int | None = None
    keep: tuple[str, ...] = ()
    film: FilmSpec | None = None
    measure: Measure | None = None
    measure_name: str = ""
    token: str = ""

    def key(self, assets: Assets, row: Row) -> str:
        """A name for the row: of all that determines what is in its folder."""
        said = [ROW_FORMAT, self.engine, assets.digest, self.frames, sorted(self.keep), self.token, self._drawn]
        settings = json.dumps(row, sort_keys=True)
        return sha256(f"{json.dumps(said)}\n{settings}".encode()).hexdigest()[:16]

    @property
    def _drawn(self) -> list[Any]:
        return [] if self.film is None else [self.film.size, self.film.pictures]


def run_row(number: int, row: Row, job: Job, assets: Assets, place: Path | None = None) -> dict[str, Any]:
    """Bake a row and measure it. place: where to unpack what it reads, the worker's own folder if not said. What is
    wrong with a row is part of the result; the other rows go on."""
    key = job.key(assets, row)
    result: dict[str, Any] = {"row": number, "key": key, "settings": row, "measures": {}, "run": {}, "error": ""}
    try:
        if engine() != job.engine:
            raise PliantError("this worker has another version of pliant, numba or NumPy; install the same everywhere")
        _bake(job, row, assets, key, place or _own_folder(), result)
    except LASTING as error:
        result["error"] = str(error)
        if (folder := Place(job.out).folder) is not None:
            shutil.rmtree(folder / ROWS_FOLDER / key, ignore_errors=True)  # there is nothing to go on with
        told = _text(result, ("key", "settings", "measures", "error"))
        Place(job.out).write(f"{ROWS_FOLDER}/{key}/{MEASURES_FILE}", told)
    except Exception as error:
        result["error"] = str(error) if isinstance(error, PliantError) else f"{type(error).__name__}: {error}"
    return result


def _bake(job: Job, row: Row, assets: Assets, key: str, place: Path, result: dict[str, Any]) -> None:
    from pliant.session.bake import Baked, bake

    start = perf_counter()
    out = Place(job.out)
    folder = out.folder / ROWS_FOLDER / key if out.folder is not None else _scratch(key)
    outputs = [folder / WEIGHTS_FILE, *(_output(folder, ending) for ending in job.keep)]

    def make() -> "Show":
        return show_for(assets, row, place)

    def baked(resume: bool) -> Baked:
        def look(show: "Show", take: Take) -> None:
            _look(job, assets, show, take, folder, result)

        return bake(make, outputs, frames=job.frames, resume=resume, look=look)

    try:
        done = baked(True)
    except FileError as error:
        if "start anew" not in str(error):
            raise
        done = baked(False)
    made = done.frames - done.begun
    result["run"] |= {
        "realtime": made / done.fps / done.simulating if made > 1 and done.simulating > 0.0 else None,
        "simulating": done.simulating,
        "writing": done.writing,
        "frames": done.frames,
        "seconds": perf_counter() - start,
        "host": node(),
    }
    _finish(out, folder, key, result)


def _look(job: Job, assets: Assets, show: "Show", take: Take, folder: Path, result: dict[str, Any]) -> None:
    """Everything that is found from the frames."""
    from pliant.sweeps.measures import checked, checked_exhibit, measured

    begun = perf_counter()
    found = measured(show, take)
    if job.measure is not None:
        found |= of_user(job.measure, job.measure_name, take)
    if assets.exhibit:
        from pliant.gallery.listing import find

        found |= checked_exhibit(find(assets.exhibit), take)
    else:
        found |= checked(_checks(assets), found)
    passed = [bool(value) for name, value in found.items() if name.startswith("check(")]
    result["measures"] = found | ({"passed": all(passed)} if passed else {})
    result["run"]["measuring"] = perf_counter() - begun
    if job.film is not None:
        from pliant.sweeps.films import draw, sheet, stills_of

        begun = perf_counter()
        pictures = draw(take, show.world.colliders, job.film)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILM_FILE).write_bytes(sheet(pictures))
        result["film"] = {"pictures": len(pictures), "stills": stills_of(take, len(pictures)),
                          "seconds": (take.frames - 1) / take.fps}  # fmt: skip
        result["run"]["drawing"] = perf_counter() - begun


def _checks(assets: Assets) -> Mapping[str, str]:
    from pliant.scene import scene_from_text

    return scene_from_text(assets.text).checks


def of_user(measure: Measure, name: str, take: Take) -> dict[str, Any]:
    """What a function of the user's own says of a take: a number, or several by name."""
    told = measure(take)
    if isinstance(told, Mapping):
        return {str(key): _number(value, f"{name}: {key}") for key, value in told.items()}
    return {name: _number(told, name)}


def _number(value: Any, what: str) -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        raise PliantError(f"{what} is {value!r}; a measure gives a number, or numbers by name") from None


def _finish(out: Place, folder: Path, key: str, result: dict[str, Any]) -> None:
    """measures.json comes last: a row that has it is whole."""
    run = _text(result, ("run",))
    told = _text(result, ("key", "settings", "measures", "film", "error"))
    if out.folder is None:
        for each in sorted(folder.iterdir()):
            out.put(each, f"{ROWS_FOLDER}/{key}/{each.name}")
        shutil.rmtree(folder, ignore_errors=True)
    out.write(f"{ROWS_FOLDER}/{key}/{RUN_FILE}", run)
    out.write(f"{ROWS_FOLDER}/{key}/{MEASURES_FILE}", told)


def show_for(assets: Assets, row: Row, place: Path) -> "Show":
    """The show of a row, on one thread: the workers are many."""
    if assets.exhibit:
        from pliant.gallery.shows import show_of_exhibit
        from pliant.scene.save import value

        changes = [f"{key}={value(each)}" for key, each in row.items()]
        return show_of_exhibit(assets.exhibit, threads=1, changes=changes)
    from pliant.scene import stage, with_overrides

    folder = assets.unpacked(place)
    return stage(with_overrides(assets.scene(folder), changes_of(row)), folder)


def changes_of(row: Row) -> dict[str, Any]:
    """Settings of a row as a scene takes them."""
    return {("world.seed" if key == SEED_KEY else key): value for key, value in row.items()} | {"world.threads": 1}


def _output(folder: Path, ending: str) -> Path:
    return folder / ending if ending in ("obj", "png") else folder / f"take{ending}"


def _own_folder() -> Path:
    """Of this worker; Dask takes it away with the worker."""
    from distributed import get_worker

    return Path(get_worker().local_directory)


def _scratch(key: str) -> Path:
    """Where a bake is made whose results go far away. A bake that was killed goes on there, on the same machine."""
    folder = cache_folder("sweeps", key)
    if folder is None:
        raise FileError("there is no folder for temporary files; set PLIANT_CACHE to one that can be written")
    return folder


def _text(result: Mapping[str, Any], names: tuple[str, ...]) -> bytes:
    kept = {name: result[name] for name in names if name in result}
    return (json.dumps(kept, indent=1) + "\n").encode()
