// A player of a recording: that of a file of its own (page.html), and that of a notebook (widget.js).

import { NO_WEBGL, Player } from "/viewport/player.js";
import { Recorded } from "/viewport/recorded.js";
import { Reel } from "/viewport/reel.js";

// `data` is an ArrayBuffer, already inflated. Null where nothing can be drawn.
export function play(place, data, { playing = true } = {}) {
  const recorded = new Recorded(data);
  let player;
  try {
    player = new Player(place, recorded.title);
  } catch {
    place.textContent = NO_WEBGL;
    return null;
  }
  const moving = recorded.length > 1;
  player.root.classList.toggle("still", !moving);
  player.use(recorded.setup, new Reel(recorded, { playing: playing && moving, loop: true }), recorded.history);
  return player;
}
