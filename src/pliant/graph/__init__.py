"""A body as a graph of oriented particles: few ellipsoids that turn, the edges between them, and what rides on them.

Names are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pliant.graph.ellipsoids import Ellipsoids as Ellipsoids
    from pliant.graph.graph import Graph as Graph
    from pliant.graph.make import graph_of as graph_of

_HOME = {"Ellipsoids": "ellipsoids", "Graph": "graph", "graph_of": "make"}
__all__ = ["Ellipsoids", "Graph", "graph_of"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'pliant.graph' has no attribute {name!r}")
    value = getattr(import_module(f"pliant.graph.{_HOME[name]}"), name)
    globals()[name] = value
    return value
