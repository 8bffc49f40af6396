"""Writing OBJ: a folder with a file for each frame, one MTL for all of them, and the pictures."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.body.look import Look, Material
from pliant.body.skin import Skin
from pliant.files.drawn import file_name, points_of, unlike
from pliant.files.obj.materials import shine_of
from pliant.files.pictures import PICTURE_ENDINGS
from pliant.files.take import Take, Track
from pliant.files.whole import whole_folder
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]

MATERIALS_FILE = "materials.mtl"
OBJ_FILES = re.compile(r"frame_\d+\.obj|.*\.mtl|.*\.(png|jpe?g|webp)", re.IGNORECASE)


def write(take: Take, path: Path, *, progress: Callable[[int, int], None] | None = None) -> None:
    """A folder with frame_0001.obj and so on, each with all actors as objects; the materials stand in one file.

    Points are written once, however often they are drawn; uv and smooth normals are listed for each drawn vertex. A
    folder that stands there is replaced, if it holds nothing but the frames of an earlier take.
    """
    path = Path(path)
    _check_folder(path)
    with whole_folder(path) as folder:
        palette = MaterialLibrary()
        meshes = [ActorText.of(track.name, track.body.skin, palette) for track in take.tracks]
        palette.write(folder)
        digits = max(4, len(str(take.frames)))
        for frame, time in enumerate(take.times):
            with open(folder / f"frame_{frame + 1:0{digits}}.obj", "w", encoding="utf-8", newline="\n") as file:
                file.write(f"# {take.name.splitlines()[0] if take.name else 'take'}, {time:.4f} s\n")
                if palette.names:
                    file.write(f"mtllib {MATERIALS_FILE}\n")
                for text in whole_text(meshes, take.tracks, frame):
                    file.write(text)
            if progress:
                progress(frame + 1, take.frames)


def _check_folder(path: Path) -> None:
    """What is not ours is never deleted."""
    for entry in sorted(path.iterdir()) if path.is_dir() else ():
        if not OBJ_FILES.fullmatch(entry.name):
            raise FileError(f"{path}: holds other things too ({entry.name}); choose an empty or a new folder")


def whole_text(meshes: list["ActorText"], tracks: tuple[Track, ...], frame: int) -> Iterator[str]:
    """The actors in a frame, one after the other, with faces that count on."""
    counts = (0, 0, 0)
    for mesh, track in zip(meshes, tracks, strict=True):
        yield from mesh.text(track.surface(frame), counts)
        counts = mesh.after(counts)


@dataclass
class MaterialLibrary:
    """The materials of all actors under names that differ, and the files of their pictures."""

    names: dict[tuple[int, int], str] = field(default_factory=dict)  # look, place -> name
    blocks: list[str] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    _looks: list[Look] = field(default_factory=list)  # held, so that their ids stay theirs
    _taken: set[str] = field(default_factory=set)
    _files: dict[tuple[int, int], str] = field(default_factory=dict)
    _file_names: set[str] = field(default_factory=set)

    def name_of(self, look: Look, place: int) -> str:
        key = (id(look), place)
        if key not in self.names:
            self._looks.append(look)
            material = look.materials[place]
            name = unlike(_word(material.name) or "material", self._taken)
            self.names[key] = name
            self.blocks.append(_block(name, material, self._picture(look, material.image)))
        return self.names[key]

    def _picture(self, look: Look, place: int | None) -> str | None:
        if place is None:
            return None
        key = (id(look), place)
        if key not in self._files:
            image = look.images[place]
            ending = PICTURE_ENDINGS.get(image.mime, ".bin")
            stem = unlike(file_name(Path(image.name).stem if "." in image.name else image.name), self._file_names)
            self._files[key] = stem + ending
            self.pictures[stem + ending] = image.data
        return self._files[key]

    def write(self, folder: Path) -> None:
        if not self.names:
            return
        (folder / MATERIALS_FILE).write_text("\n".join(self.blocks), encoding="utf-8", newline="\n")
        for name, data in self.pictures.items():
            (folder / name).write_bytes(data)


def _block(name: str, material: Material, picture: str | None) -> str:
    """As Blender reads it: `Ns` from the roughness, and the roughness itself for those who know `Pr`."""
    red, green, blue, alpha = material.colour
    lines = [
        f"newmtl {name}",
        f"Kd {red:.6g} {green:.6g} {blue:.6g}",
        f"d {alpha:.6g}",
        f"Ns {shine_of(material.roughness):.6g}",
        f"Pr {material.roughness:.6g}",
        f"Pm {material.metallic:.6g}",
        "illum 2",
    ]
    if picture:
        lines.append(f"map_Kd {picture}")
    return "\n".join(lines) + "\n"


@dataclass
class ActorText:
    """What of an actor's text does not change, and the rest in the making."""

    name: str
    skin: Skin
    firsts: NDArray[np.int64]
    numbers: NDArray[np.int64]
    colours: Array | None
    spans: list[tuple[str, int, int]]  # lines above faces, first face, last

    @classmethod
    def of(cls, name: str, skin: Skin, palette: MaterialLibrary | None) -> "ActorText":
        firsts, numbers = points_of(skin)
        colours = None if skin.colours is None else skin.colours[firsts]
        spans = [("", 0, len(skin.faces))]
        if skin.look is not None and skin.look.parts:
            spans = [(_heading(skin.look, k, palette), part.first, part.last) for k, part in enumerate(skin.look.parts)]
        return cls(re.sub(r"\s+", " ", name).strip() or "actor", skin, firsts, numbers, colours, spans)

    def text(self, vertices: Array, counts: tuple[int, int, int], normals: bool = True) -> Iterator[str]:
        """counts: the points, uv and normals that stand above."""
        yield f"o {self.name}\n"
        points = vertices[self.firsts]
        if self.colours is None:
            yield ("v %.7g %.7g %.7g\n" * len(points)) % tuple(points.ravel().tolist())
        else:
            rows = np.concatenate([points, self.colours], axis=1)
            yield ("v %.7g %.7g %.7g %.4g %.4g %.4g\n" * len(rows)) % tuple(rows.ravel().tolist())
        uv = self.skin.uv
        if uv is not None:
            rows = uv * (1.0, -1.0) + (0.0, 1.0)  # v up
            yield ("vt %.7g %.7g\n" * len(rows)) % tuple(rows.ravel().tolist())
        if normals:
            rows = self.skin.normals(vertices)
            yield ("vn %.4f %.4f %.4f\n" * len(rows)) % tuple(rows.ravel().tolist())
        corner, columns = "%d", [self.numbers + counts[0] + 1]
        if uv is not None or normals:
            corner += "/"
        if uv is not None:
            corner += "%d"
            columns.append(np.arange(len(vertices)) + counts[1] + 1)
        if normals:
            corner += "/%d"
            columns.append(np.arange(len(vertices)) + counts[2] + 1)
        corners = np.stack(columns, axis=1)
        for heading, first, last in self.spans:
            faces = corners[self.skin.faces[first:last]]
            yield heading + (f"f {corner} {corner} {corner}\n" * len(faces)) % tuple(faces.ravel().tolist())

    def after(self, counts: tuple[int, int, int]) -> tuple[int, int, int]:
        vertices = len(self.skin.vertices)
        uv = 0 if self.skin.uv is None else vertices
        return counts[0] + len(self.firsts), counts[1] + uv, counts[2] + vertices


def _heading(look: Look, place: int, palette: MaterialLibrary | None) -> str:
    part = look.parts[place]
    lines = f"g {_word(part.name) or 'part'}\n"
    if part.material is None:
        return lines
    name = palette.name_of(look, part.material) if palette else _word(look.materials[part.material].name)
    return lines + f"usemtl {name or 'material'}\n"


def _word(name: str) -> str:
    """A name as one word, for blanks end a name in an OBJ file."""
    return re.sub(r"\s+", "_", name.strip())
