// A world that lives in the kernel of a notebook. The view asks for frames and the kernel steps as many, between cells:
// no thread changes the world under a cell that runs. Pulls go the same way. What has come is kept and can be watched
// again.

import { Grab } from "/viewport/grab.js";
import { decodeFrame, decodeSetup } from "/viewport/decode.js";
import { Player } from "/viewport/player.js";
import { Reel } from "/viewport/reel.js";

const KEPT = 60; // seconds, as on the page
const MOST_BYTES = 2 ** 28; // of a recording; a large world is kept for less
const AT_ONCE = 4; // frames that are asked for in one message at most
const AHEAD = 2; // messages on their way: one is computed while the other travels
const PATIENCE = 2000; // milliseconds without an answer, until people are told

class Kept {
  constructor() {
    this.moments = [];
    this.bytes = 0;
  }

  get length() {
    return this.moments.length;
  }

  timeOf(number) {
    return this.moments[number].time;
  }

  at(number) {
    return this.moments[number];
  }

  add(moment) {
    const last = this.moments.at(-1);
    if (last && moment.time <= last.time) this.clear(); // it began anew
    this.moments.push(moment);
    this.bytes += moment.particles.byteLength;
    while (this.length > 1 && (moment.time - this.timeOf(0) > KEPT || this.bytes > MOST_BYTES))
      this.bytes -= this.moments.shift().particles.byteLength;
  }

  clear() {
    this.moments = [];
    this.bytes = 0;
  }

  get history() {
    return this.moments.map(({ time, weights }) => [time, ...weights]);
  }
}

export class Live {
  // `model` is anywidget's. Throws where there is no WebGL.
  constructor(place, model) {
    Object.assign(this, { model, waiting: 0, owed: 0, asked: 0 });
    this.player = new Player(place, model.get("title"), (command) => this.before(command));
    const { player } = this;
    this.grab = new Grab(player.canvas, player.rig.camera, player.skins, player.stage, (command) => this.send(command));
    player.addButton("replay", "Begin anew (R)", () => this.reset());
    player.root.addEventListener("keydown", (event) => event.key === "r" && !event.ctrlKey && !event.metaKey && (event.stopPropagation(), this.reset()));
    player.hooks.push((seconds) => this.ask(seconds), () => this.hold());
    this.listen = { "msg:custom": (said, buffers) => this.receive(said, buffers), "change:setup": () => this.begin() };
    for (const [kind, act] of Object.entries(this.listen)) model.on(kind, act);
    this.begin();
  }

  begin() {
    const setup = decodeSetup(bytesOf(this.model.get("setup")).buffer), kept = new Kept();
    const playing = this.player.reel?.playing ?? this.model.get("playing");
    kept.add(decodeFrame(bytesOf(this.model.get("frame")).buffer));
    this.kept = kept;
    this.player.use(setup, new Reel(kept, { live: true, playing, most: KEPT }));
  }

  send(command) {
    this.model.send(command);
  }

  // What a person did on the timeline, before the reel obeys.
  before(command) {
    if (command.do === "live") this.player.weights.setHistory(null);
    if (command.do === "seek" || command.do === "nudge") this.player.weights.setHistory(this.kept.history);
  }

  reset() {
    this.grab.cancel();
    this.send({ do: "reset" });
    this.player.tell({ do: "live" });
  }

  // Frames for the time that has gone by. A kernel that cannot keep up is not asked for more than it gave.
  ask(seconds) {
    const { reel } = this.player, fps = this.model.get("fps");
    this.grab.past = reel.live ? null : () => this.player.timeline.refuse();
    const late = this.waiting && performance.now() - this.asked > PATIENCE;
    this.player.tellPeople(this.problem ?? (late ? "The kernel is busy, or has ended: run the cell again." : ""));
    if (!reel.live || !reel.playing) return false;
    this.owed = Math.min(this.owed + fps * reel.speed * seconds, AT_ONCE);
    if (this.owed < 1 || this.waiting >= AHEAD) return false;
    const frames = Math.floor(this.owed);
    this.owed -= frames;
    if (!this.waiting) this.asked = performance.now();
    this.waiting += 1;
    this.send({ do: "advance", frames });
    return false;
  }

  hold() {
    const { grab } = this;
    if (grab.hovering || grab.pulls.size || grab.pins.length) grab.update();
    return grab.pulls.size > 0;
  }

  receive(said, buffers) {
    this.asked = performance.now();
    if (said.answer) this.waiting = Math.max(this.waiting - 1, 0);
    this.problem = said.problem ?? null;
    if (said.problem) this.player.reel.playing = false;
    if (said.pins) this.grab.setPins(said.pins);
    for (const each of buffers ?? []) this.kept.add(decodeFrame(bytesOf(each).buffer));
    if (buffers?.length || said.problem) this.player.say();
  }

  dispose() {
    for (const [kind, act] of Object.entries(this.listen)) this.model.off(kind, act);
    this.send({ do: "release" });
    this.player.dispose();
  }
}

// A copy of whatever a notebook hands over as bytes, so that arrays in it begin where they must.
export function bytesOf(given) {
  if (given instanceof ArrayBuffer) return new Uint8Array(given.slice(0));
  return new Uint8Array(given.buffer.slice(given.byteOffset, given.byteOffset + given.byteLength));
}
