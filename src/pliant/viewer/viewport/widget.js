// What a notebook shows (widget.py): a recording, or a world that lives in the kernel.

import { inflate } from "/viewport/load.js";
import { bytesOf, Live } from "/viewport/live.js";
import { NO_WEBGL } from "/viewport/player.js";
import { play } from "/viewport/recording.js";

// Called by anywidget for each place where the widget is shown; returns what ends it.
export async function render({ model, el }) {
  const place = document.createElement("div");
  place.style.setProperty("--height", `${model.get("height")}px`);
  el.append(place);
  const shown = await make(place, model);
  const root = shown?.player?.root ?? shown?.root;
  const { controls } = (shown?.player ?? shown)?.rig ?? {};
  if (!root) return;
  // A notebook is scrolled with the wheel: it comes nearer only where the player was clicked.
  controls.enableZoom = false;
  root.addEventListener("focusin", () => (controls.enableZoom = true));
  root.addEventListener("focusout", () => (controls.enableZoom = false));
  return () => shown.dispose();
}

async function make(place, model) {
  const recording = model.get("recording");
  if (recording?.byteLength) return play(place, await inflate(bytesOf(recording)), { playing: model.get("playing") });
  try {
    return new Live(place, model);
  } catch (error) {
    console.error(error);
    place.textContent = NO_WEBGL;
    return null;
  }
}
