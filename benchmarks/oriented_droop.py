"""How stiff a bar looks, by stiffness, iterations and time step: `python benchmarks/oriented_droop.py`.

Figs. 2 and 3 of [Choi+17]: a bar of 1 x 1 x 10 m (1000 kg/m^3) as a chain of 20 oriented particles, the first of them
clamped. Printed is how far the last one hangs below it when all is still. Pliant's oriented particles stand beside the
position-based ones that they replace [Mueller & Chentanez 2011], which have no stiffness but the number of their
iterations. The latter are plain NumPy, so this takes some minutes.
"""

import numpy as np

import pliant
from pliant.bench.oriented_arrays import Particles
from pliant.bench.oriented_droop import OnStage, settle
from pliant.bench.position_based import PositionBased
from pliant.graph import graph_of

STIFFNESS = 3.2e7  # Pa; the bar sags by a fifth of its length
BAR = pliant.shapes.cuboid(size=(10, 1, 1), cells=(20, 2, 2))


def implicit(stiffness: float, iterations: int = 10, h: float = 1 / 30) -> float:
    """The droop (m) of Pliant's oriented particles."""
    world = pliant.World(precision="double")
    settings = pliant.OrientedParticles(particles=20, stiffness=stiffness, iterations=iterations, damping=0)
    actor = world.add(BAR, settings)
    actor.pin([0])
    return settle(OnStage(actor), h)


def position_based(bar: PositionBased, iterations: int = 10, h: float = 1 / 30) -> float:
    """The droop (m) of the position-based ones; they go on from where they are."""
    bar.iterations = iterations
    return settle(bar, h)


def clamped() -> PositionBased:
    """The same graph, at rest."""
    particles = Particles.of(graph_of(BAR, 20))
    bar = PositionBased(particles)
    bar.pins = {0: (particles.rest[0], np.eye(3))}
    return bar


def main() -> None:
    print("| stiffness | droop |\n| ---: | ---: |")
    for times in (1, 2, 4):
        stiffness = times * STIFFNESS / 4
        print(f"| {stiffness / 1e6:.0f} MPa | {implicit(stiffness):.3f} m |", flush=True)
    print("\n| iterations | implicit | position-based |\n| ---: | ---: | ---: |")
    bar = clamped()
    for iterations in (10, 100, 1000):
        ours, theirs = implicit(STIFFNESS, iterations), position_based(bar, iterations)
        print(f"| {iterations} | {ours:.3f} m | {theirs:.3f} m |", flush=True)
    print("\n| time step | implicit | position-based |\n| ---: | ---: | ---: |")
    bar = clamped()
    for rate in (30, 60, 120):
        ours, theirs = implicit(STIFFNESS, h=1 / rate), position_based(bar, h=1 / rate)
        print(f"| 1/{rate} s | {ours:.3f} m | {theirs:.3f} m |", flush=True)


if __name__ == "__main__":
    main()
