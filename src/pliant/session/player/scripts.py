"""The viewport without the page: its modules and style sheets, packed for a file or a notebook."""

import json
import re
import zlib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from pliant.runtime.errors import PliantError

VIEWER = Path(__file__).parents[2] / "viewer"  # only read: the page's own modules and styles
VIEWPORT = VIEWER / "viewport"
IMPORT_FROM = re.compile(r'^import\b[^"]*?\bfrom\s*"([^"]+)";', re.MULTILINE)
SCENE_MODULE = "nicegui-scene"  # three.js, as modules call it
ROOT = ".pliant-player"


@cache
def packed_scripts(entry: str) -> str:
    """A module and all that it imports, three.js among them, deflated, in base 64: load.js unpacks it."""
    modules: dict[str, str] = {}
    _collect(entry, modules)
    return packed(json.dumps(list(modules.items()), ensure_ascii=False).encode())


def packed(data: bytes) -> str:
    """Deflated, in base 64.

    >>> packed(b"aaaaaaaa")
    'eNpLTIQAAA2sAwk='
    """
    return b64encode(zlib.compress(data, 9)).decode()


def digest(packed: str) -> str:
    """A short name for packed scripts: other scripts have another."""
    return sha256(packed.encode()).hexdigest()[:16]


def _collect(name: str, modules: dict[str, str]) -> None:
    """A module behind those that it imports."""
    if name in modules:
        return
    text = three_js() if name == SCENE_MODULE else (VIEWPORT / Path(name).name).read_text(encoding="utf-8")
    if name != SCENE_MODULE:
        for other in IMPORT_FROM.findall(text):
            _collect(other, modules)
    modules[name] = text


def three_js() -> str:
    """The three.js that NiceGUI brings along; found without importing NiceGUI, which takes a second."""
    spec = find_spec("nicegui")
    place = Path(spec.origin).parent / "elements" / "scene" / "dist" / "index.js" if spec and spec.origin else None
    if place is None or not place.is_file():
        raise PliantError("three.js is missing, which NiceGUI brings along; run: pip install --force-reinstall nicegui")
    return re.sub(r"\n//# sourceMappingURL=.*", "", place.read_text(encoding="utf-8"))


def loader() -> str:
    """The script that unpacks the others."""
    return (VIEWPORT / "load.js").read_text(encoding="utf-8")


@cache
def css() -> str:
    """The page's style sheets as far as a player needs them, for its own element alone: a notebook has styles, too."""
    sheets = {name: _sheet(name) for name in ("colours", "weights", "timeline", "player")}
    light, dark = re.findall(r":root \{(.*?)\}", sheets.pop("colours"), re.DOTALL)
    light = light.replace("color-scheme: light dark", "color-scheme: light")
    rules = "\n".join(sheets.values())
    moving = re.findall(r"^@keyframes .*\n", rules, re.MULTILINE)
    for each in moving:
        rules = rules.replace(each, "")
    return f"{ROOT} {{{light}}}\n{ROOT}.dark {{ color-scheme: dark;{dark}}}\n{''.join(moving)}{ROOT} {{\n{rules}}}\n"


def _sheet(name: str) -> str:
    return (VIEWER / "styles" / f"{name}.css").read_text(encoding="utf-8")
