"""Clusters of particles that match their shape as a whole [Mueller+05]. README.md maps equations to functions."""

from pliant.dynamics.nodes import Node
from pliant.models import ExampleWeights, Memory, Model
from pliant.models.clusters.examples import sees
from pliant.models.clusters.memory import (
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
from pliant.models.clusters.prepare import Pack, check, cohort_key, prepare
from pliant.models.clusters.settings import Clusters
from pliant.models.clusters.solve import solve
from pliant.models.clusters.stiffness import longest_step, sound

MODEL = Model[Clusters, Pack](
    name="clusters",
    settings=Clusters,
    node=Node.PARTICLES,
    check=check,
    cohort=cohort_key,
    prepare=prepare,
    retune=retune,
    memory=Memory(start, remember, recall),
    solve=solve,
    examples=ExampleWeights(sees, groups, weights, force, all_weights, plastic, anneal),
    sound=sound,
    longest_step=longest_step,
)
