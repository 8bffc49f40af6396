"""Our files in three.js, and others' files as three.js sees them: the vertices must be where we say."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route

from files.gltf import jointed, takes
from files.gltf.making import LIFT, SHEAR, SQUARE, SQUARE_FACES, Making
from files.gltf.opened import Opened
from files.gltf.takes import FPS, take, track
from files.gltf.test_materials import laid, painted
from files.gltf.test_poses import skinned
from pliant.files.gltf import read, write
from pliant.files.gltf.skeletons import influences
from pliant.files.take import Track
from pliant.viewer.panels.viewport_element import THREE_JS

pytestmark = pytest.mark.browser

ORIGIN = "http://pliant.test"
PAGE = """
<!doctype html><canvas width="320" height="240"></canvas>
<script type="module">
import { GLTFLoader, THREE } from "./three/index.js";
let gltf, mixer, meshes, renderer;
window.load = async (number) => {
  gltf = await new GLTFLoader().loadAsync(`./${number}.glb`);
  mixer = new THREE.AnimationMixer(gltf.scene);
  for (const clip of gltf.animations) mixer.clipAction(clip).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
  meshes = [];
  gltf.scene.traverse((each) => each.isMesh && meshes.push(each));
};
window.duration = () => Math.max(0, ...gltf.animations.map((clip) => clip.duration));
window.positionsAt = (time) => {
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  const place = new THREE.Vector3(), found = [];
  for (const mesh of meshes)
    for (let i = 0; i < mesh.geometry.attributes.position.count; i++)
      found.push(...mesh.getVertexPosition(i, place).applyMatrix4(mesh.matrixWorld).toArray());
  return found;
};
window.laid = (u, v) => {
  const map = meshes[0].material.map;
  map.updateMatrix();
  return new THREE.Vector2(u, v).applyMatrix3(map.matrix).toArray();
};
window.draw = () => {
  const canvas = document.querySelector("canvas"), box = new THREE.Box3().setFromObject(gltf.scene);
  renderer ??= new THREE.WebGLRenderer({ canvas, preserveDrawingBuffer: true });
  const size = box.getSize(new THREE.Vector3()).length(), camera = new THREE.PerspectiveCamera(60, 4 / 3, 0.01, 1000);
  camera.position.copy(box.getCenter(new THREE.Vector3())).add(new THREE.Vector3(0.4, 0.4, 1).multiplyScalar(size));
  camera.lookAt(box.getCenter(new THREE.Vector3()));
  gltf.scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 3));
  renderer.render(gltf.scene, camera);
  const gl = renderer.getContext(), pixels = new Uint8Array(4 * 320 * 240);
  gl.readPixels(0, 0, 320, 240, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let lit = 0;
  for (let i = 0; i < pixels.length; i += 4) if (pixels[i] + pixels[i + 1] + pixels[i + 2] > 30) lit++;
  return lit;
};
window.ready = true;
</script>
"""


class Player:
    """A page with three.js, and what it is given to play: one file after the other, each by its number."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.files: list[bytes] = []
        self.said: list[str] = []
        loud = ("error", "warning")
        page.on("console", lambda message: self.said.append(message.text) if message.type in loud else None)
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.route(f"{ORIGIN}/**", self.answer)
        page.goto(f"{ORIGIN}/")
        page.wait_for_function("window.ready", timeout=60_000)

    def answer(self, route: Route) -> None:
        asked = route.request.url.removeprefix(ORIGIN)
        if asked == "/":
            route.fulfill(body=PAGE, content_type="text/html")
        elif asked.endswith(".glb"):
            route.fulfill(body=self.files[int(asked[1:-4])], content_type="model/gltf-binary")
        elif asked.startswith("/three/"):
            route.fulfill(path=THREE_JS / asked.removeprefix("/three/"), content_type="text/javascript")
        else:
            route.fulfill(status=204)

    def show(self, path: Path) -> Page:
        self.files.append(path.read_bytes())
        self.page.evaluate("(number) => load(number)", len(self.files) - 1)
        return self.page


@pytest.fixture(scope="module")
def player(browser: Browser) -> Iterator[Player]:
    with browser.new_context() as context:
        yield Player(context.new_page())


@pytest.fixture
def show(player: Player) -> Iterator[Callable[[Path], Page]]:
    """Opens a .glb with three.js; nothing may be said on the console."""
    player.said.clear()
    yield player.show
    assert not [text for text in player.said if "GPU stall" not in text and "software WebGL" not in text]


def positions(page: Page, time: float) -> np.ndarray:
    return np.array(page.evaluate("positionsAt", time)).reshape(-1, 3)


@pytest.mark.parametrize("name", ["tumble", "wag", "drop", "fly", "rod", "shell", "painted", "several"])
def test_what_was_simulated_is_played(show, tmp_path: Path, name: str) -> None:
    written = takes.variants(tmp_path)[name]
    write(written, tmp_path / "x.glb")
    page = show(tmp_path / "x.glb")
    assert page.evaluate("duration()") == pytest.approx((written.frames - 1) / FPS, abs=1e-5)
    for frame in (0, 1, 7, 16, 23, 30):
        wanted = np.concatenate([each.surface(frame) for each in written.tracks])
        # A little before the last frame's time: players go back to the start when a clip is over.
        found = positions(page, min(frame / FPS, (written.frames - 1) / FPS - 1e-6))
        assert np.linalg.norm(found - wanted, axis=1).max() < 1.1e-4 * np.linalg.norm(np.ptp(wanted, axis=0)) + 1e-5
    assert page.evaluate("draw()") > 100  # even of a cord


