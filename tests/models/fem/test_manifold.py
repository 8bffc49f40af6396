"""The three forms of the example manifold: derivatives, bounds, and that a projection only lowers the energy."""

import numpy as np
import pytest

import pliant
import twist_bars
from pliant.elastic.elements import elements_of
from pliant.elastic.kernels import gather
from pliant.examples import convex_weights
from pliant.models.fem.manifold import manifold_of

FORMS = ("realised", "penalty", "strain")
every_form = pytest.mark.parametrize("form", FORMS)


def two_poses():
    bar = twist_bars.twisted((2, 4, 2))
    return bar.with_pose("bend", pliant.poses.bend(bar, 60))


def manifold(form, body, stiffness=5.0, forced=None, examples="global"):
    tets = len(elements_of(body).tets)
    made = manifold_of(body, examples, np.full(tets, 4e4), np.full(tets, 6e4), stiffness, forced or {}, form)
    memory = np.zeros(made.memory)
    made.start(memory)
    return made, memory


def at(form, body, weights):
    """A manifold at these weights, and positions away from it."""
    made, memory = manifold(form, body)
    weights = np.array(weights)
    if form != "strain":
        shape, arrived = made.blending.travel(body.rest.reshape(-1), np.zeros(len(weights)), weights)
        assert arrived
        memory[len(weights) :] = shape
    memory[: len(weights)] = weights
    x = (body.rest + 0.04 * np.random.default_rng(1).normal(size=body.rest.shape)).reshape(-1)
    made.begin(memory, x)
    return made, x


def expand(made, x):
    """Energy, gradient (3 V,), and the Hessian as blocks by edges."""
    elements = made.elements
    forces, blocks = np.zeros(9 * len(elements.tets)), np.zeros(54 * len(elements.tets))
    energy = made.expand(x, forces, blocks)
    gradient = np.empty(x.size)
    gather(forces, elements.corner_starts, elements.corners, 0, elements.count, gradient)
    return energy, gradient, blocks


class Springy:
    """A system whose Hessian is a multiple of the unit matrix."""

    def __init__(self, made, blocks, stiffness=1e9):
        self.free = np.ones(3 * made.elements.count, bool)
        self._made, self._blocks, self._stiffness = made, blocks, stiffness

    def solve(self, right):
        return right / self._stiffness

    def matrix(self):
        pattern = self._made.columns.pattern
        values = pattern.values()
        pattern.add_diagonal(np.full(pattern.count, self._stiffness), values)
        return pattern.matrix(values)


@every_form
def test_the_slope_of_a_step_is_the_derivative_of_the_energy(form):
    made, x = at(form, two_poses(), [0.3, 0.2])
    energy, gradient, blocks = expand(made, x)
    step, slope = made.direction(Springy(made, blocks), gradient)
    h = 1e-6
    assert slope < 0
    assert (made.attempt(x + h * step, h) - energy) / h == pytest.approx(slope, rel=1e-3)
    assert made.attempt(x, 0.0) == pytest.approx(energy, rel=1e-9)


@every_form
def test_gradient_by_positions(form):
    made, x = at(form, two_poses(), [0.3, 0.2])
    _, gradient, blocks = expand(made, x)
    made.direction(Springy(made, blocks), gradient)
    way, h = np.random.default_rng(2).normal(size=x.size), 1e-7
    more, less = made.attempt(x + h * way, 0.0), made.attempt(x - h * way, 0.0)
    assert (more - less) / (2 * h) == pytest.approx(gradient @ way, rel=1e-5)


@pytest.mark.parametrize("form", ["realised", "strain"])
def test_slopes_of_all_weights(form):
    made, x = at(form, two_poses(), [0.3, 0.2])
    _, gradient, blocks = expand(made, x)
    made.direction(Springy(made, blocks), gradient)
    slopes, h = made.describe().slopes, 1e-5
    for k in range(2):
        made._step = np.eye(2)[k]
        assert (made.attempt(x, h) - made.attempt(x, -h)) / (2 * h) == pytest.approx(slopes[k], rel=1e-5)


@every_form
def test_projection_lowers_the_energy_and_finds_a_pose_that_is_there(form):
    body = two_poses()
    made, memory = manifold(form, body)
    x = body.poses["twist"].reshape(-1).copy()
    made.begin(memory, x)
    before = expand(made, x)[0]
    after = made.project(x)
    made.finish(memory)
    assert after < 1e-5 * before
    assert made.weights(memory)[0] == pytest.approx([0, 1, 0], abs=1e-2)


@every_form
@pytest.mark.parametrize(("twist", "bend"), [(0.5, 0.0), (0.3, 0.3), (0.9, 0.6), (0.0, 1.3)])
def test_weights_are_the_nearest_convex_ones_of_what_it_describes(form, twist, bend):
    """As in every model: what a form describes, projected in plain words (examples/projection.py), is what it found."""
    body = two_poses()
    made, memory = manifold(form, body)
    away = twist * (body.poses["twist"] - body.rest) + bend * (body.poses["bend"] - body.rest)
    x = (body.rest + away).reshape(-1)
    made.begin(memory, x)
    made.project(x)
    expand(made, x)
    slopes, chosen, gram, _ = made.describe()
    now = made.weighing.now[chosen]
    assert len(chosen) and now.sum() > 0.1
    assert convex_weights(gram, gram @ now - slopes[chosen]) == pytest.approx(now, abs=1e-4)


@every_form
def test_weights_keep_within_their_bounds_beyond_a_pose(form):
    body = twist_bars.twisted((2, 4, 2))
    made, memory = manifold(form, body)
    beyond = pliant.poses.twist(body, 130, axis="y", shorten=0.3, keep_volume=False).reshape(-1)
    made.begin(memory, beyond)
    made.project(beyond)
    made.finish(memory)
    assert made.weights(memory)[0] == pytest.approx([0, 1], abs=1e-9)
    stretched = (body.rest * (0.95, 1.2, 0.95)).reshape(-1)
    made.start(memory)
    made.begin(memory, stretched)
    made.project(stretched)
    made.finish(memory)
    assert made.weights(memory)[0].tolist() == [1.0, 0.0]


@every_form
def test_forced_weights_are_held_and_leave_the_rest_to_the_others(form):
    body = two_poses()
    made, memory = manifold(form, body, forced={"bend": 0.6})
    assert made.weights(memory)[0] == pytest.approx([0.4, 0, 0.6])
    x = body.poses["twist"].reshape(-1).copy()
    made.begin(memory, x)
    made.project(x)
    made.finish(memory)
    rest, twist, bend = made.weights(memory)[0]
    assert bend == 0.6 and 0.1 < twist <= 0.4 + 1e-12 and rest >= 0
    made.tune(5.0, {"bend": 0.9})
    made.begin(memory, x)
    made.finish(memory)
    rest, twist, bend = made.weights(memory)[0]
    assert bend == 0.9 and twist <= 0.1 + 1e-12


@every_form
def test_rigid_motion_changes_nothing(form):
    made, x = at(form, two_poses(), [0.3, 0.2])
    energy = expand(made, x)[0]
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    moved = (x.reshape(-1, 3) @ turn.T + (1, 2, 3)).reshape(-1)
    assert expand(made, moved)[0] == pytest.approx(energy, rel=1e-10)


def test_a_body_without_poses_has_no_manifold():
    body = twist_bars.plain((2, 4, 2))
    tets = len(elements_of(body).tets)
    assert manifold_of(body, "global", np.ones(tets), np.ones(tets), 40.0, {}, "realised") is None
