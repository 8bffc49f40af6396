"""PARDISO is an extra that is not installed here; a stand-in speaks as it does, and refuses what it would refuse."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from scipy.sparse.linalg import splu

import pliant
from elastic.test_factor import filled, made
from pliant.elastic.factor import Factor
from pliant.runtime.errors import SettingsError


class StandIn:
    """Takes the upper triangle by rows; structure in phase 12, numbers in 12 and 22, solutions in 33."""

    def __init__(self, mtype):
        assert mtype == 2
        self.threads = []
        self.libmkl = SimpleNamespace(MKL_Set_Num_Threads=self.threads.append)
        self.structure = self.factors = self.phase = None

    def set_phase(self, phase):
        self.phase = phase

    def _call_pardiso(self, matrix, right):
        assert self.threads == [1]
        assert matrix.format == "csr" and matrix.has_sorted_indices and right.flags.f_contiguous
        upper = matrix.tocoo()
        assert (upper.row <= upper.col).all()
        if self.phase == 12:
            self.structure = matrix.indices.copy()
        np.testing.assert_array_equal(matrix.indices, self.structure)
        if self.phase in (12, 22):
            whole = (matrix + matrix.T).tocsc()
            whole.setdiag(matrix.diagonal())
            self.factors = splu(whole)
        return self.factors.solve(right)


@pytest.fixture
def installed(monkeypatch):
    module = ModuleType("pypardiso")
    module.PyPardisoSolver = StandIn
    monkeypatch.setitem(sys.modules, "pypardiso", module)


@pytest.mark.parametrize("kind", ["beam", "lump", "random"])
def test_it_solves_as_the_others_do(installed, kind):
    elements, pattern = made(kind)
    ours, theirs = Factor(pattern), Factor(pattern, pardiso=True)
    right = np.random.default_rng(0).normal(size=(pattern.size, 3))
    for seed in (1, 2, 3):
        values = filled(elements, pattern, seed)
        ours.refactor(values)
        theirs.refactor(values)
        np.testing.assert_allclose(theirs.solve(right[:, 0]), ours.solve(right[:, 0]), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(theirs.solve(right), ours.solve(right), rtol=1e-9, atol=1e-9)


def test_a_body_is_played_with_it(installed):
    ends = []
    for solver in ("direct", "pardiso"):
        world = pliant.World(precision="double")
        actor = world.add(pliant.shapes.cuboid(cells=(2, 2, 4)), pliant.Fem(solver=solver))
        actor.pin([0, 1, 2])
        for _ in range(5):
            world.step(1 / 60)
        ends.append(np.array(actor.positions))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-7)


def test_where_it_is_missing_that_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypardiso", None)
    with pytest.raises(SettingsError, match=r'pip install "pliant\[pardiso\]"'):
        pliant.World().add(pliant.shapes.cuboid(cells=(2, 2, 2)), pliant.Fem(solver="pardiso"))
