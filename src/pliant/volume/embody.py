"""From an asset to a body: particles, a skin that rides on them, groups, and the poses that can be reached."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body.body import Body
from pliant.body.skin import Skin
from pliant.files.asset import Asset
from pliant.files.colour import to_srgb
from pliant.files.reading import one_line
from pliant.geometry.boundary import boundary_triangles
from pliant.runtime.errors import BodyError, FileError, PliantError
from pliant.volume.dirty import MeshFacts
from pliant.volume.draft import Draft, Progress
from pliant.volume.filling.fit import Fit
from pliant.volume.grouping import particle_groups
from pliant.volume.welding import twins

Indices = NDArray[np.int32]

KINDS = ("solid", "shell", "rod")
MESHERS = ("lattice", "wild")
PARTICLES = 600
DENSITY = 1000.0  # kg/m^3, of water
MOST_PARTICLES = 200_000
SMALLEST, LARGEST = 1e-6, 1e6  # metres across: beyond these squares and cubes of lengths lose their digits


@dataclass(frozen=True, eq=False)
class Embodied:
    """A body made of an asset, and what there is to say about it.

    fits: how near each pose came, also those that the body does not have because they are folded or mirrored.
    mesh: facts about the surface. notes: what was mended, left out or is unusual, one line each. cached: whether the
    particles were known from before. drawn (N,): for each vertex of the skin its number in the asset; None if the file
    held the whole body.
    """

    body: Body
    fits: tuple[Fit, ...]
    mesh: MeshFacts
    notes: tuple[str, ...]
    cached: bool
    drawn: Indices | None = None


def embody(
    asset: Asset,
    *,
    kind: str | None = None,
    particles: int = PARTICLES,
    mesher: str = "lattice",
    density: float | None = None,
    thickness: float | None = None,
    cache: bool = True,
    progress: Progress = None,
) -> Embodied:
    """The asset as a body of about `particles` particles.

    kind: "solid", "shell" or "rod"; left out, tets make a solid, segments a rod, and a surface is filled to a solid.
    mesher: how it is filled, "lattice" (built in) or "wild" (pytetwild, extra [tet]). density kg/m^3, 1000 if neither
    said nor in the file; thickness m, of shells and rods. cache: keep the result in the user's cache folder and take it
    from there. progress(done, all) is called on the way. A pose that is folded, mirrored or no pose at all is left out
    and noted; a file that holds a whole body keeps all of its own.
    """
    _check_options(asset, kind, particles, mesher)
    _check_size(asset)
    chosen = _kind(asset, kind)
    try:
        if asset.skin is not None:
            from pliant.volume.ready import ready

            body, facts = ready(asset, kind, density, thickness)
            return Embodied(body, (), facts, asset.notes, cached=False)
        draft = _draft(asset, chosen, particles, mesher, thickness, cache, progress)
        body = _body(asset, draft, DENSITY if density is None else density)
    except BodyError as error:
        raise FileError(f"{asset.source}: {error}") from error
    except PliantError:
        raise
    except MemoryError:
        raise FileError(f"{asset.source}: there is not enough memory for it; give fewer particles") from None
    except Exception as error:  # such as a matrix without an inverse, of a mesh of a kind not thought of
        what = one_line(error) or type(error).__name__
        raise FileError(f"{asset.source}: no body can be made of it ({what}); simplify or clean the mesh") from error
    return Embodied(body, tuple(draft.fits), draft.facts, (*asset.notes, *draft.notes), draft.cached, draft.drawn)


def _check_options(asset: Asset, kind: str | None, particles: int, mesher: str) -> None:
    if kind is not None and kind not in KINDS:
        raise FileError(f"{asset.source}: it cannot be loaded as {kind!r}; choose solid, shell or rod")
    if mesher not in MESHERS:
        raise FileError(f"{asset.source}: the mesher is {mesher!r}; choose lattice or wild")
    if not isinstance(particles, int | np.integer) or not 4 <= particles <= MOST_PARTICLES:
        raise FileError(f"{asset.source}: {particles!r} particles; give a whole number from 4 to {MOST_PARTICLES:,}")


def _check_size(asset: Asset) -> None:
    """That the model has a size with which one can calculate."""
    if len(asset.vertices) == 0:
        raise FileError(f"{asset.source}: there is no vertex in it; export a mesh")
    if not np.isfinite(asset.vertices).all():
        raise FileError(f"{asset.source}: some positions are not finite numbers; export it again")
    size = float(np.ptp(asset.vertices, axis=0).max())
    far = float(np.abs(asset.vertices).max())
    if not SMALLEST <= size <= LARGEST:
        raise FileError(
            f"{asset.source}: the model is {size:.3g} m across; scale it to between {SMALLEST:g} and {LARGEST:g} m"
        )
    if far > 1e6 * size:
        raise FileError(f"{asset.source}: the model is {far:.3g} m from the origin; move it there")


def _kind(asset: Asset, kind: str | None) -> str:
    if asset.tets is None and len(asset.faces) == 0:
        if asset.segments is None or len(asset.segments) == 0:
            raise FileError(f"{asset.source}: there is neither a face nor a tet nor an edge in it; export a mesh")
        if kind in ("solid", "shell"):
            raise FileError(f"{asset.source}: there are only edges in it, which make no {kind}; load it as a rod")
        return "rod"
    return kind or "solid"


def _draft(
    asset: Asset,
    chosen: str,
    particles: int,
    mesher: str,
    thickness: float | None,
    cache: bool,
    progress: Progress,
) -> Draft:
    """Modules come in when they are needed: most files take one way only."""
    if chosen == "solid" and asset.tets is not None:
        from pliant.volume.tets import tets_of

        return tets_of(asset)
    if chosen == "solid":
        from pliant.volume.solids import solid

        return solid(asset, particles, mesher, cache, progress)
    if asset.tets is not None and len(asset.faces) == 0:
        from dataclasses import replace

        asset = replace(asset, faces=boundary_triangles(np.asarray(asset.tets, dtype=np.int32)))
    if chosen == "shell":
        from pliant.volume.shell import shell

        return shell(asset, particles, thickness, cache, progress)
    from pliant.volume.rod import rod, wire

    if len(asset.faces) == 0:
        return wire(asset, thickness)
    return rod(asset, particles, thickness, cache, progress)


def _body(asset: Asset, draft: Draft, density: float) -> Body:
    binding, rows = draft.binding, draft.points
    if len(draft.faces):
        skin = Skin(
            asset.vertices[draft.drawn],
            draft.faces,
            binding.slots[rows],
            binding.weights[rows],
            None if binding.offsets is None else binding.offsets[rows],  # type: ignore[arg-type]
            None if binding.axes is None else binding.axes[rows],  # type: ignore[arg-type]
            draft.kind,
            uv=_rows(asset.uv, draft),
            colours=None if asset.colours is None else to_srgb(_rows(asset.colours, draft)),
            look=asset.look if len(asset.faces) == len(draft.faces) else None,
            twins=twins(rows, _rows(asset.normals, draft)),
        )
    else:
        skin = None
    elements = {4: "tets", 3: "triangles", 2: "segments"}[draft.elements.shape[1]]
    options: dict[str, Any] = {elements: draft.elements}
    return Body(
        draft.rest,
        poses=dict(draft.poses),
        density=density,
        skin=skin,
        name=asset.name or "body",
        groups=_groups(asset, draft),
        thickness=draft.thickness,
        **options,
    )


def _rows(values: Any, draft: Draft) -> Any:
    return None if values is None else values[draft.drawn]


def _groups(asset: Asset, draft: Draft) -> dict[str, Indices]:
    """The groups of the asset's vertices as groups of particles."""
    row = np.full(len(asset.vertices), -1)
    row[draft.drawn] = draft.points
    if draft.nodes is not None:  # particles that are vertices of the asset themselves
        number = np.full(len(asset.vertices), -1)
        number[draft.nodes] = np.arange(len(draft.nodes))
        own = {name: number[vertices][number[vertices] >= 0] for name, vertices in asset.groups.items()}
        return {name: np.unique(found).astype(np.int32) for name, found in own.items() if len(found)}
    groups = {name: row[vertices][row[vertices] >= 0].astype(np.int32) for name, vertices in asset.groups.items()}
    return particle_groups(groups, draft.binding, draft.elements, len(draft.rest))
