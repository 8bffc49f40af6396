"""Shape matching that obeys example poses [Koyama et al. 2012]. README.md maps equations to functions."""

from pliant.models import Model
from pliant.models.shape_matching.examples import sees
from pliant.models.shape_matching.material import longest_step
from pliant.models.shape_matching.memory import all_weights, force, groups, recall, remember, retune, start, weights
from pliant.models.shape_matching.prepare import check, cohort_key, prepare
from pliant.models.shape_matching.settings import ShapeMatching
from pliant.models.shape_matching.solve import solve, sound

MODEL = Model(
    name="shape_matching",
    settings=ShapeMatching,
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
    all_weights=all_weights,
    sound=sound,
    sees=sees,
    force=force,
    longest_step=longest_step,
)
