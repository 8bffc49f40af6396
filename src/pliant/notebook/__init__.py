"""Worlds, bodies and recordings in a notebook: Jupyter or marimo, with the page's own viewport."""

from pliant.notebook.recording import record
from pliant.notebook.showing import show

__all__ = ["record", "show"]
