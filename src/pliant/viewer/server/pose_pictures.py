"""Small pictures of example poses, drawn once in a thread of their own; without OpenGL there are none."""

import base64
import hashlib
import io
import logging
import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pliant.body import Body
from pliant.files.whole import whole_file
from pliant.runtime.errors import PliantError

if TYPE_CHECKING:
    from pliant.session.render.renderer import Renderer

log = logging.getLogger("pliant.viewer")

POSE_WIDTH, POSE_HEIGHT, PASSES = 184, 138, 12  # pixels
MOST_PICTURES = 300  # pictures that are kept


class PosePictures:
    """`of` gives an address of a picture (a data URL), or "" until it is drawn; ask again later."""

    def __init__(self) -> None:
        self._drawn: OrderedDict[str, str] = OrderedDict()
        self._wanted: dict[str, tuple[Body, str | None]] = {}
        self._files: dict[str, Path] = {}  # where a picture is to be written, too
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.impossible = False

    def of(self, body: Body, pose: str | None) -> str:
        """Of a pose, or of the body at rest."""
        key = _key(body, pose)
        with self._lock:
            if key in self._drawn or self.impossible:
                return self._drawn.get(key, "")
            self._wanted[key] = (body, pose)
            if self._thread is None:
                self._thread = threading.Thread(target=self._draw_all, name="pliant-pictures", daemon=True)
                self._thread.start()
        return ""

    def write(self, body: Body, pose: str | None, path: Path) -> None:
        """Have a picture written to a file, as soon as it is drawn."""
        key = _key(body, pose)
        with self._lock:
            drawn = self._drawn.get(key)
            if drawn is None:
                self._files[key] = path
        if drawn is not None:
            _write(drawn, path)
        else:
            self.of(body, pose)

    def _draw_all(self) -> None:
        try:
            self._draw()
        except PliantError as error:
            log.info("no pictures of poses: %s", error)
            self.impossible = True
        except Exception:
            log.exception("pictures of poses cannot be drawn")
            self.impossible = True
        with self._lock:
            self._thread = None

    def _draw(self) -> None:
        from pliant.session.render.renderer import Renderer

        with Renderer(POSE_WIDTH, POSE_HEIGHT, passes=PASSES) as renderer:
            while True:
                with self._lock:
                    if not self._wanted:
                        return
                    key, (body, pose) = next(iter(self._wanted.items()))
                picture = _picture(renderer, body, pose)
                with self._lock:
                    self._drawn[key] = picture
                    del self._wanted[key]
                    file = self._files.pop(key, None)
                    while len(self._drawn) > MOST_PICTURES:
                        self._drawn.popitem(last=False)
                if file is not None:
                    _write(picture, file)


def _key(body: Body, pose: str | None) -> str:
    shape = body.rest if pose is None else body.poses[pose]
    return hashlib.blake2b(body.skin.vertices.tobytes() + shape.tobytes()).hexdigest()


def _write(picture: str, path: Path) -> None:
    with suppress(PliantError), whole_file(path) as temporary:
        temporary.write_bytes(base64.b64decode(picture.partition(",")[2]))


def _picture(renderer: "Renderer", body: Body, pose: str | None) -> str:
    from PIL import Image

    from pliant.graph import Graph
    from pliant.session.render.stage import Stage
    from pliant.world import Frame

    def alone(pose: str | None) -> Frame:
        shape = body.rest if pose is None else body.poses[pose]
        rotations = {}
        if isinstance(body, Graph):
            upright = np.tile([0.0, 0.0, 0.0, 1.0], (len(shape), 1))
            rotations = {body.name: upright if pose is None else body.turns[pose]}
        return Frame(0.0, {body.name: shape}, rotations=rotations, bodies=stage.bodies)

    stage = Stage({body.name: body})
    everything = [alone(each) for each in (None, *body.poses)]  # all poses at the same scale
    camera = stage.camera(everything, None, POSE_WIDTH / POSE_HEIGHT)
    pixels = renderer.draw(stage.view(alone(pose), camera))
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=88)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()


POSE_PICTURES = PosePictures()
