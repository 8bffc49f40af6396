"""Physics of finite elements without examples: integrators, materials, pins, handles, stiffness by parts."""

import numpy as np
import pytest

import meshes
import pliant
from pliant.elastic.materials import MATERIALS
from pliant.runtime.errors import SettingsError
from random_bodies import disturb, energy_of_motion, misfit, momentum

INTEGRATORS = ("implicit", "linear", "symplectic", "explicit")
WEIGHTLESS = (0.0, 0.0, 0.0)


def bar(cells=(2, 2, 5), **options):
    return meshes.box((0.5, 0.5, 1.5), cells, **options)


def play(world, steps, h=1 / 60):
    for _ in range(steps):
        world.step(h)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("material", MATERIALS)
def test_momentum_is_kept(material, integrator):
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    # explicit Euler gains energy without damping
    damping = 4.0 if integrator == "explicit" else 0.0
    settings = pliant.Fem(young=1e4, material=material, integrator=integrator, damping=damping)
    actor = world.add(bar(), settings, velocity=(1, 2, 0), angular_velocity=(1, 0, 2))
    disturb(actor, 1, moved=0.01)
    p, spin = momentum(actor)
    play(world, 20)
    p2, spin2 = momentum(actor)
    assert np.linalg.norm(p2 - p) < 1e-9 * np.linalg.norm(p)
    # velocities of the last two are averages over the parts of a step
    exact = 1e-9 if integrator in ("implicit", "linear") else 1e-2
    assert np.linalg.norm(spin2 - spin) < exact * np.linalg.norm(spin)


@pytest.mark.slow
def test_all_integrators_agree_for_small_steps():
    """A bar held at one end falls for a quarter of a second; steps of a millisecond."""
    tips = {}
    for integrator in INTEGRATORS:
        world = pliant.World(precision="double")
        actor = world.add(bar(), pliant.Fem(young=1e5, integrator=integrator, damping=1.0, tolerance=1e-8))
        actor.pin(lambda rest: rest[:, 2] < -0.74)
        play(world, 250, 1e-3)
        tips[integrator] = actor.positions[-1].copy()
    fall = np.linalg.norm(tips["implicit"] - actor.body.rest[-1])
    assert fall > 0.1
    for integrator, tip in tips.items():
        assert np.linalg.norm(tip - tips["implicit"]) < 0.03 * fall, integrator


def test_symplectic_euler_keeps_energy():
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(bar(), pliant.Fem(young=1e4, integrator="symplectic", damping=0))
    actor.positions[:] = actor.body.rest * (1, 1, 1.1)
    energies = []
    for _ in range(600):
        world.step(1 / 500)
        energies.append(energy_of_motion(actor) + actor.solver.energy)
    early, late = np.mean(energies[:100]), np.mean(energies[-100:])
    assert late == pytest.approx(early, rel=0.05)


def test_implicit_euler_never_gains_energy():
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(bar(), pliant.Fem(young=1e5, damping=0))
    disturb(actor, 3, moved=0.03)
    play(world, 3)
    before = energy_of_motion(actor)
    play(world, 200)
    assert energy_of_motion(actor) < before


@pytest.mark.parametrize("material", MATERIALS)
def test_a_hanging_bar_stretches_by_its_weight(material):
    """Its own weight stretches a hanging bar by rho g L^2 / (2 E), if little."""
    body = bar((2, 2, 8), density=1000.0)
    world = pliant.World(gravity=(0, 0, -9.81), precision="double")
    actor = world.add(body, pliant.Fem(young=2e6, poisson=0.0, material=material, damping=40))
    actor.pin(lambda rest: rest[:, 2] > 0.749)
    play(world, 200)
    stretch = 0.75 - 1.5 - actor.positions[:, 2].min()
    assert stretch == pytest.approx(1000 * 9.81 * 1.5**2 / (2 * 2e6), rel=0.05)


def test_a_body_comes_to_rest_in_the_same_shape_whatever_the_step():
    sags = []
    for h in (1 / 30, 1 / 120):
        world = pliant.World(precision="double")
        actor = world.add(bar(), pliant.Fem(young=2e5, damping=6), may_sleep=False)  # to the last millimetre
        actor.pin(lambda rest: rest[:, 2] < -0.74)
        play(world, int(4 / h), h)
        sags.append(actor.positions[:, 1].min())
    assert sags[0] == pytest.approx(sags[1], rel=1e-3)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_pins_are_exact_and_follow_paths(integrator):
    world = pliant.World(precision="double")
    actor = world.add(bar(), pliant.Fem(young=1e4, integrator=integrator, damping=4.0))
    low = np.flatnonzero(actor.body.rest[:, 2] < -0.74)
    actor.pin(low, path=lambda t: (0.3 * t, 0.0, 0.0))
    play(world, 12)
    np.testing.assert_allclose(actor.positions[low], actor.body.rest[low] + (0.3 * 12 / 60, 0, 0), atol=1e-12)
    assert np.isfinite(actor.positions).all()


@pytest.mark.parametrize("solver", ["direct", "conjugate"])
def test_a_handle_lifts_the_body_as_a_spring(solver):
    """At rest a handle of stiffness k is stretched by m g / k."""
    world = pliant.World(precision="double")
    actor = world.add(bar(), pliant.Fem(young=1e6, damping=20, drag=2, solver=solver))
    handle = actor.grab(particle=20, stiffness=4e4)
    play(world, 600)
    stretch = handle.target - handle.position
    np.testing.assert_allclose(stretch, (0, actor.mass * 9.81 / 4e4, 0), atol=2e-3)


