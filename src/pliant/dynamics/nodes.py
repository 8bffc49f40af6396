"""What of a body moves by itself: the node that contacts, pins and handles act on."""

from enum import IntEnum

from pliant.collision.layout import SOFT, STIFF, TURNING


class Node(IntEnum):
    """The kind of node that a model is made of; its number is the one that kernels know (collision/layout.py).

    PARTICLES have a place and a velocity. ORIENTED_PARTICLES have a rotation and an angular velocity of their own, too,
    and touch as ellipsoids. A RIGID_BODY is one node for all particles of an actor.

    >>> Node.RIGID_BODY.turns, Node.ORIENTED_PARTICLES.turns
    (False, True)
    """

    PARTICLES = SOFT
    RIGID_BODY = STIFF
    ORIENTED_PARTICLES = TURNING

    @property
    def turns(self) -> bool:
        """Whether each particle has a rotation in the state (q, w, hulls). That of a rigid body follows from where
        its particles are."""
        return self is Node.ORIENTED_PARTICLES

    @property
    def deforms(self) -> bool:
        """Whether particles may deviate from the rigid motion of their body, and so whether damping acts on it."""
        return self is not Node.RIGID_BODY
