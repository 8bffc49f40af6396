"""NPZ, for those who go on in NumPy: `take = numpy.load("bar.npz")`, no pickles in it.

    time (T,) s      fps      actors: their names, which begin the other keys, such as "bar/particles"

    particles (T, V, 3) m         where the particles are
    rotations (T, V, 4)           how the region round each particle is turned, from rest: unit quaternions x, y, z, w;
                                  of oriented particles, how the particle itself is turned
    weights (T, G, 1 + P)         of the example poses in each group, rest first; they add up to 1
    poses (P,), groups (G,)       their names         pose_particles (P, V, 3) m
    rest (V, 3) m                 elements (E, 4) tets, (E, 3) triangles or (E, 2) segments         masses (V,) kg
    skin_rest (N, 3) m            the drawn vertices          skin_faces (M, 3)          skin_uv (N, 2), if it has any
    skin_indices, skin_weights (N, K)    vertex n is the sum over k of skin_weights[n, k] * x[skin_indices[n, k]]
    skin_offsets, skin_axes (N, 3)       of shells and rods: what stands off along the normal or round the chord

Oriented particles have no offsets and axes but

    skin_pivots (V, 3) m          vertex n is the sum over k of skin_weights[n, k] * (R_k (skin_rest[n] - pivot) + x_k)
    pose_rotations (P, V, 4)      how particles are turned in each pose
    ellipsoid_axes (V, 3, 3), ellipsoid_radii (V, 3) m      at rest; axes are columns

The same take gives the same bytes: entries carry no date and are not compressed.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from pliant.files.drawn import unlike
from pliant.files.take import Take, Track
from pliant.files.whole import whole_file
from pliant.geometry.regions import regions
from pliant.graph import Graph

NO_DATE = (1980, 1, 1, 0, 0, 0)
UNIX = 3


def write(take: Take, path: Path, *, progress: Callable[[int, int], None] | None = None) -> None:
    """All of a take, frame by frame, so that it may be larger than memory."""
    taken: set[str] = set()
    names = [unlike(track.name.replace("/", "_"), taken) for track in take.tracks]
    with whole_file(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as archive:
        _put(archive, "time", take.times)
        _put(archive, "fps", np.float64(take.fps))
        _put(archive, "actors", _texts(names))
        for place, (name, track) in enumerate(zip(names, take.tracks, strict=True)):

            def told(frame: int, place: int = place) -> None:
                if progress:
                    progress(place * take.frames + frame + 1, len(names) * take.frames)

            for key, value in _constants(track).items():
                _put(archive, f"{name}/{key}", value)
            _stream(archive, f"{name}/particles", track.positions.shape, _frames(track.positions))
            _stream(archive, f"{name}/weights", track.weights.shape, _frames(track.weights))
            shape = (*track.positions.shape[:2], 4)
            _stream(archive, f"{name}/rotations", shape, rotations(track, told))


def rotations(track: Track, told: Callable[[int], None] = lambda frame: None) -> Iterator[NDArray[np.float32]]:
    """Quaternions (V, 4), frame by frame: of oriented particles their own, else the best rotation of each particle and
    its ring. Of the two that are the same rotation the one nearer to the frame before."""
    turns = _ring_turns(track) if track.rotations is None else _own_turns(track)
    before = np.tile([0.0, 0.0, 0.0, 1.0], (len(track.body.rest), 1))
    for frame, now in enumerate(turns):
        now *= np.where(np.einsum("vk,vk->v", now, before) < 0, -1.0, 1.0)[:, None]
        before = now
        yield now.astype(np.float32)
        told(frame)


def _own_turns(track: Track) -> Iterator[NDArray[np.float64]]:
    for frame in range(len(track.positions)):
        turns = track.turns(frame)
        assert turns is not None
        yield turns


def _ring_turns(track: Track) -> Iterator[NDArray[np.float64]]:
    """The best rotation of each particle and its ring, frame by frame."""
    from scipy.spatial.transform import Rotation

    body = track.body
    near = regions(body.rest, body.masses, body.elements, body.kind)
    for frame in range(len(track.positions)):
        turned, _ = near.polar(np.asarray(track.positions[frame], dtype=np.float64))
        yield Rotation.from_matrix(turned).as_quat()


def _constants(track: Track) -> dict[str, NDArray[Any]]:
    body, skin = track.body, track.body.skin
    values = {
        "poses": _texts(body.pose_names),
        "groups": _texts(track.groups),
        "pose_particles": np.array(list(body.poses.values())).reshape(-1, *body.rest.shape),
        "rest": body.rest,
        "elements": body.elements,
        "masses": body.masses,
        "skin_rest": skin.vertices,
        "skin_faces": skin.faces,
        "skin_indices": skin.indices,
        "skin_weights": skin.weights,
    }
    if skin.pivots is None:
        values |= {"skin_offsets": skin.offsets, "skin_axes": skin.axes}
    else:
        values |= {"skin_pivots": skin.pivots}
    if isinstance(body, Graph):
        values |= {
            "pose_rotations": np.array(list(body.turns.values())).reshape(-1, len(body.rest), 4),
            "ellipsoid_axes": body.ellipsoids.axes,
            "ellipsoid_radii": body.ellipsoids.radii,
        }
    return values if skin.uv is None else values | {"skin_uv": skin.uv}


def _texts(names: Iterable[str]) -> NDArray[np.str_]:
    return np.array(list(names), dtype=np.str_)


def _frames(values: NDArray[Any]) -> Iterator[NDArray[np.float32]]:
    for frame in range(len(values)):
        yield np.asarray(values[frame], dtype=np.float32)


def _put(archive: zipfile.ZipFile, name: str, value: Any) -> None:
    with archive.open(_entry(name), "w", force_zip64=True) as file:
        npy.write_array(file, np.ascontiguousarray(value).reshape(np.shape(value)), allow_pickle=False)


def _stream(
    archive: zipfile.ZipFile, name: str, shape: tuple[int, ...], frames: Iterable[NDArray[np.float32]]
) -> None:
    """An array (T, ...) of single precision, written a frame at a time."""
    heading = {"descr": "<f4", "fortran_order": False, "shape": tuple(map(int, shape))}
    with archive.open(_entry(name), "w", force_zip64=True) as file:
        npy.write_array_header_1_0(file, heading)
        for frame in frames:
            file.write(np.ascontiguousarray(frame, dtype="<f4").tobytes())


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(f"{name}.npy", NO_DATE)
    info.create_system, info.external_attr = UNIX, 0o644 << 16
    return info
