"""Proxies: the contact spheres of a body, which stand for it where it touches other bodies.

Where does a sphere sit? One round a particle of the skin, as wide as half the spacing, would keep two skins a whole
spacing apart, which is seen on a coarse body. So the spheres of a solid lie inside and touch the skin from within: each
is attached to a particle of the skin that lies on it, and skins touch where they are drawn. The direction comes from
the anchor, a point of the solid below the particle, which moves with the corners of its tet: from the anchor to the
particle is outward, and that follows the deformation without a pass over triangles. Pushes act on the particle, as
those of obstacles do. (Pushing the anchor instead was tried: the particle dangles, its swinging changes the gap, and
bodies at rest hop.)

How wide? A hole between spheres on a triangle is as wide as its circumcircle, 0.58 of the edge of an even one and 0.5
of the longest of a right-angled one; with that as the radius nothing slips through, not even a point. Where a solid is
too thin for it the sphere is what fits, and flat pieces (separation_kernels) stand for the skin between the spheres.
At edges and corners there is no sphere, only the rims of the flat pieces that meet there.

A shell has no inside: it is covered by spheres round its particles and the middles of its edges, which halves the hole.
A rod has as many between its particles as make a row of balls as thick as it is. Particles that turn are ellipsoids
already; those are in the state."""

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.embedding import locate
from pliant.geometry.nearest import barycentric_in_tet
from pliant.geometry.normals import face_normals, vertex_normals
from pliant.graph import Graph

Array = NDArray[np.float64]
HOLE = 0.58  # of the longest edge: no triangle leaves a hole that is wider
FLAT_COSINE = 0.8  # cosine: a particle of the skin is on a flat piece if no triangle round it leans more
HOLLOW = 0.2  # sine: where the skin rises by more than this above a flat piece, the edge between them is hollow
MOST_BETWEEN = 6  # spheres on a segment of a rod
CLEAR = 0.9  # of the radius: how near to a centre the skin may be, where it is flat
WILDEST = 8.0  # weight of a corner of a tet that an anchor lies beside
SMALLEST_PROXY = 1e-6  # m: what has no size is given one


@dataclass(frozen=True, eq=False)
class Proxies:
    """S contact spheres: attachments, attachment_weights (S, 2): the one or two particles each is tied to; radii (S,)
    m, -1 for an ellipsoid; arms (S,) m: how far its centre lies behind its particle of the skin, 0 if it is no such;
    anchors and anchor_weights (S, 4): particles and weights of the point behind it; covers (S,) m: how far along the
    skin a sphere on a flat piece stands for it; bounds (S,) m round the centre; rest (S, 3) m; pad m: how far any of it
    reaches beyond the particles; thick m: how far half of them reach in every direction."""

    attachments: NDArray[np.uint32]
    attachment_weights: Array
    radii: Array
    arms: Array
    anchors: NDArray[np.uint32]
    anchor_weights: Array
    covers: Array
    bounds: Array
    rest: Array
    pad: float
    thick: float


_known: WeakKeyDictionary[Body, Proxies] = WeakKeyDictionary()


def proxies_of(body: Body) -> Proxies:
    """The contact spheres of a body, found once."""
    if body not in _known:
        _known[body] = _find(body)
    return _known[body]


def is_thin(body: Body) -> bool:
    """Whether it is a sheet or a rope, also where a few particles play it."""
    source = body.source if isinstance(body, Graph) and body.source is not None else body
    return source.kind in ("shell", "rod")


def _find(body: Body) -> Proxies:
    if isinstance(body, Graph):
        widest = np.maximum(body.ellipsoids.radii.max(axis=1), SMALLEST_PROXY)
        count = len(body.rest)
        thick = float(np.median(np.maximum(body.ellipsoids.radii.min(axis=1), SMALLEST_PROXY)))
        return _round(np.arange(count)[:, None], np.ones((count, 1)), np.full(count, -1.0), body.rest, widest, thick)
    if body.kind == "solid":
        return _solid(body)
    return _shell(body) if body.kind == "shell" else _rod(body)


