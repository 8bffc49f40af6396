"""Actors of one size share one body, so that they are prepared and computed together."""

import pliant
from worlds import cube


def test_the_same_size_is_the_same_body():
    world, body = pliant.World(), cube()
    one, two = (world.add(body, pliant.ShapeMatching(), scale=2.0, position=(3.0 * i, 0, 0)) for i in range(2))
    other = world.add(body, pliant.ShapeMatching(), scale=3.0, position=(9, 0, 0))
    assert one.body is two.body and one.body is not body
    assert other.body is not one.body
    assert world.add(body, pliant.ShapeMatching(), position=(20, 0, 0)).body is body
