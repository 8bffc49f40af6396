"""Meshes as plain arrays: rings, regions, measures, boundaries, normals and embeddings. NumPy and SciPy only.

Shapes used throughout: positions (V, 3) in metres; elements (E, 4) tets, (E, 3) triangles or (E, 2) segments;
*kind* is "solid", "shell" or "rod" and follows from the number of corners.
"""
