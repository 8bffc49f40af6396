"""Crowds of toys that are poured among twelve columns, as in [Choi+17] Fig. 7."""

from __future__ import annotations

from functools import cache

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Record
from pliant.gallery.measures import speed
from pliant.gallery.paint import JADE, RASPBERRY, painted, striped
from pliant.gallery.touching import centres_of, lowest, overlap, overlaps
from pliant.geometry.turning import rotation_matrices
from pliant.graph import Graph, graph_of

COLUMNS = 12
IN_A_COLUMN = 10  # particles
COLUMN_RING = 3.2  # metres from the middle to the axes of the columns
COLUMN_RADIUS, COLUMN_HEIGHT = 0.7, 3.0  # metres: radius and height of a column
SPOTS = 8  # spots for a toy, of which the lowest is taken
LOW = 0.3  # metres from the floor to the lowest toys
STONE = (0.78, 0.74, 0.67)  # the columns are pale, so that the toys stand out


@cache
def toy(kind: str, particles: int) -> Graph:
    """A dinosaur, a bear, a ball or a ring."""
    match kind:
        case "ball":
            body = striped(pliant.shapes.ball(), RASPBERRY, 6)
        case "torus":
            body = striped(pliant.shapes.torus(), JADE, 10)
        case "column":
            plain = pliant.shapes.cylinder(
                radius=COLUMN_RADIUS, height=COLUMN_HEIGHT, particles=800, skin="solid", name="column"
            )
            body = painted(plain, STONE)
        case _:
            body = getattr(pliant.shapes, kind)()
    return graph_of(body, particles)


def world_with_columns() -> pliant.World:
    """A floor, and twelve soft columns round its middle that stand on pinned feet."""
    world = pliant.World(colliders=[pliant.Plane(friction=0.6)])
    column = toy("column", IN_A_COLUMN)
    settings = pliant.OrientedParticles(particles=IN_A_COLUMN, stiffness=4e5, iterations=2, damping=2)
    for number in range(COLUMNS):
        angle = 2 * np.pi * number / COLUMNS
        foot = (COLUMN_RING * np.cos(angle), 0.5 * COLUMN_HEIGHT + 0.005, COLUMN_RING * np.sin(angle))
        actor = world.add(column, settings, name=f"column {number + 1}", position=foot)
        actor.pin(lambda rest: rest[:, 1] < rest[:, 1].min() + 0.1 * COLUMN_HEIGHT)
    return world


def pour(world: pliant.World, kinds: dict[str, int], count: int, scale: float) -> None:
    """So many toys of each kind (kind -> particles) over the floor, each turned its own way and let down on those
    before it until it nearly touches them."""
    rng = np.random.default_rng(7)
    below = np.zeros((0, 4))  # centres and radii of the particles that are placed
    for number in range(count):
        for kind, particles in kinds.items():
            graph = toy(kind, particles)
            turn = rng.normal(size=4)
            turn /= np.linalg.norm(turn)
            turned = graph.rest @ rotation_matrices(turn[None])[0].T
            balls = scale * np.column_stack([turned, graph.ellipsoids.radii[:, 0]])
            reach = float((np.hypot(balls[:, 0], balls[:, 2]) + balls[:, 3]).max())
            room = max(0.0, COLUMN_RING - COLUMN_RADIUS - reach)
            angles, outs = rng.uniform(0, 2 * np.pi, SPOTS), room * np.sqrt(rng.uniform(size=SPOTS))
            spots = np.stack([outs * np.cos(angles), 0 * outs, outs * np.sin(angles), 0 * outs], axis=1)
            heights = [_let_down(balls + spot, below) for spot in spots]
            place = spots[int(np.argmin(heights))] + (0, min(heights), 0, 0)
            below = np.concatenate([below, balls + place])
            settings = pliant.OrientedParticles(particles=particles, stiffness=2.5e5, iterations=2, damping=2)
            name = f"{kind} {number + 1}"
            world.add(graph, settings, name=name, scale=scale, position=place[:3], rotation=turn, friction=0.4)


def _let_down(balls: Array, below: Array) -> float:
    """How high balls (rows of x, y, z, radius) have to be lifted to lie on the floor and on those below."""
    near = np.hypot(*(below[:, [0, 2]] - balls[:, [0, 2]].mean(axis=0)).T) < below[:, 3] + _breadth(balls)
    under = below[near]
    aside = np.hypot(balls[:, None, 0] - under[:, 0], balls[:, None, 2] - under[:, 2])
    reach = balls[:, None, 3] + under[:, 3] + 0.01
    rise = under[:, 1] + np.sqrt(np.maximum(reach**2 - aside**2, 0.0)) - balls[:, None, 1]
    floor = LOW + float((balls[:, 3] - balls[:, 1]).max())
    return max(floor, float(np.where(aside < reach, rise, -np.inf).max(initial=-np.inf)))


def _breadth(balls: Array) -> float:
    """How far balls reach sideways from their middle."""
    return float((np.hypot(*(balls[:, [0, 2]] - balls[:, [0, 2]].mean(axis=0)).T) + balls[:, 3]).max()) + 0.02


def bodies_of(world: pliant.World) -> dict[str, pliant.Body]:
    return {actor.name: actor.body for actor in world.actors}


def check_crowd(record: Record, world: pliant.World, jammed: float = 0.0) -> list[Check]:
    """No toy below the floor, none outside the columns, none inside another (but for the part of all contacts that
    may be jammed), and all of them nearly at rest."""
    bodies, last = bodies_of(world), record.frames[-1]
    toys = {name: body for name, body in bodies.items() if not name.startswith("column")}
    every = record.frames[:: max(1, len(record.frames) // 24)]
    floor = min(lowest(toys, frame) for frame in every)
    centres = centres_of(toys, last)
    outside = int((np.hypot(centres[:, 0], centres[:, 2]) > COLUMN_RING + COLUMN_RADIUS).sum())
    reach = centres_of(toys, record.frames[0])[:, 1].mean() - centres[:, 1].mean()
    touching = overlaps({name: body for name, body in bodies.items() if isinstance(body, Graph)}, last)
    stuck = float((touching > 0.5).sum() / max(1, len(touching)))
    deep = np.array([overlap(bodies, frame) for frame in every])
    swept = max(_lean(record, world, name) for name in bodies if name.startswith("column"))
    still = float(np.median([speed(body, last.velocities[name]) for name, body in toys.items()]))
    piled = float(centres[:, 1].max())
    return [
        Check("metres of the lowest point over the floor, at any time", floor, floor > -0.03),
        Check("toys that have left the columns", float(outside), outside == 0),
        Check("metres that they fall, in the mean", reach, reach > 1.0),
        Check("contact radii that any two are inside one another, at any time", d := float(deep.max()), d < 2.0),
        Check("part of the contacts that are deeper than half a radius, at the end", stuck, stuck <= jammed),
        Check("metres of the highest middle at the end: they lie on one another", piled, piled > 0.9),
        Check("metres that the head of a column gives way, the most", swept, 0.02 < swept < 1.2),
        Check("m/s at the end, half of them slower", still, still < 0.1),
    ]


def _lean(record: Record, world: pliant.World, name: str) -> float:
    """How far the top of a column was pushed aside."""
    top = int(world[name].body.rest[:, 1].argmax())
    ways: Array = np.array([frame.positions[name][top] for frame in record.frames])
    return float(np.hypot(*(ways - ways[0])[:, [0, 2]].T).max())
