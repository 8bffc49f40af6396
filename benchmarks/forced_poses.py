"""Is the pose that was drawn the pose that is taken?  `python benchmarks/forced_poses.py [--meshes FOLDER]`.

Every body with poses of the gallery (as its exhibit plays it, and under the default settings of the other models), and
every .obj of a folder of meshes, filled with particles and given a squash, a twist and a bend, floats at rest in free
space and is forced to one pose after the other. Told is, in per cent of the body's diagonal, how far its skin is from
the pose 0.6 s after the cue (`Actor.distances`), and how far it would be if every particle of the model were where the
pose has it (what the particles can carry); and how far it goes beyond the pose, or falls back, along the way from rest,
after it has first come there, and how often by more than 2 %. A pose is met if the skin is within 1 %, or within 1.2
times what the particles can carry, with at most one such overshoot.

`--quick` tries a bar and a ball only; `--write docs/forced-poses.md` writes the table into the page. All bodies take
some minutes, most of them finite elements: with `--kept FILE` each row is kept as soon as it is known, and a run that
was stopped goes on from there. Rows belong to the code they were made with: begin with a new file after changing it.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.examples import ExampleSettings
from pliant.files.whole import whole_file
from pliant.gallery.listing import list_exhibits
from pliant.models import Model, models, played
from pliant.models.settings import Settings
from pliant.poses import bend, squash, twist
from pliant.runtime.errors import Diverged, PliantError
from pliant.world.distances import drawn_of, pose_distances

Array = NDArray[np.float64]
SOON = 0.6  # s after the cue
WATCHED = 1.5  # s
NEAR = 0.01  # of the diagonal
CARRIED = 1.2  # times what the particles can carry
SEEN = 0.02  # of the diagonal: a larger overshoot is seen
FPS, SUBSTEPS = 60, 4
PARTICLES = 400  # of a mesh
MARK = "<!-- the table -->"


@dataclass(frozen=True)
class Case:
    """A body under a model. own: whether these are the settings of its exhibit, or the model's defaults."""

    name: str
    body: pliant.Body
    settings: Settings
    substeps: int
    own: bool


@dataclass(frozen=True)
class Row:
    """Parts of the diagonal: `distance` after 0.6 s, what can be `carried`, and `overshoot`, the largest; `overshoots`:
    how many are seen. problem: what went wrong."""

    body: str
    particles: int
    model: str
    pose: str
    distance: float
    carried: float
    overshoot: float
    overshoots: int
    problem: str = ""

    @property
    def met(self) -> bool:
        near = self.distance <= max(NEAR, CARRIED * self.carried)
        return near and self.overshoots <= 1 and not self.problem


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a bar and a ball only")
    parser.add_argument("--meshes", type=Path, help="a folder of .obj files to try, too")
    parser.add_argument("--only", default="", help="bodies whose names contain this")
    parser.add_argument("--model", choices=[model.name for model in _with_poses()], help="only this model")
    parser.add_argument("--write", type=Path, help="the Markdown page that gets the table")
    parser.add_argument("--kept", type=Path, help="a file that keeps the rows; those in it are not tried again")
    asked = parser.parse_args()
    try:
        cases = list(_quick() if asked.quick else _all(asked.meshes))
    except PliantError as error:
        parser.exit(2, f"forced_poses: {error}\n")
    cases = [case for case in cases if asked.only in case.name and asked.model in (None, _model_of(case.settings).name)]
    rows = run(sorted(cases, key=_effort), asked.kept)
    met = sum(row.met for row in rows)
    print(f"{met} of {len(rows)} poses are met")
    if asked.write:
        write(asked.write, rows)


