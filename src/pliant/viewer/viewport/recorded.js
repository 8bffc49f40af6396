// A recording as recorded.py packs it. Where particles are is told in steps (whole numbers) since the frame before, the
// lowest bytes of a frame first: what stands still costs nothing. All is added up here, once.

import { decodeSetup } from "/viewport/decode.js";

export class Recorded {
  // `data` is an ArrayBuffer.
  constructor(data) {
    const bytes = new DataView(data), length = bytes.getUint32(0, true);
    Object.assign(this, JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)))); // name, title, fps, ...
    const start = 4 + length, size = bytes.getUint32(start, true);
    this.setup = decodeSetup(data.slice(start + 4, start + 4 + size));
    const tables = start + 4 + size, { frames, numbers, moving } = this;
    this.weights = new Float32Array(data.slice(tables, tables + 4 * frames * numbers));
    const places = tables + 4 * frames * numbers, ways = places + 48 * frames * moving;
    this.places = new Float32Array(data.slice(places, ways));
    this.steps = this.addUp(new Uint8Array(data, ways));
  }

  get length() {
    return this.frames;
  }

  addUp(bytes) {
    const count = this.spans.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
    const sums = new Int32Array(count * this.frames);
    for (let frame = 0; frame < this.frames; frame++) {
      const at = frame * count, low = 4 * at;
      for (let i = 0; i < count; i++) {
        const more = bytes[low + i] | (bytes[low + count + i] << 8) | (bytes[low + 2 * count + i] << 16) | (bytes[low + 3 * count + i] << 24);
        sums[at + i] = (frame ? sums[at - count + i] : 0) + more;
      }
    }
    return sums;
  }

  timeOf(frame) {
    return frame / this.fps;
  }

  // A moment, as decodeFrame gives it.
  at(frame) {
    const { rows } = this.setup, { numbers, moving } = this;
    const particles = new Float32Array(4 * rows);
    let from = (frame * this.steps.length) / this.frames, to = 0;
    for (const { rows, columns, step } of this.spans)
      for (let row = 0; row < rows; row++, to += 4)
        for (let i = 0; i < columns; i++) particles[to + i] = step * this.steps[from++];
    return {
      number: frame,
      time: this.timeOf(frame),
      weights: this.weights.subarray(numbers * frame, numbers * (frame + 1)),
      places: this.places.subarray(12 * moving * frame, 12 * moving * (frame + 1)),
      particles,
    };
  }

  // [time, number, number, ...] for each moment.
  get history() {
    const { numbers } = this;
    return Array.from({ length: this.frames }, (_, i) =>
      [this.timeOf(i), ...this.weights.subarray(numbers * i, numbers * (i + 1))]);
  }
}
