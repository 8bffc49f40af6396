// Weights on the cards of the poses, as they are in each frame. Of several groups of a body the mean is shown.

export class Cards {
  // The bars of a setup: whose weights come with each frame, and in what order.
  useSetup({ bars, sides }) {
    let first = 0;
    this.places = new Map(); // "actor / pose" of the copy that a panel is about: where its numbers are
    for (const bar of bars) {
      const side = sides.length > 1 ? bar.label.split(" · ")[0] : "";
      bar.names.forEach((name, i) => {
        for (const key of [`${side}/${bar.actor}/${name}`, `/${bar.actor}/${name}`]) {
          if (key.startsWith("/") && side === "B") continue; // without a letter the first copy is meant
          if (!this.places.has(key)) this.places.set(key, new Set());
          this.places.get(key).add(first + i);
        }
      });
      first += bar.names.length;
    }
  }

  show(weights) {
    for (const card of document.querySelectorAll(".pose-card")) {
      const places = this.places?.get(`/${card.dataset.actor}/${card.dataset.pose}`);
      let weight = 0;
      for (const each of places ?? []) weight += weights[each] / places.size;
      const text = places ? weight.toFixed(2) : "";
      if (card.dataset.weight === text) continue;
      card.dataset.weight = text;
      card.querySelector(".fill").style.transform = `scaleX(${Math.min(Math.max(weight, 0), 1)})`;
      card.querySelector(".pose-live .number").textContent = text;
    }
  }
}
