"""Example-based elastic materials by finite elements [Martin et al. 2011]. README.md maps equations to functions."""

from pliant.models import Model
from pliant.models.fem.memory import force, groups, recall, remember, retune, solved, start, weights
from pliant.models.fem.prepare import check, cohort_key, prepare, sees, sound
from pliant.models.fem.settings import Fem
from pliant.models.fem.solve import solve

MODEL = Model(
    name="fem",
    settings=Fem,
    cohort=cohort_key,
    check=check,
    prepare=prepare,
    start=start,
    solve=solve,
    weights=weights,
    groups=groups,
    retune=retune,
    remember=remember,
    recall=recall,
    holds_handles=True,
    solved=solved,
    sound=sound,
    sees=sees,
    force=force,
)
