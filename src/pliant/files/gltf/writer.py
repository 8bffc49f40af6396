"""A take as a .glb file: every frame a morph target, the artist's own targets with solved weights, or a skeleton."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.files.gltf.builder import Builder
from pliant.files.gltf.riding import Ride, riding, standing
from pliant.files.gltf.skeletons import JointMotion, has_joints, inverse_binds, joint_motion
from pliant.files.gltf.surfaces import SurfaceWriter, Targets
from pliant.files.gltf.thinning import cost, thinned
from pliant.files.take import Take, Track
from pliant.files.whole import whole_file
from pliant.geometry.measures import diagonal
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Progress = Callable[[int, int], None]

STYLES = ("vertices", "weights", "skeleton")
SKIN_ERROR = 1e-4  # of the diagonal
STILL_VERTEX = 0.1  # of the tolerance: displacements below it are not written


def write(
    take: Take,
    path: Path,
    *,
    style: str | None = None,
    tolerance: float = SKIN_ERROR,
    progress: Progress | None = None,
) -> None:
    """A .glb file of a take, with the materials, coordinates and colours that the bodies came with.

    style "vertices": every vertex is within `tolerance` (of the body's diagonal) of where it was in every frame;
    frames that lie on the line between their neighbours are left out. "weights": the example poses as morph targets
    and the solved weights, so small a file that it only looks alike. "skeleton": oriented particles as the joints of a
    skeleton, within the same tolerance; other bodies as vertices. If not said, it is "skeleton" for the actors that can
    and "vertices" for the others.
    """
    path = Path(path)
    _check(take, path, style, tolerance)
    with whole_file(path) as temporary, TemporaryFile(dir=path.parent) as spool:
        builder = Builder(spool)
        writer = _Writer(take, path, builder, progress)
        for number, track in enumerate(take.tracks):
            room = tolerance * diagonal(track.body.skin.vertices)
            if style == "weights":
                writer.weights(number, track)
            elif style != "vertices" and has_joints(track):
                writer.skeleton(number, track, room)
            else:
                writer.vertices(number, track, room)
        writer.close()
        builder.finish(temporary, path)


def _check(take: Take, path: Path, style: str | None, tolerance: float) -> None:
    if style is not None and style not in STYLES:
        raise FileError(f'{path}: there is no style {style!r} of .glb; choose "vertices", "weights" or "skeleton"')
    if not (math.isfinite(tolerance) and tolerance >= 0):
        raise FileError(f"{path}: the tolerance is {tolerance!r}; give a share of the diagonal, such as {SKIN_ERROR:g}")
    if not take.frames:
        raise FileError(f"{path}: there is no frame to write; record at least one")
    if style == "weights" and not any(track.body.poses for track in take.tracks):
        raise FileError(f'{path}: no body has example poses, so there are no weights; choose the style "vertices"')
    if style == "skeleton" and not any(has_joints(track) for track in take.tracks):
        what = "no body is made of oriented particles, so there are no joints"
        raise FileError(f'{path}: {what}; choose the style "vertices"')


class _Writer:
    """One file: surfaces and motion of all tracks, and the animation that gathers them."""

    def __init__(self, take: Take, path: Path, builder: Builder, progress: Progress | None) -> None:
        self._take, self._path, self._builder, self._progress = take, path, builder, progress
        self._surfaces = SurfaceWriter(builder)
        self._channels: list[dict[str, Any]] = []
        self._samplers: list[dict[str, Any]] = []
        self._inputs: dict[bytes, int] = {}
        self._nodes: list[int] = []
        self._shared: dict[int, int] = {}  # meshes or inverse binds by their body, where actors can share them
        self._done = 0

    def vertices(self, number: int, track: Track, tolerance: float) -> None:
        """An actor whose every shape is a morph target, less what its node can carry."""
        ride = self._best_ride(track, tolerance)
        skin = track.body.skin
        targets: Targets | None = None
        keys: list[int] = []
        shown: list[int] = []  # the target of each key, -1 for the first frame, which needs none
        names: list[str] = []
        for key in thinned(self._local_surfaces(track, ride), (1 - STILL_VERTEX) * tolerance):
            if key.shape is not None:
                normals = skin.normals(key.shape)
                if targets is None:
                    targets = self._surfaces.begin(track.body, number, key.shape, normals)
                else:
                    targets.add(key.shape, normals, STILL_VERTEX * tolerance)
                    names.append(f"frame {key.frame}")
            keys.append(key.frame)
            shown.append(len(names) - 1)
        assert targets is not None
        node = self._node(track.name, self._surfaces.finish(targets, track.name, names))
        self._ride(node, ride)
        if names:
            rows = np.zeros((len(keys), len(names)), dtype=np.float32)
            moved = np.array(shown) >= 0
            rows[moved, np.array(shown)[moved]] = 1.0
            self._channel(node, "weights", np.array(keys), rows.reshape(-1))

    def weights(self, number: int, track: Track) -> None:
        """An actor with its example poses as morph targets, and their weights over time."""
        body = track.body
        poses = np.array(list(body.poses.values())).reshape(-1, *body.rest.shape)
        weights = np.array([_mean_weights(track, frame, len(poses)) for frame in range(self._take.frames)])
        moves = poses - body.rest

        def shapes() -> Iterator[tuple[Array, Array]]:
            for frame in range(self._take.frames):
                yield body.rest + np.tensordot(weights[frame], moves, axes=1), self._particles(track, frame)
                self._tick()

        ride = riding(shapes(), body.masses, pivot=np.zeros(3))
        if id(body) not in self._shared:
            skin = body.skin
            targets = self._surfaces.begin(body, number, skin.vertices, skin.normals(skin.vertices))
            for pose in body.poses:
                surface = body.surface(pose)
                targets.add(surface, skin.normals(surface), 0.0)
            self._shared[id(body)] = self._surfaces.finish(targets, body.name, list(body.poses))
        node = self._node(track.name, self._shared[id(body)])
        self._ride(node, ride)
        if len(poses):
            self._channel(node, "weights", np.arange(self._take.frames), weights.astype(np.float32).reshape(-1))

    def skeleton(self, number: int, track: Track, tolerance: float) -> None:
        """An actor whose skin hangs on its particles, which are joints under a root that carries them along."""
        body = track.body

        def frames() -> Iterator[tuple[Array, Array]]:
            for frame in range(self._take.frames):
                turns = track.turns(frame)
                assert turns is not None
                yield self._particles(track, frame), turns

        motion = joint_motion(track, frames, (1 - STILL_VERTEX) * tolerance, self._tick)
        node = self._node(track.name, self._surfaces.bound(body, number, track.name))
        joints = self._joints(track.name, motion)
        root = self._builder.add("nodes", {"name": f"{track.name} skeleton", "children": joints})
        self._nodes.append(root)
        self._ride(root, motion.ride)
        if id(body) not in self._shared:
            assert body.skin.pivots is not None
            self._shared[id(body)] = self._builder.accessor(inverse_binds(body.skin.pivots))
        skin = {"name": track.name, "skeleton": root, "joints": joints, "inverseBindMatrices": self._shared[id(body)]}
        self._builder.tables["nodes"][node]["skin"] = self._builder.add("skins", skin)

    def _joints(self, name: str, motion: JointMotion) -> list[int]:
        """A node for each particle, where it is in the first frame."""
        found = []
        for number, (places, turns) in enumerate(zip(motion.places, motion.turns, strict=True)):
            place = {"translation": places.values[0].tolist(), "rotation": turns.values[0].tolist()}
            node = self._builder.add("nodes", {"name": f"{name} {number}", **place})
            for path, keys in (("translation", places), ("rotation", turns)):
                if not keys.is_still:
                    self._channel(node, path, keys.frames, keys.values)
            found.append(node)
        return found

    def close(self) -> None:
        self._builder.add("scenes", {"name": self._take.name, "nodes": self._nodes})
        if self._channels:
            animation = {"name": self._take.name, "channels": self._channels, "samplers": self._samplers}
            self._builder.add("animations", animation)

    def _best_ride(self, track: Track, tolerance: float) -> Ride:
        """Whether fewer shapes are needed if the node carries the body along, judged by its particles."""
        frames = range(self._take.frames)
        pairs = ((track.body.rest, self._particles(track, frame)) for frame in frames)
        ride, still = riding(pairs, track.body.masses, pivot=None), standing(len(frames))
        costs = [
            cost((each.local(f, self._particles(track, f)) for f in frames), tolerance, STILL_VERTEX * tolerance)
            for each in (still, ride)
        ]
        return ride if costs[1] < 0.9 * costs[0] else still

    def _local_surfaces(self, track: Track, ride: Ride) -> Iterator[Array]:
        for frame in range(self._take.frames):
            yield ride.local(frame, track.surface(frame))
            self._tick()

    def _particles(self, track: Track, frame: int) -> Array:
        particles = np.asarray(track.positions[frame], dtype=np.float64)
        if not np.isfinite(particles).all():
            where = f'actor "{track.name}" left the finite numbers in frame {frame}'
            raise FileError(f"{self._path}: {where}; bake it with more substeps")
        return particles

    def _tick(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._take.frames * len(self._take.tracks))

    def _node(self, name: str, mesh: int) -> int:
        self._nodes.append(self._builder.add("nodes", {"name": name, "mesh": mesh}))
        return self._nodes[-1]

    def _ride(self, node: int, ride: Ride) -> None:
        """The motion of a node, or its place if it does not move."""
        if ride.is_nothing:
            return
        turns, places = ride.quaternions(), ride.translations.astype(np.float32)
        entry = self._builder.tables["nodes"][node]
        entry |= {"rotation": turns[0].tolist(), "translation": places[0].tolist()}
        if not ride.is_still:
            frames = np.arange(len(turns))
            self._channel(node, "rotation", frames, turns)
            self._channel(node, "translation", frames, places)

    def _channel(self, node: int, path: str, frames: NDArray[np.integer], values: NDArray[np.float32]) -> None:
        """Values over the times of some frames; nodes that move at the same times share them."""
        times = (frames / self._take.fps).astype(np.float32)
        if times.tobytes() not in self._inputs:
            self._inputs[times.tobytes()] = self._builder.accessor(times, bounds=True)
        sampler = {"input": self._inputs[times.tobytes()], "output": self._builder.accessor(values)}
        self._samplers.append({**sampler, "interpolation": "LINEAR"})
        self._channels.append({"sampler": len(self._samplers) - 1, "target": {"node": node, "path": path}})


def _mean_weights(track: Track, frame: int, poses: int) -> Array:
    """The weight of each pose (poses,), the mean over the groups."""
    groups = np.asarray(track.weights[frame], dtype=np.float64).reshape(-1, 1 + poses)
    return groups[:, 1:].mean(axis=0) if len(groups) else np.zeros(poses)