def test_weights_are_played(show, tmp_path: Path) -> None:
    body = takes.solid().with_pose("wide", lambda rest: rest * [1.5, 1, 1])
    share = np.linspace(0, 1, takes.FRAMES)
    weights = np.stack([1 - share, share], axis=1)[:, None]
    grown = track(body, lambda rest, time: takes.fly(rest * [1 + 0.5 * time, 1, 1], time), weights=weights)
    write(take(grown), tmp_path / "x.glb", style="weights")
    page = show(tmp_path / "x.glb")
    for frame in (0, 4, 15, 29):
        assert positions(page, frame / FPS) == pytest.approx(grown.surface(frame), abs=1e-4)
    assert page.evaluate("draw()") > 1000


def by_four(track: Track) -> Track:
    """Hung on its four heaviest joints: three.js reads no more, and makes their weights add up."""
    joints, parts = (each[:, :4] for each in influences(track.body.skin))
    bound = replace(track.body.skin, indices=joints, weights=parts / parts.sum(axis=1, keepdims=True))
    return replace(track, body=track.body.with_skin(bound))


@pytest.mark.parametrize("motion", ["tumble", "fly", "nod"])
def test_skeletons_are_played(show, tmp_path: Path, motion: str) -> None:
    bodies = {"bar": jointed.bar(), "cloth": jointed.cloth(), "cord": jointed.cord(), "left": jointed.coloured()}
    tracks = [jointed.track(body, jointed.MOTIONS[motion], name) for name, body in bodies.items()]
    tracks.append(jointed.track(jointed.coloured(), jointed.fly, "right"))
    write(take(*tracks), tmp_path / "x.glb")
    assert len(Opened(tmp_path / "x.glb").json["meshes"]) == len(bodies)
    page = show(tmp_path / "x.glb")
    for frame in (0, 1, 7, 16, 23, 30):
        wanted = np.concatenate([by_four(each).surface(frame) for each in tracks])
        found = positions(page, min(frame / FPS, page.evaluate("duration()") - 1e-6))
        assert np.linalg.norm(found - wanted, axis=1).max() < 1e-3
    assert page.evaluate("draw()") > 1000


def crowded() -> Making:
    """A bit of everything: a skinned mesh with morph targets, a mirrored and a quantised one under a moving node,
    sparse targets, a cubic curve."""
    making, _, tip = skinned()
    steps = np.zeros((4, 4), np.int16)
    steps[:, :3] = np.round(SQUARE * 1000)
    table = making.add(
        "accessors", bufferView=making.view(steps.tobytes(), byteStride=8), componentType=5122, count=4, type="VEC3",
        min=[0, 0, 0], max=[1000, 1000, 0],
    )  # fmt: skip
    small = making.add(
        "meshes", primitives=[{"attributes": {"POSITION": table}, "indices": making.accessor(SQUARE_FACES)}]
    )
    moved = making.sparse(np.array([1, 3], np.uint8), SHEAR[[2, 3]], 4, min=[0, 0, 0], max=[1, 0, 0])
    morphed = making.mesh(targets=[LIFT, moved], weights=[0.0, 0.25])
    children = [
        making.node(mesh=small, scale=[0.001] * 3, rotation=[0.5, 0.5, 0.5, 0.5]),
        making.node(mesh=morphed, scale=[-1, 2, 1], translation=[3, 0, 0]),
    ]
    parent = making.node(children=children, translation=[0, 1, 0])
    making.json["scenes"][0]["nodes"].append(parent)
    making.json["extensionsUsed"] = making.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    making.animate(tip, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 0.8, 0.6]])
    keys = [[0, 0, 0], [0, 0, 0], [1, 4, 0], [0, -3, 2], [2, 1, 1], [0, 0, 0]]
    making.animate(parent, "translation", [0, 1], keys, "CUBICSPLINE")
    making.animate(children[1], "weights", [0, 0.5, 1], [[0, 0], [1, 0.5], [0.5, 1]])
    making.animate(children[0], "scale", [0, 0.4, 1], [[0.001] * 3, [0.002] * 3, [0.001] * 3], "STEP")
    return making


def test_both_read_the_same(show, tmp_path: Path) -> None:
    path = crowded().glb(tmp_path / "x.glb")
    times = [0.0, 0.3, 0.5, 0.85]
    asset = read(path, sample=times)
    page = show(path)
    for time in times:
        assert positions(page, time) == pytest.approx(asset.poses[f"at {time:g} s"], abs=1e-5), time


def test_both_lay_textures_the_same(show, tmp_path: Path) -> None:
    extensions = laid(offset=[0.25, 0.5], rotation=0.7, scale=[2, 2])
    making = painted({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": extensions}}})
    making.json["extensionsUsed"] = ["KHR_texture_transform"]
    path = making.glb(tmp_path / "x.glb")
    page = show(path)
    given = [[0, 1], [1, 1], [1, 0], [0, 0]]
    found = [page.evaluate(f"laid(...{json.dumps(uv)})") for uv in given]
    assert read(path).uv == pytest.approx(np.array(found), abs=1e-5)
