"""A pose from another mesh: a sculpt or a scan of the same thing with other vertices, in another place.

target.py       the other surface, and its closest points
placing.py      the first placement: by given points, or the best of many turns
nodes.py        the deformation: nodes on the rest surface that carry its points
registering.py  coarse to fine: nodes are drawn to the closest points and keep their neighbours' shape
match.py        from a file to the points of the rest surface, and how well that went
"""

from pliant.volume.matching.match import Match, match_surfaces

__all__ = ["Match", "match_surfaces"]
