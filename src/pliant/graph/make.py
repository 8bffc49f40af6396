"""From any body to its graph of oriented particles."""

import numpy as np

from pliant.body.body import Body
from pliant.body.skin import Skin
from pliant.graph.binding import Web, bound, ridden, web_of
from pliant.graph.cells import Indices, pieces, summed
from pliant.graph.edges import edges_of
from pliant.graph.ellipsoids import Ellipsoids
from pliant.graph.graph import Graph
from pliant.graph.lloyd import middles
from pliant.graph.order import in_order
from pliant.graph.sampling import shared_out
from pliant.graph.shares import owners_of, shares_of
from pliant.graph.sides import sides_of
from pliant.runtime.errors import BodyError

MOST_NODES = 2000  # particles: beyond, a body needs no graph but its own particles
GRAPHS_KEPT = 8  # graphs of a body


def graph_of(body: Body, particles: int, seed: int = 0) -> Graph:
    """The graph of a body with exactly this many oriented particles, spread evenly. The same for the same seed.

    Each stands for a share of the body, and takes its centre of mass, mass and covariance; edges join shares that
    touch, and know the sides these have in common. Poses, groups and skin come along. The graph is remembered as long
    as the body lives.

    >>> from pliant.shapes import cuboid
    >>> graph_of(cuboid(size=(1, 1, 10), cells=(2, 2, 20)), 20)
    Graph "cuboid": 20 particles, 19 edges, 1e+04 kg, poses: none
    """
    wanted = _checked(body, particles, seed)
    graphs: dict[tuple[int, int], Graph] = body.__dict__.setdefault("_graphs", {})  # goes when the body goes
    graph = graphs.get((wanted, int(seed)))
    if graph is None:
        graph = _made(body, wanted, int(seed))
        while len(graphs) >= GRAPHS_KEPT:
            graphs.pop(next(iter(list(graphs))), None)
        graphs[wanted, int(seed)] = graph
    return graph


def _checked(body: Body, particles: int, seed: int) -> int:
    if isinstance(body, Graph):
        raise BodyError(f'graph "{body.name}" is one already; make another from its source')
    if not _whole(particles) or not 1 <= particles <= MOST_NODES:
        wanted = f"{particles!r} particles wanted; give a whole number from 1 to {MOST_NODES}"
        raise BodyError(f'body "{body.name}": {wanted}')
    if not _whole(seed) or seed < 0:
        raise BodyError(f'body "{body.name}": the seed is {seed!r}; give a whole number from 0')
    return int(particles)


def _whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def _made(body: Body, count: int, seed: int) -> Graph:
    neighbours = np.concatenate([body.elements[:, [0, k]] for k in range(1, body.elements.shape[1])])
    parts = int(pieces(neighbours, len(body.rest)).max()) + 1
    if count < parts:
        raise BodyError(
            f'body "{body.name}" is in {parts} pieces and {count} particles are wanted; give at least one a piece'
        )
    cells, share = shared_out(body, count, seed)
    share = np.argsort(in_order(middles(cells, share, count), edges_of(cells, share, count), body.kind))[share]
    edges = edges_of(cells, share, count)
    web = web_of(middles(cells, share, count), edges)
    owners = owners_of(cells, share, count)
    shares = shares_of(body, cells, share, count, ridden(web, body.rest, owners))
    volumes = summed(share, cells.volumes, count)
    return Graph(
        web.centres,
        edges=edges,
        ellipsoids=Ellipsoids.of_covariances(shares.covariances, volumes),
        poses=dict(body.poses),
        density=body.density,
        skin=_skin(body.skin, web, owners),
        name=body.name,
        groups={name: np.unique(owners[chosen]) for name, chosen in body.groups.items()},
        source=body,
        shares=shares,
        sides=sides_of(cells, share, count, body.thickness).of_edges(edges),
    )


def _skin(skin: Skin, web: Web, owners: Indices) -> Skin:
    """The body's skin on the graph. A vertex belongs to the share of the particle it rides on most."""
    leading = np.take_along_axis(skin.indices, np.argmax(skin.weights, axis=1)[:, None], axis=1)[:, 0]
    looks = {name: getattr(skin, name) for name in ("uv", "colours", "look", "twins")}
    return bound(web, skin.vertices, owners[leading], skin.faces, **looks)
