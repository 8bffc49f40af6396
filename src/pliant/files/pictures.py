"""Pictures that lie beside a file, taken as they are."""

from pathlib import Path, PureWindowsPath

from pliant.body.look import Image
from pliant.files.fence import may_reach
from pliant.files.limits import MOST_PICTURE_BYTES

PICTURE_ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}


def mime_of(data: bytes) -> str | None:
    """What kind of picture the bytes begin as; None if it is none that is kept.

    >>> mime_of(b"\\x89PNG\\r\\n\\x1a\\n")
    'image/png'
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def picture_beside(file: Path, name: str) -> Image | str:
    """The picture that a file calls by a name, or why there is none. Files carry names from the machines that they were
    made on: a path that leads nowhere here is looked for by its last part, beside the file."""
    told = PureWindowsPath(name)  # takes both kinds of slashes
    given = Path(*told.parts) if told.parts and not told.anchor else None
    for place in (given, Path(told.name) if told.name else None):
        if place is None:
            continue
        found = file.parent / place
        try:
            if not found.is_file() or not may_reach(file, found):
                continue
            if found.stat().st_size > MOST_PICTURE_BYTES:
                return f"picture {name} is larger than {MOST_PICTURE_BYTES // 1_000_000} MB and was left out"
            data = found.read_bytes()
        except (OSError, ValueError) as error:
            return f"picture {name} cannot be read and was left out: {error}"
        mime = mime_of(data)
        if mime is None:
            return f"picture {name} is not a PNG, JPEG or WebP file and was left out"
        return Image(found.stem, mime, data)
    return f"picture {name} was not found beside {file.name} and was left out"
