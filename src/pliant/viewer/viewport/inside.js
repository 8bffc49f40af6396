// Seeing inside: puts together what is drawn in and on the bodies besides their skin, and asks the server for what that
// takes. What is off is neither made nor asked for.

import { THREE } from "nicegui-scene";
import { Clip } from "/viewport/clip.js";
import { Contacts } from "/viewport/contacts.js";
import { balls, links } from "/viewport/dots.js";
import { wear } from "/viewport/dress.js";
import { elements, pairs } from "/viewport/elements.js";
import { ellipsoids } from "/viewport/ellipsoids.js";
import { CLASSES, Heat, NUMBERS } from "/viewport/heat.js";
import { Legend, written } from "/viewport/legend.js";
import { Region } from "/viewport/region.js";
import { table } from "/viewport/bending.js";
import { wires } from "/viewport/wires.js";

const KINDS = { stretch: 1, weights: 2, groups: 3, distance: 4 }; // of layers, as layers.py has them
const CONTACTS = 8, ROTATIONS = 9;
const BALL = 0.13; // radius of a particle, of the distance to its neighbours
const PARTS = ["particles", "links", "elements", "ellipsoids", "wireframe"]; // made when they are first wanted
const OF_BODIES = ["particles", "links", "elements", "ellipsoids", "regions", "contacts"]; // these need the bodies

export class Inside {
  constructor(view, canvas) {
    this.view = view;
    this.heat = new Heat();
    this.clip = new Clip(view.stage.scene);
    this.contacts = new Contacts(view.stage.scene);
    this.legend = new Legend(view.$el);
    this.region = new Region(canvas, view);
    this.group = new THREE.Group();
    view.stage.scene.add(this.group);
    this.parts = {}; // by name, once they are made
    this.pixels = { value: 1 };
    this.ink = { value: new THREE.Color() };
    this.wish = { skin: "solid" };
    this.lent = null;
    this.asked = null; // the last that the server was told
    this.bodies = null;
    Object.assign(view.skins.shared, this.heat.uniforms);
    view.grab.reach = (ray) => this.clip.reach(ray);
  }

  // ---- what comes from outside -----------------------------------------------------------------------------

  // What a person wants to see (inside.py).
  set(wish) {
    const before = this.wish;
    this.wish = wish;
    if (wish.heat !== before.heat || wish.pose !== before.pose) this.chooseHeat();
    if (!this.lent && JSON.stringify(wish.legend) !== JSON.stringify(before.legend)) this.legend.set(wish.legend);
    if (!wish.contacts) this.contacts.hide();
    if (!!wish.regions !== this.region.on) this.region.turn(!!wish.regions), this.legend.tell("");
    this.view.stage.renderer.localClippingEnabled = !!wish.clip;
    this.clip.set(wish.clip ?? null, this.view.rig.camera, this.view.skins.bounds());
    this.ask();
    this.build();
    this.dressAll();
  }

  useSetup(setup) {
    this.heat.setCount(setup.particles);
    this.drop();
    this.bodies = null;
    this.region.forget();
    this.legend.tell("");
    this.dressAll();
    this.build();
  }

  setBodies({ bodies, actors }) {
    const { setup } = this.view.skins;
    const of = new Map(setup.actors.map((actor, i) => [actor, bodies[actors[i]]]));
    const spacing = setup.actors.reduce((sum, actor) => sum + of.get(actor).spacing / setup.actors.length, 0);
    const all = bodies.map((body) => ({ body, actors: setup.actors.filter((each) => of.get(each) === body) }));
    this.bodies = { of: (actor) => of.get(actor), all, spacing };
    this.drop();
    this.build();
  }

  // The brush has the skins for a while: numbers of groups to show instead of a heat map, or null.
  lend(groups) {
    if (!groups && !this.lent) return;
    const changes = !groups !== !this.lent;
    this.lent = groups;
    if (changes) this.chooseHeat(), this.legend.set(groups ? null : this.wish.legend), this.dressAll();
    if (groups) this.heat.take(groups);
  }

  take({ layers }) {
    const heat = !this.lent && layers[KINDS[this.wish.heat]];
    if (heat) {
      this.heat.take(heat);
      this.legend.scale(this.heat.top, this.heat.most > this.heat.top);
    }
    const contacts = this.wish.contacts && this.bodies && layers[CONTACTS];
    if (contacts) this.contacts.show(contacts, 0.24 * this.bodies.spacing);
    if (layers[ROTATIONS]?.length && this.rotations) {
      this.rotations.image.data.set(layers[ROTATIONS]);
      this.rotations.needsUpdate = true;
    }
  }

  // Before a picture is drawn.
  update() {
    this.pixels.value = this.view.stage.renderer.domElement.height;
    if (this.clip.on) this.clip.follow(this.view.rig.camera, this.view.skins.bounds());
    if (this.region.update(this) || (this.region.shown && this.heat.kind)) this.tellRegion();
  }

  // Whether a picture is due though nothing has come from the server.
  get stirring() {
    return this.region.on && this.region.pointer !== undefined;
  }

  // Tell the server what is needed; also when the connection comes back.
  ask() {
    const { heat = null, pose = null, contacts = false, ellipsoids: rotations = false } = this.wish;
    const bodies = OF_BODIES.some((name) => this.wish[name]);
    const wanted = JSON.stringify({ do: "layers", heat, pose, contacts, rotations, bodies });
    if (wanted === this.asked || !(heat || contacts || rotations || bodies || this.asked)) return;
    this.asked = wanted;
    this.view.stream.send(JSON.parse(wanted));
  }

