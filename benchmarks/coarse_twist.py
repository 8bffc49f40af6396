"""How a coarse bar comes back from a strong twist: `python benchmarks/coarse_twist.py [--quick]`.

A free bar of 1 x 2 x 1 m is let go, at rest, in its example. Below a strength of 1 it must go back to rest. What lies
between two shapes of a ring is their blend; where a cell turns far from one end to the other it is neither shape, and
costs more than the strength's pull towards rest gains. That cost is taken out of the energy (relief.py); the last
columns are without. --quick plays a few steps, to see that it runs.
"""

import argparse

import pliant
from pliant.models.shape_matching import relief

SECONDS, RATE = 20, 60
CELLS = ((1, 4, 1), (2, 4, 2), (4, 4, 4), (4, 8, 4))
STRENGTHS = (0.9, 0.98, 0.995)


def left(cells: tuple[int, int, int], degrees: float, strength: float, steps: int) -> float:
    """How much of the twist the bar is still held in: 1 in the pose, 0 at rest."""
    bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=cells)
    pose = pliant.poses.twist(bar, degrees=degrees, axis="y")
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(bar.with_pose("twist", pose), pliant.ShapeMatching(example_strength=strength))
    actor.positions[:] = pose
    for _ in range(steps):
        world.step(1 / RATE)
    return float(actor.weights[0, 1])


def main() -> None:
    parser = argparse.ArgumentParser(description="How a coarse bar comes back from a strong twist.")
    parser.add_argument("--quick", action="store_true", help="play a few steps, to see that it runs")
    quick = parser.parse_args().quick
    steps = 3 if quick else SECONDS * RATE
    strengths = STRENGTHS[:1] if quick else STRENGTHS
    print(f"| cells | twist | a cell | {' | '.join(f'{s:g}' for s in strengths)} |", end="")
    print(f" {' | '.join(f'{s:g}, no relief' for s in strengths)} |")
    print("| --- | ---: | ---: |" + " ---: |" * (2 * len(strengths)))
    most = relief.MOST
    for cells in CELLS[:1] if quick else CELLS:
        for degrees in (90.0, 135.0, 180.0):
            row = []
            for relief.MOST in (most, 0.0):
                row += [left(cells, degrees, strength, steps) for strength in strengths]
            numbers = " | ".join(f"{abs(value):.2f}" for value in row)
            bar = " x ".join(map(str, cells))
            print(f"| {bar} | {degrees:g}° | {degrees / cells[1]:.0f}° | {numbers} |", flush=True)


if __name__ == "__main__":
    main()