def _round(
    attachments: Any,
    attachment_weights: Any,
    radii: Array,
    rest: Array,
    bounds: Array | None = None,
    thick: float = 0.0,
) -> Proxies:
    """Spheres without a skin of their own."""
    count, spare = len(radii), 2 - np.shape(attachments)[1]
    bounds = radii if bounds is None else bounds
    return Proxies(
        np.pad(np.asarray(attachments, np.uint32), ((0, 0), (0, spare)), mode="edge"),
        np.pad(np.asarray(attachment_weights, np.float64), ((0, 0), (0, spare))),
        radii, np.zeros(count), np.zeros((count, 4), np.uint32), np.zeros((count, 4)), np.zeros(count), bounds, rest,
        float(bounds.max(initial=0.0)), thick or float(np.median(radii)),
    )  # fmt: skip


def _shell(body: Body) -> Proxies:
    edges = _edges(body.elements)
    lengths = np.linalg.norm(body.rest[edges[:, 0]] - body.rest[edges[:, 1]], axis=1)
    longest = np.zeros(len(body.rest))
    for end in (0, 1):
        np.maximum.at(longest, edges[:, end], lengths)
    count = len(body.rest)
    attachments = np.concatenate([np.repeat(np.arange(count)[:, None], 2, axis=1), edges])
    attachment_weights = np.concatenate([np.tile([1.0, 0.0], (count, 1)), np.full((len(edges), 2), 0.5)])
    holes = 0.5 * HOLE * np.concatenate([longest, lengths])
    radii = np.maximum(np.maximum(holes, 0.5 * float(body.thickness or 0.0)), SMALLEST_PROXY)
    return _round(attachments, attachment_weights, radii, np.concatenate([body.rest, body.rest[edges].mean(axis=1)]))


def _rod(body: Body) -> Proxies:
    edges = np.asarray(body.elements)
    lengths = np.linalg.norm(body.rest[edges[:, 0]] - body.rest[edges[:, 1]], axis=1)
    thick = max(float(body.thickness or 0.0), SMALLEST_PROXY)
    attachments = [np.repeat(np.arange(len(body.rest))[:, None], 2, axis=1)]
    attachment_weights = [np.tile([1.0, 0.0], (len(body.rest), 1))]
    steps = np.clip(np.ceil(lengths / thick).astype(int), 1, MOST_BETWEEN + 1)
    for parts in np.unique(steps[steps > 1]):
        chosen = edges[steps == parts]
        for part in range(1, parts):
            attachments.append(chosen)
            attachment_weights.append(np.tile([1.0 - part / parts, part / parts], (len(chosen), 1)))
    all_riders, all_shares = np.concatenate(attachments), np.concatenate(attachment_weights)
    radius = max(0.5 * thick, 0.5 * float((lengths / steps).max(initial=0.0)))
    rest = np.einsum("sk,skj->sj", all_shares, body.rest[all_riders])
    return _round(all_riders, all_shares, np.full(len(rest), radius), rest)


def _edges(elements: NDArray[Any]) -> NDArray[Any]:
    pairs = np.concatenate([elements[:, [0, 1]], elements[:, [1, 2]], elements[:, [2, 0]]])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def _solid(body: Body) -> Proxies:
    rest, faces = body.rest, boundary_triangles(body.elements)
    normals, outward = face_normals(rest, faces), vertex_normals(rest, faces)
    longest, leaning = np.zeros(len(rest)), np.ones(len(rest))
    for corner in range(3):
        length = np.linalg.norm(rest[faces[:, corner]] - rest[faces[:, (corner + 1) % 3]], axis=1)
        for end in (corner, (corner + 1) % 3):
            np.maximum.at(longest, faces[:, end], length)
        np.minimum.at(leaning, faces[:, corner], np.einsum("fj,fj->f", normals, outward[faces[:, corner]]))
    skin = np.unique(faces)
    smooth = skin[leaning[skin] > FLAT_COSINE]
    rims, rim_normals = _rims(skin[leaning[skin] <= FLAT_COSINE], faces, normals, rest)
    noses, out = np.concatenate([smooth, rims]), np.concatenate([outward[smooth], rim_normals])
    radii = np.maximum(HOLE * longest[noses], SMALLEST_PROXY)
    covers = np.where(np.arange(len(noses)) < len(smooth), radii, -radii)
    radii[len(smooth) :] = _halved(radii[len(smooth) :], rest[rims], rim_normals, body)
    radii[: len(smooth)] = _fitting(
        radii[: len(smooth)], rest[smooth], out[: len(smooth)], CLEAR * leaning[smooth], body, faces
    )
    centres = rest[noses] - radii[:, None] * out
    anchors = np.asarray(body.elements)[locate(centres, rest, body.elements).elements]
    anchor_weights = barycentric_in_tet(centres, rest[anchors])
    anchor_weights[np.abs(anchor_weights).max(axis=1) > WILDEST] = 0.25  # in a sliver: its middle will do
    return Proxies(
        np.stack([noses, noses], axis=1).astype(np.uint32), np.tile([1.0, 0.0], (len(noses), 1)), radii, radii,
        anchors.astype(np.uint32), anchor_weights, covers, np.hypot(radii, covers), rest[noses], 0.0,
        float(np.median(radii)),
    )  # fmt: skip