def run(cases: list[Case], kept: Path | None) -> list[Row]:
    """The rows of all cases, quick ones first; those that are kept are only read."""
    known = _read(kept)
    rows, begin = [], perf_counter()
    for number, case in enumerate(cases, 1):
        for pose in played(case.body, _model_of(case.settings), case.settings).poses:
            key = _key(case, pose)
            if key not in known:
                known[key] = tried(case, pose)
                if kept is not None:
                    with kept.open("a", encoding="utf-8") as file:  # a line of its own after one that was cut short
                        file.write("\n" + json.dumps({"key": key, **asdict(known[key])}))
            rows.append(known[key])
            print(f"{number}/{len(cases)} {perf_counter() - begin:5.0f} s  {_line(known[key])}", flush=True)
    order = [model.name for model in _with_poses()]
    return sorted(rows, key=lambda row: order.index(row.model.partition(",")[0]))


def _read(kept: Path | None) -> dict[str, Row]:
    """Rows by their keys; a last line that was cut short is left out."""
    known = {}
    for line in kept.read_text(encoding="utf-8").splitlines() if kept is not None and kept.exists() else []:
        try:
            values = json.loads(line)
        except json.JSONDecodeError:
            continue
        key = values.pop("key")
        known[key] = Row(**values)
    return known


def _key(case: Case, pose: str) -> str:
    return f"{case.name} | {len(case.body.rest)} | {_model_of(case.settings).name} | {case.settings!r} | {pose}"


def _effort(case: Case) -> int:
    """What takes longest comes last: the others are seen meanwhile."""
    return len(case.body.rest) ** 2 if _model_of(case.settings).name == "fem" else 0


# ---- what is tried -------------------------------------------------------------------------------------------


def _quick() -> Iterator[Case]:
    bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=(3, 6, 3), name="bar")
    ball = pliant.shapes.ball(particles=100, name="ball")
    for body in (bar, ball):
        yield from _under_all(body.with_pose("squash", squash(body, 0.4)))


def _all(folder: Path | None) -> Iterator[Case]:
    yield from _exhibits()
    if folder is None:
        return
    files = sorted(folder.glob("*.obj"))
    if not files:
        raise PliantError(f"{folder}: there are no .obj files in it; give a folder of meshes")
    for file in files:
        body = pliant.load(file, particles=PARTICLES)
        body = body.with_pose("squash", squash(body, 0.4)).with_pose("twist", twist(body, degrees=60))
        yield from _under_all(body.with_pose("bend", bend(body, degrees=60)))


def _exhibits() -> Iterator[Case]:
    """Each body once under each model, under its own model as often as there are settings of it."""
    seen: set[tuple[object, ...]] = set()
    for exhibit in list_exhibits():
        for actor in exhibit.build().actors:
            if not actor.body.poses:
                continue
            own = _model_of(actor.settings)
            for model in _with_poses():
                if model is own and getattr(actor.settings, "example_stiffness", 1.0) == 0.0:
                    continue  # its examples are switched off
                settings = _freed(actor.settings) if model is own else model.settings()
                key = model.name, repr(settings), actor.body.name, tuple(actor.body.poses), actor.given.rest.tobytes()
                if key not in seen and _can_play(model, actor.given, settings):
                    seen.add(key)
                    substeps = max(exhibit.substeps, SUBSTEPS)
                    yield Case(f"{exhibit.name}: {actor.name}", actor.given, settings, substeps, model is own)


def _under_all(body: pliant.Body) -> Iterator[Case]:
    for model in _with_poses():
        if _can_play(model, body, model.settings()):
            yield Case(body.name, body, model.settings(), SUBSTEPS, False)


def _with_poses() -> list[Model]:
    return [model for model in models().values() if issubclass(model.settings, ExampleSettings)]


def _model_of(settings: Settings) -> Model:
    return next(model for model in models().values() if type(settings) is model.settings)


def _freed(settings: Settings) -> Settings:
    return settings.changed(forced={}) if isinstance(settings, ExampleSettings) else settings


def _can_play(model: Model, body: pliant.Body, settings: Settings) -> bool:
    try:
        model.check(body, settings, "it")
    except PliantError:
        return False
    return True


# ---- what is measured ----------------------------------------------------------------------------------------


