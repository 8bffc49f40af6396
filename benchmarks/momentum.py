"""What the rotation of a region does to a body in free flight: `python benchmarks/momentum.py [--quick]`.

A bar of 225 particles (2000 kg) is deformed, let go at rest, and flies for 300 steps of 1/60 s: no gravity, no contact,
no damping, stiffness 0.3, double precision. It has no angular momentum, so it must not begin to spin; and on average
its energy of motion must not grow. --quick flies for a few steps, to see that it runs.
"""

import argparse
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import pliant

Array = NDArray[np.float64]
STEPS, FEW = 300, 3


def fly(bar: pliant.Body, start: Array, rotation: str, steps: int) -> tuple[float, float]:
    """|L| at the end (kg m^2/s), and the energy of motion: mean of the last second over that of the first."""
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(bar, pliant.ShapeMatching(stiffness=0.3, damping=0, rotation=rotation))
    actor.positions[:] = start
    energies = []
    for _ in range(steps):
        world.step(1 / 60)
        energies.append(bar.masses @ (actor.velocities**2).sum(axis=1) / 2)
    spin = bar.masses @ np.cross(actor.positions - actor.centre, actor.velocities)
    return float(np.linalg.norm(spin)), float(np.mean(energies[-60:]) / np.mean(energies[:60]))


def stretched(rest: Array, rng: np.random.Generator) -> Array:
    return rest @ (np.eye(3) + rng.uniform(-0.5, 0.5, (3, 3))) + 0.02 * rng.normal(size=rest.shape)


def crumpled(rest: Array, rng: np.random.Generator) -> Array:
    return rest + 0.3 * rng.normal(size=rest.shape)


def main() -> None:
    parser = argparse.ArgumentParser(description="What the rotation of a region does to a body in free flight.")
    parser.add_argument("--quick", action="store_true", help="fly for a few steps, to see that it runs")
    steps = FEW if parser.parse_args().quick else STEPS
    plain = pliant.shapes.cuboid()
    twisted = plain.with_pose("twist", pliant.poses.twist(plain, degrees=90))
    deforms: dict[str, Callable[[Array, np.random.Generator], Array]] = {
        "stretched and sheared by half": stretched,
        "crumpled by 0.3 m": crumpled,
    }
    print(f"| let go | example | rotation | \\|L\\| after {steps} steps, from 0 ", end="")
    print("| energy of motion, last / first second |")
    print("| --- | --- | --- | ---: | ---: |")
    for text, deform in deforms.items():
        for example, bar in (("none", plain), ("twist", twisted)):
            start = deform(bar.rest, np.random.default_rng(1))
            for rotation in ("matched", "paper"):
                spin, ratio = fly(bar, start, rotation, steps)
                print(f"| {text} | {example} | {rotation} | {spin:.2g} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
