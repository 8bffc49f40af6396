"""Small displacements and turns of a graph of beams, by one sparse solve, and of the same body by finite elements.

What is compared is the work of loads that are in balance: how far a body gives way, wherever it would be held."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, eye_array
from scipy.sparse.linalg import splu, spsolve

from pliant.body import Body
from pliant.graph import Graph
from pliant.graph.cells import cells_of
from pliant.models.oriented_particles import layout as at
from pliant.models.oriented_particles.beams import beams_of

Array = NDArray[np.float64]
HELD = 1e-11  # of the mean stiffness


def stiffness(graph: Graph) -> csc_array:
    """(6 N, 6 N) of a material of 1 Pa: displacement and turn of each particle, from the constants that a step uses."""
    net = beams_of(graph)
    once = net.owners < net.neighbours
    edges, i, j = net.edges[once], net.owners[once], net.neighbours[once]
    alpha = edges[:, at.BOTH]
    mine, other = (edges[:, place : place + 3] / alpha[:, None] for place in (at.OFFSET, at.BACK))
    turning = edges[:, :9].reshape(-1, 3, 3) - alpha[:, None, None] * other[:, :, None] * mine[:, None, :]
    turning = np.trace(turning, axis1=1, axis2=2)[:, None, None] * np.eye(3) - turning
    least = np.linalg.eigvalsh(turning)
    assert (least[:, 0] >= -1e-9 * least[:, 2]).all()  # no turn lowers the energy
    one = np.broadcast_to(np.eye(3), turning.shape)
    gap = np.concatenate([-one, crossed(mine), one, -crossed(other)], axis=2)
    turn = np.concatenate([0 * one, -one, 0 * one, one], axis=2)
    blocks = np.einsum("e,eki,ekj->eij", alpha, gap, gap) + np.einsum("eki,ekl,elj->eij", turn, turning, turn)
    numbers = np.concatenate([6 * i[:, None] + np.arange(6), 6 * j[:, None] + np.arange(6)], axis=1)
    return assembled(blocks, numbers, 6 * len(graph.rest))


def crossed(vectors: Array) -> Array:
    """(E, 3, 3) v times."""
    x, y, z = vectors.T
    return np.stack([0 * x, -z, y, z, 0 * x, -x, -y, x, 0 * x], axis=1).reshape(-1, 3, 3)


def elements_stiffness(body: Body) -> csc_array:
    """(3 V, 3 V) of linear tetrahedra of 1 Pa that do not narrow when they are stretched: energy |strain|^2 / 2."""
    corners = body.elements.astype(np.int64)
    sides = (body.rest[corners[:, 1:]] - body.rest[corners[:, :1]]).transpose(0, 2, 1)
    slopes = np.linalg.inv(sides)
    slopes = np.concatenate([-slopes.sum(axis=1, keepdims=True), slopes], axis=1)
    plain = np.einsum("tai,tbi->tab", slopes, slopes)[:, :, None, :, None] * np.eye(3)[:, None, :]
    both = (plain + np.einsum("tbi,taj->taibj", slopes, slopes)) / 2
    both *= np.abs(np.linalg.det(sides))[:, None, None, None, None] / 6
    numbers = (3 * corners[:, :, None] + np.arange(3)).reshape(-1, 12)
    return assembled(both.reshape(-1, 12, 12), numbers, 3 * len(body.rest))


def assembled(blocks: Array, numbers: NDArray[np.int64], size: int) -> csc_array:
    rows, columns = np.broadcast_to(numbers[:, :, None], blocks.shape), np.broadcast_to(numbers[:, None], blocks.shape)
    return csc_array((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(size, size))


def works(matrix: csc_array, places: Array, loads: list[Array]) -> list[float]:
    """Loads (N, 3) of forces or (N, 6) with moments, each times how the body gives way; without what would move it."""
    width = loads[0].shape[1]
    rigid = np.zeros((*loads[0].shape, 6))
    rigid[:, :3, :3] = np.eye(3)
    rigid[:, :3, 3:] = -crossed(places - places.mean(axis=0))
    rigid[:, 3:, 3:] = np.eye(3)[: width - 3]
    motions = np.linalg.qr(rigid.reshape(-1, 6))[0]
    # held by next to nothing: a load in balance does not pull at that
    held = matrix + HELD * float(matrix.diagonal().mean()) * eye_array(matrix.shape[0])
    lu = splu(held.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    forces = [each.reshape(-1) - motions @ (motions.T @ each.reshape(-1)) for each in loads]
    return [float(each @ lu.solve(each)) for each in forces]


def fields(body: Body) -> dict[str, Array]:
    """Forces per volume (V, 3) at the body's particles that stretch it, bend it both ways and twist it."""
    from_centre = body.rest - body.masses @ body.rest / body.mass
    axes = np.linalg.eigh((from_centre * body.masses[:, None]).T @ from_centre)[1][:, ::-1]
    long = (from_centre @ axes)[:, :1]
    first, second, third = axes.T
    across = from_centre - long * first  # all of these are the same whichever way an axis looks
    made = {
        "stretch": long * first,
        "bend": long**2 * third,
        "bend in its plane": long**2 * second,
        "twist": long * np.cross(first, across),
    }
    # in balance: without the part that is a rigid motion, each particle counting by its mass
    roots = np.repeat(np.sqrt(body.masses), 3)
    rigid = np.concatenate([np.broadcast_to(np.eye(3), (len(body.rest), 3, 3)), -crossed(from_centre)], axis=2)
    motions = np.linalg.qr(roots[:, None] * rigid.reshape(-1, 6))[0]
    weighted = {name: roots * field.reshape(-1) for name, field in made.items()}
    return {name: ((field - motions @ (motions.T @ field)) / roots).reshape(-1, 3) for name, field in weighted.items()}


