"""What a smooth skin costs to draw: `python benchmarks/viewer_drawn.py [--oriented] [--frames 60] [--json] [--quick]`.

A page in Chromium draws a bear of 9,490 vertices twice, by turns: as it is bound, to about 15 particles a vertex, found
once a frame into a texture; and to four particles, worked out anew for every corner of a normal and for the
shadow, as all skins were before. --oriented: a bear of 40 oriented particles, bound to about 6 of them and to 4, both
worked out once a frame, as skins of these were before, too. A frame is new particles, whatever follows from them, and
the picture with its shadow, until the last pixel is there. Told is the median of the ratios of neighbouring frames;
ends with code 1 if it is above 1.3. --quick draws a few frames, to see that it runs: then nothing is judged.
"""

import argparse
import json
import os
import shutil
import sys
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright
from viewer_lag import BROWSERS, VIEW
from viewer_stage import serving

MOST = 1.3
SCENE = """\
[world]
gravity = [0, 0, 0]
[[bodies]]
shape = { type = "teddy" }
"""
ORIENTED = f"{SCENE}model = {{ type = 'oriented_particles', particles = 40 }}\n"
# Two skins of one setup in the page's own stage; only one is seen at a time, and the page itself draws nothing.
TIMED = f"""
async ([frames, once]) => {{
  const {{ Skins }} = await import("/viewport/skin.js");
  const view = {VIEW}, stage = view.stage, setup = view.skins.setup, gl = stage.renderer.getContext();
  const particles = view.skins.particles.slice();
  const draw = stage.draw.bind(stage);
  stage.draw = () => {{}};
  view.skins.setParticles = () => {{}};
  const four = (skin) => {{
    const count = skin.vertices.length / 3;
    const indices = new skin.indices.constructor(4 * count), weights = new Float32Array(4 * count);
    for (let v = 0; v < count; v++) {{
      let sum = 0; // the nearest four are the first
      for (let k = 0; k < 4; k++) sum += skin.weights[skin.slots * v + k];
      for (let k = 0; k < 4; k++) {{
        indices[4 * v + k] = skin.indices[skin.slots * v + k];
        weights[4 * v + k] = skin.weights[skin.slots * v + k] / sum;
      }}
    }}
    return {{ ...skin, slots: 4, indices, weights }};
  }};
  const plain = {{ extensions: {{ has: () => false }}, capabilities: stage.renderer.capabilities }};
  const both = [new Skins(stage), new Skins({{ scene: stage.scene, renderer: once ? stage.renderer : plain }})];
  both[0].shared = both[1].shared = view.skins.shared;
  both[0].useSetup(setup);
  both[1].useSetup({{ ...setup, skins: setup.skins.map(four) }});
  view.skins.group.visible = false;
  const pixel = new Uint8Array(4);
  const time = (one, other) => {{
    one.group.visible = true, other.group.visible = false;
    const begun = performance.now();
    one.setParticles(particles);
    draw(view.rig.camera);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return performance.now() - begun;
  }};
  for (let n = 0; n < 3; n++) time(both[0], both[1]), time(both[1], both[0]); // shaders are compiled
  const times = [];
  for (let n = 0; n < frames; n++) times.push([time(both[0], both[1]), time(both[1], both[0])]);
  return {{ times, vertices: setup.skins[0].vertices.length / 3, slots: setup.skins[0].slots,
            once: both[0].group.children[0].userData.places !== null }};
}}
"""


def measure(frames: int, oriented: bool) -> dict[str, Any]:
    with serving(ORIENTED if oriented else SCENE) as server, sync_playwright() as playwright:
        installed = os.environ.get("PLIANT_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 900, "height": 600})
        page.set_default_timeout(300_000)
        page.goto(server.page)
        page.wait_for_function(f"{VIEW}?.shown")
        told = page.evaluate(TIMED, [frames, oriented])
        browser.close()
    smooth, four = np.array(told.pop("times")).T
    return {
        **told,
        "frames": frames,
        "smooth_ms": float(np.median(smooth)),
        "four_ms": float(np.median(four)),
        "best_ratio": float(smooth.min() / four.min()),
        "ratio": float(np.median(smooth / four)),
    }


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--oriented", action="store_true")
    arguments.add_argument("--frames", type=int, default=60)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--quick", action="store_true")
    given = arguments.parse_args()
    found = measure(3 if given.quick else given.frames, given.oriented)
    if given.json:
        print(json.dumps(found))
    else:
        print(f"{found['vertices']:,} vertices, rows of {found['slots']} particles against 4")
        print(f"a drawn frame: {found['smooth_ms']:.1f} ms against {found['four_ms']:.1f} ms")
        print(f"ratio {found['ratio']:.2f}, of the fastest frames {found['best_ratio']:.2f} (at most {MOST})")
    return int(not given.quick and found["ratio"] > MOST)


if __name__ == "__main__":
    sys.exit(main())
