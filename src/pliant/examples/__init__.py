"""What example poses mean, once for all models.

A model measures a deformation by its *descriptor*: a vector for each of its parts (a region's ring of particles, the
edges of a particle, the strain of a tet) with a metric, the energy by which the model itself resists. Seen so, a pose k
is a column D^k, and the examples of a group of parts are the weights

    w = argmin |sum_k w_k D^k - D|^2 / beta  ...  convex: w_k >= 0, sum w_k <= 1, what is missing is rest

with the strength beta; below 1 it adds a pull towards rest. Because the metric is that of the energy, weights never add
energy and the forces are its gradient. What is the same for every model is here: which parts share weights (groups.py,
parts.py), weights that are given instead of found (forced.py), the smallest set of weights where columns are alike
(gram.py), and the projection itself in plain words (projection.py), against which the kernels are tested. A model
brings two functions: `describe`, how a deformation looks, and `aim`, what it does with the blend:

    shape_matching        describe.py     moments of rings with the poses   aim.py     goals of the blended rings
    clusters              kernels.describe  A~ in its own frame              kernels.aim  goals of the blended clusters
    oriented_particles    weigh.describe  bends of edges                    weigh.aim  edges of the blend
    mass_spring           kernels.describe  lengths and signed angles       kernels.weigh  rest lengths, rest angles
    finite_differences    kernels.describe  metric and curvature tensors    mass_spring.weigh  tensors of the blend
    boundary              solve._wish       pushes on the surface           solve._choose  the surface of the blend
    modal                 fit, respond.blend  amounts of the modes        respond.blend   where oscillators go about
    fem                   Form.describe   strains of tets                   Form.aim   the blended shape, or strains

In finite elements (models/fem/manifold) positions and weights are unknowns of one Newton step: what `describe` says is
projected there after the positions were eliminated from it, and `aim` takes each step of the weights along.
"""

from pliant.examples.forced import check_forced, free_poses, given_weights
from pliant.examples.gram import factors, visible
from pliant.examples.groups import Groups, groups_of, listed, named_groups
from pliant.examples.parts import apart
from pliant.examples.projection import clamped_weights, convex_weights
from pliant.examples.settings import ExamplesByGroup, ExampleSettings

__all__ = [
    "ExampleSettings", "ExamplesByGroup", "Groups", "apart", "check_forced", "clamped_weights", "convex_weights",
    "factors", "free_poses", "given_weights", "groups_of", "listed", "named_groups", "visible",
]  # fmt: skip
