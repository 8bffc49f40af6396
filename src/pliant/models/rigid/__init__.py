"""Bodies that do not deform, in the same world as those that do. README.md has the equations."""

from pliant.models import Model
from pliant.models.rigid.memory import groups, recall, remember, retune, start, weights
from pliant.models.rigid.prepare import check, cohort_key, embody, prepare
from pliant.models.rigid.settings import Rigid
from pliant.models.rigid.solve import finish, solve

MODEL = Model(
    name="rigid",
    settings=Rigid,
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
    embody=embody,
    finish=finish,
    rigid=True,
    holds_handles=True,
)
