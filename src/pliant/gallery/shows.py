"""Exhibits as shows, so that whatever takes a scene takes them too."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from pliant import __version__
from pliant.gallery.exhibit import Exhibit
from pliant.gallery.listing import find
from pliant.runtime.errors import PliantError
from pliant.runtime.thread_pool import ThreadPool
from pliant.scene.overrides import SWITCHED, value_of
from pliant.scene.show import Show

if TYPE_CHECKING:
    from pliant.world import Actor, World

FPS = 60.0


def show_of_exhibit(
    exhibit: Exhibit | str,
    *,
    fps: float | None = None,
    substeps: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    changes: Sequence[str] = (),
) -> Show:
    """An exhibit that can be baked and inspected.

    changes: "key=value" each, the key being "gravity", or a setting of all actors ("stiffness") or of one
    ("bodies.bar.model.stiffness", or shorter "bar.stiffness"); "body.poses.twist=off" forces a pose to 0.

    >>> show = show_of_exhibit("twist-bar", fps=30)
    >>> show.name, show.seconds, show.substeps
    ('twist-bar', 8.0, 8)
    """
    chosen = find(exhibit) if isinstance(exhibit, str) else exhibit
    world = chosen.build()
    if threads is not None:
        world._pool = ThreadPool(threads)
    for setting in changes:
        _set(chosen, world, setting)
    rate = FPS if fps is None else float(fps)
    # An exhibit says its sub-steps for 60 frames a second; with fewer frames each needs more of them.
    fine = max(1, round(chosen.substeps * FPS / rate)) if substeps is None else substeps
    length = chosen.seconds if seconds is None else seconds
    return Show(
        name=chosen.name,
        title=chosen.title,
        world=world,
        seconds=length,
        fps=rate,
        substeps=fine,
        animate=None,
        key=_key(chosen, rate, fine, changes),
        camera=chosen.camera,
        grips=chosen.grips,
    )


def _set(exhibit: Exhibit, world: World, setting: str) -> None:
    key, equals, text = setting.partition("=")
    key = key.strip().removeprefix("world.").removeprefix("bodies.")
    if not equals or not key:
        raise PliantError(f'"{setting}" sets nothing; give key=value, such as stiffness=3 or gravity=[0,-3,0]')
    value = value_of(text)
    if key == "gravity":
        world.gravity = value
        return
    name, _, field = key.rpartition(".")
    pose = field if name.rpartition(".")[2] == "poses" else None
    name = name.removesuffix("poses").rstrip(".") if pose is not None else name.removesuffix(".model")
    name = "" if name in ("body", "*") else name
    names = [actor.name for actor in world.actors]
    if name and name not in names:
        raise PliantError(f'{setting}: there is no body "{name}" in {exhibit.name}; there are: {", ".join(names)}')
    for actor in world.actors:
        if name in ("", actor.name) and pose is not None:
            _switch(actor, pose, value, setting)
        elif name in ("", actor.name):
            actor.settings = actor.settings.changed(**{field: value})


def _switch(actor: Actor, pose: str, value: object, setting: str) -> None:
    if pose not in actor.body.poses or value not in SWITCHED:
        there = ", ".join(actor.body.poses) or "none"
        raise PliantError(f'{setting}: give on or off for a pose of "{actor.name}"; there are: {there}')
    forced = {name: weight for name, weight in getattr(actor.settings, "forced", {}).items() if name != pose}
    actor.settings = actor.settings.changed(forced=forced | ({pose: 0.0} if value == "off" else {}))


def _key(exhibit: Exhibit, fps: float, substeps: int, changes: Sequence[str]) -> str:
    """The file that builds it, and what was asked for."""
    text = inspect.getsource(inspect.getmodule(exhibit.build) or exhibit.build)
    asked = f"{__version__}\n{exhibit.name}\n{fps!r}\n{substeps}\n{list(changes)!r}\n"
    return sha256((asked + text).encode()).hexdigest()
