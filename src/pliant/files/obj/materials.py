"""MTL: the materials of an OBJ file."""

import math
from pathlib import Path

from pliant.body.look import Image, Material
from pliant.files.fence import may_reach
from pliant.files.pictures import picture_beside

MOST_MTL_BYTES = 10_000_000
MOST_MATERIALS = 10_000

# How many words follow an option of a map, at most; numbers may be fewer.
OPTIONS = {
    "-s": 3, "-o": 3, "-t": 3, "-mm": 2, "-bm": 1, "-boost": 1, "-texres": 1,
    "-blendu": 1, "-blendv": 1, "-clamp": 1, "-cc": 1, "-imfchan": 1, "-type": 1, "-colorspace": 1,
}  # fmt: skip
WORDS = ("-blendu", "-blendv", "-clamp", "-cc", "-imfchan", "-type", "-colorspace")


class Library:
    """Materials by name, as the `mtllib` lines of a file bring them in, and the pictures they need."""

    def __init__(self, obj: Path) -> None:
        self.obj = obj
        self.materials: list[Material] = []
        self.images: list[Image] = []
        self.notes: list[str] = []
        self._places: dict[str, int] = {}
        self._pictures: dict[str, int | None] = {}
        self._libraries: set[str] = set()

    def place_of(self, name: str | None) -> int | None:
        """The place of a material; one that no library has is plain, and `None` is how Blender writes that there is
        none."""
        if name is None or (name not in self._places and name in ("None", "(null)")):
            return None
        if name not in self._places:
            if len(self.materials) >= MOST_MATERIALS:
                return len(self.materials) - 1
            self._places[name] = len(self.materials)
            self.materials.append(Material(name))
        return self._places[name]

    def bring(self, names: str) -> None:
        """Read what a `mtllib` line names: one file whose name may have spaces in it, or several."""
        for name in [names] if _is_file(self.obj.parent / names) else names.split():
            self._read(name)

    def _read(self, name: str) -> None:
        if name in self._libraries:
            return
        self._libraries.add(name)
        path = self.obj.parent / name.replace("\\", "/")
        try:
            if not _is_file(path) or not may_reach(self.obj, path):
                self.notes.append(f"{name} was not found beside {self.obj.name}; its materials are plain")
                return
            if path.stat().st_size > MOST_MTL_BYTES:
                self.notes.append(f"{name} is larger than {MOST_MTL_BYTES // 1_000_000} MB and was left out")
                return
            text = path.read_bytes().decode("utf-8", errors="replace")
        except (OSError, ValueError) as error:
            self.notes.append(f"{name} cannot be read, its materials are plain: {error}")
            return
        block: dict[str, str] = {}
        title = None
        for line in [*text.splitlines(), "newmtl"]:
            key, _, rest = line.strip().partition(" ")
            if key == "newmtl":
                if title and title not in self._places and len(self.materials) < MOST_MATERIALS:
                    self._places[title] = len(self.materials)
                    self.materials.append(self._material(title, block, path))
                title, block = rest.strip(), {}
            elif key and not key.startswith("#"):
                block[key.lower()] = rest.strip()

    def _material(self, name: str, block: dict[str, str], path: Path) -> Material:
        picture = file_of_map(block["map_kd"]) if "map_kd" in block else ""
        image = self._image(picture, path) if picture else None
        # With a picture the colour is often left at black or at the editor's grey, and was never meant to darken it.
        red, green, blue = _colour(block.get("kd")) or (0.8, 0.8, 0.8)
        if image is not None and (block.get("kd") is None or max(red, green, blue) < 0.01):
            red = green = blue = 1.0
        seen = _number(block.get("d", "").removeprefix("-halo"))
        hidden = _number(block.get("tr"))
        alpha = seen if seen is not None else 1.0 if hidden is None else 1.0 - hidden
        roughness, shine = _number(block.get("pr")), _number(block.get("ns"))
        if roughness is None:
            roughness = 0.6 if shine is None else roughness_of(shine)
        return Material(
            name=name,
            colour=(red, green, blue, _unit(alpha)),
            metallic=_unit(_number(block.get("pm")) or 0.0),
            roughness=_unit(roughness),
            image=image,
        )

    def _image(self, name: str, path: Path) -> int | None:
        if name not in self._pictures:
            found = picture_beside(path, name)
            if isinstance(found, str):
                self.notes.append(found)
                self._pictures[name] = None
            else:
                self._pictures[name] = len(self.images)
                self.images.append(found)
        return self._pictures[name]


def file_of_map(text: str) -> str:
    """The file that a `map_Kd` line names, behind its options. Its name may have spaces in it.

    >>> file_of_map("-s 2 2 1 -clamp on my bear.png")
    'my bear.png'
    """
    words = text.split()
    while words and words[0] in OPTIONS:
        option = words.pop(0)
        for _ in range(OPTIONS[option]):
            if len(words) < 2 or not (option in WORDS or _number(words[0]) is not None):
                break
            words.pop(0)
    # Several spaces in a name are kept, where no option stood before it.
    return text.strip() if len(words) == len(text.split()) else " ".join(words)


def roughness_of(shine: float) -> float:
    """Roughness 0 to 1 of the exponent `Ns`, as Blender has it: 0 is rough, 1000 a mirror.

    >>> roughness_of(250.0)
    0.5
    """
    return 1.0 - math.sqrt(min(max(shine, 0.0), 1000.0) / 1000.0)


def shine_of(roughness: float) -> float:
    """The way back."""
    return 1000.0 * (1.0 - roughness) ** 2


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long to be one
        return False


def _number(text: str | None) -> float | None:
    try:
        value = float((text or "").split()[0])
    except (ValueError, IndexError):
        return None
    return value if math.isfinite(value) else None


def _unit(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _colour(text: str | None) -> tuple[float, float, float] | None:
    """Three numbers, or one for grey; spectral curves and CIE colours, which no program writes, count as none."""
    words = (text or "").split()
    values = [_number(word) for word in words[:3]]
    if len(values) == 1 and values[0] is not None:
        values *= 3
    if len(values) != 3 or None in values:
        return None
    red, green, blue = (_unit(value or 0.0) for value in values)
    return red, green, blue
