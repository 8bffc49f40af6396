"""Metric tensors on regular grids, by finite differences [Terzopoulos et al. 1987; Nealen et al. 2006, 3.2]. README.md
maps equations to functions."""

from pliant.dynamics.nodes import Node
from pliant.models import ExampleWeights, Memory, Model
from pliant.models.finite_differences.memory import force, groups, recall, remember, retune, solved, start, weights
from pliant.models.finite_differences.prepare import Pack, check, cohort_key, prepare, sees, sound
from pliant.models.finite_differences.settings import FiniteDifferences
from pliant.models.finite_differences.solve import hold, solve

MODEL = Model[FiniteDifferences, Pack](
    name="finite_differences",
    settings=FiniteDifferences,
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
