"""Modes of a solid in a frame that flies and turns. README.md maps equations to functions."""

from pliant.dynamics.nodes import Node
from pliant.models import ExampleWeights, Memory, Model
from pliant.models.modal.memory import force, groups, recall, remember, retune, start, weights
from pliant.models.modal.prepare import Pack, check, cohort_key, prepare, sees
from pliant.models.modal.settings import Modal
from pliant.models.modal.solve import hold, solve

MODEL = Model[Modal, Pack](
    name="modal",
    settings=Modal,
    node=Node.PARTICLES,
    check=check,
    cohort=cohort_key,
    prepare=prepare,
    retune=retune,
    memory=Memory(start, remember, recall),
    solve=solve,
    examples=ExampleWeights(sees, groups, weights, force),
    hold=hold,
)
