"""What modes promise: exact oscillations, bending without swelling, pins, contacts, momentum."""

import numpy as np
import pytest

import pliant
import pliant.models.modal.eigenmodes as eigenmodes_file
from pliant.models.modal.eigenmodes import eigenmodes
from pliant.runtime.errors import SettingsError
from pliant.volume import store
from pliant.world import World

WEIGHTLESS = (0.0, 0.0, 0.0)
BEAM = pliant.shapes.cuboid(size=(2.0, 0.2, 0.2), cells=(12, 2, 2))
CUBE = pliant.shapes.cuboid(size=(1, 1, 1), cells=(3, 3, 3))


def hung(settings, gravity, seconds=4.0, substeps=4):
    """A beam that is pinned at one end and sags until it rests."""
    world = World(gravity=(0, -gravity, 0), precision="double")
    actor = world.add(BEAM, settings)
    actor.pin(np.flatnonzero(BEAM.rest[:, 0] < -0.99).tolist())
    for _ in range(round(60 * seconds)):
        world.step(1 / 60, substeps=substeps)
    return actor


def axis_length(positions):
    """Along the middle of the beam."""
    stations = np.unique(BEAM.rest[:, 0].round(6))
    middle = np.stack([positions[np.abs(BEAM.rest[:, 0] - s) < 1e-5].mean(axis=0) for s in stations])
    return float(np.linalg.norm(np.diff(middle, axis=0), axis=1).sum()), middle


def test_a_mode_swings_with_its_own_frequency():
    """Let go in its softest mode, without damping: after whole periods it is where it was, whatever the step."""
    values, phi = eigenmodes(BEAM, 6, 0.3)
    young = 1e6
    period = 2 * np.pi / np.sqrt(young * values[0])
    for steps in (11, 64):
        world = World(gravity=WEIGHTLESS, precision="double")
        settings = pliant.Modal(young=young, modes=6, damping=0, mode_damping=0, shapes="linear")
        actor = world.add(BEAM, settings)
        start = BEAM.rest + 0.02 * phi[:, 0].reshape(-1, 3) / np.abs(phi[:, 0]).max()
        actor.positions[:] = start
        for _ in range(5 * steps):
            world.step(period / steps)
        np.testing.assert_allclose(actor.positions, start, atol=1e-7)


def test_a_free_beam_rings_as_euler_and_bernoulli_say():
    """omega = 22.37 sqrt(E I / (rho A L^4)) of a free beam; linear tets of four cells across are a tenth too hard."""
    slender = pliant.shapes.cuboid(size=(4.0, 0.2, 0.2), cells=(64, 4, 4))
    values, _ = eigenmodes(slender, 2, 0.0)
    told = 22.3733 * np.sqrt(0.2**2 / 12 / (slender.density * 4.0**4))
    assert np.sqrt(values[0]) == pytest.approx(told, rel=0.12)


