"""Oriented particles, as rigid as possible [Choi & Lee 2017], with examples. README.md maps equations to functions."""

from pliant.dynamics.nodes import Node
from pliant.models import ExampleWeights, Memory, Model
from pliant.models.oriented_particles.memory import (
    anneal,
    force,
    groups,
    plastic,
    recall,
    remember,
    retune,
    start,
    weights,
)
from pliant.models.oriented_particles.prepare import Pack, check, cohort_key, embody, prepare, sees, sound
from pliant.models.oriented_particles.settings import OrientedParticles
from pliant.models.oriented_particles.solve import hold, solve, task_lists

MODEL = Model[OrientedParticles, Pack](
    name="oriented_particles",
    settings=OrientedParticles,
    node=Node.ORIENTED_PARTICLES,
    check=check,
    cohort=cohort_key,
    prepare=prepare,
    retune=retune,
    memory=Memory(start, remember, recall),
    solve=solve,
    examples=ExampleWeights(sees, groups, weights, force, plastic=plastic, anneal=anneal),
    embody=embody,
    hold=hold,
    task_lists=task_lists,
    sound=sound,
)
