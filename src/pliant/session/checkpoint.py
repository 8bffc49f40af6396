"""A world at one frame, as a file: what the scene itself does not tell.

The scene is built anew and animated up to the moment; then particles, velocities and what actors, models, pins and
handles remember are put back, bit by bit. What follows is what would have followed.
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Kept
from pliant.files.whole import whole_file
from pliant.runtime.errors import FileError
from pliant.world import Actor, Handle, Pin, World
from pliant.world.cues import Fade, Fades

CHECKPOINT = "checkpoint.npz"
NEVER = float("nan")


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """frame: how many there are on disk, the last being this moment.  checksum: of these frames.  animated: the time
    for which the scene last set what is keyed, NaN if it never did.  arrays: by name, as in the file."""

    frame: int
    checksum: int
    time: float
    animated: float
    arrays: dict[str, NDArray[Any]]

    def write(self, folder: Path) -> None:
        with whole_file(folder / CHECKPOINT) as path, open(path, "wb") as file:
            numbers = np.array([self.time, self.animated]), np.array([self.frame, self.checksum], np.int64)
            np.savez(file, times=numbers[0], counts=numbers[1], **self.arrays)  # type: ignore[arg-type]
        sync_folder(folder)

    @staticmethod
    def read(folder: Path) -> "Checkpoint | None":
        """None if there is none yet."""
        path = folder / CHECKPOINT
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            time, animated = arrays.pop("times").tolist()
            frame, checksum = arrays.pop("counts").tolist()
        except Exception as error:  # damaged bytes are told in as many ways as there are readers below
            raise _damaged(path) from error
        return Checkpoint(frame, checksum, time, animated, arrays)


def checkpoint_of(world: World, frame: int, checksum: int, animated: float) -> Checkpoint:
    """The world as it is now."""
    moment = world.snapshot()
    arrays: dict[str, NDArray[Any]] = {"x": moment.kept.x, "v": moment.kept.v}
    arrays |= {"sleep_timers": moment.kept.sleep_timers, "pace": moment.kept.substep_factor}
    arrays |= {f"turning/{i}": array for i, array in enumerate(moment.kept.turning)}
    for model, own in moment.kept.own.items():
        arrays |= {f"own/{model}/{i}": array for i, array in enumerate(own)}
    arrays |= {f"contacts/{i}": array for i, array in enumerate(moment.kept.contacts)}
    # A scene may take hold of an actor while it plays: where, and in which order, then depends on what happened before.
    for i, pin in enumerate(moment.pins):
        arrays |= _of_grip(f"pin/{i}", pin, pin.origin)
    for i, (handle, origin, _) in enumerate(moment.handles):
        arrays |= _of_grip(f"handle/{i}", handle, origin)
    for i, (actor, _, fades, _) in enumerate(moment.actors):
        if fades:
            arrays[f"fades/{i}"] = _of_fades(actor, fades)
    for name, happened in world.events.items():
        arrays[f"event/{name.encode().hex()}"] = np.array(happened)
    return Checkpoint(frame, checksum, world.time, animated, arrays)


def events_of(checkpoint: Checkpoint) -> dict[str, float]:
    """What had happened by then: a scene is animated accordingly."""
    begin = "event/"
    return {
        bytes.fromhex(name.removeprefix(begin)).decode(): float(when)
        for name, when in checkpoint.arrays.items()
        if name.startswith(begin)
    }


def _of_fades(actor: Actor, fades: Fades) -> NDArray[Any]:
    """A row for each: begin, duration, and the weights of each pose of the body before and after."""
    rows = [
        [fade.begin, fade.duration]
        + [weights.get(pose, 0.0) for weights in (fade.before, fade.after) for pose in actor.body.poses]
        for fade in fades
    ]
    return np.array(rows)


def _fades(actor: Actor, rows: NDArray[Any]) -> Fades:
    poses = tuple(actor.body.poses)
    if rows.ndim != 2 or rows.shape[1] != 2 + 2 * len(poses):
        raise ValueError(f"fades of other poses than {actor.name} has")
    return tuple(
        Fade(begin, duration, dict(zip(poses, both, strict=False)), dict(zip(poses, both[len(poses) :], strict=True)))
        for begin, duration, *both in rows.tolist()
    )


def _of_grip(name: str, grip: Pin | Handle, origin: NDArray[Any]) -> dict[str, NDArray[Any]]:
    begin = np.array(grip.begin)
    return {f"{name}/{key}": value for key, value in _who(grip).items()} | {
        f"{name}/origin": origin,
        f"{name}/begin": begin,
    }


def _who(grip: Pin | Handle) -> dict[str, NDArray[Any]]:
    """What tells a pin or handle from others: a point can be pulled and be turned in several directions at once."""
    arms = grip.arms if isinstance(grip, Handle) else None
    return {
        "actor": np.frombuffer(grip.actor.name.encode(), np.uint8),
        "kind": np.frombuffer(type(grip).__name__.encode(), np.uint8),
        "particles": grip.particles,
        "arms": np.empty(0) if arms is None else arms,
    }


def go_back(world: World, checkpoint: Checkpoint, folder: Path) -> None:
    """Put the world, built anew and animated up to the same moment, where the checkpoint left it."""
    moment, arrays = world.snapshot(), checkpoint.arrays
    try:
        q, w, hulls = (_alike(arrays[f"turning/{i}"], array) for i, array in enumerate(moment.kept.turning))
        kept = Kept(
            _alike(arrays["x"], moment.kept.x),
            _alike(arrays["v"], moment.kept.v),
            (q, w, hulls),
            {
                model: [_alike(arrays[f"own/{model}/{i}"], array) for i, array in enumerate(own)]
                for model, own in moment.kept.own.items()
            },
            _alike(arrays["sleep_timers"], moment.kept.sleep_timers),
            _alike(arrays["pace"], moment.kept.substep_factor),
            [_of_a_kind(arrays[f"contacts/{i}"], array) for i, array in enumerate(moment.kept.contacts)],
        )
        pins = _regripped(list(moment.pins), arrays, "pin")
        handles = _regripped([handle for handle, _, _ in moment.handles], arrays, "handle")
        actors = tuple(
            (actor, settings, _fades(actor, arrays[f"fades/{i}"]) if f"fades/{i}" in arrays else (), force)
            for i, (actor, settings, _, force) in enumerate(moment.actors)
        )
    except (KeyError, ValueError) as error:
        raise _damaged(folder / CHECKPOINT) from error
    paths = {id(handle): path for handle, _, path in moment.handles}
    held = tuple((handle, handle.origin, paths[id(handle)]) for handle in handles)
    world.restore(replace(moment, time=checkpoint.time, actors=actors, pins=tuple(pins), handles=held, kept=kept))


def _alike(saved: NDArray[Any], mine: NDArray[Any]) -> NDArray[Any]:
    if saved.shape != mine.shape or saved.dtype != mine.dtype:
        raise ValueError(f"{saved.dtype}{saved.shape} is not {mine.dtype}{mine.shape}")
    return saved


def _of_a_kind(saved: NDArray[Any], mine: NDArray[Any]) -> NDArray[Any]:
    """Of rows that may be more or fewer."""
    if saved.ndim != mine.ndim or saved.dtype != mine.dtype:
        raise ValueError(f"{saved.dtype}{saved.shape} is not {mine.dtype}{mine.shape}")
    return saved


def _regripped(grips: list[Any], arrays: dict[str, NDArray[Any]], name: str) -> list[Any]:
    """The pins or handles of the world built anew, in the order and where they were taken hold of."""
    ordered: list[Any] = []
    while f"{name}/{len(ordered)}/begin" in arrays:
        saved = f"{name}/{len(ordered)}"
        grip = next((g for g in grips if _is(g, arrays, saved)), None)
        if grip is None:
            raise ValueError(f"nothing holds as {saved} did")
        grips.remove(grip)
        grip.origin, grip.begin = _alike(arrays[f"{saved}/origin"], grip.origin), float(arrays[f"{saved}/begin"])
        if isinstance(grip, Pin):
            grip.centre = grip.origin.mean(axis=0)
        ordered.append(grip)
    if grips:
        raise ValueError("an actor is held that was not")
    return ordered


def _is(grip: Pin | Handle, arrays: dict[str, NDArray[Any]], saved: str) -> bool:
    return all(np.array_equal(value, arrays[f"{saved}/{key}"]) for key, value in _who(grip).items())


def sync_folder(folder: Path) -> None:
    """Names of files are on the disk too, where the system can be asked for it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _damaged(path: Path) -> FileError:
    return FileError(f"{path}: damaged, or of another version of pliant; start anew without --resume")
