"""Oriented particles, as rigid as possible [Choi & Lee 2017], with examples. README.md maps equations to functions."""

from pliant.models import Model
from pliant.models.oriented_particles.memory import force, groups, recall, remember, retune, start, weights
from pliant.models.oriented_particles.prepare import check, cohort_key, embody, prepare, sees, sound
from pliant.models.oriented_particles.settings import OrientedParticles
from pliant.models.oriented_particles.solve import solve, task_lists

MODEL = Model(
    name="oriented_particles",
    settings=OrientedParticles,
    cohort=cohort_key,
    check=check,
    prepare=prepare,
    start=start,
    solve=solve,
    task_lists=task_lists,
    weights=weights,
    groups=groups,
    retune=retune,
    remember=remember,
    recall=recall,
    embody=embody,
    oriented=True,
    sound=sound,
    sees=sees,
    force=force,
    holds_handles=True,
)
