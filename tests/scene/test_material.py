"""Young's modulus in scene files."""

from pathlib import Path

import numpy as np
import pytest

import made_assets
import pliant
from files.gltf.making import Making
from pliant.runtime.errors import SceneError
from pliant.scene import scene_from_text, scene_text, show_of, with_overrides
from pliant.scene.json_schema import json_schema
from pliant.scene.starter import starter_text

BAR = '[[bodies]]\nname = "bar"\nshape = { type = "cuboid", cells = [2, 4, 2] }\n[bodies.model]\n'


@pytest.mark.parametrize(
    ("model", "settings"),
    [
        ("young = 2e5", pliant.ShapeMatching(young=2e5)),
        ('type = "oriented_particles"\nyoung = 2e5', pliant.OrientedParticles(young=2e5)),
        ('type = "fem"\nyoung = 2e5', pliant.Fem(young=2e5)),
    ],
)
def test_every_model_takes_it(model: str, settings: pliant.ShapeMatching) -> None:
    scene = scene_from_text(BAR + model)
    (actor,) = show_of(scene).world.actors
    assert actor.settings == settings
    assert "young = 200000" in scene_text(scene) and "stiffness" not in scene_text(scene)


def test_both_are_one_mistake_in_one_line() -> None:
    with pytest.raises(SceneError, match=r"bodies\.bar\.model: .*stiffness and young both say how hard it is") as told:
        scene_from_text(BAR + "stiffness = 3\nyoung = 2e5")
    assert "\n" not in str(told.value)


def test_the_last_one_that_is_set_counts() -> None:
    scene = with_overrides(scene_from_text(BAR + "stiffness = 3"), ["young=2e5"])
    assert show_of(scene).world.actors[0].settings == pliant.ShapeMatching(young=2e5)
    scene = with_overrides(scene, ["stiffness=4"])
    assert show_of(scene).world.actors[0].settings == pliant.ShapeMatching(stiffness=4)
    parts = '[[bodies]]\nshape = "teddy"\nmodel = { type = "fem", young = 3e5, stiffness = { head = 10.0 } }'
    fem = with_overrides(scene_from_text(parts), ["young=2e5"])
    assert fem.bodies[0].model.stiffness == {"head": 10.0}


def test_it_may_change_over_time() -> None:
    show = show_of(scene_from_text(BAR + "keys.young = [[0, 1e5], [0.1, 4e5]]"))
    for _ in show.play(12):
        pass
    assert show.world.actors[0].settings.young == pytest.approx(4e5)
    assert "mass" not in str(json_schema()["$defs"]["RigidKeys"])


def test_a_first_scene_names_it(tmp_path: Path) -> None:
    vertices, faces = made_assets.bar()
    making = Making()
    making.scene(making.node(mesh=making.mesh(vertices.astype(np.float32), faces.ravel().astype(np.uint32), [])))
    making.glb(tmp_path / "bar.glb")
    assert "young (Pa) in place of stiffness" in starter_text(tmp_path / "bar.glb")
