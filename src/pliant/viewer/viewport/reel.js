// What the server does for the page's timeline (playback.py), for a player that has none: which moment is shown, and how
// time goes on. `moments` has `length`, `timeOf(i)` and `at(i)`; it may grow.

const SAME = 1e-6; // seconds: times so near to each other are one

export class Reel {
  constructor(moments, { live = false, playing = false, loop = false, most = Infinity } = {}) {
    Object.assign(this, { moments, live, playing, loop, most, speed: 1, marks: [null, null] });
    this.growing = live; // whether there is a present to go back to
    this.now = this.first;
  }

  get first() {
    return this.moments.length ? this.moments.timeOf(0) : 0;
  }

  get last() {
    return this.moments.length ? this.moments.timeOf(this.moments.length - 1) : 0;
  }

  // From when to when it plays.
  get span() {
    return [Math.max(this.marks[0] ?? this.first, this.first), Math.min(this.marks[1] ?? this.last, this.last)];
  }

  // As Timeline wants it.
  get told() {
    const { live, playing, loop, marks, first, last, most } = this;
    return { live, playing, loop, marks, first, last, most, alone: true, whole: !this.growing };
  }

  obey(command) {
    const { span } = this;
    if (command.do === "seek") this.leave(command.time);
    if (command.do === "nudge") this.leave(this.moments.timeOf(this.clamp(this.nearest(this.now) + command.moments)));
    if (command.do === "loop") this.loop = command.on;
    if (command.do === "mark") this.marks = [command.start, command.end];
    if (command.do === "live" && this.growing) Object.assign(this, { live: true, playing: true });
    if (command.do !== "play") return;
    this.playing = command.on ?? !this.playing;
    if (this.playing && !this.live && this.now >= span[1] - SAME) this.now = span[0]; // from the beginning again
  }

  leave(time) {
    this.now = Math.min(Math.max(time, this.first), this.last);
    this.live = this.playing = false;
  }

  // The clock has gone on by so many seconds. True if another moment is shown.
  advance(seconds) {
    if (!this.playing || this.live) return false;
    const [start, end] = this.span;
    this.now += this.speed * seconds;
    if (this.now < end) return true;
    if (this.loop && end > start) this.now = start + ((this.now - start) % (end - start));
    else [this.now, this.playing] = [end, false];
    return true;
  }

  clamp(number) {
    return Math.min(Math.max(number, 0), this.moments.length - 1);
  }

  // The number of the last moment that is not later.
  before(time) {
    let [low, high] = [0, this.moments.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.moments.timeOf(middle) <= time + SAME) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  nearest(time) {
    const number = this.before(time), next = this.clamp(number + 1);
    return this.moments.timeOf(next) - time < time - this.moments.timeOf(number) ? next : number;
  }

  // What is shown; `turning` is the row from which on particles are rotations.
  moment(turning) {
    const number = this.live ? this.moments.length - 1 : this.before(this.now), next = this.clamp(number + 1);
    const one = this.moments.at(number);
    const [start, end] = [one.time, this.moments.timeOf(next)];
    const part = this.live || end <= start ? 0 : (this.now - start) / (end - start);
    return part < 1e-3 ? one : between(one, this.moments.at(next), Math.min(part, 1), turning);
  }
}

// On the way from one moment to another; rotations take the shorter way round.
export function between(one, other, part, turning) {
  const mix = (a, b) => a.map((each, i) => each + part * (b[i] - each));
  const particles = mix(one.particles, other.particles);
  for (let i = 4 * turning; i < particles.length; i += 4) {
    const a = one.particles.subarray(i, i + 4), b = other.particles.subarray(i, i + 4);
    const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    const mixed = a.map((each, k) => each + part * (sign * b[k] - each));
    particles.set(mixed.map((each) => each / (Math.hypot(...mixed) || 1)), i);
  }
  return { ...one, time: one.time + part * (other.time - one.time), particles,
    weights: mix(one.weights, other.weights), places: mix(one.places, other.places) };
}
