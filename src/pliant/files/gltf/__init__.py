"""glTF 2.0: .glb and .gltf in, .glb out."""

from pliant.files.gltf.moving import places, span
from pliant.files.gltf.reader import read
from pliant.files.gltf.writer import write

__all__ = ["places", "read", "span", "write"]
