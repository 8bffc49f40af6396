"""Times the kernels on this machine, beside a plain kernel and plain NumPy in the same run."""

from pliant.bench.run import run

__all__ = ["run"]
