"""The same bar, the same example, all models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import pliant
from pliant.gallery.exhibit import Array, Check, Exhibit, Record
from pliant.gallery.measures import speed
from pliant.gallery.paint import APRICOT, BLUE, JADE, RASPBERRY, Colour, chequered
from pliant.gallery.twist_bar import DROP, LANDS, bar

if TYPE_CHECKING:
    from pliant.models.settings import Settings

COLOURS: tuple[Colour, ...] = (APRICOT, BLUE, JADE, RASPBERRY)
SECONDS = 2.5
APART = 2.2  # m from bar to bar


def models() -> dict[str, Settings]:
    """Model -> settings, chosen so that the bars land alike."""
    return {
        "shape matching": pliant.ShapeMatching(stiffness=6, example_strength=0.88, damping=3),
        "clusters": pliant.Clusters(young=2e6, example_strength=0.975, damping=2),
        "oriented particles": pliant.OrientedParticles(particles=60, stiffness=1e6, example_strength=0.96, damping=2),
        "masses and springs": pliant.MassSpring(young=3.3e6, example_strength=0.975, damping=2),
        "finite elements": pliant.Fem(young=8e4, example_stiffness=40, manifold="strain", tolerance=1e-3, damping=2),
    }


def painted_bar(place: int) -> pliant.Body:
    return chequered(bar(), COLOURS[place % len(COLOURS)], 0.25)


def build() -> pliant.World:
    world = pliant.World(colliders=[pliant.Plane(friction=0.8)])
    chosen = models()
    for place, (name, model) in enumerate(chosen.items()):
        across = APART * (place - (len(chosen) - 1) / 2)
        world.add(painted_bar(place), model, name=name, position=(across, 1 + DROP, 0))
    return world


def ends_twist(skin: pliant.Skin, vertices: Array) -> float:
    """Degrees by which the top of a drawn bar is turned against its bottom, about y: the particles of the models are
    not the same, the skins are."""
    turns = []
    for end in (skin.vertices[:, 1] < -0.9, skin.vertices[:, 1] > 0.9):
        before, after = skin.vertices[end][:, [2, 0]], vertices[end][:, [2, 0]]
        before, after = before - before.mean(axis=0), after - after.mean(axis=0)
        sine = np.sum(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])
        turns.append(np.degrees(np.arctan2(sine, np.sum(before * after))))
    return float((turns[1] - turns[0] + 180) % 360 - 180)


def check(record: Record) -> list[Check]:
    actors = {actor.name: actor for actor in build().actors}
    last = record.frames[-1]

    def drawn(frame: pliant.Frame, name: str) -> Array:
        return actors[name].body.skin.deform(frame.positions[name], frame.rotations.get(name))

    checks = []
    for name, actor in actors.items():
        weight = record.weights(name)
        flying = float(weight[record.times < LANDS - 0.02].max())
        impact = record.between(LANDS, LANDS + 0.6)
        turn = max(ends_twist(actor.body.skin, drawn(frame, name)) for frame in impact)
        tall = float(np.ptp(drawn(last, name)[:, 1]))
        still = speed(actor.body, last.velocities[name])
        checks += [
            Check(f"{name}: weight of the twist in free fall, at most", flying, flying < 0.05),
            Check(f"{name}: weight at the impact", w := float(weight.max()), w > 0.5),
            Check(f"{name}: degrees of twist at the impact", turn, turn > 45),
            Check(f"{name}: metres tall at the end (2 at first)", tall, tall > 1.7),
            Check(f"{name}: m/s at the end", still, still < 0.3),
        ]
    return checks


EXHIBIT = Exhibit(
    name="all-models",
    title="One bar under all models",
    paper="Martin+11 beside the others",
    about="The bar that twists when it lands, once under each model, finite elements on the right. docs/all-models.md "
    "compares what they show, what they cost and how far they are off.",
    seconds=SECONDS,
    build=build,
    check=check,
    stills=(0.0, 0.66, 0.72, 0.9),
    camera=(0.0, 0.16, 1.0),
    substeps=4,
    columns=1,
)
