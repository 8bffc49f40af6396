"""Two hundred balls, dice and bricks of three models, poured into a box, come to rest in it, none deep inside another.

How deep they are is measured by where their particles are, not by what contacts say: a flat piece of skin takes for its
own what is below it, also where that has just come in from the side, and then says that it is deep."""

import numpy as np
import pytest

import pliant
from meetings import pebble
from pliant.gallery.touching import lowest, overlap
from pliant.graph import Graph
from pliant.world import World
from worlds import run, speed

COUNT = 200
HALF = 0.75  # m: of the box


def mixture(seed: int) -> World:
    """Balls and dice of oriented particles, dice of shape matching and bricks, each turned its own way, in layers of
    thirty-six above a box. The dice of shape matching are as stiff as two sub-steps allow, else the lowest are squeezed
    flat."""
    far, thick = HALF + 0.5, (0.5, 5.0, 3.0)
    sides = [((far, 3, 0), thick), ((-far, 3, 0), thick), ((0, 3, far), thick[::-1]), ((0, 3, -far), thick[::-1])]
    world = World(colliders=[pliant.Plane(), *(pliant.Box(centre=centre, half_size=half) for centre, half in sides)])
    die = pliant.shapes.cuboid(size=(0.16, 0.16, 0.16), cells=(2, 2, 2), name="die")
    brick = pliant.shapes.cuboid(size=(0.2, 0.1, 0.14), cells=(3, 2, 2), name="brick")
    soft = pliant.OrientedParticles(particles=12, iterations=2, damping=5)
    kinds = [
        (pebble(), soft),
        (die, soft),
        (die, pliant.ShapeMatching(stiffness=4, damping=5)),
        (brick, pliant.Rigid()),
    ]
    random = np.random.default_rng(seed)
    for number in range(COUNT):
        layer, place = divmod(number, 36)
        aside, back = random.uniform(-0.01, 0.01, 2)
        position = (0.24 * (place // 6 - 2.5) + aside, 0.2 + 0.24 * layer, 0.24 * (place % 6 - 2.5) + back)
        body, settings = kinds[random.integers(len(kinds))]
        world.add(body, settings, name=f"{number}", position=position, rotation=random.normal(size=4))
    return world


@pytest.mark.slow
def test_two_hundred_of_all_kinds_poured_into_a_box_come_to_rest() -> None:
    world = mixture(seed=1)
    run(world, 10.0, substeps=2)
    assert sum(actor.asleep for actor in world.actors) > 0.8 * COUNT  # a few still give way
    assert np.median([speed(actor) for actor in world.actors]) == 0.0
    assert max(speed(actor) for actor in world.actors) < 0.5  # none is thrown out
    frame, bodies = world.frame(), {actor.name: actor.body for actor in world.actors}
    graphs = {name: body for name, body in bodies.items() if isinstance(body, Graph)}
    solids = {name: body for name, body in bodies.items() if name not in graphs}
    assert min(len(graphs), len(solids)) > 60
    assert overlap(graphs, frame) < 0.75 and overlap(solids, frame) < 0.75  # contact radii; of five seeds one has 0.53
    assert lowest(bodies, frame) > -0.01
    assert all((np.abs(actor.centre[[0, 2]]) < HALF).all() for actor in world.actors)
