"""Pairs of bodies whose boxes overlap."""