def tried(case: Case, pose: str) -> Row:
    """How a body takes a pose."""
    model = _model_of(case.settings)
    body = played(case.body, model, case.settings)
    label = model.name if case.own else f"{model.name}, default"
    number = 1 + list(body.poses).index(pose)
    carried = float(pose_distances(body, body.surface(pose))[number])
    try:
        distances, beyond = _taken(case, pose, number)
    except Diverged as error:
        return Row(case.name, len(body.rest), label, pose, np.inf, carried, np.inf, 99, str(error))
    overshoot, count = overshoots(beyond)
    soon = float(distances[round(SOON * FPS) - 1])
    return Row(case.name, len(body.rest), label, pose, soon, carried, overshoot, count)


def _taken(case: Case, pose: str, number: int) -> tuple[Array, Array]:
    """After each frame: how far the skin is from the pose, and how far it is beyond it, in diagonals."""
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(case.body, case.settings.changed(forced={pose: 1.0}))
    there, rest = actor.body.surface(pose), actor.body.skin.vertices
    shares = drawn_of(actor.body).shares
    way = there - laid_on(rest, there, shares)
    long = np.sqrt(float(shares @ (way * way).sum(axis=1)))
    distances, beyond = [], []
    for _ in range(round(WATCHED * FPS)):
        world.step(1 / FPS, substeps=case.substeps)
        surface = actor.surface
        distances.append(pose_distances(actor.body, surface)[number])
        off = laid_on(surface, there, shares) - there
        beyond.append(float(shares @ (off * way).sum(axis=1)) / long / drawn_of(actor.body).diagonal)
    return np.array(distances), np.array(beyond)


def laid_on(points: Array, there: Array, shares: Array) -> Array:
    """Points moved rigidly as near to others as can be."""
    middle = shares @ there
    a, b = points - shares @ points, there - middle
    u, _, vt = np.linalg.svd((a * shares[:, None]).T @ b)
    turn = u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))]) @ vt
    moved: Array = a @ turn + middle
    return moved


def overshoots(beyond: Array) -> tuple[float, int]:
    """The largest deviation after it has first come as near as is not seen, and how often it went farther than that.

    >>> overshoots(np.array([-0.3, -0.1, -0.01, 0.05, 0.0, -0.03, 0.0]))
    (0.05, 2)
    """
    arrived = np.flatnonzero(beyond >= -SEEN)
    if not len(arrived):
        return float(-beyond.max()), 0
    after = beyond[arrived[0] :]
    outside = np.where(np.abs(after) > SEEN, np.sign(after), 0.0)
    begun = (outside != 0) & (outside != np.concatenate([[0.0], outside[:-1]]))
    return round(float(np.abs(after).max()), 12), int(begun.sum())


# ---- what is told --------------------------------------------------------------------------------------------


def _line(row: Row) -> str:
    told = f"{row.distance:7.2%} off, {row.carried:6.2%} carried, overshoot {row.overshoot:6.1%} x{row.overshoots}"
    who = f"{row.body} ({row.particles}), {row.model}, {row.pose}"
    return f"{'met   ' if row.met else 'MISSED'} {told}  {who} {row.problem}"


def write(path: Path, rows: list[Row]) -> None:
    """The table takes the place of the old one, below its mark."""
    lines = [
        "| body | particles | model | pose | off after 0.6 s | particles can carry | overshoot | seen | met |",
        "| --- | ---: | --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows:
        numbers = f"{row.distance:.2%} | {row.carried:.2%} | {row.overshoot:.1%} | {row.overshoots}"
        met = "yes" if row.met else "**no**"
        lines.append(f"| {row.body} | {row.particles} | {row.model} | {row.pose} | {numbers} | {met} |")
    text = path.read_text(encoding="utf-8") if path.exists() else f"# Forced poses\n\n{MARK}\n"
    head = text.partition(MARK)[0]
    told = f"{sum(row.met for row in rows)} of {len(rows)} poses are met."
    with whole_file(path) as part:
        part.write_text(f"{head}{MARK}\n\n{told}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
