// The socket: hands on what the server packs (packing.py), gives credits for the frames drawn, comes back when lost.

import { decodeFrame, decodeHistory, decodeSetup } from "/viewport/decode.js";

const SETUP = 1, FRAME = 2, BODIES = 3, LABELS = 16, DISTANCES = 17, REEL = 5, HISTORY = 6;
const RETRY = [250, 500, 1000, 2000, 4000]; // milliseconds
const NO_SUCH_EXHIBIT = 4404;

export class Stream {
  // `listener` has onSetup(setup), onBodies(bodies), onLabels(labels), onDistances(distances), onFrame(frame),
  // onLink(connected), and for a timeline (playback.py) onReel(reel) and onHistory(moments).
  constructor(name, listener) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/stream/${encodeURIComponent(name)}`;
    this.listener = listener;
    this.tries = 0;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(this.url);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => {
      this.tries = 0;
      this.listener.onLink(true);
    };
    this.socket.onmessage = (event) => this.receive(event.data);
    this.socket.onclose = (event) => {
      if (this.closed) return;
      this.listener.onLink(false);
      if (event.code === NO_SUCH_EXHIBIT) return;
      const wait = RETRY[Math.min(this.tries++, RETRY.length - 1)];
      this.timer = setTimeout(() => this.connect(), wait);
    };
  }

  receive(data) {
    const kind = new DataView(data).getUint32(0, true);
    if (kind === SETUP) this.listener.onSetup(decodeSetup(data));
    if (kind === BODIES) this.listener.onBodies(decodeSetup(data));
    if (kind === LABELS) this.listener.onLabels(new Uint8Array(data, 8));
    if (kind === DISTANCES) this.listener.onDistances(new Float32Array(data, 8));
    if (kind === REEL) this.listener.onReel(JSON.parse(new TextDecoder().decode(new Uint8Array(data, 8))));
    if (kind === HISTORY) this.listener.onHistory(decodeHistory(data));
    if (kind === FRAME) this.listener.onFrame(decodeFrame(data));
  }

  send(command) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
