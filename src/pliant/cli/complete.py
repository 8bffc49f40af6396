"""What a shell offers for the word that is being typed. It is asked for at every press of a key: nothing is imported
that takes time, so names of exhibits are read from the names of their files."""

from pathlib import Path

GALLERY_FOLDER = Path(__file__).parents[1] / "gallery"


def exhibits(incomplete: str) -> list[str]:
    """Names of exhibits that begin so.

    >>> exhibits("twi")
    ['twist-bar']
    """
    files = [file for file in GALLERY_FOLDER.glob("*.py") if "\nEXHIBIT = " in file.read_text(encoding="utf-8")]
    names = sorted(file.stem.replace("_", "-") for file in files)
    return [name for name in names if name.startswith(incomplete)]


def targets(incomplete: str) -> list[str]:
    """`gallery:NAME` where a scene or an asset is asked for; files are left to the shell, which knows them.

    >>> targets("gallery:twi"), targets("bear")
    (['gallery:twist-bar'], [])
    """
    offered = (f"gallery:{name}" for name in exhibits("")) if incomplete else ()
    return [target for target in offered if target.startswith(incomplete)]
