// What fingers mean. One on a body pulls it, one beside it turns the view, two move it and come nearer.
// A finger that rests pins what it pulls, and so does the tap of a second one beside the body.

const REST = 550; // milliseconds that a finger rests until it pins
const SLOP = 10; // pixels that it may move meanwhile
const TOGETHER = 250; // milliseconds: fingers that come down so close to each other are a pinch, whatever is under them
const TAP = 350; // milliseconds between the taps of a double tap
const SAME = 28; // pixels that its taps may be apart

export class Fingers {
  // `rested(pointer)` is called when a finger that pulls has rested.
  constructor(rested) {
    this.rested = rested;
    this.patience = REST;
    this.together = TOGETHER;
    this.pulling = new Map(); // pointer: where and when it came down
    this.viewing = new Set(); // pointers that the camera has
    this.tapped = { time: -TAP, x: 0, y: 0 };
  }

  // Whether the camera has the hand: then every further finger is for it.
  get turning() {
    return this.viewing.size > 0;
  }

  // Whether this finger and the one that pulls make a pinch.
  pinches(event) {
    return [...this.pulling.values()].some((one) => !one.moved && event.timeStamp - one.time < this.together);
  }

  // Whether a finger comes down for the second time in the same place.
  again(event) {
    return event.timeStamp - this.tapped.time < TAP && apart(event, this.tapped) < SAME;
  }

  pull(event) {
    const timer = setTimeout(() => this.rest(event.pointerId), this.patience);
    this.pulling.set(event.pointerId, { x: event.clientX, y: event.clientY, time: event.timeStamp, moved: false, timer });
  }

  view(event) {
    this.viewing.add(event.pointerId);
  }

  move(event) {
    const finger = this.pulling.get(event.pointerId);
    if (!finger || finger.moved || apart(event, finger) <= SLOP) return;
    finger.moved = true;
    clearTimeout(finger.timer);
  }

  rest(pointer) {
    const finger = this.pulling.get(pointer);
    if (!finger) return;
    finger.rested = true;
    this.rested(pointer);
  }

  end(event) {
    const finger = this.pulling.get(event.pointerId);
    if (finger && !finger.moved && !finger.rested) // a finger that has moved or rested was no tap
      this.tapped = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    clearTimeout(finger?.timer);
    this.pulling.delete(event.pointerId);
    this.viewing.delete(event.pointerId);
  }
}

const apart = (event, { x, y }) => Math.hypot(event.clientX - x, event.clientY - y);