def _rims(corners: NDArray[Any], faces: NDArray[Any], normals: Array, rest: Array) -> tuple[NDArray[Any], Array]:
    """A particle on an edge belongs to two flat pieces, one in a corner to three: it counts once for each, with the
    normal of that piece. Those of one particle stand one after the other, but not where the skin is hollow
    (separation_kernels)."""
    place = np.full(int(faces.max(initial=0)) + 1, -1)
    place[corners] = np.arange(len(corners))
    around: list[list[int]] = [[] for _ in corners]
    for face, three in enumerate(faces.tolist()):
        for particle in three:
            if place[particle] >= 0:
                around[place[particle]].append(face)
    middles = rest[faces].mean(axis=1)
    bulging: list[tuple[int, Array]] = []
    hollow: list[list[tuple[int, Array]]] = []
    for particle, own in zip(corners.tolist(), around, strict=True):
        left, found = np.array(own), []
        out = -np.inf  # how far one piece rises above another
        while len(left):
            alike = normals[left] @ normals[left[0]] > FLAT_COSINE
            mean = normals[left[alike]].mean(axis=0)
            found.append((particle, mean / np.linalg.norm(mean)))
            rises = (middles[own] - rest[particle]) @ found[-1][1]
            out = max(out, float(rises.max() / np.linalg.norm(middles[own] - rest[particle], axis=1).max()))
            left = left[~alike]
        if out > HOLLOW:
            hollow.append(found)
        else:
            bulging += found
    most = max((len(found) for found in hollow), default=0)
    rims = bulging + [found[n] for n in range(most) for found in hollow if n < len(found)]
    return np.array([nose for nose, _ in rims], np.int64), np.array([normal for _, normal in rims]).reshape(-1, 3)


def _halved(radii: Array, skin: Array, out: Array, body: Body) -> Array:
    """No deeper than halfway to the skin on the other side, or faces that are turned away from each other would
    meet."""
    radii, unfit = radii.copy(), np.arange(len(radii))
    for _smaller in range(12):
        beyond = skin[unfit] - 2.1 * radii[unfit, None] * out[unfit]
        unfit = unfit[locate(beyond, body.rest, body.elements).distances > 1e-3 * radii[unfit]]
        if not len(unfit):
            break
        radii[unfit] *= 0.8
    return radii


def _fitting(radii: Array, skin: Array, out: Array, clear: Array, body: Body, faces: NDArray[Any]) -> Array:
    """As wide as wanted, or as wide as there is room for below the skin. clear (S,): how near to a centre the skin may
    be, in radii; where it bends at the particle it is always so near, however small the sphere."""
    radii, unfit = radii.copy(), np.arange(len(radii))
    for _smaller in range(10):
        centres = skin[unfit] - radii[unfit, None] * out[unfit]
        inside = locate(centres, body.rest, body.elements).distances == 0.0
        free = locate(centres, body.rest, faces).distances >= clear[unfit] * radii[unfit]
        unfit = unfit[~(inside & free)]
        if not len(unfit):
            break
        radii[unfit] *= 0.75
    return radii
