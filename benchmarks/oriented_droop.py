"""How stiff a bar looks, by stiffness, iterations and time step: `python benchmarks/oriented_droop.py [--quick]`.

Figs. 2 and 3 of [Choi+17]: a bar of 1 x 1 x 10 m (1000 kg/m^3) as a chain of 20 oriented particles, the first of them
clamped. Printed is how far the last one hangs below it when all is still. Pliant's oriented particles stand beside the
position-based ones that they replace [Mueller & Chentanez 2011], which have no stiffness but the number of their
iterations. The latter are plain NumPy, so this takes some minutes; --quick takes a few steps of the first row of each
table, to see that it runs.
"""

import argparse

import numpy as np

import pliant
from pliant.bench.oriented_arrays import Particles
from pliant.bench.oriented_droop import OnStage, settle
from pliant.bench.position_based import PositionBased
from pliant.graph import graph_of

MOST, FEW = 1000, 4  # steps
STIFFNESS = 3.2e7  # Pa; the bar sags by a fifth of its length
BAR = pliant.shapes.cuboid(size=(10, 1, 1), cells=(20, 2, 2))


def implicit(stiffness: float, iterations: int = 10, h: float = 1 / 30, most: int = MOST) -> float:
    """The droop (m) of Pliant's oriented particles, after at most so many steps."""
    world = pliant.World(precision="double")
    settings = pliant.OrientedParticles(particles=20, stiffness=stiffness, iterations=iterations, damping=0)
    actor = world.add(BAR, settings)
    actor.pin([0])
    return settle(OnStage(actor), h, most)


def position_based(bar: PositionBased, iterations: int = 10, h: float = 1 / 30, most: int = MOST) -> float:
    """The droop (m) of the position-based ones; they go on from where they are."""
    bar.iterations = iterations
    return settle(bar, h, most)


def clamped() -> PositionBased:
    """The same graph, at rest."""
    particles = Particles.of(graph_of(BAR, 20))
    bar = PositionBased(particles)
    bar.pins = {0: (particles.rest[0], np.eye(3))}
    return bar


def main() -> None:
    parser = argparse.ArgumentParser(description="How stiff a bar looks.")
    parser.add_argument("--quick", action="store_true", help="a few steps of a few rows, to see that it runs")
    rows, most = (1, FEW) if parser.parse_args().quick else (3, MOST)
    print("| stiffness | droop |\n| ---: | ---: |")
    for times in (1, 2, 4)[:rows]:
        stiffness = times * STIFFNESS / 4
        print(f"| {stiffness / 1e6:.0f} MPa | {implicit(stiffness, most=most):.3f} m |", flush=True)
    print("\n| iterations | implicit | position-based |\n| ---: | ---: | ---: |")
    bar = clamped()
    for iterations in (10, 100, 1000)[:rows]:
        ours = implicit(STIFFNESS, iterations, most=most)
        theirs = position_based(bar, iterations, most=most)
        print(f"| {iterations} | {ours:.3f} m | {theirs:.3f} m |", flush=True)
    print("\n| time step | implicit | position-based |\n| ---: | ---: | ---: |")
    bar = clamped()
    for rate in (30, 60, 120)[:rows]:
        ours = implicit(STIFFNESS, h=1 / rate, most=most)
        theirs = position_based(bar, h=1 / rate, most=most)
        print(f"| 1/{rate} s | {ours:.3f} m | {theirs:.3f} m |", flush=True)


if __name__ == "__main__":
    main()
