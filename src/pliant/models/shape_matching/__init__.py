"""Shape matching that obeys example poses [Koyama et al. 2012]. README.md maps equations to functions."""

from pliant.dynamics.nodes import Node
from pliant.models import ExampleWeights, Memory, Model
from pliant.models.shape_matching.examples import sees
from pliant.models.shape_matching.material import longest_step
from pliant.models.shape_matching.memory import (
    all_weights,
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
from pliant.models.shape_matching.prepare import Pack, check, cohort_key, prepare
from pliant.models.shape_matching.settings import ShapeMatching
from pliant.models.shape_matching.solve import solve, sound, task_lists

MODEL = Model[ShapeMatching, Pack](
    name="shape_matching",
    settings=ShapeMatching,
    node=Node.PARTICLES,
    check=check,
    cohort=cohort_key,
    prepare=prepare,
    retune=retune,
    memory=Memory(start, remember, recall),
    solve=solve,
    task_lists=task_lists,
    examples=ExampleWeights(sees, groups, weights, force, all_weights, plastic, anneal),
    sound=sound,
    longest_step=longest_step,
)