def test_both_solvers_play_the_same_motion():
    places = []
    for solver in ("direct", "conjugate"):
        world = pliant.World(precision="double")
        actor = world.add(bar(), pliant.Fem(young=1e5, solver=solver, tolerance=1e-9))
        actor.pin(lambda rest: rest[:, 2] < -0.74)
        play(world, 30)
        places.append(actor.positions.copy())
    np.testing.assert_allclose(*places, atol=1e-6)


@pytest.mark.parametrize("start", ["mirrored", "flat", "point"])
def test_a_ruined_body_recovers(start):
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(bar(), pliant.Fem(young=1e5, material="green", damping=6, iterations=60))
    rest = actor.body.rest
    noise = 1e-3 * np.random.default_rng(0).normal(size=rest.shape)
    shapes = {"mirrored": rest * (1, 1, -1), "flat": rest * (1, 1, 0), "point": 0 * rest}
    actor.positions[:] = shapes[start] + noise
    play(world, 400)
    assert misfit(actor.positions, rest) < 0.02


def test_harder_parts_are_harder():
    """Of a bar pressed together, the part that is ten times as hard gives way least."""
    body = bar((2, 2, 8), groups={"ear": lambda rest: rest[:, 2] > -0.05})
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(body, pliant.Fem(young=1e5, stiffness={"ear": 10.0}, damping=40))
    actor.pin(lambda rest: rest[:, 2] < -0.74)
    actor.pin(lambda rest: rest[:, 2] > 0.74, path=lambda t: (0, 0, -0.15 * min(t, 1)))
    play(world, 120)
    z = actor.positions[:, 2]
    middle = z[np.abs(body.rest[:, 2]) < 0.01].mean()
    soft, hard = 0.75 - (middle + 0.75), 0.75 - (z.max() - middle)
    assert soft + hard == pytest.approx(0.15, abs=1e-6)
    assert soft > 4 * hard
    softer = actor.settings.changed(stiffness={"ear": 1.0})
    actor.settings = softer
    play(world, 120)
    z = actor.positions[:, 2]
    assert z[np.abs(body.rest[:, 2]) < 0.01].mean() == pytest.approx(z.mean(), abs=0.01)


def test_the_outcome_of_a_step_can_be_read():
    world = pliant.World(precision="double")
    actor = world.add(bar(), pliant.Fem())
    other = world.add(bar(), pliant.ShapeMatching())
    disturb(actor, 0)
    world.step(1 / 60)
    assert actor.solver.converged and 1 <= actor.solver.iterations <= 20
    assert 0 <= actor.solver.residual < 1e-3 and actor.solver.energy > 0
    assert other.solver is None
    actor.settings = actor.settings.changed(iterations=1)
    disturb(actor, 1)
    world.step(1 / 60)
    assert actor.solver.iterations == 1 and not actor.solver.converged


def test_other_models_and_handles_side_by_side():
    """Handles of finite elements, of oriented particles and of shape matching in one world, each pulled once."""
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    kinds = (pliant.Fem(), pliant.OrientedParticles(particles=8), pliant.ShapeMatching())
    actors = [world.add(bar(), each, position=(2.0 * n, 0, 0)) for n, each in enumerate(kinds)]
    handles = [actor.grab(particle=0) for actor in actors]
    starts = [handle.position for handle in handles]
    for handle, begin in zip(handles, starts, strict=True):
        handle.move_to(begin + np.array([0, 0.3, 0]))
    play(world, 240)
    for handle, begin in zip(handles, starts, strict=True):
        assert handle.position[1] - begin[1] == pytest.approx(0.3, abs=0.06)


def test_actors_are_shared_out_without_a_change():
    frames = []
    for threads in (1, 2):
        world = pliant.World(threads=threads, colliders=[pliant.Plane((0, -1, 0))])
        for number in range(3):
            actor = world.add(bar(), pliant.Fem(young=2e4), name=str(number), position=(number, 0, 0))
            disturb(actor, number)
        play(world, 20)
        frames.append(world.frame())
    for name, places in frames[0].positions.items():
        np.testing.assert_array_equal(places, frames[1].positions[name])


def test_what_does_not_fit_is_refused_in_one_line():
    world = pliant.World()
    with pytest.raises(SettingsError, match=r'actor "cloth": finite elements need a solid'):
        world.add(meshes.sheet(), pliant.Fem(), name="cloth")
    with pytest.raises(SettingsError, match=r'stiffness: the body has no group "ears" \(it has none\)'):
        world.add(bar(), pliant.Fem(stiffness={"ears": 2.0}))
    with pytest.raises(SettingsError, match=r'forced: the body has no pose "twist"'):
        world.add(bar(), pliant.Fem(forced={"twist": 1.0}))
    with pytest.raises(SettingsError, match="poisson"):
        pliant.Fem(poisson=0.5)
    with pytest.raises(SettingsError, match="young"):
        pliant.Fem(young=0)
    with pytest.raises(SettingsError, match="stiffness"):
        pliant.Fem(stiffness={"ears": 0.0})
    with pytest.raises(SettingsError, match="material"):
        pliant.Fem(material="steel")