@pytest.mark.slow
def test_warped_modes_bend_without_swelling():
    """Bent far by its own weight, the middle of a beam keeps its length within 2 %, and its cells their width."""
    actor = hung(pliant.Modal(young=6e5, damping=6), 9.81, 3.0)
    length, middle = axis_length(actor.positions)
    tip = middle[-1] - middle[-2]
    assert np.degrees(np.arctan2(-tip[1], tip[0])) > 70
    assert length == pytest.approx(2.0, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("shapes", ["warped", "nonlinear"])
@pytest.mark.parametrize("weight", [0.5, 9.81])
def test_a_beam_sags_as_finite_elements_do(shapes, weight):
    """Finite elements (St. Venant-Kirchhoff): 0.1435 and 1.5077 m; a little of it, and by a right angle."""
    actor = hung(pliant.Modal(young=1e6, damping=6, shapes=shapes, modes=20), weight, 3.0)
    assert -axis_length(actor.positions)[1][-1, 1] == pytest.approx({0.5: 0.1435, 9.81: 1.5077}[weight], rel=0.12)


def test_pins_and_handles_act_through_the_modes():
    world = World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(BEAM, pliant.Modal(young=1e5, damping=6))
    left, tip = np.flatnonzero(BEAM.rest[:, 0] < -0.99), int(np.argmax(BEAM.rest.sum(axis=1)))
    actor.pin(left.tolist())
    handle = actor.grab(tip, stiffness=10.0)
    handle.move_to(BEAM.rest[tip] + (0, 0.3, 0))
    for _ in range(300):
        world.step(1 / 60)
    np.testing.assert_allclose(actor.positions[left], BEAM.rest[left], atol=1e-12)
    rise = actor.positions[tip, 1] - BEAM.rest[tip, 1]
    assert 0.05 < rise < 0.25
    # what the handle pulls is what the beam answers: 21.9 N/m by finite elements
    assert 10.0 * (0.3 - rise) / rise == pytest.approx(21.9, rel=0.05)


def test_a_cube_lands_and_rests():
    world = World(colliders=[pliant.Plane()])
    actor = world.add(CUBE, pliant.Modal(young=1e6), position=(0, 1.2, 0))
    for _ in range(150):
        world.step(1 / 60, substeps=4)
    assert actor.centre[1] == pytest.approx(0.5, abs=0.015)
    assert actor.positions[:, 1].min() > -0.005
    assert np.abs(np.ptp(actor.positions, axis=0) - 1.0).max() < 0.02


@pytest.mark.parametrize("other", [pliant.Modal(young=1e6, damping=0), pliant.Rigid()])
def test_bodies_that_meet_keep_their_momentum(other):
    world = World(gravity=WEIGHTLESS, precision="double")
    world.add(CUBE, pliant.Modal(young=1e6, damping=0), velocity=(2, 0, 0))
    world.add(CUBE, other, position=(1.2, 0.3, 0.2), velocity=(-1, 0, 0), rotation=(0, 0, 0.2, 0.98))
    before = sum(actor.body.masses @ actor.velocities for actor in world.actors)
    slowest = np.inf
    for _ in range(40):
        world.step(1 / 60, substeps=4)
        slowest = min(slowest, float(world.actors[0].velocities.mean(axis=0)[0]))
    after = sum(actor.body.masses @ actor.velocities for actor in world.actors)
    assert slowest < 1.0  # they did meet
    np.testing.assert_allclose(after, before, atol=1e-3 * np.linalg.norm(before))


def test_nonlinear_modes_rest_and_keep_energy():
    """Let go bent, without damping: no later swing has more than the first."""
    world = World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(BEAM, pliant.Modal(young=1e5, modes=10, damping=0, mode_damping=0, shapes="nonlinear"))
    actor.positions[:] = BEAM.rest + np.outer(0.4 * BEAM.rest[:, 0] ** 2, (0, 1, 0))
    peaks = []
    for _ in range(4):
        told = []
        for _ in range(60):
            world.step(1 / 240)
            told.append(float(actor.body.masses @ np.square(actor.velocities).sum(axis=1)))
        peaks.append(max(told))
    assert peaks[0] > 0.1
    assert max(peaks) < 1.1 * peaks[0]


def test_what_is_kept_on_disk_is_used_and_heals(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "cache_folder", lambda *names: tmp_path)
    made = []
    inner = eigenmodes_file._make
    monkeypatch.setattr(eigenmodes_file, "_make", lambda *args: made.append(1) or inner(*args))
    first, *others = [pliant.Body(BEAM.rest[:, ::-1], tets=BEAM.tets[:, [1, 0, 2, 3]]) for _ in range(4)]
    values, phi = eigenmodes(first, 5, 0.3)
    again, phi_again = eigenmodes(others[0], 5, 0.3)
    assert len(made) == 1
    np.testing.assert_array_equal(phi, phi_again)
    (kept,) = tmp_path.glob("*.npz")
    kept.write_bytes(kept.read_bytes()[:100])
    healed, _ = eigenmodes(others[1], 5, 0.3)
    np.testing.assert_allclose(healed, values, rtol=1e-9)
    eigenmodes(others[2], 5, 0.3)
    assert len(made) == 2
    np.testing.assert_array_equal(again, values)


@pytest.mark.parametrize(
    ("body", "values", "words"),
    [
        (pliant.shapes.sheet(), {}, ["modes need a solid", "shell", "MassSpring"]),
        (CUBE, {"modes": 300}, ["modes = 300", "64 particles", "186 modes", "Fem"]),
        (CUBE, {"modes": 50, "shapes": "nonlinear"}, ["40 at most", "warped"]),
        (CUBE, {"young": -1.0}, ["young = -1.0"]),
        (CUBE, {"poisson": 0.5}, ["poisson = 0.5"]),
        (CUBE, {"mode_damping": -1e-3}, ["mode_damping"]),
        (CUBE, {"forced": {"grin": 1.0}}, ['no pose "grin"']),
    ],
)
def test_bad_input_is_one_line(body, values, words):
    with pytest.raises(SettingsError) as told:
        World().add(body, pliant.Modal(**values))
    assert all(word in str(told.value) for word in words), told.value
    assert "\n" not in str(told.value)


def test_a_body_in_two_pieces_is_refused():
    rest = np.concatenate([CUBE.rest, CUBE.rest + np.array([3.0, 0, 0])])
    body = pliant.Body(rest, tets=np.concatenate([CUBE.tets, CUBE.tets + len(CUBE.rest)]))
    world = World()
    with pytest.raises(SettingsError, match="several pieces"):
        world.add(body, pliant.Modal())
        world.step(1 / 60)


def test_an_actor_turns_into_modes_and_back_while_it_runs():
    body = CUBE.with_pose("tall", CUBE.rest * (0.9, 1.2, 0.9))
    world = World(colliders=[pliant.Plane()])
    actor = world.add(body, pliant.ShapeMatching(), position=(0, 1, 0))
    for settings in (pliant.Modal(), pliant.Modal(modes=10), pliant.Modal(shapes="linear"), pliant.ShapeMatching()):
        actor.settings = settings
        for _ in range(10):
            world.step(1 / 60)
    assert np.isfinite(actor.positions).all()