def gives_way(body: Body, graph: Graph) -> dict[str, float]:
    """How much more a graph gives way to each load than finite elements do."""
    volumes, shares = graph.ellipsoids.volumes[:, None], graph.shares
    assert shares is not None
    loads = []
    for field in fields(body).values():
        moments = (shares.moments @ field).reshape(-1, 3, 3)
        turning = np.stack([moments[:, a, b] - moments[:, b, a] for a, b in ((1, 2), (2, 0), (0, 1))], axis=1)
        loads.append(np.concatenate([volumes * (shares.means @ field), volumes * turning], axis=1))
    found = works(stiffness(graph), graph.rest, loads)
    return {name: mine / theirs for (name, theirs), mine in zip(of_elements(body).items(), found, strict=True)}


@cache
def of_elements(body: Body) -> dict[str, float]:
    """Linear tetrahedra are too hard where they bend, by an eighth with eight across. That falls with the square of
    their size: so much is added to what a mesh gives whose edges were all halved."""
    cells = cells_of(body, len(body.elements) + 1)
    meshes = [body, Body(cells.points, tets=cells.corners, density=body.density)]
    coarse, fine = (
        works(elements_stiffness(mesh), mesh.rest, [field * volumes_of(mesh) for field in fields(mesh).values()])
        for mesh in meshes
    )
    return {name: c + (c - b) / 3 for name, b, c in zip(fields(body), coarse, fine, strict=True)}


def volumes_of(body: Body) -> Array:
    return (body.masses / body.density)[:, None]


def tip(graph: Graph, held: NDArray[np.bool_], loads: Array) -> Array:
    """(N, 6) displacements and turns of a graph of 1 Pa that is clamped at some of its particles."""
    free = np.flatnonzero(np.repeat(~held, 6))
    moved = np.zeros(loads.size)
    moved[free] = spsolve(stiffness(graph)[free][:, free], loads.reshape(-1)[free])
    return moved.reshape(loads.shape)
