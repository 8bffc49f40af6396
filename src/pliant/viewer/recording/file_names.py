"""Names for the files that pages save."""

import re

RESERVED = {"con", "prn", "aux", "nul", *(f"{each}{n}" for each in ("com", "lpt") for n in range(1, 10))}


def plain_name(name: str) -> str:
    """A name that any file system takes.

    >>> plain_name("my bear.glb"), plain_name("../../etc"), plain_name("con")
    ('my-bear', 'etc', '_con')
    """
    stem = re.sub(r"\.[A-Za-z0-9]{2,4}$", "", name)
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-")[:80] or "take"
    return f"_{stem}" if stem.lower() in RESERVED else stem
