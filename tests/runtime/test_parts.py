"""Parts are compiled once, for types, and into kernels; kernels when they are first called."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pliant.runtime import jit


@jit.part
def shifted(value, by):  # type: ignore[no-untyped-def]
    return value + by


@jit.part
def twice(value):  # type: ignore[no-untyped-def]
    return shifted(shifted(value, 1), 2) - 3 + value


def spread(values, count):  # type: ignore[no-untyped-def]
    for i in range(count):
        values[i] = twice(values[i]) + shifted(0, 5) + shifted(count, 0) - count


def test_a_constant_does_not_make_another_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit, "CACHE", tmp_path)
    kernel = jit.kernel("x[] i")(spread)
    values = np.arange(3, dtype=np.float32)
    kernel(values, 3)
    assert values.tolist() == [5, 7, 9]
    kinds = [" ".join(map(str, each)) for each in shifted.overloads]
    assert sorted(kinds) == ["float32 int64", "float64 int64", "int64 int64"]


def test_a_kernel_is_ready_when_it_is_called_for_each_precision() -> None:
    kernel = jit.kernel("x[] i")(spread)
    for dtype, precision in ((np.float64, "double"), (np.float32, "single")):
        values = np.arange(3, dtype=dtype)
        kernel(values, 2)
        assert values.tolist() == [5, 7, 2]
        assert jit.compiled(kernel, precision) is not None


def test_python_may_call_a_part() -> None:
    assert twice(3.0) == 6.0 and twice(4) == 8
    assert shifted(2, by=5) == 7


PLAYED = """
import pliant
from pliant.runtime import jit
body = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4))
world = pliant.World(colliders=[pliant.Plane()])
world.add(body, pliant.ShapeMatching(), name="one")
world.step(1 / 60)
alone = sorted(name for name, _ in jit._compiled)
world.add(body, pliant.ShapeMatching(), name="other", position=(3, 0, 0))
world.step(1 / 60)
print(*alone)
print(*sorted(name for name, _ in jit._compiled), {precision for _, precision in jit._compiled})
"""


@pytest.mark.slow
def test_a_world_makes_ready_what_it_plays_and_nothing_else() -> None:
    """One body has no other to meet, and nothing here is computed in double precision."""
    done = subprocess.run([sys.executable, "-c", PLAYED], capture_output=True, text=True, check=True)
    alone, together = done.stdout.splitlines()
    model = ["pliant.models.shape_matching.kernels.run", "pliant.models.shape_matching.kernels.tell"]
    step = ["pliant.dynamics.alone.step_alone", "pliant.dynamics.predict.set_out"]
    assert alone.split() == [*step, *model, "pliant.runtime.waiting.make_calls"]
    assert "pliant.collision.contacts.find_contacts" in together and together.endswith("{'single'}")
    assert "oriented" not in together and "elastic" not in together
