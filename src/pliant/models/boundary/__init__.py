"""Elastostatics of the surface alone, by boundary elements [James & Pai 1999; Nealen et al. 2006, 3.4]. README.md maps
equations to functions."""

from pliant.dynamics.nodes import Node
from pliant.models import ExampleWeights, Memory, Model
from pliant.models.boundary.memory import force, groups, recall, remember, retune, solved, start, weights
from pliant.models.boundary.prepare import Pack, check, cohort_key, prepare, sees
from pliant.models.boundary.settings import Boundary
from pliant.models.boundary.solve import hold, solve

MODEL = Model[Boundary, Pack](
    name="boundary",
    settings=Boundary,
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
)
