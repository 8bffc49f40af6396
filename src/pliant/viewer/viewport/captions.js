// A line over each of two copies that are compared: which it is, and how they differ.

import { THREE } from "nicegui-scene";

export class Captions {
  constructor(place) {
    this.place = place;
    this.texts = {};
    this.labels = [];
  }

  setTexts(texts) {
    this.texts = texts;
  }

  // They stand over the middle of what is drawn of each side.
  update({ setup, particles }, camera) {
    const sides = setup && particles && setup.sides.length > 1 ? setup.sides : [];
    while (this.labels.length > sides.length) this.labels.pop().remove();
    while (this.labels.length < sides.length) this.labels.push(this.place.appendChild(label()));
    sides.forEach(({ name }, i) => {
      const text = this.texts[name] ?? name;
      if (this.labels[i].textContent !== text) this.labels[i].textContent = text;
      const box = bounds(setup.actors.filter((actor) => actor.side === i), particles);
      const corners = [box.min, box.max].flatMap(({ x }) => [box.min, box.max].map(({ z }) =>
        new THREE.Vector3(x, box.max.y, z).project(camera)));
      const { clientWidth: width, clientHeight: height } = this.place;
      const middle = (Math.min(...corners.map(({ x }) => x)) + Math.max(...corners.map(({ x }) => x))) / 2;
      const x = Math.min(Math.max((0.5 + middle / 2) * width, 60), width - 60);
      const y = Math.min(Math.max((0.5 - Math.max(...corners.map((each) => each.y)) / 2) * height - 10, 44), height - 12);
      this.labels[i].style.transform = `translate(${x}px, ${y}px) translate(-50%, -100%)`;
    });
  }
}

function label() {
  const made = document.createElement("div");
  made.className = "caption";
  return made;
}

function bounds(actors, p) {
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  for (const { first, count } of actors)
    for (let i = 4 * first; i < 4 * (first + count); i += 4) box.expandByPoint(point.set(p[i], p[i + 1], p[i + 2]));
  return box;
}
