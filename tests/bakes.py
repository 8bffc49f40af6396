"""A show in which everything moves that must survive a restart, and a process that bakes it.

python tests/bakes.py [--resume] [--frames N] [--pace SECONDS] [--key KEY] OUT...
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import pliant
from pliant.scene.show import Show
from pliant.session.bake import Watch, bake
from pliant.world import Handle

FPS, SUBSTEPS = 30.0, 2


def swinging(key: str = "swinging") -> Show:
    """A bar that hangs on a moving pin and is hit by a box, a ball that is taken hold of while it falls and one that
    bounces. Stiffness, goals, forced poses and gravity are keyed."""
    bar = pliant.shapes.cuboid(size=(0.4, 1.2, 0.4), cells=(2, 6, 2), name="bar")
    bar = bar.with_pose("twist", pliant.poses.twist(bar, 80, axis="y", shorten=0.2))
    bar = bar.with_pose("squash", pliant.poses.squash(bar, 0.3, axis="y"))
    knock = pliant.Path([0, 1], [(0, 0, 0), (1.5, 0, 0)])
    box = pliant.Box(centre=(-1.4, 1, 0), half_size=(0.4, 0.3, 0.3), path=knock)
    world = pliant.World(colliders=[pliant.Plane(restitution=0.8), box])
    sway = pliant.Path([0, 0.5, 1], [(0, 0, 0), (0, 0, 0.3), (0, 0.1, 0)], smooth=True)
    hanging = world.add(bar, pliant.ShapeMatching(stiffness=2.0), name="bar", position=(0, 1.4, 0))
    hanging.pin(lambda rest: rest[:, 1] > 0.59, path=sway)
    ball = world.add(
        pliant.shapes.ball(particles=100), pliant.ShapeMatching(examples="regions"), position=(1.5, 1.2, 0)
    )
    world.add(pliant.shapes.ball(particles=100), pliant.ShapeMatching(), name="bouncing", position=(3, 0.8, 0))
    held: list[Handle] = []

    def animate(now: float) -> None:
        # Other goals, or other poses that are forced: the cast is laid out anew.
        goals = "held" if 0.25 <= now < 0.5 else "paper"
        forced = {"twist": now} if 0.55 <= now < 0.85 else {}
        hanging.settings = hanging.settings.changed(stiffness=2.0 + now, goals=goals, forced=forced)
        world.gravity = (np.sin(3 * now), -9.81, 0)
        if now >= 0.3 and not held:  # where it takes hold depends on what happened before
            held.append(ball.grab(5, path=pliant.Path([0, 0.5], [(0, 0, 0), (0, 0.5, 0)])))

    return Show(
        name="swinging", title="", world=world, seconds=1.0, fps=FPS, substeps=SUBSTEPS, animate=animate, key=key,
    )  # fmt: skip


class Paced(Watch):
    """Slow enough to be killed in the middle of it."""

    def __init__(self, pace: float) -> None:
        self.pace = pace

    def simulating(self, done: int, total: int, begun: int) -> None:
        print(f"frame {done}", flush=True)
        time.sleep(self.pace)

    def writing(self, path: Path, done: int, total: int) -> None:
        print(f"writing {path.name} {done}", flush=True)
        time.sleep(self.pace / 4)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--frames", type=int)
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--key", default="swinging")
    parser.add_argument("out", nargs="+", type=Path)
    given = parser.parse_args()
    try:
        baked = bake(
            lambda: swinging(given.key),
            given.out,
            frames=given.frames,
            resume=given.resume,
            checkpoint_every=0.0,
            watch=Paced(given.pace),
        )
    except pliant.PliantError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"begun {baked.begun} frames {baked.frames}")
    return 130 if baked.stopped else 0


if __name__ == "__main__":
    sys.exit(main())
