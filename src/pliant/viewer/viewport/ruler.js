// The scale of the timeline: a line each second or so, with its time where there is room.

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60]; // seconds between labels
const ROOM = 54; // pixels that a label needs
const FINER = { 0.1: 2, 0.2: 2, 0.5: 5, 1: 5, 2: 4, 5: 5, 10: 5, 20: 4, 60: 6 }; // small lines to a label

export class Ruler {
  constructor(canvas) {
    this.canvas = canvas;
  }

  // `place(time)` is where a time lies, from 0 to 1.
  draw(from, to, place) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height || to <= from) return;
    const sharp = Math.min(devicePixelRatio, 2);
    this.canvas.width = Math.round(width * sharp);
    this.canvas.height = Math.round(height * sharp);
    const pen = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.font = style.font;
    pen.fillStyle = pen.strokeStyle = style.color;
    pen.textAlign = "center";
    pen.textBaseline = "bottom";
    const step = STEPS.find((each) => (each / (to - from)) * width >= ROOM) ?? STEPS.at(-1);
    const fine = step / FINER[step];
    for (let n = Math.ceil(from / fine - 1e-6); n * fine <= to + 1e-6; n++) {
      const x = Math.round(place(n * fine) * width) + 0.5;
      const labelled = n % FINER[step] === 0;
      pen.globalAlpha = labelled ? 0.75 : 0.35;
      pen.fillRect(x - 0.5, 0, 1, labelled ? 6 : 3);
      if (!labelled) continue;
      const text = `${+(n * fine).toFixed(1)} s`;
      const half = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(Math.max(x, half), width - half), height);
    }
  }
}
