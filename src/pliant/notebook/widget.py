"""The widget: anywidget carries the viewport's scripts to the notebook, and messages between it and the kernel."""

import os
from base64 import b64encode
from typing import Any

import anywidget
import traitlets

from pliant.notebook.live import LiveWorld
from pliant.notebook.still import still, view_of_recording
from pliant.session.player import scripts
from pliant.session.player.unpacked import Unpacked

ENTRY_OF_WIDGET = "/viewport/widget.js"

# All players of a notebook share the modules: they are unpacked once.
SCRIPT = """{load}
const SCRIPTS = "{scripts}";
const modules = () => ((globalThis.pliantModules ??= {{}})["{digest}"] ??= load(SCRIPTS, "{entry}"));
export default {{
  async render(context) {{
    const {{ render }} = await modules();
    return render(context);
  }},
}};
"""

# Three outputs of a cell: the picture, this, and the player. Where there is a player the picture is hidden; where there
# is none, what JupyterLab says instead (text alone, in an element of this class).
SAVED = """<span class="pliant-saved"></span><style>
.jp-OutputArea-child:has(.pliant-saved),
.jp-OutputArea-child:has(+ .jp-OutputArea-child .pliant-saved):has(+ * + .jp-OutputArea-child .pliant-player),
.jp-OutputArea-child:has(.pliant-saved) + .jp-OutputArea-child .jupyter-widgets:not(:has(*)) { display: none }
</style>"""
ELSEWHERE = ("VSCODE_PID", "COLAB_RELEASE_TAG")  # notebooks with other styles: they would show both


def _script() -> str:
    packed = scripts.packed_scripts(ENTRY_OF_WIDGET)
    return SCRIPT.format(
        load=scripts.loader(), scripts=packed, digest=scripts.digest(packed), entry=ENTRY_OF_WIDGET
    )


class PlayerWidget(anywidget.AnyWidget):
    """A recording, or a world. In a saved notebook it is a picture."""

    _esm = _script()
    _css = scripts.css()
    title = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(420).tag(sync=True)  # pixels
    fps = traitlets.Float(60.0).tag(sync=True)
    playing = traitlets.Bool(True).tag(sync=True)  # from the beginning
    recording = traitlets.Bytes().tag(sync=True)  # deflated (recorded.py); empty for a world
    setup = traitlets.Bytes().tag(sync=True)  # of a world (setup.py)
    frame = traitlets.Bytes().tag(sync=True)  # of a world: that of the first moment (packing.py)

    def __init__(self, shown: LiveWorld | bytes, *, title: str, height: int, playing: bool, picture: bool) -> None:
        said: dict[str, Any] = {"title": title, "height": height, "playing": playing}
        self.live = shown if isinstance(shown, LiveWorld) else None
        self._picture = picture
        self._png: bytes | None = None
        if isinstance(shown, LiveWorld):
            said |= {"setup": shown.setup, "frame": shown.frame(), "fps": shown.show.fps}
        else:
            said["recording"] = shown
        super().__init__(**said)
        if self.live is not None:
            self.on_msg(self._obey)

    def refresh(self) -> None:
        """Show the world as it is now: for cells that change it while the view does not play."""
        if self.live is None:
            return
        if self.live.changed():
            self._recast()
        else:
            self.send({}, [self.live.frame()])

    def _obey(self, _: Any, said: Any, buffers: Any) -> None:
        assert self.live is not None
        if self.live.changed():
            self._recast()
        answer, frames = self.live.obey(said)
        if answer or frames:
            self.send(answer, frames)

    def _recast(self) -> None:
        assert self.live is not None
        self.live.look()
        with self.hold_sync():
            self.frame, self.setup = self.live.frame(), self.live.setup

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and a picture for whatever shows the notebook without a kernel."""
        found = super()._repr_mimebundle_(**kwargs)
        png = self._drawn()
        if png and found is not None:
            (found[0] if isinstance(found, tuple) else found)["image/png"] = png
        return found

    def _ipython_display_(self) -> None:
        """A picture and the widget, of which JupyterLab's styles show one. Of several forms of one output it would
        choose the widget, and without the kernel that it belonged to show an error in its place."""
        from IPython.display import display

        png = self._drawn()
        if png is None or any(name in os.environ for name in ELSEWHERE):
            raise NotImplementedError  # as IPython asks for it: the bundle is taken
        player = super()._repr_mimebundle_()
        display({"image/png": png}, raw=True)
        display({"text/html": SAVED, "text/plain": ""}, raw=True)
        display(player[0] if isinstance(player, tuple) else player, raw=True)

    def _drawn(self) -> str | None:
        """The picture, as notebooks keep it."""
        if self._picture and self._png is None:
            self._png = still(self.live.view() if self.live else view_of_recording(Unpacked(self.recording)))
        return b64encode(self._png).decode() if self._png else None

    def __repr__(self) -> str:
        what = "a world" if self.live is not None else "a recording"
        return f"Player of {what}" + (f' "{self.title}"' if self.title else "")
