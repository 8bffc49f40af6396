"""Boundary elements against what is known: linear fields, finite elements, a quadrature in plain NumPy."""

import numpy as np
import pytest

import pliant
from pliant.models.boundary.greens import compliance, matrices, rigid_motions, stiffness
from pliant.models.boundary.surface import surface_of
from pliant.models.fem.equilibrium import equilibrium
from pliant.runtime.errors import SettingsError
from pliant.volume import store

YOUNG, POISSON = 1e5, 0.3


def box(size=(1, 1, 1), cells=(3, 3, 3)):
    return pliant.shapes.cuboid(size=size, cells=cells)


def test_far_integrals_are_those_of_the_twin():
    """Kelvin's kernels by a fine quadrature of a triangle, in words of NumPy."""
    surface = surface_of(box(cells=(1, 1, 1)))
    h, g, areas = matrices(surface, POISSON)
    corners = surface.rest[surface.triangles]
    at, nu, eye = corners[0].mean(axis=0), POISSON, np.eye(3)
    far = int(np.argmax(np.linalg.norm(corners.mean(axis=1) - at, axis=1)))
    n = np.cross(corners[far][1] - corners[far][0], corners[far][2] - corners[far][0]) / (2 * areas[far])
    steps, u, t = 60, np.zeros((3, 3)), np.zeros((3, 3, 3))
    shares = [(i + 1 / 3, j + 1 / 3) for i in range(steps) for j in range(steps - i)]
    shares += [(i + 2 / 3, j + 2 / 3) for i in range(steps) for j in range(steps - i - 1)]
    for a, b in np.array(shares) / steps:
        weights = np.array((a, b, 1 - a - b))
        r = weights @ corners[far] - at
        d = np.linalg.norm(r)
        r = r / d
        area = areas[far] / steps**2
        u += area * ((3 - 4 * nu) * eye + np.outer(r, r)) / (16 * np.pi * (1 - nu) * d)
        bracket = r @ n * ((1 - 2 * nu) * eye + 3 * np.outer(r, r)) - (1 - 2 * nu) * (np.outer(r, n) - np.outer(n, r))
        t += weights[:, None, None] * area * -bracket / (8 * np.pi * (1 - nu) * d**2)
    np.testing.assert_allclose(g[:3, 3 * far : 3 * far + 3], u, rtol=2e-3, atol=2e-3 * np.abs(u).max())
    mine = h[:3].reshape(3, -1, 3)
    away = [k for k in range(3) if surface.triangles[far][k] not in surface.triangles[0]]
    others = [j for j in range(len(areas)) if j != far]
    for k in away:
        vertex = surface.triangles[far][k]
        if not (surface.triangles[others] == vertex).any():
            np.testing.assert_allclose(mine[:, vertex], t[k], rtol=5e-3)


def test_a_linear_displacement_has_the_tractions_of_hookes_law():
    """Stretched along x and narrowed by Poisson's ratio: tractions on the two ends, nothing on the sides."""
    surface = surface_of(box(size=(2, 1, 1), cells=(4, 2, 2)))
    h, g, _ = matrices(surface, POISSON)
    strain = np.array((1.0, -POISSON, -POISSON))
    tractions = np.linalg.solve(g, h @ (surface.rest * strain).reshape(-1)).reshape(-1, 3)
    middle = surface.rest[surface.triangles].mean(axis=1)
    expected = np.zeros_like(tractions)
    expected[:, 0] = 2 * (1 + POISSON) * np.sign(middle[:, 0]) * (np.abs(middle[:, 0]) > 0.999)
    np.testing.assert_allclose(tractions, expected, atol=2e-3)


def test_a_body_moved_as_a_whole_has_no_tractions():
    surface = surface_of(pliant.shapes.ball(particles=100))
    h, _, _ = matrices(surface, POISSON)
    assert np.abs(h @ rigid_motions(surface.rest)).max() < 1e-5 * np.abs(h).max()


