"""Takes of oriented particles that move by formulas, for writers of skeletons."""

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation

from files.gltf.takes import FRAMES, take
from meshes import box, rope, sheet
from pliant.body import Body
from pliant.files.take import Take, Track
from pliant.graph import Ellipsoids, Graph, graph_of


@cache
def bar(particles: int = 12) -> Graph:
    return graph_of(box(name="bar"), particles)


@cache
def coloured() -> Graph:
    """Actors of it are painted alike, so that they share a mesh."""
    return bar().with_skin(replace(bar().skin, colours=np.abs(np.sin(bar().skin.vertices))))


@cache
def cloth() -> Graph:
    return graph_of(sheet(name="cloth"), 16)


@cache
def cord() -> Graph:
    return graph_of(rope(name="cord"), 6)


@cache
def swarm(particles: int) -> Graph:
    """Many, in a row, made by hand; each draws itself."""
    places = np.stack([np.arange(particles), np.zeros(particles), np.zeros(particles)], axis=1) / particles
    shapes = Ellipsoids(np.tile(np.eye(3), (particles, 1, 1)), np.full((particles, 3), 1 / particles))
    edges = np.stack([np.arange(particles - 1), np.arange(1, particles)], axis=1)
    return Graph(places, edges=edges, ellipsoids=shapes, name="swarm")


def throw(time: float) -> tuple[np.ndarray, Rotation]:
    """Where a body is, and how it is turned about a slanted axis."""
    return np.array([3 * time, 2 * time - 5 * time**2, 0.0]), Rotation.from_rotvec(np.array([4.0, 8.0, 2.0]) * time)


def tumble(rest: np.ndarray, time: float) -> tuple[np.ndarray, Rotation]:
    """Thrown, while every particle swings by itself."""
    place, spin = throw(time)
    swing = np.sin(2 * np.pi * time + 3 * rest[:, :1])
    local = Rotation.from_rotvec(swing * rest[:, ::-1])
    return spin.apply(rest + 0.1 * swing * rest) + place, spin * local


def fly(rest: np.ndarray, time: float) -> tuple[np.ndarray, Rotation]:
    """Rigid."""
    place, spin = throw(time)
    return spin.apply(rest.copy()) + place, spin * Rotation.identity(len(rest))


def still(rest: np.ndarray, time: float) -> tuple[np.ndarray, Rotation]:
    return rest + np.array([0.0, 2.0, 0.0]), Rotation.identity(len(rest))


def nod(rest: np.ndarray, time: float) -> tuple[np.ndarray, Rotation]:
    """Only the last particle turns, a whole turn and a half, and the others stay."""
    angles = np.zeros((len(rest), 3))
    angles[-1, 0] = 3 * np.pi * time
    return rest.copy(), Rotation.from_rotvec(angles)


MOTIONS = {motion.__name__: motion for motion in (tumble, fly, still, nod)}


def track(body: Body, motion=tumble, name: str = "actor", frames: int = FRAMES) -> Track:
    moments = [motion(body.rest, time) for time in np.linspace(0, 1, frames)]
    positions = np.array([places for places, _ in moments], np.float32).reshape(frames, -1, 3)
    # A quaternion and its opposite are the same rotation: simulators give either.
    signs = np.random.default_rng(5).choice([-1.0, 1.0], (frames, len(body.rest), 1))
    rotations = np.array([turns.as_quat() for _, turns in moments]).reshape(frames, -1, 4) * signs
    weights = np.zeros((frames, 1, 1 + len(body.poses)), np.float32)
    weights[:, :, 0] = 1
    return Track(name, body, positions, weights, ("all",), rotations.astype(np.float32))


def jointed(body: Body, motion=tumble) -> Take:
    return take(track(body, motion))
