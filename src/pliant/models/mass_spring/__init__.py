"""Springs along the edges of solids, sheets and ropes [Nealen et al. 2006, 3.5]. README.md maps equations to
functions."""

from pliant.dynamics.nodes import Node
from pliant.models import ExampleWeights, Memory, Model
from pliant.models.mass_spring.memory import (
    anneal,
    force,
    groups,
    plastic,
    recall,
    remember,
    retune,
    solved,
    start,
    weights,
)
from pliant.models.mass_spring.prepare import Pack, check, cohort_key, prepare, sees, sound
from pliant.models.mass_spring.settings import MassSpring
from pliant.models.mass_spring.solve import hold, solve

MODEL = Model[MassSpring, Pack](
    name="mass_spring",
    settings=MassSpring,
    node=Node.PARTICLES,
    check=check,
    cohort=cohort_key,
    prepare=prepare,
    retune=retune,
    memory=Memory(start, remember, recall),
    solve=solve,
    examples=ExampleWeights(sees, groups, weights, force, plastic=plastic, anneal=anneal),
    hold=hold,
    solved=solved,
    sound=sound,
)
