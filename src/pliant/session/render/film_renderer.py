"""Pictures for films: drawn once each, with soft shadows from a few lights (see film_shaders.py)."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import numpy as np

from pliant.runtime.errors import PliantError
from pliant.session.render import film_shaders, shaders
from pliant.session.render.batch import gather, gather_moving
from pliant.session.render.context import open_context
from pliant.session.render.draw_list import DrawList, SurfacePrograms, TextureStore, assign
from pliant.session.render.figure import Company
from pliant.session.render.film_lights import BORDER, QUALITIES, Ball, Lighting
from pliant.session.render.lights import Studio
from pliant.session.render.palette import linear, rgb
from pliant.session.render.picture import Picture
from pliant.session.render.renderer import GROUND_REACH, LARGEST_TARGET, SCREEN_CORNERS, columns
from pliant.session.render.view import Ground, View

# Texture units: the map of shadows as it is compared and as it is read, and what changes from pass to pass.
SHADE, DEPTHS, FIRST_UNIT, SECOND_UNIT = 0, 1, 2, 3
DEPTH_CLAMP = 0x864F  # OpenGL's number for it; moderngl has no name


class FilmRenderer:
    """Draws views of one size, one after another. What is the same as in the view before is not brought to OpenGL
    again: of bodies that move only vertices and normals.

    >>> from pliant.session.render import Camera, Drawable, View, meshes
    >>> view = View([Drawable.of(meshes.sphere((0, 1, 0)))], Camera(eye=(0, 2, 8), target=(0, 1, 0)))
    >>> with FilmRenderer(64, 48, "draft") as renderer:
    ...     renderer.draw(view).shape
    (48, 64, 3)
    """

    def __init__(self, width: int, height: int, quality: str = "good", studio: Studio | None = None) -> None:
        for name, value in (("width", width), ("height", height)):
            if not 1 <= value <= LARGEST_TARGET:
                raise PliantError(f"renderer: {name} is {value}; it must lie between 1 and {LARGEST_TARGET}")
        if quality not in QUALITIES:
            raise PliantError(f'film: quality is {quality!r}; give "good" or "draft"')
        self.width, self.height, self.quality = width, height, QUALITIES[quality]
        self.studio = studio or Studio()
        self._companies: dict[int, tuple[Company, DrawList]] = {}
        self._gl = open_context()
        self._gl.gc_mode = "context_gc"
        try:
            self._make_programs()
            self._make_targets()
        except Exception as error:  # moderngl raises bare Exceptions
            self.close()
            reason = " ".join(str(error).split())
            raise PliantError(f"renderer: OpenGL refuses {width} x {height} pixels ({reason})") from error

    def __enter__(self) -> FilmRenderer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the GPU's memory back; the renderer cannot draw any more."""
        if self._gl is not None:
            self._companies.clear()
            self._gl.gc()
            self._gl.release()
            self._gl = None

    def draw(self, view: View, ball: Ball | None = None, stage: int = 0) -> Picture:
        """The picture, (height, width, 3) sRGB bytes, first row on top.

        `ball`: where the light is worked out; it should be the same size in all views of a film. `stage`: views that
        are drawn in turns, such as films side by side, have numbers, so that each finds its bodies again.
        """
        if self._gl is None:
            raise PliantError("renderer: it is closed; make a new one")
        with self._gl:
            drawn = self._draw_list(view, ball, stage)
            drawn.face(view.camera.axes()[2])
            around = ball or Ball(drawn.batch.centre, drawn.batch.radius)
            lighting = Lighting(self.studio, view.camera, around, self.quality)
            self._set_constants(view, lighting)
            self._shadows(drawn, lighting)
            if view.ground:
                self._patches(view.ground, lighting)
            self._lamp(drawn)
            self._pass(view, drawn)
            picture = self._resolve()
            self._gl.gc()
        return picture

    def _draw_list(self, view: View, ball: Ball | None, stage: int) -> DrawList:
        company, drawn = self._companies.get(stage, (None, None))
        if company is not None and drawn is not None and company.knows(view.drawables):
            drawn.move(gather_moving(company.finer(view.drawables), drawn.batch.order))
            return drawn
        if company is None:
            company = Company(ball.radius if ball else gather(view.drawables).radius)
        company.meet(view.drawables)
        finer = company.finer(view.drawables)
        batch = gather(finer)
        casters = company.casters(batch, finer)
        programs = {"surface": self._surfaces, "points": self._points}
        drawn = DrawList(self._gl, batch, self._palette, programs, self._depth, self._holed, self._line, casters)
        self._companies[stage] = company, drawn
        return drawn

    def _make_programs(self) -> None:
        q = self.quality

        def program(vertex: str, fragment: str) -> Any:
            return self._gl.program(vertex_shader=vertex.strip(), fragment_shader=fragment.strip())

        def lit(text: str) -> str:
            return film_shaders.sized(text, q.keys, q.skies, q.key_taps, q.sky_taps)

        self._depth = program(shaders.DEPTH_VERTEX, shaders.DEPTH_FRAGMENT)
        self._holed = program(shaders.HOLED_VERTEX, shaders.HOLED_FRAGMENT)
        self._line = program(shaders.LINE_VERTEX, shaders.LINE_FRAGMENT)
        vertex, fragment = lit(film_shaders.FILM_SURFACE_VERTEX), lit(film_shaders.FILM_SURFACE_FRAGMENT)
        self._surfaces = SurfacePrograms(self._gl, vertex, fragment)
        self._points = SurfacePrograms(self._gl, film_shaders.POINT_VERTEX, film_shaders.POINT_FRAGMENT)
        self._lamp_seer = program(film_shaders.FAR_VERTEX, lit(film_shaders.LAMP_FRAGMENT))
        self._lamp_patcher = program(film_shaders.PATCH_VERTEX, lit(film_shaders.PATCH_LAMP_FRAGMENT))
        self._sky_patcher = program(film_shaders.PATCH_VERTEX, lit(film_shaders.PATCH_SKY_FRAGMENT))
        self._blur = program(shaders.SCREEN_VERTEX, film_shaders.BLUR_FRAGMENT)
        self._ground = program(shaders.GROUND_VERTEX, film_shaders.FILM_GROUND_FRAGMENT)
        self._resolver = program(shaders.SCREEN_VERTEX, shaders.RESOLVE_FRAGMENT)
        self._palette = TextureStore(self._gl)
        corners = self._gl.buffer(SCREEN_CORNERS.tobytes())
        flat = self._lamp_seer, self._lamp_patcher, self._sky_patcher, self._blur, self._resolver, self._ground
        self._quads = {each: self._gl.vertex_array(each, [(corners, "2f", "in_corner")]) for each in flat}

    def _make_targets(self) -> None:
        gl, q, size = self._gl, self.quality, (self.width, self.height)
        samples = min(q.samples, gl.max_samples)
        self._many = gl.framebuffer(
            [gl.renderbuffer(size, 4, samples=samples, dtype="f2")], gl.depth_renderbuffer(size, samples=samples)
        )
        self._places = gl.texture(size, 4, dtype="f4"), gl.texture(size, 4, dtype="f2")
        nearest = gl.depth_renderbuffer(size)
        self._place_target = gl.framebuffer(list(self._places), nearest)
        self._seen = gl.texture(size, 4, dtype="f2")
        self._seen_target = gl.framebuffer([self._seen], nearest)
        self._one_texture = gl.texture(size, 4, dtype="f2")
        self._one = gl.framebuffer([self._one_texture])
        self._final = gl.framebuffer([gl.renderbuffer(size, 3)])
        self._map = gl.depth_texture((q.atlas, q.atlas))
        self._map_target = gl.framebuffer(depth_attachment=self._map)
        smooth = {"repeat_x": False, "repeat_y": False, "filter": (gl.LINEAR, gl.LINEAR)}
        self._compared = gl.sampler(compare_func="<=", **smooth)  # the share of four texels that is lit
        self._bare = gl.sampler(repeat_x=False, repeat_y=False, filter=(gl.NEAREST, gl.NEAREST))
        self._patch_targets = {}
        for name, side in (("lamp", q.lamp_patch), ("sky", q.sky_patch)):
            pair = []
            for _ in ("rough", "smooth"):
                texture = gl.texture((side, side), 4, dtype="f2")
                texture.repeat_x = texture.repeat_y = False
                pair.append((texture, gl.framebuffer([texture])))
            self._patch_targets[name] = pair

    def _set_constants(self, view: View, lighting: Lighting) -> None:
        size, ball, camera = (self.width, self.height), lighting.ball, view.camera
        wall = {"low": linear(rgb(view.backdrop.low)), "high": linear(rgb(view.backdrop.high))}
        lookups = {"shade": SHADE, "depths": DEPTHS, **lighting.uniforms}
        for program in (*self._surfaces, self._lamp_seer, self._lamp_patcher, self._sky_patcher):
            assign(program, **lookups)
        distance = float(np.linalg.norm(np.subtract(camera.eye, ball.centre)))
        near, far = max(0.02 * distance, 1e-3 * ball.radius), distance + 2.0 * GROUND_REACH * ball.radius
        matrix = columns(camera.projection_matrix(size[0] / size[1], near, far) @ camera.view_matrix())
        for program in (*self._points, *self._surfaces, self._lamp_seer, self._ground, self._line):
            assign(program, view=matrix, eye=camera.eye, middle=(distance, ball.radius))
        light = lighting.open_light
        for program in self._surfaces:
            assign(program, bounce=0.5 * light * wall["low"], fill=0.07 * light, lamp_seen=FIRST_UNIT)
            assign(program, key_colour=lighting.key_colour, key_axis=lighting.key_axis, sky_colour=lighting.sky_colour)
            floor = (view.ground.height, 0.5 * ball.radius) if view.ground else (0.0, 0.0)
            assign(program, floor_height=floor[0], floor_reach=floor[1])
        assign(self._lamp_seer, places=FIRST_UNIT, facings=SECOND_UNIT)
        assign(self._resolver, source=FIRST_UNIT, passes=1.0, size=size, **wall)
        assign(self._blur, source=FIRST_UNIT)
        assign(self._ground, size=size, open_light=light, open_lamp=lighting.open_lamp, **wall)
        assign(self._ground, key_colour=lighting.key_colour, lamp_patch=FIRST_UNIT, sky_patch=SECOND_UNIT)

    def _shadows(self, drawn: DrawList, lighting: Lighting) -> None:
        gl, target = self._gl, self._map_target
        gl.enable_only(gl.DEPTH_TEST)
        target.use()
        target.viewport = (0, 0, *target.size)
        target.scissor = None
        target.clear()
        gl.enable_direct(DEPTH_CLAMP)  # what stands nearer to a light than the ball throws its shade all the same
        for tile in lighting.tiles:
            (x, y), size = tile.place, tile.size
            target.viewport = (x, y, size, size)
            target.scissor = (x + BORDER, y + BORDER, size - 2 * BORDER, size - 2 * BORDER)
            drawn.cast_shadows(tile.matrix, tile.casters)
        gl.disable_direct(DEPTH_CLAMP)

    def _use_lights(self) -> None:
        for slot, sampler in ((SHADE, self._compared), (DEPTHS, self._bare)):
            self._map.use(slot)
            sampler.use(slot)

    def _free_lights(self) -> None:
        for slot, sampler in ((SHADE, self._compared), (DEPTHS, self._bare)):
            sampler.clear(slot)

    def _patches(self, ground: Ground, lighting: Lighting) -> None:
        """The light on the ground, in two small maps."""
        gl = self._gl
        gl.enable_only(gl.NOTHING)
        lamp, sky = lighting.patches(ground.height)
        self._use_lights()
        for name, patch, program in (("lamp", lamp, self._lamp_patcher), ("sky", sky, self._sky_patcher)):
            assign(program, middle=patch.middle, along=patch.along, across=patch.across)
            assign(self._ground, **{f"{name}_place": patch.matrix()})
            self._patch_targets[name][0][1].use()
            self._quads[program].render(gl.TRIANGLE_STRIP)
        self._free_lights()
        for (rough, _), (_, smooth) in self._patch_targets.values():
            smooth.use()
            rough.use(FIRST_UNIT)
            self._quads[self._blur].render(gl.TRIANGLE_STRIP)
        reach = float(sky.along[0])
        assign(self._ground, centre=sky.middle, patch_reach=reach, grid=ground.grid or 0.0)
        # Without lines on it the ground beyond its shadows is the wall.
        assign(self._ground, reach=GROUND_REACH * lighting.ball.radius if ground.grid else reach)

    def _lamp(self, drawn: DrawList) -> None:
        """How much of the lamp each pixel's surface sees."""
        gl = self._gl
        gl.enable_only(gl.DEPTH_TEST)
        self._place_target.use()
        self._place_target.clear()
        drawn.draw("points")
        self._seen_target.use()
        self._seen_target.depth_mask = False
        self._seen_target.clear(0.0, 0.0, 100.0, 0.0)  # nothing there: far from everything
        gl.depth_func = ">"
        for slot, texture in zip((FIRST_UNIT, SECOND_UNIT), self._places, strict=True):
            texture.use(slot)
        self._use_lights()
        self._quads[self._lamp_seer].render(gl.TRIANGLE_STRIP)
        self._free_lights()
        gl.depth_func = "<"

    def _pass(self, view: View, drawn: DrawList) -> None:
        gl = self._gl
        gl.enable_only(gl.DEPTH_TEST)
        self._many.use()
        self._many.clear()
        self._seen.use(FIRST_UNIT)
        self._use_lights()
        drawn.draw("surface")
        self._free_lights()
        if view.ground:
            for slot, name in ((FIRST_UNIT, "lamp"), (SECOND_UNIT, "sky")):
                self._patch_targets[name][1][0].use(slot)
            self._quads[self._ground].render(gl.TRIANGLE_STRIP)
        # Last what blends with that behind it.
        gl.enable(gl.BLEND)
        gl.blend_func = gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE  # alpha stays the coverage
        drawn.draw_lines()
        if drawn.see_through:
            gl.blend_func = gl.ONE, gl.ONE_MINUS_SRC_ALPHA
            self._many.depth_mask = False
            self._use_lights()
            drawn.draw("surface", transparent=True)
            self._free_lights()
            self._many.depth_mask = True
        gl.disable(gl.BLEND)

    def _resolve(self) -> Picture:
        gl = self._gl
        gl.copy_framebuffer(self._one, self._many)
        gl.enable_only(gl.NOTHING)
        self._final.use()
        self._one_texture.use(FIRST_UNIT)
        self._quads[self._resolver].render(gl.TRIANGLE_STRIP)
        data = self._final.read(components=3, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(self.height, self.width, 3)[::-1].copy()
