"""Sweeps: many bakes of one scene, each with settings of its own, on Dask; measured, tabled and shown side by side."""

from pliant.sweeps.sweeping import sweep as sweep
from pliant.sweeps.table import SweepTable as SweepTable
