"""Pictures of soft bodies: many passes with hard shadows, added up (see lights.py)."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.runtime.errors import PliantError
from pliant.session.render import shaders
from pliant.session.render.batch import Batch, gather
from pliant.session.render.context import open_context
from pliant.session.render.draw_list import DrawList, SurfacePrograms, TextureStore, assign
from pliant.session.render.lights import Samples, Studio, sample
from pliant.session.render.palette import linear, rgb
from pliant.session.render.picture import Picture
from pliant.session.render.view import View

Array = NDArray[np.float64]

LARGEST_TARGET = 16384  # pixels that every OpenGL 3.3 driver of today takes
SCREEN_CORNERS = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float32)
GROUND_REACH = 9.0  # of the action's radius: where the ground has faded into the wall


class Renderer:
    """Draws stills of one size. `passes`: 64 for a good one. Films have a renderer of their own.

    >>> from pliant.session.render import Camera, Drawable, View, meshes
    >>> view = View([Drawable.of(meshes.sphere((0, 1, 0)))], Camera(eye=(0, 2, 8), target=(0, 1, 0)))
    >>> with Renderer(64, 48, passes=2) as renderer:
    ...     renderer.draw(view).shape
    (48, 64, 3)
    """

    def __init__(
        self, width: int, height: int, passes: int = 64, shadow_size: int = 1024, studio: Studio | None = None
    ) -> None:
        sizes = {"width": width, "height": height, "passes": passes, "shadow_size": shadow_size}
        for name, value in sizes.items():
            if not 1 <= value <= LARGEST_TARGET:
                raise PliantError(f"renderer: {name} is {value}; it must lie between 1 and {LARGEST_TARGET}")
        self.width, self.height, self.passes, self.shadow_size = width, height, passes, shadow_size
        self.studio = studio or Studio()
        self._gl = open_context()
        self._gl.gc_mode = "context_gc"
        try:
            self._make_programs()
            self._make_targets()
        except Exception as error:  # moderngl raises bare Exceptions
            self.close()
            raise PliantError(f"renderer: OpenGL refuses {width} x {height} pixels ({error})") from error

    def __enter__(self) -> Renderer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the GPU's memory back; the renderer cannot draw any more."""
        if self._gl is not None:
            self._gl.gc()
            self._gl.release()
            self._gl = None

    def draw(self, view: View) -> Picture:
        """The picture, (height, width, 3) sRGB bytes, first row on top."""
        if self._gl is None:
            raise PliantError("renderer: it is closed; make a new one")
        with self._gl:
            batch = gather(view.drawables)
            samples = sample(self.studio, view.camera, self.passes)
            programs = {"surface": self._surfaces}
            drawn = DrawList(self._gl, batch, self._palette, programs, self._depth, self._holed, self._line)
            drawn.face(view.camera.axes()[2])
            self._set_constants(view, batch, samples)
            self._sum.clear()
            for index in range(self.passes):
                self._shadows(drawn, samples, index)
                self._pass(view, drawn, samples, index)
                self._add()
            picture = self._resolve()
            del drawn
            self._gl.gc()  # frees what the line above let go
        return picture

    def _make_programs(self) -> None:
        def program(vertex: str, fragment: str) -> Any:
            return self._gl.program(vertex_shader=vertex.strip(), fragment_shader=fragment.strip())

        self._depth = program(shaders.DEPTH_VERTEX, shaders.DEPTH_FRAGMENT)
        self._holed = program(shaders.HOLED_VERTEX, shaders.HOLED_FRAGMENT)
        self._surfaces = SurfacePrograms(self._gl, shaders.SURFACE_VERTEX, shaders.SURFACE_FRAGMENT)
        self._palette = TextureStore(self._gl)
        self._line = program(shaders.LINE_VERTEX, shaders.LINE_FRAGMENT)
        self._ground = program(shaders.GROUND_VERTEX, shaders.GROUND_FRAGMENT)
        self._adder = program(shaders.SCREEN_VERTEX, shaders.ADD_FRAGMENT)
        self._resolver = program(shaders.SCREEN_VERTEX, shaders.RESOLVE_FRAGMENT)
        corners = self._gl.buffer(SCREEN_CORNERS.tobytes())
        self._quads = {
            each: self._gl.vertex_array(each, [(corners, "2f", "in_corner")])
            for each in (self._ground, self._adder, self._resolver)
        }

    def _make_targets(self) -> None:
        gl, size, square = self._gl, (self.width, self.height), (self.shadow_size, self.shadow_size)
        self._one_texture = gl.texture(size, 4, dtype="f2")
        self._one = gl.framebuffer([self._one_texture], gl.depth_renderbuffer(size))
        self._sum_texture = gl.texture(size, 4, dtype="f4")
        self._sum = gl.framebuffer([self._sum_texture])
        self._final = gl.framebuffer([gl.renderbuffer(size, 3)])
        self._maps = []
        for _ in ("key", "sky"):
            texture = gl.depth_texture(square)
            texture.compare_func = "<="
            texture.filter = (gl.LINEAR, gl.LINEAR)  # with a comparison: the share of four texels that is lit
            texture.repeat_x = texture.repeat_y = False
            self._maps.append((texture, gl.framebuffer(depth_attachment=texture)))

    def _set_constants(self, view: View, batch: Batch, samples: Samples) -> None:
        wall = {"low": linear(rgb(view.backdrop.low)), "high": linear(rgb(view.backdrop.high))}
        open_light = samples.on_ground()
        texel = 2.0 * batch.radius / self.shadow_size
        height = view.ground.height if view.ground else 0.0
        for program in (*self._surfaces, self._ground):
            assign(program, key_map=0, sky_map=1, texel=texel)
        for program in self._surfaces:
            assign(program, eye=view.camera.eye, bounce=0.5 * open_light * wall["low"], fill=0.07 * open_light)
            assign(program, floor_height=height, floor_reach=0.5 * batch.radius if view.ground else 0.0)
        assign(self._resolver, passes=float(self.passes), size=(self.width, self.height), **wall)
        assign(self._ground, size=(self.width, self.height), open_light=open_light, **wall)
        centre = (batch.centre[0], height, batch.centre[2])
        grid = (view.ground.grid or 0.0) if view.ground else 0.0
        assign(self._ground, centre=centre, reach=GROUND_REACH * batch.radius, grid=grid)

    def _shadows(self, drawn: DrawList, samples: Samples, index: int) -> None:
        gl, batch = self._gl, drawn.batch
        gl.enable_only(gl.DEPTH_TEST)
        for (_, target), name in zip(self._maps, ("key", "sky"), strict=True):
            direction: Array = getattr(samples, name)[index]
            matrix = columns(light_matrix(direction, batch.centre, batch.radius, samples.turn[index]))
            target.use()
            target.clear()
            drawn.cast_shadows(matrix)
            for program in (*self._surfaces, self._ground):
                values = {"direction": direction, "light": getattr(samples, f"{name}_light")[index], "matrix": matrix}
                assign(program, **{f"{name}_{key}": value for key, value in values.items()})

    def _pass(self, view: View, drawn: DrawList, samples: Samples, index: int) -> None:
        gl, size, batch = self._gl, np.array([self.width, self.height]), drawn.batch
        gl.enable_only(gl.DEPTH_TEST)
        self._one.use()
        self._one.clear()
        distance = float(np.linalg.norm(np.subtract(view.camera.eye, batch.centre)))
        near, far = max(0.02 * distance, 1e-3 * batch.radius), distance + 2.0 * GROUND_REACH * batch.radius
        shift = 2.0 * samples.shift[index] / size
        lens = view.camera.projection_matrix(self.width / self.height, near, far, (shift[0], shift[1]))
        matrix = columns(lens @ view.camera.view_matrix())
        for slot, (texture, _) in enumerate(self._maps):
            texture.use(slot)
        for program in (*self._surfaces, self._ground, self._line):
            assign(program, view=matrix)
        drawn.draw("surface")
        if view.ground:
            self._quads[self._ground].render(gl.TRIANGLE_STRIP)
        # Last what blends with that behind it.
        gl.enable(gl.BLEND)
        gl.blend_func = gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE  # alpha stays the coverage
        drawn.draw_lines()
        if drawn.see_through:
            gl.blend_func = gl.ONE, gl.ONE_MINUS_SRC_ALPHA
            self._one.depth_mask = False
            drawn.draw("surface", transparent=True)
            self._one.depth_mask = True
        gl.disable(gl.BLEND)

    def _add(self) -> None:
        gl = self._gl
        gl.enable_only(gl.BLEND)
        gl.blend_func = gl.ONE, gl.ONE
        self._sum.use()
        self._one_texture.use(0)
        self._quads[self._adder].render(gl.TRIANGLE_STRIP)

    def _resolve(self) -> Picture:
        gl = self._gl
        gl.enable_only(gl.NOTHING)
        self._final.use()
        self._sum_texture.use(0)
        self._quads[self._resolver].render(gl.TRIANGLE_STRIP)
        data = self._final.read(components=3, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(self.height, self.width, 3)[::-1].copy()


def columns(matrix: Array) -> bytes:
    return matrix.T.astype(np.float32).tobytes()  # OpenGL reads matrices column by column


def light_matrix(direction: Array, centre: Array, radius: float, turn: float) -> Array:
    """World to the clip space of a light that shines along -direction on a ball, its map turned by `turn`."""
    away = np.zeros(3)
    away[np.argmin(np.abs(direction))] = 1.0
    side = np.cross(away, direction)
    side /= np.linalg.norm(side)
    up = np.cross(direction, side)
    matrix = np.eye(4)
    matrix[0, :3] = np.cos(turn) * side + np.sin(turn) * up
    matrix[1, :3] = np.cos(turn) * up - np.sin(turn) * side
    matrix[2, :3] = -direction
    matrix[:3, :3] /= 1.02 * radius
    matrix[:3, 3] = -matrix[:3, :3] @ centre
    return matrix
