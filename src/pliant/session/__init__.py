"""Frames out of the simulator: to pictures, to disk."""
