"""The gap between two shapes, one file for each pair of shapes."""
