"""A cloth of ten thousand particles against other solvers:

    python benchmarks/cloth.py [--quick] [--side N] [--only NAME]

A square cloth of springs, a metre wide, is let go upright and hangs by two corners for a second. All solvers are given
the same particles, masses, springs and spring constants, no bending and no dampers; each may take more iterations or
shorter steps. Printed is what a frame of 1/60 s costs (milliseconds of processor time of this process, one thread,
everything included) and the stretch error: the root mean square, over all springs in the last quarter of a second, of
their strain less that of the cloth at rest, which Pliant finds with up to 2,000 iterations. At equal error the one that
costs less is ahead.

The others are Newton (VBD and XPBD, on the processor) and pyPBD (XPBD), where they are installed beside Pliant:
`pip install newton pyPBD`. Without them only our rows are printed. --quick takes a small cloth and a few frames.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from time import process_time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when a library is loaded

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.models.mass_spring.network import lengths, network_of

Array = NDArray[np.float64]
SIDE, FRAME, FRAMES, LAST = 100, 1 / 60, 60, 15
YOUNG, THICK, DENSITY = 2e4, 0.005, 40.0  # 100 N/m for each metre of width, 0.2 kg/m^2
GRAVITY = 9.81
DIVERGED = 1.0  # error: springs twice as long as they should be
OURS = (4, 8, 20)  # iterations of a frame
# sub-steps of a frame, and iterations in each
PBD = ((20, 1), (80, 1))
VBD = ((1, 20), (5, 10))
XPBD = ((20, 1), (1, 100))


@dataclass(frozen=True)
class Cloth:
    """What all are given: rest (V, 3) m, upright; edges (E, 2), their stiffness (E,) N/m; masses (V,) kg."""

    body: pliant.Body
    rest: Array
    edges: NDArray[np.int64]
    stiffness: Array
    masses: Array
    pinned: tuple[int, int]

    def strains(self, x: Array) -> Array:
        return lengths(x, self.edges) / lengths(self.rest, self.edges) - 1.0


@dataclass(frozen=True)
class Case:
    """Plays a frame; tells where the particles are (V, 3)."""

    name: str
    effort: str
    play: Callable[[], None]
    positions: Callable[[], Array]


def cloth(side: int) -> Cloth:
    body = pliant.shapes.sheet(size=(1.0, 1.0), cells=(side - 1, side - 1), thickness=THICK, density=DENSITY)
    rest = body.rest[:, [0, 2, 1]].copy()
    network = network_of(body)
    top = np.flatnonzero(rest[:, 1] > rest[:, 1].max() - 1e-9)
    pinned = int(top[rest[top, 0].argmin()]), int(top[rest[top, 0].argmax()])
    return Cloth(body, rest, network.edges, YOUNG * network.stiffness[: len(network.edges)], body.masses, pinned)


def hanging(given: Cloth, iterations: int, tolerance: float) -> tuple[pliant.World, pliant.Actor]:
    settings = pliant.MassSpring(young=YOUNG, bending=0.0, damping=0.0, iterations=iterations, tolerance=tolerance)
    world = pliant.World(contact=False, threads=1, gravity=(0, -GRAVITY, 0))
    quarter = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))
    actor = world.add(given.body, settings, rotation=quarter)
    actor.positions[:] = given.rest
    actor.pin(list(given.pinned))
    return world, actor


def ours(given: Cloth, iterations: int) -> Case:
    world, actor = hanging(given, iterations, tolerance=1e-6)
    return Case("pliant", f"1 x {iterations}", lambda: world.step(FRAME), lambda: actor.positions.astype(np.float64))


def newton_solver(given: Cloth, kind: str, substeps: int, iterations: int) -> Case:
    import warp

    warp.config.quiet = True
    import newton

    warp.set_device("cpu")
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -GRAVITY, 0.0))
    masses = given.masses.copy()
    masses[list(given.pinned)] = 0.0
    builder.add_particles(
        [warp.vec3(*row) for row in given.rest], [warp.vec3(0.0, 0.0, 0.0)] * len(given.rest), masses.tolist()
    )
    for (i, j), k in zip(given.edges.tolist(), given.stiffness.tolist(), strict=True):
        builder.add_spring(i, j, k, 0.0, 0.0)
    if kind == "VBD":
        builder.color()
    model = builder.finalize()
    model.particle_max_velocity = 1e6
    solver = getattr(newton.solvers, f"Solver{kind}")(model, iterations=iterations)
    states, control = [model.state(), model.state()], model.control()

    def play() -> None:
        for _ in range(substeps):
            states[0].clear_forces()
            solver.step(states[0], states[1], control, None, FRAME / substeps)
            states.reverse()

    name = f"Newton {newton.__version__} {kind}"
    return Case(name, f"{substeps} x {iterations}", play, lambda: states[0].particle_q.numpy().astype(np.float64))


def pbd(given: Cloth, substeps: int, iterations: int) -> Case:
    import pypbd

    simulation = pypbd.Simulation.getCurrent()  # there is one for a process
    simulation.initDefault()
    model, step = simulation.getModel(), simulation.getTimeStep()
    model.addTriangleModel(given.rest, given.body.elements.astype(np.uint32).reshape(-1))
    particles = model.getParticles()
    for number, mass in enumerate(given.masses):
        particles.setMass(number, 0.0 if number in given.pinned else float(mass))
    for (i, j), k in zip(given.edges.tolist(), given.stiffness.tolist(), strict=True):
        model.addDistanceConstraint_XPBD(i, j, k)
    step.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, substeps)
    step.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, iterations)
    pypbd.TimeManager.getCurrent().setTimeStepSize(FRAME)

    def positions() -> Array:
        return np.array([particles.getPosition(i) for i in range(len(given.rest))], np.float64).reshape(-1, 3)

    return Case("pyPBD XPBD", f"{substeps} x {iterations}", lambda: step.step(model), positions)


def cases(given: Cloth, quick: bool, only: str) -> Iterator[Case]:
    """Each is made when it is asked for."""

    def some(efforts: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        return efforts[:1] if quick else efforts

    for iterations in OURS[:1] if quick else OURS:
        yield ours(given, iterations)
    missing = []
    if not find_spec("pypbd"):
        missing.append("pyPBD")
    elif only in "pyPBD XPBD":
        for effort in some(PBD):
            yield pbd(given, *effort)
    if find_spec("newton") and find_spec("warp"):
        for kind, efforts in (("VBD", VBD), ("XPBD", XPBD)):
            if only in f"Newton {kind}":
                for effort in some(efforts):
                    yield newton_solver(given, kind, *effort)
    else:
        missing.append("newton")
    if missing:
        print(f"not installed, so not compared with: pip install {' '.join(missing)}")


def played(case: Case, given: Cloth, frames: int, last: int) -> tuple[float, Array]:
    """Milliseconds a frame, the first one left out, and the strains of the springs over the last frames (F, E)."""
    case.play()
    spent, strains = 0.0, []
    for frame in range(1, frames):
        begin = process_time()
        case.play()
        spent += process_time() - begin
        if frame >= frames - last:
            strains.append(given.strains(case.positions()))
    return 1e3 * spent / (frames - 1), np.array(strains)


def at_rest(given: Cloth, quick: bool) -> Array:
    """(E,) strains of the cloth when it hangs still: implicit Euler over long steps takes it there at once."""
    world, actor = hanging(given, 20 if quick else 2000, tolerance=1e-8)
    for _ in range(1 if quick else 6):
        world.step(1.0)
    return given.strains(actor.positions.astype(np.float64))


def main() -> None:
    parser = argparse.ArgumentParser(description="A cloth of ten thousand particles against other solvers.")
    parser.add_argument("--quick", action="store_true", help="a small cloth and a few frames, to see that it runs")
    parser.add_argument("--side", type=int, default=SIDE, help=f"particles along a side, {SIDE} if not said")
    parser.add_argument("--only", default="", help="of the others, those with this in their name")
    asked = parser.parse_args()
    given = cloth(8 if asked.quick else asked.side)
    frames, last = (4, 2) if asked.quick else (FRAMES, LAST)
    expected = at_rest(given, asked.quick)
    print(f"{len(given.rest):,} particles, {len(given.edges):,} springs; at rest {100 * np.abs(expected).mean():.2f} %")
    print("| | sub-steps x iterations | ms a frame | stretch error, % |\n| --- | ---: | ---: | ---: |")
    for case in cases(given, asked.quick, asked.only):
        cost, strains = played(case, given, frames, last)
        error = float(np.sqrt(np.mean(np.square(strains - expected))))
        told = f"{100 * error:.2f}" if error < DIVERGED else "diverged"
        print(f"| {case.name} | {case.effort} | {cost:.1f} | {told} |", flush=True)


if __name__ == "__main__":
    main()
