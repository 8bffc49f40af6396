"""What the benchmark compares must do the same thing, or the comparison says nothing."""

import numpy as np
import pytest

import pliant
from pliant.bench.clock import H, moving, time_solve
from pliant.bench.plain import Plain
from pliant.bench.run import bar, run
from pliant.dynamics.state import State
from pliant.dynamics.step_context import StepContext
from pliant.models import Role, models


def seen_everywhere(body):
    """The same with poses that stretch every region. What clamping removes is shared among all poses in play: whether
    one that a region does not see is in play hangs on the sign of a rounding."""
    for number, (name, pose) in enumerate(body.poses.items()):
        stretch = np.eye(3) + np.random.default_rng(number).uniform(-0.1, 0.1, (3, 3))
        body = body.without_pose(name).with_pose(name, pose @ stretch)
    return body


@pytest.mark.parametrize("mode", ["global", "regions"])
@pytest.mark.parametrize("examples", [0, 1, 4])
def test_the_plain_kernel_is_the_same_method(examples, mode):
    body = seen_everywhere(bar((4, 4, 8), examples))
    settings = pliant.ShapeMatching(examples=mode, weights="paper", goals="paper")
    pliant.World()  # makes the kernels ready
    model = models()["shape_matching"]
    pack = model.prepare([Role("bar", body, settings, 0, np.array([0, 0, 0, 1.0]))], np.float32)
    x, _ = moving(body, np.float32)
    ours, plain = x.copy(), x.copy()
    state = State.empty([len(body.rest)], np.float32)
    state.x, state.y, state.p = x, x.copy(), ours
    model.solve(pack, model.memory.start(pack), StepContext.alone(state, H))
    Plain(body, settings, np.float32).solve(x, x.copy(), plain, H, turns=20)
    assert np.abs(ours - x).max() > 1e-3
    np.testing.assert_allclose(plain, ours, atol=2e-5)


def test_only_the_calls_are_timed():
    body = bar((1, 1, 2), 1)
    assert time_solve(lambda x, y, p: None, body, np.float32, 3, 0.0) < 1000


def test_an_unknown_benchmark_is_named_with_the_one_that_was_meant():
    with pytest.raises(pliant.PliantError, match='no benchmark "cubiod"; did you mean "cuboid"'):
        run(["cubiod"])
