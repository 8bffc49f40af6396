"""A recording in memory, to be shown in a notebook."""

from pathlib import Path
from typing import Any

from pliant.runtime.errors import PliantError
from pliant.scene.show import Show, show_of
from pliant.session.player.shot import Shot
from pliant.session.recording import record as recorded
from pliant.world import World

FPS = 60.0
WORLD_SUBSTEPS = 4  # of a frame, where a world is shown and nothing is said: as in the README
EXHIBIT_PREFIX = "gallery:"


def record(
    thing: World | Show | str | Path,
    *,
    seconds: float | None = None,
    fps: float | None = None,
    substeps: int | None = None,
) -> Shot:
    """Play a world from where it stands, a scene file, an asset or "gallery:NAME", and keep every frame: for
    `pliant.show`. A scene knows how long it is and how it is stepped; a world has to be told for how long.

    >>> import pliant
    >>> world = pliant.World(colliders=[pliant.Plane()])
    >>> _ = world.add(pliant.shapes.ball(particles=60), pliant.ShapeMatching(), position=(0, 1, 0))
    >>> pliant.record(world, seconds=0.1).take.frames
    7
    """
    show = playable(thing, seconds=seconds, fps=fps, substeps=substeps)
    if isinstance(thing, World) and seconds is None:
        raise PliantError("record: for how long? Give seconds, such as pliant.record(world, seconds=4)")
    if not show.world.actors:
        raise PliantError("record: there is no body in the world; put one into it with world.add(body, model)")
    return Shot(recorded(show), show.world.colliders, show.camera, show.title)


def playable(
    thing: World | Show | str | Path,
    seconds: float | None = None,
    fps: float | None = None,
    substeps: int | None = None,
) -> Show:
    """A world, a scene file, an asset or an exhibit as a show."""
    if isinstance(thing, Show):
        return thing
    if isinstance(thing, World):
        rate, fine = FPS if fps is None else fps, WORLD_SUBSTEPS if substeps is None else substeps
        return Show("world", thing, 0.0 if seconds is None else seconds, rate, fine)
    given = {"seconds": seconds, "fps": fps, "substeps": substeps}
    said: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if str(thing).startswith(EXHIBIT_PREFIX):
        from pliant.gallery.shows import show_of_exhibit

        return show_of_exhibit(str(thing).removeprefix(EXHIBIT_PREFIX), **said)
    return show_of(thing, **said)
