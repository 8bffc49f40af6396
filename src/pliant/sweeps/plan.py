"""What a sweep would do, and what it would cost: all that can be wrong is told here, before anything starts."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pliant.files.take import Take
from pliant.runtime.errors import Diverged, PliantError
from pliant.session.amounts import size, span
from pliant.session.bake import frames_of
from pliant.session.bake_folder import engine
from pliant.sweeps import assets as packing
from pliant.sweeps.assets import Assets
from pliant.sweeps.best import Best, check_names
from pliant.sweeps.films import FILM_PICTURES, draw, spec_for, thinned, why_not
from pliant.sweeps.grid import SEED_KEY, Grid
from pliant.sweeps.measures import measured, names_for
from pliant.sweeps.place import Place
from pliant.sweeps.table import TABLE_BEGINS, TABLE_ENDS
from pliant.sweeps.task import Job, Measure, changes_of, show_for

if TYPE_CHECKING:
    from pliant.scene import Scene, Show

GALLERY_PREFIX = "gallery:"
MOST_ROWS = 1_000_000
TRIED_SECONDS = 2.0  # seconds for which the first row is played, to see what it costs
CHECKED_VALUES = 500  # of each setting: further ones are told when their row comes
CHECKED_VALUES_OF_EXHIBIT = 12  # each builds a world
BYTES_WRITTEN = 5e6  # bytes a second of a compressed .npz; others are faster
BYTES_OF_ROW = 2_000  # of measures.json and run.json
BYTES_OF_WEIGHTS = 60  # a frame and body
BYTES_OF_FILM = 40_000
KEEPABLE = (".npz", ".glb", ".usdc", ".pc2", ".mp4", ".html", "obj", "png")


@dataclass(frozen=True)
class Estimate:
    """Of each row: frames, seconds of one core, bytes on disk."""

    frames: int
    seconds: float
    bytes: float

    def told(self, rows: int, cores: int, out: str) -> str:
        """One line for people.

        >>> Estimate(241, 0.5, 1e5).told(320, 2, "sweep")
        '320 rows of 241 frames: about 1 min 20 s on 2 cores, 32 MB in sweep'
        """
        time = span(max(self.seconds * rows / max(cores, 1), 1.0))
        room = size(self.bytes * rows)
        on = "1 core" if cores == 1 else f"{cores:,} cores"
        return f"{rows:,} rows of {self.frames:,} frames: about {time} on {on}, {room} in {out}"


@dataclass(frozen=True, eq=False)
class Plan:
    """target: as it was named, empty if it has no name.  job, assets: what workers get.  grid: the rows.  names: of
    what will be measured.  notes: for people."""

    target: str
    job: Job
    assets: Assets
    grid: Grid
    estimate: Estimate
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()


def make_plan(
    target: "str | Path | Scene",
    grid: Grid,
    out: Place,
    *,
    keep: tuple[str, ...] = (),
    films: bool = True,
    best: Best | None = None,
    measure: Measure | None = None,
    cores: int = 1,
    frames: int | None = None,
    **options: Any,
) -> Plan:
    """Everything is checked here: settings against the schema, the count, the place, and the first row by playing it a
    little. options: what `show_of` takes (seconds, fps, substeps)."""
    for each in keep:
        if each not in KEEPABLE:
            raise PliantError(f'--keep "{each}"; give {", ".join(KEEPABLE)}')
    assets = _packed(target, grid, options)
    job = Job(out.address, engine(), frames, keep)
    if measure is not None:
        job = replace(job, measure=measure, measure_name=getattr(measure, "__name__", "measure"), token=_token(measure))
    place = _scratch()
    try:
        if not assets.exhibit:
            for axis in grid.axes:  # what only shows when the bodies are made: poses and groups of files
                for part in _some(axis, 2):
                    show_for(assets, part, place)
        names = [*names_for(show_for(assets, grid.row(0), place)), *_checks(assets)]
        if best is not None and measure is None:
            check_names(best, [*TABLE_BEGINS, *grid.keys, *names, "passed", *TABLE_ENDS])
        estimate, take, show = _tried(assets, grid, place, job)
        if grid.count > MOST_ROWS:
            line = estimate.told(grid.count, cores, out.address)
            raise PliantError(f"sweep: {line}; give at most {MOST_ROWS:,} rows, with fewer values or --zip")
        _check_room(estimate, grid.count, out, cores)
        notes = []
        if films and (reason := why_not()):
            notes.append(f"no films: {reason}")
        elif films:
            job = replace(job, film=spec_for(take, show.world.colliders, show.camera))
            estimate = _with_films(estimate, take, show, job)
        named = str(target) if isinstance(target, str | Path) else ""
        return Plan(named, job, assets, grid, estimate, tuple(names), tuple(notes))
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _packed(target: "str | Path | Scene", grid: Grid, options: dict[str, Any]) -> Assets:
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(target, str) and target.startswith(GALLERY_PREFIX):
        from pliant.gallery.listing import find
        from pliant.gallery.shows import show_of_exhibit
        from pliant.scene.save import value

        exhibit = find(target.removeprefix(GALLERY_PREFIX))
        if given:
            raise PliantError(f"{target}: an exhibit has its own length and steps; leave out --{next(iter(given))}")
        if SEED_KEY in grid.keys:
            raise PliantError(f"{target}: nothing in an exhibit is left to chance; leave out --seed")
        for axis in grid.axes:
            for part in _some(axis, CHECKED_VALUES_OF_EXHIBIT):
                show_of_exhibit(exhibit, changes=[f"{key}={value(each)}" for key, each in part.items()])
        return packing.of_exhibit(exhibit.name)
    from pliant.scene import Scene, with_overrides
    from pliant.scene.targets import scene_for

    scene = scene_for(target, **given)
    for axis in grid.axes:
        for part in _some(axis, CHECKED_VALUES):
            with_overrides(scene, changes_of(part))
    name = "scene" if isinstance(target, Scene) else Path(target).stem
    read = [
        (key, part[key]) for axis in grid.axes for key in axis[0] if packing.is_path(key) for part in axis
    ]
    return packing.of_scene(scene, name, read)


def _some(axis: Sequence[Any], most: int) -> list[Any]:
    """Evenly spaced, the first and the last among them: what a range may not be shows at its ends."""
    if len(axis) <= most:
        return list(axis)
    return [axis[round(place * (len(axis) - 1) / (most - 1))] for place in range(most)]


def _checks(assets: Assets) -> list[str]:
    from pliant.scene import scene_from_text

    return [f"check({name})" for name in scene_from_text(assets.text).checks] if assets.text else []


def _tried(assets: Assets, grid: Grid, place: Path, job: Job) -> "tuple[Estimate, Take, Show]":
    """What a row costs, by playing the first for a while; and what was played, for the camera. Where that one diverges,
    another one is tried."""
    from pliant.session.cost import frame_bytes
    from pliant.session.recording import record

    problem: Diverged | None = None
    for number in dict.fromkeys((0, grid.count - 1, grid.count // 2)):
        show = show_for(assets, grid.row(number), place)
        frames, begun = frames_of(show, job.frames), perf_counter()
        try:
            take = record(show, frames, patience=TRIED_SECONDS)
            break
        except Diverged as error:
            problem = error
    else:
        raise PliantError(f"sweep: the rows that were tried diverge: {problem}; give them more --substeps")
    measured(show, take)
    each = (perf_counter() - begun) / take.frames
    skins = sum(12 * len(track.body.skin.vertices) for track in take.tracks)
    kept = len(job.keep) * frames * (frame_bytes(show.world) + skins)
    weights = BYTES_OF_WEIGHTS * frames * len(take.tracks)
    return Estimate(frames, each * frames + kept / BYTES_WRITTEN, kept + weights + BYTES_OF_ROW), take, show


def _with_films(estimate: Estimate, take: Take, show: "Show", job: Job) -> Estimate:
    assert job.film is not None
    begun = perf_counter()
    draw(thinned(take, 2), show.world.colliders, replace(job.film, pictures=2))
    drawing = (perf_counter() - begun) / 2 * FILM_PICTURES
    return replace(estimate, seconds=estimate.seconds + drawing, bytes=estimate.bytes + BYTES_OF_FILM)


def _check_room(estimate: Estimate, rows: int, out: Place, cores: int) -> None:
    if out.folder is None:
        return
    near = next(each for each in (out.folder.absolute(), *out.folder.absolute().parents) if each.exists())
    free = shutil.disk_usage(near).free
    if estimate.bytes * rows > free:
        line = estimate.told(rows, cores, out.address)
        raise PliantError(f"sweep: {line}, where {size(free)} are free; keep less, or choose another place")


def _token(measure: Measure) -> str:
    """A name for what a function of the user's own does: rows are measured anew when it is changed."""
    from hashlib import sha256

    import cloudpickle

    return sha256(cloudpickle.dumps(measure)).hexdigest()[:16]


def _scratch() -> Path:
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="pliant-"))
