"""The graph: a body as a few ellipsoids that move and turn, joined by edges."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import checks
from pliant.body.body import Body
from pliant.body.checks import Poses, Positions
from pliant.body.skin import Skin
from pliant.geometry.selection import Selection, select
from pliant.geometry.turning import quaternions
from pliant.graph.drawing import drawn_ellipsoids
from pliant.graph.ellipsoids import Ellipsoids
from pliant.graph.shares import Shares
from pliant.graph.sides import Sides
from pliant.graph.turns import fitted_rotations, turned_shares
from pliant.runtime.errors import BodyError

if TYPE_CHECKING:
    from pliant.body.report import Report, Sees

Array = NDArray[np.float64]
Turns = Mapping[str, ArrayLike]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Graph(Body):
    """A body as a graph of oriented particles, frozen and checked like any body. Usually made with `graph_of`.

    rest (N, 3) m: the centres of mass of the shares; elements (E, 2): edges, the lower number first, sorted; kind
    "graph"; masses (N,) kg; poses: name -> (N, 3) m; turns: name -> (N, 4), the rotation of each particle in that
    pose since rest, as quaternions x, y, z, w; ellipsoids: the shares' axes and radii; skin: of kind "oriented";
    source: the body it was made from, shares: how it is shared out, sides: what the shares of an edge have in common;
    all None when made by hand.

    >>> ball = Ellipsoids([np.eye(3)] * 2, [[0.5, 0.5, 0.5]] * 2)
    >>> pair = Graph([[0, 0, 0], [1, 0, 0]], edges=[[0, 1]], ellipsoids=ball, name="pair")
    >>> pair.with_pose("upright", [[0, 0, 0], [0, 1, 0]]).turns["upright"][0].round(3).tolist()
    [0.0, 0.0, 0.707, 0.707]
    """

    ellipsoids: Ellipsoids
    turns: Mapping[str, Array]
    source: Body | None
    shares: Shares | None
    sides: Sides | None

    def __init__(
        self,
        rest: ArrayLike,
        *,
        edges: ArrayLike,
        ellipsoids: Ellipsoids,
        poses: Poses | None = None,
        turns: Turns | None = None,
        density: float = 1000.0,
        skin: Skin | None = None,
        name: str = "graph",
        groups: Mapping[str, Selection] | Iterable[tuple[str, Selection]] | None = None,
        source: Body | None = None,
        shares: Shares | None = None,
        sides: Sides | None = None,
    ) -> None:
        what = f'graph "{checks.one_line(name, "a graph")}"'

        def keep(field: str, value: Any) -> None:
            object.__setattr__(self, field, value)

        keep("name", name)
        keep("rest", checks.floats(rest, f"{what}: rest"))
        keep("elements", _checked_edges(edges, len(self.rest), what))
        keep("kind", "graph")
        keep("density", checks.positive(density, f"{what}: the density", "kg/m^3"))
        keep("thickness", None)
        if len(ellipsoids) != len(self.rest):
            raise BodyError(f"{what}: {len(ellipsoids)} ellipsoids for {len(self.rest)} particles; give one each")
        keep("ellipsoids", ellipsoids)
        keep("masses", checks.frozen(self.density * ellipsoids.volumes, np.float64))
        keep("source", source)
        keep("shares", shares)
        keep("sides", sides)
        self._keep_poses(checks.named(poses, "pose", what), turns or {}, what)
        named = checks.named(groups, "group", what).items()
        chosen = {k: checks.frozen(select(v, self.rest, f'{what}: group "{k}"'), np.int32) for k, v in named}
        keep("groups", MappingProxyType(chosen))
        keep("skin", self._checked_skin(skin))

    def _keep_poses(self, poses: Mapping[str, Positions], turns: Turns, what: str) -> None:
        for name in turns:
            if name not in poses:
                raise BodyError(f'{what}: turns for a pose "{name}" that is not there; add the pose, too')
        centres, rotations = {}, {}
        for name, positions in poses.items():
            centres[name], rotations[name] = self._posed(positions, turns.get(name), f'{what}: pose "{name}"')
        object.__setattr__(self, "poses", MappingProxyType(centres))
        object.__setattr__(self, "turns", MappingProxyType(rotations))

    def _posed(self, positions: Positions, turns: ArrayLike | None, what: str) -> tuple[Array, Array]:
        given = checks.floats(positions(self.rest.copy()) if callable(positions) else positions, what)
        if self.shares is not None and len(given) == len(self.shares.rest) != len(self.rest) and turns is None:
            centres, found = self.gather(given)
            return checks.frozen(centres, np.float64), checks.frozen(found, np.float64)
        if len(given) != len(self.rest):
            or_source = "" if self.shares is None else f", or one for each of the source's {len(self.shares.rest)}"
            raise BodyError(
                f"{what} has {len(given)} positions, the graph {len(self.rest)} particles; "
                f"give one (x, y, z) per particle{or_source}"
            )
        if turns is None:
            fitted = quaternions(fitted_rotations(self.rest, given, self.elements, self.ellipsoids))
            return given, checks.frozen(fitted, np.float64)
        q = checks.floats(turns, f"{what}: turns", 4)
        length = np.linalg.norm(q, axis=1, keepdims=True)
        if len(q) != len(self.rest) or (length < 1e-6).any():
            raise BodyError(
                f"{what}: turns must be {len(self.rest)} unit quaternions x, y, z, w; give one per particle"
            )
        exact = np.abs(length - 1) < 1e-12  # left as they are, so that copies of copies stay the same
        return given, checks.frozen(np.where(exact, q, q / length), np.float64)

    def _checked_skin(self, skin: Skin | None) -> Skin:
        if skin is None:
            return drawn_ellipsoids(self.rest, self.ellipsoids)
        if skin.kind != "oriented" or skin.pivots is None or len(skin.pivots) != len(self.rest):
            raise BodyError(
                f'graph "{self.name}": the skin is of kind "{skin.kind}"; '
                f'give one of kind "oriented" with {len(self.rest)} pivots, or set it on the source'
            )
        return skin

    def _arguments(self) -> dict[str, Any]:
        return {
            "rest": self.rest,
            "edges": self.elements,
            "ellipsoids": self.ellipsoids,
            "poses": dict(self.poses),
            "turns": dict(self.turns),
            "density": self.density,
            "skin": self.skin,
            "name": self.name,
            "groups": dict(self.groups),
            "source": self.source,
            "shares": self.shares,
            "sides": self.sides,
        }

    def _with(self, **changes: Any) -> "Graph":
        return Graph(**(self._arguments() | changes))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew, so that they are checked and read-only like the original."""
        return _remade, (self._arguments(),)

    def with_pose(self, name: str, positions: Positions, turns: ArrayLike | None = None) -> "Graph":
        """This graph with one more example pose.

        (N, 3) positions of its particles, or a function of their rest; then with their `turns` (N, 4), which are
        fitted where they are not given. Or (V, 3) positions of the source's particles, which are gathered (where both
        are as many, they count as this graph's own: gather first).
        """
        given = {} if turns is None else {name: turns}
        return self._with(poses=[*self.poses.items(), (name, positions)], turns={**self.turns, **given})

    def without_pose(self, name: str) -> "Graph":
        """This graph without the example pose of that name."""
        self._known(name, self.poses, "pose")
        poses, turns = ({k: v for k, v in each.items() if k != name} for each in (self.poses, self.turns))
        return self._with(poses=poses, turns=turns)

    def with_group(self, name: str, selection: Selection) -> "Graph":
        """This graph with one more named group of particles."""
        return self._with(groups=[*self.groups.items(), (name, selection)])

    def with_skin(self, skin: Skin) -> "Graph":
        """This graph drawn with another skin of kind "oriented"."""
        return self._with(skin=skin)

    def scaled(self, factor: float) -> "Graph":
        """This graph, its skin, its poses and its source `factor` times as large, at the same density."""
        factor = checks.positive(factor, f'graph "{self.name}": the scale', "times")
        return self._with(
            rest=self.rest * factor,
            ellipsoids=self.ellipsoids.scaled(factor),
            poses={k: v * factor for k, v in self.poses.items()},
            skin=self.skin.scaled(factor),
            source=None if self.source is None else self.source.scaled(factor),
            shares=None if self.shares is None else self.shares.scaled(factor),
            sides=None if self.sides is None else self.sides.scaled(factor),
        )

    def surface(self, pose: str) -> Array:
        """The drawn vertices in an example pose."""
        self._known(pose, self.poses, "pose")
        return self.skin.deform(self.poses[pose], self.turns[pose])

    def report(self, *settings: "Sees") -> "Report":
        """The quality of the example poses, as the source shows them (a graph made by hand: as its edges do)."""
        from pliant.body.report import report

        if self.source is not None:
            at = self.source.poses
            poses = {k: at[k] if k in at else self.spread(v, self.turns[k]) for k, v in self.poses.items()}
            return report(self.source._with(poses=poses, name=self.name), settings, self)
        if len(np.unique(self.elements)) < len(self.rest):
            raise BodyError(f'graph "{self.name}": a particle without an edge shows no deformation; join it to another')
        width = 2 * float(self.ellipsoids.radii.mean())
        edges = Body(self.rest, segments=self.elements, poses=dict(self.poses), thickness=width, name=self.name)
        return report(edges, settings, self)

    def gather(self, positions: ArrayLike) -> tuple[Array, Array]:
        """Centres (N, 3) m and turns (N, 4) of the particles when those of the source are at `positions` (V, 3)."""
        centres, moments = self._known_shares().gather(positions)
        return centres, quaternions(turned_shares(moments, self.elements, self.ellipsoids))

    def spread(self, centres: ArrayLike, turns: ArrayLike) -> Array:
        """Where the source's particles (V, 3) ride when this graph's are at `centres` (N, 3), turned by (N, 4)."""
        return self._known_shares().riding.deform(centres, turns)

    def chosen(self, selection: Selection) -> NDArray[np.int64]:
        """Its particles whose shares are mostly in a selection of the source's particles; of a graph that was made by
        hand, a selection of its own."""
        if self.source is None or self.shares is None:
            return select(selection, self.rest, f'graph "{self.name}": selection').astype(np.int64)
        mask = np.zeros(len(self.source.rest))
        mask[select(selection, self.source.rest, f'graph "{self.name}": selection')] = 1.0
        return np.flatnonzero(self.shares.means @ mask > 0.5)

    def of_source(self, particles: ArrayLike) -> NDArray[np.int64]:
        """The source's particles in the shares of some of its own; those themselves where it was made by hand."""
        mine = np.asarray(particles, dtype=np.int64)
        return mine if self.shares is None else np.flatnonzero(np.isin(self.shares.owners, mine))

    def _known_shares(self) -> Shares:
        if self.shares is None:
            raise BodyError(f'graph "{self.name}" was made by hand and has no source; make one with graph_of')
        return self.shares

    @property
    def edges(self) -> NDArray[np.int32]:
        return self.elements

    @property
    def volume(self) -> float:
        """Volume of the material (m^3)."""
        return float(self.ellipsoids.volumes.sum())

    def __repr__(self) -> str:
        particles, edges = len(self.rest), len(self.elements)
        return (
            f'Graph "{self.name}": {particles} particle{"s"[: particles - 1]}, {edges} edge{"s"[: edges ^ 1]}, '
            f"{self.mass:.4g} kg, poses: {', '.join(self.poses) or 'none'}"
        )


def _checked_edges(edges: ArrayLike, count: int, what: str) -> NDArray[np.int32]:
    given = np.asarray(edges)
    pairs = checks.indices(
        given.reshape(0, 2).astype(np.int32) if given.size == 0 else given, f"{what}: edges", 2, count
    )
    loops = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(loops):
        raise BodyError(f"{what}: edge {loops[0]} joins particle {pairs[loops[0], 0]} to itself; remove it")
    return checks.frozen(np.unique(np.sort(pairs, axis=1), axis=0), np.int32)


def _remade(arguments: dict[str, Any]) -> Graph:
    return Graph(**arguments)
