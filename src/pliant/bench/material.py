"""One material, three models: how far a bar of it stretches, sags and how fast it swings, at several resolutions.

The bar is 1 x 4 x 1 m of E = 1 MPa and 1000 kg/m^3. Its outermost layer of particles is pinned, and it hangs down or
sideways from there with drag until it is still; measured is where its drawn end is then. Oriented particles have their
centres inside the bar, so less of it hangs: what they give is scaled to the whole length, with its square for the
elongation and its fourth power for the sag. The free bar is struck so that it bends, without drag or damping.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.body import Body
from pliant.body.spacing import spacing
from pliant.models.settings import Settings

Array = NDArray[np.float64]
YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0
LENGTH, SIDE = 4.0, 1.0  # m
LAYER = 0.4  # of their spacing: particles that are so near to the outermost are of its layer
FREE_FREE = 4.730041  # the first root of cos x cosh x = 1: the first mode of a free bar
STILL = 1e-4  # of the change of shape, per second
LIMITS = {"stretch": 0.15, "bending": 0.30, "frequency": 0.15}
REFINED = 0.10  # how much a refinement may change a model
UNITS = {"stretch": ("mm", 1e3), "bending": ("mm", 1e3), "frequency": ("Hz", 1.0)}
LOADS = {"stretch": (0.0, -9.81, 0.0), "bending": (0.2, 0.0, 0.0)}  # m/s^2: strains of one or two per cent
DRAG = {"stretch": 15.0, "bending": 4.0}  # 1/s: about critical
MATERIAL_STEP = 1 / 30  # s; models that need shorter ones take them


@dataclass(frozen=True)
class Case:
    """A model at one resolution: a bar, and settings by what else is to be set."""

    model: str
    resolution: str
    bar: Body
    settings: Callable[..., Settings]


def cases(quick: bool = False) -> list[Case]:
    """Coarse to fine, finite elements first. `quick`: two coarse ones of each, to see that everything runs."""
    cells, particles = ((2, 3), (30, 60)) if quick else ((4, 6, 8), (100, 200, 400))
    made = [
        Case("fem", f"{n} cells across", bar(n), lambda **more: pliant.Fem(young=YOUNG, poisson=POISSON, **more))
        for n in cells
    ]
    made += [
        Case("shape_matching", f"{n} cells across", bar(n), lambda **more: pliant.ShapeMatching(young=YOUNG, **more))
        for n in cells
    ]
    for count in particles:

        def settings(count: int = count, **more: Any) -> Settings:
            return pliant.OrientedParticles(young=YOUNG, particles=count, **more)

        made.append(Case("oriented_particles", f"{count} particles", bar(cells[-1]), settings))
    return made


def bar(across: int) -> Body:
    """A bar of cubic cells."""
    cells = across, round(across * LENGTH / SIDE), across
    return pliant.shapes.cuboid(size=(SIDE, LENGTH, SIDE), cells=cells, density=DENSITY)


def measured(case: Case, test: str) -> float:
    """Elongation (m), sag (m) or the first frequency (Hz)."""
    return frequency(case) if test == "frequency" else way(case, test)


def way(case: Case, test: str, seconds: float = 20.0) -> float:
    """How far (m) the end of a bar that hangs is from where it would be without weight."""
    world = pliant.World(gravity=LOADS[test], precision="double", contact=False)
    actor = world.add(case.bar, case.settings(damping=0.0, drag=DRAG[test]), may_sleep=False)
    height = np.array(actor.positions[:, 1])
    pinned = height > height.max() - LAYER * spacing(actor.body)
    actor.pin(np.flatnonzero(pinned))
    hangs = float(height[pinned].min() - case.bar.rest[:, 1].min())
    rest = actor.surface
    end = rest[:, 1] < rest[:, 1].min() + 1e-6 * LENGTH
    before, moved = rest, 1.0
    while moved > STILL and world.time < seconds:
        for _ in range(10):
            world.step(MATERIAL_STEP)
        now = actor.surface
        moved = float(np.abs(now - before).max() / np.abs(now - rest).max()) / (10 * MATERIAL_STEP)
        before = now
    axis, power = (1, 2) if test == "stretch" else (0, 4)
    return abs(float((before - rest)[end, axis].mean())) * (LENGTH / hangs) ** power


def frequency(case: Case, periods: float = 2.5) -> float:
    """Of the first mode of the free bar (Hz), from the times at which it passes its rest shape."""
    about = FREE_FREE**2 / (2 * np.pi) * np.sqrt(YOUNG * SIDE**2 / 12 / (DENSITY * LENGTH**4))
    world = pliant.World(gravity=(0, 0, 0), precision="double", contact=False)
    actor = world.add(case.bar, case.settings(damping=0.0, drag=0.0), may_sleep=False)
    masses, rest = actor.body.masses, np.array(actor.positions)
    along = FREE_FREE * (rest[:, 1] - case.bar.rest[:, 1].mean()) / LENGTH
    mode = np.cosh(along) / np.cosh(FREE_FREE / 2) + np.cos(along) / np.cos(FREE_FREE / 2)
    mode -= masses @ mode / masses.sum()
    actor.velocities[:, 0] = 0.01 * LENGTH * about * mode
    step = 1 / (64 * about)
    swings = []
    for _ in range(round(periods / about / step)):
        world.step(step)
        swings.append(float(masses * mode @ (actor.positions[:, 0] - rest[:, 0])))
    swing = np.array(swings)
    passes = np.flatnonzero(swing[:-1] * swing[1:] <= 0)
    times = step * (passes + swing[passes] / (swing[passes] - swing[passes + 1]))
    return float((len(times) - 1) / (2 * (times[-1] - times[0])))


def rows(progress: Callable[[str], None], quick: bool = False) -> Iterator[dict[str, Any]]:
    """A row for each model and test: what was measured at each resolution, how far the worst is from finite elements at
    the finest, how much a refinement changed at most, and whether that is within the limits."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for case in cases(quick):
        for test in LIMITS:
            progress(f"{case.model}, {case.resolution}: {test}")
            found.setdefault((case.model, test), {})[case.resolution] = measured(case, test)
    for (model, test), values in found.items():
        reference = list(found["fem", test].values())[-1]
        numbers = np.array(list(values.values()))
        off = float(np.abs(numbers / reference - 1).max())
        refined = float(np.abs(numbers[1:] / numbers[:-1] - 1).max())
        unit, scale = UNITS[test]
        shown = {f"at {name}": f"{value * scale:.4g} {unit}" for name, value in values.items()}
        met = "met" if off <= LIMITS[test] and refined <= REFINED else "not met"
        yield {"model": model, "test": test, **shown, "off": off, "refined": refined, "result": met}
