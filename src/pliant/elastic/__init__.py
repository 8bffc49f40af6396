"""Elasticity of one mesh of tets as plain arrays: elements, materials, sparse matrices and their factors, Newton's
method, statics. Everything in double precision.

    elements.py    D^-1, volumes and neighbours of the tets at rest
    materials/     energy, gradient and Hessian of each tet; one file a material
    assembly.py    the sparse pattern, and how blocks of tets get into it
    factor.py      sparse direct solution, with dissection.py, fronts.py and multifrontal.py
    volumes.py     forces from stress and the normals of faces instead
    objective.py   the energy that is minimised: elastic, inertia, weight, handles, and a companion such as examples
    newton.py      projected Newton with a line search
"""


def ready(*materials: str) -> None:
    """Compile or load the kernels of this folder and of some materials; costs nothing the second time."""
    from pliant.elastic import kernels, multifrontal, substitution
    from pliant.elastic.materials import material_kernel
    from pliant.runtime import jit

    wanted = [f"{material_kernel(name).__module__}" for name in materials]
    jit.make_ready("double", kernels.__name__, multifrontal.__name__, substitution.__name__, *wanted)
