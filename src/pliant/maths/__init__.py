"""Leaf kernels: formulas for one lane or one small matrix, no classes, no knowledge of bodies."""
