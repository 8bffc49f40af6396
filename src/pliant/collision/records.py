"""What the kernels of contact work on."""

from typing import NamedTuple

from pliant.runtime.records import Doubles, Reals, Singles, Wholes, record


@record
class Shapes(NamedTuple):
    """What of all bodies can touch; constant until an actor comes or goes. B bodies, P proxies, A attachments, T tets.

    A proxy is a point of the skin, the centre of a ball, or an ellipsoid. It is the sum of weights times the positions
    of the particles of its attachments; on a rigid body it is fixed in its frame."""

    bodies: Wholes  # (B BODY,)
    materials: Doubles  # (B BODY_ROW,)
    owners: Wholes  # (P,) the body of each proxy
    starts: Wholes  # (P + 1,) its first attachment
    particles: Wholes  # (A,)
    weights: Doubles  # (A,)
    holders: Wholes  # (4 P,) particles that a push acts on
    shares: Doubles  # (4 P,) and how much of it each takes: not negative
    rest: Doubles  # (4 P,) m: place at rest, and radius of a ball; 0 for a point, less for an ellipsoid
    flat: Wholes  # (P,) whether the skin round a point is flat: what meets it there meets this face
    inner: Wholes  # (4 P,) particles of the point that it looks from, a little below the skin
    inner_weights: Doubles  # (4 P,)
    inner_rest: Doubles  # (3 P,) m: that point at rest
    fields: Singles  # grids of distances at rest, each with a head
    cells: Wholes  # a tet for each point of the grids
    tets: Wholes  # (4 T,) particles
    tet_rest: Doubles  # (12 T,) m: their places at rest
    volumes: Doubles  # (T,) m^3 times six
    particle_rest: Doubles  # (3 V,) m: particles at rest
    core_points: Doubles  # (3 C,) m: points round the cores of solids, at rest
    block_particles: Wholes  # (V,) by blocks: those of a block are near one another
    block_starts: Wholes  # (K + 1,) the first of each block
    block_proxies: Wholes  # (K + 1,) the first proxy that is held by each block's particles
    reaches: Doubles  # (V,) m: how far from each particle, at most, what of its body is nearest to it


@record
class Nodes(NamedTuple):
    """What moves: V particles in rows of four numbers (x, y, z, unused), and R rigid bodies.

    Contacts act on velocities; positions are those at the begin of the sub-step."""

    x: Reals  # (4 V,) m
    u: Reals  # (4 V,) m/s: velocities as they are being found
    inverse: Reals  # (V,) 1/kg: 0 where pinned
    angular: Reals  # (4 V,) rad/s of particles that turn; empty where there are none
    q: Reals  # (4 V,) their rotations from rest, as quaternions
    hulls: Reals  # (6 V,) m^2: ellipsoids E diag(r^2) E^T, 00 11 22 01 02 12
    masses: Reals  # (V,) kg
    rigid: Doubles  # (R RIGID_BODY,): see dynamics/rigid_nodes.py
    spins: Doubles  # (3 B,) kg m^2/s: what impulses on particles leave to the body as a whole


@record
class Found(NamedTuple):
    """Contact rows of one sub-step, and what the one before left."""

    rows: Doubles  # (N ROW,)
    sides: Wholes  # (N ROW_SIDES,)
    particles: Wholes  # (8 N,) four on side A, four on side B, where particles move there
    weights: Doubles  # (8 N,) a weight of 0 ends those of a side
    spans: Wholes  # (2 M,) first row of each pair of bodies, and the one after the last
    old_keys: Wholes  # (N,) of the rows of the last sub-step, which stand where they stood, by key within each pair
    old: Doubles  # (N ROW_MEMORY,)
    old_spans: Wholes  # (2 M,)
    candidates: Wholes  # scratch of a rigid manifold


@record
class Work(NamedTuple):
    """Of all bodies, and of all pairs of them: what is kept, and what is worked in. B bodies, P proxies, M pairs at
    most."""

    frames: Doubles  # (B BODY_FRAME,)
    framed: Wholes  # (B,) the sub-step of its frame
    maps: Doubles  # (B BODY_MAP,) of those whose cores are looked at
    boxes: Doubles  # (B AABB,)
    motions: Doubles  # (B MOTION,) of this sub-step
    places: Doubles  # (3 P,) m: centres of proxies
    placed: Wholes  # (P,) the sub-step of these
    block_boxes: Doubles  # (K AABB,) round blocks and all that they may reach until candidates are searched again
    near: Wholes  # blocks of one body that are near a block of another, of each thread
    awake: Wholes  # (B,)
    cored: Wholes  # (B,) flags: what it does in hard impacts
    touched: Wholes  # (B,) whether it has any row in this sub-step
    timers: Doubles  # (B,) s at rest; -1: asleep
    references: Doubles  # (B REFERENCE,): where it was when the timer began
    impacts: Doubles  # (B IMPACT,): what it remembers of an impact until that is over
    factors: Doubles  # (2 B,): what is left of deviations from the rigid motion, and of all motion, after a sub-step
    order: Wholes  # (B,) along x
    pairs: Wholes  # (2 M,) of two bodies, then of each body with obstacles (-1)
    old_pairs: Wholes  # (2 M,) pairs with rows in the last sub-step
    colours: Wholes  # (M,)
    by_colour: Wholes  # (M,)
    used: Wholes  # (B,)
    starts: Wholes  # (COLOURS + 2,)
    scratch: Wholes  # (P,)
    counts: Wholes  # (COUNT_NUMBERS,)


@record
class Step(NamedTuple):
    """What else a sub-step is given: V particles, B bodies."""

    v: Reals  # (4 V,) m/s: velocities at its begin
    p: Reals  # (4 V,) m: where models put the particles, then where they end
    acceleration: Reals  # (4 V,) m/s^2: from external forces; empty if there are none
    pulled: Wholes  # (B,) whether pins or handles hold it
    may_sleep: Wholes  # (B,)
    pinned: Wholes  # (n,) particles
    places: Doubles  # (3 n,) m: where they belong at the end
    obstacles: Doubles  # (C OBSTACLE,)
    grids: Singles  # of those that are meshes
    numbers: Doubles  # (STEP_NUMBERS,)
    quaternions: Doubles  # (4 B,) of frames as they were at its begin
    turning: Reals  # (4 V,) angular velocities as they were; empty where no particle turns
    board: Wholes  # on which threads tell each other how far they are


@record
class Candidates(NamedTuple):
    """Proxies that may touch another body, or an obstacle, until they are searched again: C at most. See
    candidates.py."""

    spans: Wholes  # (2 M + 2 B,) first candidate of each pair of bodies, then of each body with obstacles, and the next
    keys: Wholes  # (C,) of the rows that may come of them: direction or obstacle, and proxy
    through: Wholes  # (C,) the tet that brings the point to the rest shape of side B; see against_field
    numbers: Doubles  # (C CANDIDATE,)
