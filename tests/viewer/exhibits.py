"""A small gallery for the viewer's tests, and a way to serve it: `python exhibits.py [--slow-until=FILE] [--forgetful]
[--two-models] [--token=TOKEN] [FILE]`."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from pliant.viewer.app import run
from pliant.viewer.server import session
from pliant.viewer.simulation.opened import Opened

FORGET = 1.0  # seconds that a forgetful server keeps what no page watches


@dataclass(frozen=True)
class Exhibit:
    name: str
    title: str
    paper: str
    about: str
    seconds: float
    build: Callable[[], Any]
    stills: tuple[float, ...] = ()
    camera: Any = None
    substeps: int = 1
    grips: Any = None
    captions: tuple[str, ...] = ()


def bar() -> Any:
    import pliant

    body = pliant.shapes.cuboid(size=(0.6, 0.6, 1.2), cells=(2, 2, 4))
    body = body.with_pose("twist", pliant.poses.twist(body, degrees=90))
    world = pliant.World(colliders=[pliant.Plane(), pliant.Sphere(centre=(1.2, 0.2, 0), radius=0.2)])
    world.add(body, pliant.ShapeMatching(), name="bar", position=(0, 0.31, 0))
    return world


def kinds() -> Any:
    """A solid, a shell and a rod, and a box that moves."""
    import pliant

    cart = pliant.Box(centre=(0, 0.1, 0), half_size=(0.2, 0.1, 0.2), path=lambda t: (t, 0.0, 0.0))
    world = pliant.World(colliders=[pliant.Plane(), cart])
    ball = pliant.shapes.ball(radius=0.3, particles=60)
    for number in range(2):
        world.add(ball, pliant.ShapeMatching(), name=f"ball {number}", position=(number - 2.0, 0.5, 0))
    world.add(pliant.shapes.sheet(cells=(4, 4)), pliant.ShapeMatching(), name="sheet", position=(0, 0.6, 0))
    world.add(pliant.shapes.rope(), pliant.ShapeMatching(), name="rope", position=(0, 0.3, 1))
    return world


def turning() -> Any:
    """Oriented particles beside a body whose particles do not turn."""
    import pliant

    world = pliant.World(colliders=[pliant.Plane()])
    world.add(pliant.shapes.ball(radius=0.3, particles=60), pliant.ShapeMatching(), name="ball", position=(-1, 0.5, 0))
    few = pliant.OrientedParticles(particles=8)
    ring = pliant.shapes.torus(radius=0.4, tube=0.15, particles=200)
    for number in range(2):
        world.add(ring, few, name=f"ring {number}", position=(number, 1.0, 0), angular_velocity=(2, number, 3))
    return world


def bomb() -> Any:
    """Diverges after a second."""
    world = bar()
    world["bar"].push(lambda actor: (0.0, 1e38 if actor.world.time > 1.0 else 0.0, 0.0))
    return world


EXHIBITS = (
    Exhibit("bar", "A bar", "Koyama+12 Fig. 1", "It would rather twist than bend.", 2.0, bar),
    Exhibit("kinds", "Three kinds", "", "A ball, a sheet and a rope.", 2.0, kinds),
    Exhibit("turning", "Rings", "Choi+17 Fig. 7", "They spin and fall.", 2.0, turning),
    Exhibit("bomb", "A bomb", "", "What happens when numbers grow too large.", 2.0, bomb),
)


def install() -> None:
    """Put these exhibits in place of the built-in ones."""
    listing = ModuleType("pliant.gallery.listing")
    vars(listing)["list_exhibits"] = lambda: EXHIBITS
    vars(listing)["find"] = lambda name: next(each for each in EXHIBITS if each.name == name)
    sys.modules["pliant.gallery.listing"] = listing


def compile_slowly(until: Path) -> None:
    """As on the first start on a machine, but until a file is there: a page may need long to come and look."""
    from pliant.runtime import compile_notice, jit

    make_ready = jit.make_ready

    def slow(precision: str, *modules: str) -> None:
        while not until.exists():
            for listener in compile_notice._listeners:
                listener(1, 4, "solve")
            time.sleep(0.1)
        for listener in compile_notice._listeners:
            listener(4, 4, "")
        make_ready(precision, *modules)

    jit.make_ready = slow


if __name__ == "__main__":
    install()
    for each in sys.argv:
        if each.startswith("--slow-until="):
            compile_slowly(Path(each.removeprefix("--slow-until=")))
    if "--forgetful" in sys.argv:
        session.IDLE = FORGET
    if "--two-models" in sys.argv:
        from second_model import NAME, jelly

        from pliant.models import models

        models()[NAME] = jelly()
    token = next((each.removeprefix("--token=") for each in sys.argv if each.startswith("--token=")), None)
    paths = [Path(each) for each in sys.argv[1:] if not each.startswith("--")]
    run(Opened(paths[0].name, paths[0]).checked() if paths else None, port=0, open_browser=False, token=token)
