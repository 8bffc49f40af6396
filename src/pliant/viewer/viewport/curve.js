// Weights over the last seconds, drawn as lines on a small canvas; time runs to the right.

export const SPAN = 8; // seconds
const MOST = 1000; // moments
const EDGE = 3; // pixels

export class Curve {
  constructor(canvas, lines) {
    Object.assign(this, { canvas, lines });
    this.moments = []; // [time, weight, weight, ...], the oldest first
    this.colours = [];
  }

  setColours(colours) {
    this.colours = colours;
    this.draw();
  }

  add(time, weights) {
    const last = this.moments.at(-1);
    if (last && (time < last[0] || time > last[0] + SPAN)) this.moments = []; // it began anew
    if (last && time === last[0]) this.moments.pop();
    this.moments.push([time, ...weights]);
    const old = this.moments.findIndex(([then]) => then >= time - SPAN);
    this.moments.splice(0, Math.max(old - 1, this.moments.length - MOST, 0)); // one beyond the edge: the line begins there
    this.draw();
  }

  // All of a recording, which the whole width stands for; what comes later than the moment that is shown is faint.
  setAll(moments) {
    this.all = moments;
    this.draw();
  }

  // Show a recorded moment: what was before it, and nothing of what came later. `null` is the present again.
  recall(past) {
    this.past = past;
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const sharp = Math.min(devicePixelRatio, 2);
    if (this.canvas.width !== Math.round(width * sharp)) {
      this.canvas.width = Math.round(width * sharp);
      this.canvas.height = Math.round(height * sharp);
    }
    const pen = this.canvas.getContext("2d");
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, width, height);
    const moments = this.past ?? this.moments;
    if (!moments.length) return;
    const now = this.all?.at(-1)[0] ?? Math.max(moments.at(-1)[0], SPAN);
    const span = this.all ? Math.max(now - this.all[0][0], 1e-6) : SPAN;
    const x = (time) => width - EDGE - ((now - time) / span) * (width - 2 * EDGE);
    const y = (weight) => height - EDGE - Math.min(Math.max(weight, 0), 1) * (height - 2 * EDGE);
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    for (let line = this.lines; line >= 1; line--) {
      pen.strokeStyle = this.colours[line - 1] ?? "gray";
      for (const [alpha, part] of [[0.3, this.all ?? []], [1, moments]]) {
        pen.globalAlpha = alpha;
        pen.beginPath();
        for (const moment of part) pen.lineTo(x(moment[0]), y(moment[line]));
        pen.stroke();
      }
      const end = moments.at(-1);
      pen.fillStyle = pen.strokeStyle;
      pen.beginPath();
      pen.arc(x(end[0]), y(end[line]), 2.2, 0, 2 * Math.PI);
      pen.fill();
    }
  }
}
