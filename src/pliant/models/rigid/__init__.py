"""Bodies that do not deform, in the same world as those that do. README.md has the equations."""

from pliant.dynamics.nodes import Node
from pliant.models import Memory, Model
from pliant.models.rigid.memory import recall, remember, retune, start
from pliant.models.rigid.prepare import Pack, check, cohort_key, embody, prepare
from pliant.models.rigid.settings import Rigid
from pliant.models.rigid.solve import hold, solve, task_lists

MODEL = Model[Rigid, Pack](
    name="rigid",
    settings=Rigid,
    node=Node.RIGID_BODY,
    check=check,
    cohort=cohort_key,
    prepare=prepare,
    retune=retune,
    memory=Memory(start, remember, recall),
    solve=solve,
    task_lists=task_lists,
    embody=embody,
    hold=hold,
)
