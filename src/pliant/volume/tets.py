"""A mesh of tets as a file gave it: checked, and drawn by its own faces or its boundary."""

import numpy as np
from numpy.typing import NDArray

from pliant.files.asset import Asset
from pliant.geometry.binding import bind
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.embedding import locate
from pliant.geometry.measures import volumes
from pliant.geometry.nearest import barycentric_in_tet
from pliant.runtime.errors import FileError
from pliant.volume.dirty import examine
from pliant.volume.draft import Binding, Draft, direct_fit, point_areas, worth_keeping

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

FLAT = 1e-9  # of the cube of the longest edge: a tet below it has no volume


def tets_of(asset: Asset) -> Draft:
    """The tets of an asset as a solid. Its nodes become the particles, those without a tet are left out."""
    nodes, tets, notes = _checked(asset)
    used, compact = np.unique(tets, return_inverse=True)
    rest, elements = nodes[used], compact.reshape(-1, 4).astype(np.int32)
    if len(used) < len(nodes):
        notes.append(f"{len(nodes) - len(used):,} of {len(nodes):,} nodes belong to no tet and were left out")
    faces = asset.faces if len(asset.faces) else used[boundary_triangles(elements)].astype(np.int32)
    drawn, which = np.unique(faces, return_inverse=True)
    skin_faces = which.reshape(-1, 3).astype(np.int32)
    binding = _bound(nodes[drawn], skin_faces, drawn, used, rest, elements)
    facts, _ = examine(len(drawn), nodes[drawn], skin_faces)
    poses, more = worth_keeping(nodes, asset.poses)
    shares = point_areas(nodes[drawn], skin_faces)
    fits, kept = [], {}
    for name, pose in poses.items():
        reached = np.einsum("nk,nkx->nx", binding.weights, pose[used][binding.slots])
        fit = direct_fit(name, rest, elements, pose[used], pose[drawn], reached, shares)
        fits.append(fit)
        if fit.usable:
            kept[name] = pose[used]
        else:
            more.append(f'pose "{name}" was left out, it is {fit.verdict}: {fit.remedy}')
    return Draft(
        rest,
        elements,
        binding,
        drawn.astype(np.int32),
        np.arange(len(drawn), dtype=np.int32),
        skin_faces,
        facts,
        poses=kept,
        fits=tuple(fits),
        notes=[*notes, *more],
        nodes=used.astype(np.int32),
    )


def _checked(asset: Asset) -> tuple[Array, Indices, list[str]]:
    """Nodes and tets of positive volume, and what was mended."""
    nodes, tets = asset.vertices, np.asarray(asset.tets, dtype=np.int32)
    if len(tets) == 0:
        raise FileError(f"{asset.source}: there is no tet in it; give at least one")
    size = volumes(nodes, tets)
    corners = nodes[tets]
    longest = np.linalg.norm(corners[:, :, None] - corners[:, None, :], axis=3).max(axis=(1, 2))
    flat = np.flatnonzero(np.abs(size) <= FLAT * longest**3)
    if len(flat):
        names = ", ".join(map(str, tets[flat[0]].tolist()))
        raise FileError(
            f"{asset.source}: tet {flat[0]} (nodes {names}, counted from 0) has no volume, and so have "
            f"{len(flat) - 1} more of {len(tets)}; remove them, or move their nodes apart and mesh again"
        )
    turned = size < 0
    notes = [f"{int(turned.sum()):,} of {len(tets):,} tets were inside out and turned"] if turned.any() else []
    return nodes, np.where(turned[:, None], tets[:, [0, 2, 1, 3]], tets), notes


def _bound(points: Array, faces: Indices, numbers: Indices, used: Indices, rest: Array, tets: Indices) -> Binding:
    """A drawn node rides on itself. If all drawn vertices are others, they are bound smoothly; if only some are, each
    rides on the nearest tet, in line with the nodes next to it."""
    place = np.minimum(np.searchsorted(used, numbers), len(used) - 1)
    foreign = np.flatnonzero(used[place] != numbers)
    if len(foreign) == len(points):
        return Binding(*bind(points, faces, rest, tets, locate(points, rest, tets).elements))
    slots = np.repeat(place[:, None], 4, axis=1).astype(np.int32)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(points), 1))
    if len(foreign):
        at = locate(points[foreign], rest, tets)
        slots[foreign] = tets[at.elements]
        weights[foreign] = barycentric_in_tet(points[foreign], rest[slots[foreign]])
    return Binding(slots, weights)
