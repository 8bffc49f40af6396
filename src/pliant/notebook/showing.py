"""`pliant.show`: look at a world, a body, a recording or a baked file in a notebook."""

import sys
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.body import Body
from pliant.files.take import Take
from pliant.notebook.bodies import shot_of_body
from pliant.notebook.recording import EXHIBIT_PREFIX, playable
from pliant.runtime.errors import FileError, PliantError
from pliant.scene.show import Show
from pliant.session.player import recorded
from pliant.session.player.page import read_recording
from pliant.session.player.shot import Shot
from pliant.world import World

if TYPE_CHECKING:
    from pliant.notebook.widget import PlayerWidget

NO_WIDGETS = "show: notebooks need anywidget, which is not installed; run: pip install 'pliant[notebook]'"
NO_NOTEBOOK = (
    "show: this is not a notebook; run it in Jupyter or marimo. For a file `pliant view FILE` opens the browser, "
    "and `pliant bake FILE -o shot.html` writes a page"
)
SCENE, PAGE_ENDING = ".toml", ".html"
BAKED = (".mp4", ".pc2", ".csv")  # what bakes write and nothing reads
LOWEST, HIGHEST = 120, 4000  # pixels


def show(
    thing: Any,
    *,
    height: int = 420,
    playing: bool = True,
    fps: float | None = None,
    substeps: int | None = None,
    picture: bool = True,
) -> "PlayerWidget":
    """Look at something in a notebook: turn it, play it, scrub it, watch the weights of its poses.

    thing: a `World`, which is stepped while it plays and can be pulled with the mouse; a `Body`, in all its poses; a
    recording (`pliant.record`); a file: a page that `pliant bake SCENE -o shot.html` wrote, a scene, an asset, or
    "gallery:NAME". height: in pixels. playing: whether it plays at once. fps, substeps: how a world is stepped, 60
    and 4 if not said. picture: keep a picture for those who see the notebook without running it.

    Needs `pip install "pliant[notebook]"`, and Jupyter or marimo.
    """
    if not isinstance(height, int) or not LOWEST <= height <= HIGHEST:
        raise PliantError(f"show: height is {height!r}; give pixels, {LOWEST} to {HIGHEST}")
    if find_spec("anywidget") is None:
        raise PliantError(NO_WIDGETS)
    place = notebook()
    if place is None:
        raise PliantError(NO_NOTEBOOK)
    from pliant.notebook.live import LiveWorld
    from pliant.notebook.widget import PlayerWidget

    title, shown = _seen(thing, fps, substeps)
    return PlayerWidget(
        LiveWorld(shown) if isinstance(shown, Show) else shown,
        title=title,
        height=height,
        playing=playing,
        picture=picture and place == "jupyter",  # marimo keeps no outputs
    )


def notebook() -> str | None:
    """ "jupyter" (and all that speaks its protocol), "marimo", or None."""
    if "marimo" in sys.modules and sys.modules["marimo"].running_in_notebook():
        return "marimo"
    if find_spec("IPython") is not None:
        from IPython import get_ipython

        if getattr(get_ipython(), "kernel", None) is not None:
            return "jupyter"
    return None


def _seen(thing: Any, fps: float | None, substeps: int | None) -> tuple[str, Show | bytes]:
    """A title, and a show to be played, or a packed recording."""
    if isinstance(thing, str | Path):
        return _file(thing, fps, substeps)
    if isinstance(thing, World | Show):
        show = playable(thing, fps=fps, substeps=substeps)
        return show.title, show
    if isinstance(thing, Take):
        thing = Shot(thing)
    if isinstance(thing, Body):
        thing = shot_of_body(thing)
    if not isinstance(thing, Shot):
        wanted = "a World, a Body, a recording (pliant.record) or a file such as shot.html"
        raise PliantError(f"show: cannot show a {type(thing).__name__}; give {wanted}")
    return thing.title, zlib.compress(b"".join(recorded.pack(thing)), 6)


def _file(thing: str | Path, fps: float | None, substeps: int | None) -> tuple[str, Show | bytes]:
    ending = Path(thing).suffix.lower()
    if str(thing).startswith(EXHIBIT_PREFIX) or ending == SCENE:
        show = playable(thing, fps=fps, substeps=substeps)
        return show.title or show.name, show
    if ending == PAGE_ENDING:
        return Path(thing).stem, read_recording(thing)
    if ending in BAKED:
        page = f"pliant bake SCENE -o {Path(thing).stem}.html"
        raise FileError(f"{thing}: {ending} cannot be shown in a notebook; bake a page: {page}")
    from pliant.volume import load

    return _seen(load(thing), fps, substeps)
