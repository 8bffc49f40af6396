"""Arrays that belong together go to a kernel as one argument."""

from typing import NamedTuple

import numpy as np
import pytest

from pliant.runtime import jit
from pliant.runtime.records import Reals, Wholes, record


@record
class Scales(NamedTuple):
    values: Reals
    factors: Wholes


@jit.kernel("Scales i")
def scale(scales, count):
    for i in range(count):
        scales.values[i] *= scales.factors[i]


@pytest.mark.parametrize("precision", ["single", "double"])
def test_a_kernel_takes_a_record_in_either_precision(precision: str) -> None:
    jit.make_ready(precision, scale.__module__)
    given = Scales(np.ones(3, jit.PRECISIONS[precision]), np.array([1, 2, 3]))
    scale(given, 2)
    assert given.values.tolist() == [1.0, 2.0, 1.0]


def test_two_records_of_one_name_are_refused() -> None:
    space = {"NamedTuple": NamedTuple, "Reals": Reals, "__name__": "elsewhere"}
    exec("class Scales(NamedTuple):\n    values: Reals", space)
    with pytest.raises(ValueError, match="there is a record Scales already"):
        record(space["Scales"])
