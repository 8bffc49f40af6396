"""Example-based elastic materials by finite elements [Martin et al. 2011]. README.md maps equations to functions."""

from pliant.dynamics.nodes import Node
from pliant.models import ExampleWeights, Memory, Model
from pliant.models.fem.memory import force, groups, recall, remember, retune, solved, start, weights
from pliant.models.fem.prepare import Pack, check, cohort_key, prepare, sees, sound
from pliant.models.fem.settings import Fem
from pliant.models.fem.solve import hold, solve

MODEL = Model[Fem, Pack](
    name="fem",
    settings=Fem,
    node=Node.PARTICLES,
    check=check,
    cohort=cohort_key,
    prepare=prepare,
    retune=retune,
    memory=Memory(start, remember, recall),
    solve=solve,
    examples=ExampleWeights(sees, groups, weights, force),
    hold=hold,
    solved=solved,
    sound=sound,
)
