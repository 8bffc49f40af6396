"""The body: everything about a soft thing that does not move."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import checks
from pliant.body.checks import Poses, Positions
from pliant.body.skin import Skin
from pliant.geometry.measures import diagonal, element_volumes, lumped_masses
from pliant.geometry.selection import Selection, select
from pliant.runtime.errors import BodyError

if TYPE_CHECKING:
    from pliant.body.report import Report, Sees

Array = NDArray[np.float64]

THICKNESS = 0.01  # of the diagonal: shells and rods whose thickness is not given


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Body:
    """A rest shape with elements, masses, a skin and example poses; frozen, and checked when made.

    rest (V, 3) m; elements (E, 4) tets, (E, 3) triangles or (E, 2) segments, and kind "solid", "shell" or
    "rod" accordingly; masses (V,) kg; poses: name -> (V, 3) m, in the order given; groups: name -> particle
    indices; density kg/m^3; thickness m, of a shell or rod (a round bar), None for solids.

    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> body = Body(corners, tets=[[0, 1, 2, 3]], density=600.0, name="tent")
    >>> body = body.with_pose("flat", lambda rest: rest * (1, 0.5, 1))
    >>> body
    Body "tent": solid, 4 particles, 1 tet, 100 kg, poses: flat
    """

    name: str
    rest: Array
    elements: NDArray[np.int32]
    kind: str
    masses: Array
    poses: Mapping[str, Array]
    groups: Mapping[str, NDArray[np.int32]]
    skin: Skin
    density: float
    thickness: float | None

    def __init__(
        self,
        rest: ArrayLike,
        *,
        tets: ArrayLike | None = None,
        triangles: ArrayLike | None = None,
        segments: ArrayLike | None = None,
        poses: Poses | None = None,
        density: float = 1000.0,
        skin: Skin | None = None,
        name: str = "body",
        groups: Mapping[str, Selection] | Iterable[tuple[str, Selection]] | None = None,
        thickness: float | None = None,
    ) -> None:
        what = f'body "{checks.one_line(name, "a body")}"'
        shape = checks.floats(rest, f"{what}: rest")
        elements = checks.mesh(shape, tets, triangles, segments, what)
        kind = checks.KIND_BY_CORNERS[elements.shape[1]]
        density = checks.positive(density, f"{what}: the density", "kg/m^3")
        if kind == "solid" and thickness is not None:
            raise BodyError(f"{what}: the thickness is {thickness!r} but a solid has none; leave it out")
        if kind != "solid":
            thickness = THICKNESS * diagonal(shape) if thickness is None else thickness
            thickness = checks.positive(thickness, f"{what}: the thickness", "m")
        named_poses = checks.named(poses, "pose", what)
        named_groups = checks.named(groups, "group", what)

        def keep(field: str, value: Any) -> None:
            object.__setattr__(self, field, value)

        keep("name", name)
        keep("rest", shape)
        keep("elements", elements)
        keep("kind", kind)
        keep("density", density)
        keep("thickness", thickness)
        keep("masses", checks.frozen(lumped_masses(shape, elements, density, thickness), np.float64))
        poses_kept = {k: checks.pose(v, shape, f'{what}: pose "{k}"') for k, v in named_poses.items()}
        keep("poses", MappingProxyType(poses_kept))
        groups_kept = {
            k: checks.frozen(select(v, shape, f'{what}: group "{k}"'), np.int32)
            for k, v in named_groups.items()
        }
        keep("groups", MappingProxyType(groups_kept))
        keep("skin", self._checked_skin(skin))

    def _checked_skin(self, skin: Skin | None) -> Skin:
        if skin is None:
            return Skin.of_elements(self.rest, self.elements, self.kind, self.thickness)
        if skin.indices.size and skin.indices.max() >= len(self.rest):
            vertex = int(np.flatnonzero((skin.indices >= len(self.rest)).any(axis=1))[0])
            raise BodyError(
                f'body "{self.name}": skin vertex {vertex} rides on particle {skin.indices[vertex].max()}, '
                f"there are {len(self.rest)}; bind the skin to this body's rest and elements with Skin.bind"
            )
        return skin

    def _arguments(self) -> dict[str, Any]:
        return {
            "rest": self.rest,
            {4: "tets", 3: "triangles", 2: "segments"}[self.elements.shape[1]]: self.elements,
            "poses": dict(self.poses),
            "density": self.density,
            "skin": self.skin,
            "name": self.name,
            "groups": dict(self.groups),
            "thickness": self.thickness,
        }

    def _with(self, **changes: Any) -> "Body":
        return Body(**(self._arguments() | changes))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew, so that they are checked and read-only like the original."""
        return _remade, (self._arguments(),)

    def with_pose(self, name: str, positions: Positions) -> "Body":
        """This body with one more example pose: (V, 3) positions, or a function of the rest positions."""
        return self._with(poses=[*self.poses.items(), (name, positions)])

    def without_pose(self, name: str) -> "Body":
        """This body without the example pose of that name."""
        self._known(name, self.poses, "pose")
        return self._with(poses={k: v for k, v in self.poses.items() if k != name})

    def with_group(self, name: str, selection: Selection) -> "Body":
        """This body with one more named group of particles."""
        return self._with(groups=[*self.groups.items(), (name, selection)])

    def with_skin(self, skin: Skin) -> "Body":
        """This body drawn with another skin."""
        return self._with(skin=skin)

    def scaled(self, factor: float) -> "Body":
        """This body, its skin and its poses `factor` times as large, at the same density."""
        factor = checks.positive(factor, f'body "{self.name}": the scale', "times")
        return self._with(
            rest=self.rest * factor,
            poses={k: v * factor for k, v in self.poses.items()},
            skin=self.skin.scaled(factor),
            thickness=None if self.thickness is None else self.thickness * factor,
        )

    def with_mass(self, mass: float) -> "Body":
        """This body of another mass (kg), and so of another density."""
        mass = checks.positive(mass, f'body "{self.name}": the mass', "kg")
        return self._with(density=self.density * mass / self.mass)

    def surface(self, pose: str) -> Array:
        """The drawn vertices (N, 3) in an example pose."""
        self._known(pose, self.poses, "pose")
        return self.skin.deform(self.poses[pose])

    def report(self, *settings: "Sees") -> "Report":
        """The quality of the example poses: print it, or read its `findings`.  settings: of models that are to play it,
        such as ShapeMatching(); then it tells which poses these cannot see."""
        from pliant.body.report import report  # the report reads bodies, so it cannot come first

        return report(self, settings)

    @property
    def tets(self) -> NDArray[np.int32] | None:
        return self.elements if self.kind == "solid" else None

    @property
    def triangles(self) -> NDArray[np.int32] | None:
        return self.elements if self.kind == "shell" else None

    @property
    def segments(self) -> NDArray[np.int32] | None:
        return self.elements if self.kind == "rod" else None

    @property
    def pose_names(self) -> tuple[str, ...]:
        return tuple(self.poses)

    @property
    def volume(self) -> float:
        """Volume of the material (m^3); shells and rods by their thickness."""
        return float(element_volumes(self.rest, self.elements, self.thickness).sum())

    @property
    def mass(self) -> float:
        """Total mass (kg)."""
        return float(self.masses.sum())

    @property
    def size(self) -> Array:
        """Edges of the bounding box of the rest shape (3,) in metres."""
        return np.ptp(self.rest, axis=0)

    def _known(self, name: str, things: Mapping[str, Any], noun: str) -> None:
        if name not in things:
            names = ", ".join(f'"{k}"' for k in things) or "none"
            raise BodyError(f'body "{self.name}" has no {noun} "{name}"; it has {names}')

    def __repr__(self) -> str:
        noun = checks.ELEMENTS[self.elements.shape[1]]
        count = len(self.elements)
        return (
            f'Body "{self.name}": {self.kind}, {len(self.rest)} particles, {count} {noun}{"s"[: count - 1]}, '
            f"{self.mass:.4g} kg, poses: {', '.join(self.poses) or 'none'}"
        )


def _remade(arguments: dict[str, Any]) -> Body:
    return Body(**arguments)
