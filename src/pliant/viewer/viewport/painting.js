// Painting groups: the two tools for it, and the colours of the groups on the skin meanwhile.

import { THREE } from "nicegui-scene";
import { Box } from "/viewport/box.js";
import { Brush } from "/viewport/brush.js";

const NONE = 255; // the label of a particle that is in no group

export class Painting {
  // Has to be made before Grab: who listens first has precedence.
  constructor(view, canvas, tell) {
    this.view = view;
    this.labels = null; // the group of each particle
    const { skins, rig, stage } = view;
    this.brush = new Brush(canvas, rig.camera, skins, stage.scene, tell);
    this.box = new Box(canvas, rig.camera, skins, tell);
  }

  // `wish` is { tool: "brush", "box" or null, actor, second, group, radius, colour }, or null.
  set(wish) {
    const { grab, rig } = this.view;
    const tool = wish?.tool ?? null;
    this.brush.set(wish);
    this.box.set(wish);
    if (!this.view.studio) grab.off = !!tool; // in the studio its tools say so
    if (tool && grab.pulls.size) grab.cancel();
    rig.controls.mouseButtons.RIGHT = tool ? THREE.MOUSE.ROTATE : THREE.MOUSE.PAN;
    this.on = !!tool;
    this.colour();
  }

  setLabels(labels) {
    this.labels = labels;
    this.colour();
  }

  colour() {
    const shown = this.on && this.labels;
    this.view.insight?.lend(shown ? Float32Array.from(this.labels, (label) => (label === NONE ? -1 : label)) : null);
    this.view.dirty = true;
  }

  // Once a picture. Whether something has changed.
  update() {
    return this.brush.update();
  }
}
