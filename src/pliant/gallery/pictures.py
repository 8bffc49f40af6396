"""Pictures of the exhibits, for the README and the documentation: one PNG each, stills over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from pliant.gallery.exhibit import Exhibit, Record, play
from pliant.gallery.listing import list_exhibits
from pliant.session.render.film import film_strip, nearest
from pliant.session.render.picture import Picture, write_png
from pliant.session.render.stage import Stage

STILLS = 5  # where the exhibit does not name its own moments


def render_exhibits(names: Sequence[str], folder: Path) -> Iterator[Path]:
    """Plays the named exhibits (all, if none is named) and gives each FOLDER/NAME.png as it is written."""
    for exhibit in list_exhibits():
        if not names or exhibit.name in names:
            picture = exhibit_picture(exhibit, play(exhibit))
            yield write_png(Path(folder) / f"{exhibit.name}.png", picture)


def exhibit_picture(exhibit: Exhibit, record: Record, height: int = 480, passes: int = 64) -> Picture:
    """The exhibit's moments side by side, from the camera that it asks for."""
    moments = tuple(exhibit.stills) or tuple(np.linspace(0.0, exhibit.seconds, STILLS))
    frames = nearest(record.frames, moments)
    # A world is cheap to build: it says which bodies and colliders there are, the record where they went.
    return film_strip(Stage.of(exhibit.build()), frames, camera=exhibit.camera, height=height, passes=passes)
