"""Materials by name. Each is one file and one kernel that writes, for each tet, energy, gradient and Hessian (see
pliant.elastic.kernels); the Hessian made positive definite, or exact."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

MATERIALS = ("green", "st_venant_kirchhoff", "corotated", "neo_hookean")


@cache
def material_kernel(name: str) -> Callable[..., None]:
    """The kernel of a material."""
    return getattr(import_module(f"{__name__}.{name}"), name)