def test_compliance_is_symmetric_and_gives_way_to_every_balanced_force():
    surface = surface_of(box())
    soft, stiff = compliance(surface, POISSON), stiffness(surface, POISSON)
    np.testing.assert_allclose(soft, soft.T, atol=1e-12 * np.abs(soft).max())
    rigid = rigid_motions(surface.rest)
    values = np.linalg.eigvalsh(soft + rigid @ rigid.T * np.trace(soft) / len(soft))
    assert values.min() > 0
    np.testing.assert_allclose(soft @ stiff, np.eye(len(soft)) - rigid @ rigid.T, atol=1e-8)


def energies(body, ends, shift):
    """J that both models need to hold the ends of a body, one of them moved."""
    one, other = ends
    start, fixed = body.rest.copy(), np.zeros(len(body.rest), bool)
    start[other] += shift
    fixed[one] = fixed[other] = True
    material = pliant.Fem(young=YOUNG, poisson=POISSON, material="st_venant_kirchhoff")
    theirs = equilibrium(body, material, start=start, fixed=fixed).outcome.energies[-1]
    return theirs


def held(body, ends, shift):
    world = pliant.World(gravity=(0, 0, 0), precision="double", contact=False)
    actor = world.add(body, pliant.Boundary(young=YOUNG, poisson=POISSON, damping=0, drag=20))
    actor.pin(ends[0].tolist())
    actor.pin(ends[1].tolist(), path=pliant.Path([0, 0.02], [(0, 0, 0), tuple(shift)]))
    for _ in range(200):
        world.step(1 / 60)
    return actor.solver.energy


def ends_of(body, axis):
    at = body.rest[:, axis]
    return np.flatnonzero(at < at.min() + 1e-6), np.flatnonzero(at > at.max() - 1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "cells", "axis", "shift"),
    [((1, 1, 1), (3, 3, 3), 1, (0, -0.004, 0)), ((4, 1, 1), (12, 3, 3), 0, (0, 0.01, 0))],
    ids=["pressed cube", "bent bar"],
)
def test_within_5_percent_of_finite_elements(size, cells, axis, shift):
    """Linear tets are too hard by a part that falls with the square of their size: so much is taken off."""
    body = box(size, cells)
    mine = held(body, ends_of(body, axis), shift)
    fine = []
    for finer in (1, 2):
        grid = box(size, tuple(finer * count for count in cells))
        fine.append(energies(grid, ends_of(grid, axis), shift))
    assert mine == pytest.approx((4 * fine[1] - fine[0]) / 3, rel=0.05)


def test_what_is_grabbed_follows_at_once():
    """One frame after the hand has moved, the corner is where the hand is, and the body is at rest in its shape."""
    body = box()
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(body, pliant.Boundary(young=1e4))
    actor.pin(ends_of(body, 1)[0].tolist())
    tip = int(np.argmax(body.rest.sum(axis=1)))
    handle = actor.grab(tip, stiffness=1e7)
    world.step(1 / 60)
    handle.move_to(body.rest[tip] + (0.1, 0, 0))
    world.step(1 / 60)
    assert actor.positions[tip, 0] - body.rest[tip, 0] == pytest.approx(0.1, abs=0.005)


def test_what_has_no_closed_surface_is_refused_and_told_what_would_do():
    world = pliant.World()
    for body, reason in (
        (pliant.shapes.sheet(cells=(3, 3)), "is open.*use MassSpring"),
        (pliant.shapes.rope(particles=5), "is a rod; use OrientedParticles"),
        (box(cells=(14, 14, 14)), "has 2,352 triangles .at most 2,000.*or Fem"),
    ):
        with pytest.raises(SettingsError, match=f"need a closed surface.*{reason}"):
            world.add(body, pliant.Boundary())


def test_a_damaged_cache_heals(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "_path", lambda key: tmp_path / f"{key}.npz")
    surface = surface_of(box(cells=(1, 1, 1)))
    first = compliance(surface, POISSON)
    (kept,) = tmp_path.glob("*.npz")
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2])
    np.testing.assert_array_equal(compliance(surface, POISSON), first)
    assert len(kept.read_bytes()) == len(whole)
