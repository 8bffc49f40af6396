"""PC2 (Point Cache 2), for Blender's Mesh Cache modifier and others: where the points of a mesh are in every frame.

A cache has no mesh in it; it fits any mesh with the same points in the same order. Beside NAME.pc2 we write one that
does, NAME.rest.obj. In Blender: import NAME.rest.obj, add the modifier Mesh Cache, format PC2, choose NAME.pc2, and set
the scene to the frame rate of the take. The rest of the modifier stays as it is: Frame Start 0, Forward +Y and Up +Z,
because the importer turns the object and not its points.

The mesh that the artist made will do as well, if it came here as one object with one material: points are written
once, however often they are split for drawing, in the order in which they stand in an OBJ or PLY file and in which
Blender exports them to glTF. Such a mesh has z up where ours has y: set Forward to +Z and Up to -Y in the modifier, and
leave the object at the origin, for the points are where the world has them.
"""

import struct
from collections.abc import Callable
from pathlib import Path

from pliant.files.drawn import file_name, points_of, unlike
from pliant.files.obj.writing import ActorText
from pliant.files.take import Take, Track
from pliant.files.whole import whole_file

PC2_HEADER = struct.Struct("<12siiffi")  # signature, version, points, first frame, frames a sample, samples


def write(take: Take, path: Path, *, progress: Callable[[int, int], None] | None = None) -> None:
    """NAME.pc2 and NAME.rest.obj; of several actors NAME-actor.pc2 and NAME-actor.rest.obj each. The name of its own
    keeps the mesh from taking the place of the artist's NAME.obj; it has uv and the names of materials, no more."""
    path = Path(path)
    for place, (track, cache) in enumerate(zip(take.tracks, paths(take, path), strict=True)):
        with whole_file(cache.with_suffix(".rest.obj")) as temporary:
            skin = track.body.skin
            with open(temporary, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(ActorText.of(track.name, skin, None).text(skin.vertices, (0, 0, 0), normals=False))
        _write_cache(take, track, cache, place, progress)


def paths(take: Take, path: Path) -> list[Path]:
    """The cache of each actor."""
    if len(take.tracks) == 1:
        return [path]
    taken: set[str] = set()
    names = [unlike(file_name(track.name), taken) for track in take.tracks]
    return [path.with_name(f"{path.stem}-{name}{path.suffix}") for name in names]


def _write_cache(
    take: Take, track: Track, path: Path, place: int, progress: Callable[[int, int], None] | None
) -> None:
    firsts, _ = points_of(track.body.skin)
    with whole_file(path) as temporary, open(temporary, "wb") as file:
        file.write(PC2_HEADER.pack(b"POINTCACHE2\0", 1, len(firsts), 0.0, 1.0, take.frames))
        for frame in range(take.frames):
            file.write(track.surface(frame)[firsts].astype("<f4").tobytes())
            if progress:
                progress(place * take.frames + frame + 1, len(take.tracks) * take.frames)
