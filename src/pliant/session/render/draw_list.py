"""What OpenGL holds of the drawables: their vertices, faces and pictures, and the calls that draw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pliant.session.render import shaders
from pliant.session.render.batch import Batch, Group, back_to_front
from pliant.session.render.textures import WRAP_MODES, Texture

SRGB_ALPHA = 0x8C43  # OpenGL's number for sRGB colours with alpha: decoded and filtered as light
ANISOTROPY = 4.0  # sharp on slanted surfaces; more is slow in software
PICTURE_SLOT = 4  # texture unit; the lower ones are the lights'
MOVING_FORMAT = "3f 3f", "in_position", "in_normal"
FIXED_FORMAT = "3f 3f 4f 2f", "in_colour", "in_inside", "in_look", "in_uv"

Casters: TypeAlias = "dict[str, tuple[NDArray[np.int32], NDArray[np.int32]]]"  # faces of closed and of open surfaces


class TextureStore:
    """The pictures that OpenGL holds; each is brought there once."""

    def __init__(self, gl: Any) -> None:
        self.gl = gl
        self.held: dict[int, tuple[Texture, Any]] = {}
        self.white = gl.texture((1, 1), 4, b"\xff" * 4)

    def use(self, texture: Texture | None, program: Any) -> None:
        """The texture is what the program paints with."""
        found = self.white if texture is None else self._of(texture)
        found.use(PICTURE_SLOT)
        wrap = (0, 0) if texture is None else tuple(WRAP_MODES.index(way) for way in texture.wrap)
        assign(program, picture=PICTURE_SLOT, wrap=wrap)

    def _of(self, texture: Texture) -> Any:
        if id(texture) not in self.held:
            height, width = texture.pixels.shape[:2]
            data = np.ascontiguousarray(texture.pixels).tobytes()
            made = self.gl.texture((width, height), 4, data, internal_format=SRGB_ALPHA)
            made.build_mipmaps()
            made.filter = self.gl.LINEAR_MIPMAP_LINEAR, self.gl.LINEAR
            made.anisotropy = min(ANISOTROPY, self.gl.max_anisotropy)
            self.held[id(texture)] = texture, made  # the texture too, or its id would go to another
        return self.held[id(texture)][1]


class SurfacePrograms:
    """The programs that draw surfaces in one way: plain ones, those with a picture, with holes, and transparent ones.
    What a name defines is told where the shaders are."""

    KINDS: ClassVar[tuple[tuple[str, ...], ...]] = ((), ("PICTURED",), ("PICTURED", "HOLED"), ("PICTURED", "CLEAR"))

    def __init__(self, gl: Any, vertex: str, fragment: str) -> None:
        self.kinds = {
            defines: gl.program(vertex_shader=vertex.strip(), fragment_shader=shaders.variant(fragment, *defines))
            for defines in self.KINDS
        }

    def __iter__(self) -> Any:
        return iter(self.kinds.values())

    @staticmethod
    def kind(group: Group) -> tuple[str, ...]:
        """Which of them draws a group."""
        if group.alpha != "opaque":
            return "PICTURED", "HOLED" if group.alpha == "mask" else "CLEAR"
        return () if group.texture is None else ("PICTURED",)


class DrawList:
    """A batch in OpenGL's memory. `casters`: faces that cast shadows in place of the batch's own opaque ones, by
    name, each a pair (closed, open); without them the opaque faces of the batch are all called "all"."""

    def __init__(
        self,
        gl: Any,
        batch: Batch,
        palette: TextureStore,
        surfaces: dict[str, SurfacePrograms],
        depth: Any,
        holed: Any,
        line: Any = None,
        casters: Casters | None = None,
    ) -> None:
        self.gl, self.batch, self.palette, self.holed = gl, batch, palette, holed
        self.points = batch.moving[:, :3]
        if not len(batch.faces):
            self.empty = True
            return
        self.empty = False
        self._moving = gl.buffer(batch.moving.tobytes(), dynamic=True)
        self._fixed, self._faces = gl.buffer(batch.fixed.tobytes()), gl.buffer(batch.faces.tobytes())
        layout = [(self._moving, *MOVING_FORMAT), (self._fixed, *FIXED_FORMAT)]
        self._drawn = {
            (name, kind): gl.vertex_array(program, layout, self._faces, skip_errors=True)
            for name, ways in surfaces.items()
            for kind, program in ways.kinds.items()
        }
        self._holed = gl.vertex_array(holed, layout, self._faces, skip_errors=True)
        solid = [group for group in batch.groups if group.alpha == "opaque"]
        if casters is None:
            casters = {"all": (batch.faces[:0], batch.faces[: solid[-1].last if solid else 0])}
        self._casters: dict[str, list[tuple[bool, Any]]] = {}
        for name, (closed, bare) in casters.items():
            self._casters[name] = [
                (culled, gl.vertex_array(depth, layout, gl.buffer(faces.tobytes()), skip_errors=True))
                for culled, faces in ((True, closed), (False, bare))
                if len(faces)
            ]
        self._lines = None
        if len(batch.edges) and line is not None:
            self._lines = gl.vertex_array(line, layout, gl.buffer(batch.edges.tobytes()), skip_errors=True)

    def move(self, moving: NDArray[np.float32]) -> None:
        """The same surfaces elsewhere."""
        self.points = moving[:, :3]
        if not self.empty:
            self._moving.write(moving.tobytes())

    def face(self, towards: Sequence[float] | NDArray[Any]) -> None:
        """Puts transparent faces in order for an eye in that direction."""
        for group in self.batch.groups:
            if group.alpha == "blend":
                faces = back_to_front(self.batch.faces[group.first : group.last], self.points, np.asarray(towards))
                self._faces.write(faces.tobytes(), offset=12 * group.first)

    def cast_shadows(self, light: bytes, name: str = "all") -> None:
        """Draws what casts shadows, as a light sees it."""
        if self.empty:
            return
        gl = self.gl
        for culled, array in self._casters[name]:
            # Of a closed surface the sides that face the light are enough.
            (gl.enable if culled else gl.disable)(gl.CULL_FACE)
            assign(array.program, light=light)
            array.render()
        gl.disable(gl.CULL_FACE)
        for group in self.batch.groups:
            if group.alpha != "opaque":
                self.palette.use(group.texture, self.holed)
                assign(self.holed, light=light, cutoff=group.cutoff)
                self._holed.render(vertices=3 * (group.last - group.first), first=3 * group.first)

    def draw(self, name: str, transparent: bool = False) -> None:
        """Draws the surfaces that hide what is behind them, or those that do not, with the programs of that name."""
        if self.empty:
            return
        for group in self.batch.groups:
            if (group.alpha == "blend") == transparent:
                array = self._drawn[name, SurfacePrograms.kind(group)]
                self.palette.use(group.texture, array.program)
                assign(array.program, cutoff=group.cutoff, has_inside=float(not group.closed))
                array.render(vertices=3 * (group.last - group.first), first=3 * group.first)

    def draw_lines(self) -> bool:
        """Draws the edges of those that want them; whether there were any."""
        if self.empty or self._lines is None:
            return False
        self._lines.render(self.gl.LINES)
        return True

    @property
    def see_through(self) -> bool:
        return any(group.alpha == "blend" for group in self.batch.groups)


def assign(program: Any, **values: Any) -> None:
    """Sets the uniforms of a program; those that its variant has no use for are passed over."""
    for name, value in values.items():
        uniform = program.get(name, None)
        if uniform is None:
            continue
        if isinstance(value, bytes):
            uniform.write(value)
        else:
            uniform.value = tuple(np.asarray(value).tolist()) if np.ndim(value) else value
