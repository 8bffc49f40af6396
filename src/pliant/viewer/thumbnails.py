"""Pictures for the cards of the gallery: `python -m pliant.viewer.thumbnails [NAME…]` renders them anew."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pliant.session.render.film import nearest
from pliant.session.render.picture import write_png
from pliant.session.render.renderer import Renderer
from pliant.session.render.stage import Stage
from pliant.viewer.panels.gallery_page import PICTURES

if TYPE_CHECKING:
    from pliant.gallery.exhibit import Exhibit

CARD_WIDTH, CARD_HEIGHT = 560, 350  # pixels


def render_thumbnails(names: Sequence[str], folder: Path = PICTURES) -> Iterator[Path]:
    """Plays the named exhibits (all, if none is named) and gives each FOLDER/NAME.png as it is written."""
    from pliant.gallery.listing import list_exhibits

    for exhibit in list_exhibits():
        if not names or exhibit.name in names:
            yield _render(exhibit, folder / f"{exhibit.name}.png")


def _render(exhibit: "Exhibit", path: Path) -> Path:
    """The still in the middle of the story."""
    from pliant.gallery.exhibit import play

    record = play(exhibit)
    moments = tuple(exhibit.stills) or (0.5 * exhibit.seconds,)
    stage = Stage.of(exhibit.build())
    frame = nearest(record.frames, moments)[len(moments) // 2]
    camera = stage.camera([frame], exhibit.camera, CARD_WIDTH / CARD_HEIGHT)
    with Renderer(CARD_WIDTH, CARD_HEIGHT) as renderer:
        return write_png(path, renderer.draw(stage.view(frame, camera)))


if __name__ == "__main__":
    for written in render_thumbnails(sys.argv[1:]):
        print(written, flush=True)
