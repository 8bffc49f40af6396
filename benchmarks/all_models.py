"""One bar under all models, in numbers: `python benchmarks/all_models.py [--quick]`.

The bar of the gallery's twist-bar (1 x 2 x 1 m, with a twist of 90 degrees as its example) stands without weight on a
smooth floor, and a smooth board presses it together, slowly. Printed is, for each model, how far the drawn bar is
twisted when it is pressed by a tenth, a fifth and three tenths of its height; how far its surface is from that of the
reference then; and what a frame of 1/60 s costs in processor time, on one thread. The reference is the paper's method
of finite elements (manifold="realised") with eight sub-steps in each frame. It takes about a minute; --quick presses
for a few frames, to see that it runs.
"""

import argparse
from time import process_time

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.gallery.all_models import ends_twist, models
from pliant.gallery.twist_bar import bar
from pliant.models.settings import Settings
from pliant.runtime.processor import machine

DEPTHS = (0.1, 0.2, 0.3)  # of the height
SINK, REST = 0.5, 0.25  # s for each depth: on the way, and waiting
QUICK = (1 / 60, 1 / 60)  # instead
HEIGHT = 2.0  # m

Array = NDArray[np.float64]


def pressed(
    settings: Settings, substeps: int, quick: bool, body: pliant.Body | None = None
) -> tuple[list[Array], pliant.Skin, float]:
    """The surface at each depth, the skin it is drawn with, and milliseconds of a frame."""
    sink, rest = QUICK if quick else (SINK, REST)
    times, offsets = [0.0], [(0.0, 0.0, 0.0)]
    for depth in DEPTHS:
        times += [times[-1] + sink, times[-1] + sink + rest]
        offsets += 2 * [(0.0, -depth * HEIGHT, 0.0)]
    board = pliant.Box(
        centre=(0, HEIGHT + 0.1, 0), half_size=(2, 0.1, 2), friction=0, path=pliant.Path(times, offsets, smooth=True)
    )
    world = pliant.World(gravity=(0, 0, 0), colliders=[pliant.Plane(friction=0), board], threads=1)
    actor = world.add(body or bar(), settings, position=(0, HEIGHT / 2, 0))
    world.step(1 / 60, substeps=substeps)  # compiles, prepares
    surfaces, spent, frames = [], 0.0, 1
    for time in times[2::2]:
        while frames / 60 < time - 1e-9:
            start = process_time()
            world.step(1 / 60, substeps=substeps)
            spent += process_time() - start
            frames += 1
        surfaces.append(actor.surface)
    return surfaces, actor.body.skin, 1e3 * spent / (frames - 1)


def apart(one: Array, other: Array) -> float:
    """Root-mean-square distance (m) of two surfaces after the best rigid alignment."""
    a, b = one - one.mean(axis=0), other - other.mean(axis=0)
    u, _, vt = np.linalg.svd(b.T @ a)
    turn = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ vt))]) @ vt
    return float(np.sqrt(np.mean(np.sum((b - a @ turn.T) ** 2, axis=1))))


def main() -> None:
    parser = argparse.ArgumentParser(description="One bar under all models, in numbers.")
    parser.add_argument("--quick", action="store_true", help="press for a few frames, to see that it runs")
    quick = parser.parse_args().quick
    chosen = models()
    finite = chosen["finite elements"].changed(damping=8.0)
    runs = {"reference": (finite.changed(manifold="realised", tolerance=1e-6), 8)}
    runs["finite elements, realised"] = (finite.changed(manifold="realised"), 4)
    runs["finite elements, strain"] = (finite, 4)
    for name in sorted(chosen.keys() - {"finite elements"}):
        runs[name] = (chosen[name].changed(damping=8.0), 4)
    runs["modes"] = (pliant.Modal(young=1e6, example_strength=0.975, damping=8.0), 4)
    head = "".join(f"{f'twist {depth:.0%}':>11}{'off, mm':>9}" for depth in DEPTHS)
    print(f"{'':28}{head}{'ms per frame':>15}")
    reference: list[Array] = []
    for name, (settings, substeps) in runs.items():
        surfaces, skin, cost = pressed(settings, substeps, quick)
        reference = reference or surfaces
        cells = [
            f"{ends_twist(skin, surface):11.1f}{1e3 * apart(best, surface):9.0f}"
            for surface, best in zip(surfaces, reference, strict=True)
        ]
        print(f"{name:28}{''.join(cells)}{cost:15.2f}", flush=True)
    print(f"\non {machine()}")


if __name__ == "__main__":
    main()
