"""A recording as one HTML file that plays it: no server, no network, nothing beside it."""

import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from html import escape
from pathlib import Path

from pliant import __version__
from pliant.files.whole import whole_file
from pliant.runtime.errors import FileError
from pliant.session.player import recorded, scripts
from pliant.session.player.shot import Shot

ENTRY = "/viewport/recording.js"
# Bytes of a recording in a file. Browsers hold no text of more than 512 MB, some of them half of that.
LARGEST_RECORDING = 200 * 2**20
GROUP = 3 << 16  # bytes that become base 64 at once: a multiple of three, so that no padding comes between
RECORDING = re.compile(r'<script type="text/plain" id="recording">([A-Za-z0-9+/=]+)</script>')


def write_page(shot: Shot, path: str | Path, progress: Callable[[int, int], None] | None = None) -> None:
    """Write the file, whole or not at all; its bytes depend on the shot alone."""
    path = Path(path)
    if not shot.take.frames:
        raise FileError(f"{path}: there is nothing to write; the take has no frame")
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    head, tail = template.split("{{recording}}")
    parts = {
        "version": __version__,
        "title": escape(shot.title or shot.take.name),
        "css": scripts.css(),
        "load": scripts.loader(),
        "scripts": scripts.packed_scripts(ENTRY),
    }
    filled = re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], head)
    with whole_file(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.write(filled)
        size = 0
        for piece in _in_base_64(_deflated(recorded.pack(shot, progress))):
            size += len(piece)
            if size > LARGEST_RECORDING:
                most = LARGEST_RECORDING // 2**20
                raise FileError(
                    f"{path}: the recording has more than {most} MB, which browsers do not open; "
                    "give fewer --frames or --fps, or another format"
                )
            file.write(piece)
        file.write(tail)


def read_recording(path: str | Path) -> bytes:
    """The recording in such a file, deflated as it stands there."""
    from base64 import b64decode

    path = Path(path)
    try:
        found = RECORDING.search(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FileError(f"{path}: cannot be read: {reason}; give a file that `pliant bake` wrote") from error
    if found is None:
        raise FileError(f"{path}: there is no recording in it; give a file that `pliant bake SCENE -o NAME.html` wrote")
    return b64decode(found[1])


def _deflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(9)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def _in_base_64(pieces: Iterable[bytes]) -> Iterator[str]:
    left = bytearray()
    for piece in pieces:
        left += piece
        whole = len(left) - len(left) % GROUP
        if whole:
            yield b64encode(left[:whole]).decode()
            del left[:whole]
    yield b64encode(left).decode()