  linked() {
    if (this.asked) (this.asked = null), this.ask();
  }

  setTheme(dark) {
    this.ink.value.set(dark ? 0xf2f4f8 : 0x20242c);
    this.region.ink.value.set(dark ? 0xf2f4f8 : 0x20242c);
    this.clip.setTheme(dark);
  }

  // ---- parts -----------------------------------------------------------------------------------------------

  get transparent() {
    return this.wish.skin !== "solid" || this.clip.on;
  }

  get shared() {
    return { particles: { value: this.view.skins.texture }, cut: this.clip.uniform, ...this.heat.uniforms };
  }

  chooseHeat() {
    const heat = this.lent ? "groups" : this.wish.heat;
    const kind = !heat ? 0 : heat === "groups" ? CLASSES : NUMBERS;
    this.heat.choose(kind, { weights: { fixed: 1 }, stretch: { least: 0.02 }, distance: { least: 1e-4 } }[heat]);
  }

  // Make what is wanted and was not there yet, and show just that.
  build() {
    const { setup } = this.view.skins;
    for (const name of PARTS) {
      const wanted = !!this.wish[name] && !!setup && (this.bodies || name === "wireframe");
      if (wanted && !this.parts[name]) {
        this.parts[name] = this[name]().filter(Boolean);
        if (this.parts[name].length) this.group.add(...this.parts[name]);
        this.dressAll();
      }
      for (const each of this.parts[name] ?? []) each.visible = !!wanted;
    }
  }

  particles() {
    const list = this.view.skins.setup.actors.flatMap((actor) => this.particlesOf(actor));
    return [balls(list, this.shared, this.pixels)];
  }

  particlesOf(actor) {
    const size = BALL * this.bodies.of(actor).spacing, tint = new THREE.Color(actor.colour).toArray();
    return Array.from({ length: actor.count }, (_, i) => ({ which: actor.first + i, size, tint }));
  }

  links() {
    return this.bodies.all.map(({ body, actors }) => links(pairs(body), actors, this.shared, this.ink));
  }

  elements() {
    return this.bodies.all.map(({ body, actors }) => elements(body, actors, this.shared));
  }

  ellipsoids() {
    const { setup } = this.view.skins;
    const still = new Float32Array(4 * setup.particles);
    for (let i = 3; i < still.length; i += 4) still[i] = 1;
    this.rotations = table(still, setup.particles);
    const list = setup.actors.flatMap((actor) => {
      const { rotations, radii } = this.bodies.of(actor);
      if (!radii) return [];
      return this.particlesOf(actor).map((each, i) => (
        { ...each, axes: [...rotations.subarray(4 * i, 4 * i + 4)], radii: [...radii.subarray(3 * i, 3 * i + 3)] }));
    });
    return [ellipsoids(list, { ...this.shared, rotations: { value: this.rotations } })];
  }

  wireframe() {
    return wires(this.view.skins, this.ink);
  }

  // Skins and pieces wear the heat map; skins become glass, or go; all are cut.
  dressAll() {
    const skins = this.view.skins.materials;
    const pieces = this.group.children.map((each) => each.material);
    const wires = (this.parts.wireframe ?? []).flatMap((each) => each.material);
    const { skin } = this.wish;
    wear([...skins, ...pieces.flat().filter((each) => !wires.includes(each))], "HEAT", this.heat.kind || null);
    wear(skins, "GLASS", skin === "glass" ? 1 : null);
    wear(skins, "CUT", this.clip.on ? 1 : null);
    for (const each of skins) {
      each.userData.own ??= { transparent: each.transparent, depthWrite: each.depthWrite, side: each.side };
      Object.assign(each, each.userData.own);
      if (skin !== "solid") Object.assign(each, { transparent: true, depthWrite: false });
      if (this.clip.on) each.side = THREE.DoubleSide;
      each.polygonOffset = this.clip.on; // else the floor shines through the bottom of an opened body
      each.polygonOffsetFactor = each.polygonOffsetUnits = -2;
      each.colorWrite = skin !== "hidden"; // it goes on casting its shadow
    }
    this.clip.apply([...skins, ...wires]);
  }

  tellRegion() {
    const { shown } = this.region;
    if (!shown) return this.legend.tell("");
    const value = this.heat.values?.[shown.which];
    const unit = this.wish.legend?.unit;
    const said = unit && value >= 0 ? ` · ${written(value, unit)}` : "";
    const number = shown.which - shown.actor.first;
    this.legend.tell(`${shown.actor.name}: particle ${number}, ${shown.ring} neighbours${said}`);
  }

  drop() {
    for (const each of this.group.children) {
      for (const texture of each.userData.tables ?? []) texture.dispose();
      if (!each.userData.borrowed) each.geometry.dispose();
      for (const material of [each.material].flat()) material.dispose();
    }
    this.group.clear();
    this.rotations?.dispose();
    this.rotations = null;
    this.parts = {};
  }

  dispose() {
    this.drop();
    this.region.dispose();
    this.contacts.dispose();
    this.heat.dispose();
    this.legend.dispose();
  }
}
