// The socket: decodes what the server packs (packing.py), gives credits for the frames drawn, comes back when lost.

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

function decodeSetup(data) {
  const length = new DataView(data).getUint32(4, true);
  const setup = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 8, length)));
  for (const each of [...(setup.skins ?? setup.bodies), ...(setup.colliders ?? [])]) {
    for (const [name, { type, start, count }] of Object.entries(each.arrays ?? {})) {
      const Kind = type === "u32" ? Uint32Array : Float32Array;
      each[name] = new Kind(data, 8 + length + start, count);
    }
  }
  return setup;
}

// The numbers of the bars over the recording: [time, number, number, ...] for each moment.
function decodeHistory(data) {
  const head = new DataView(data), columns = 1 + head.getUint32(8, true);
  const table = new Float32Array(data, 16);
  return Array.from({ length: head.getUint32(4, true) }, (_, i) => table.subarray(columns * i, columns * (i + 1)));
}

function decodeFrame(data) {
  const head = new DataView(data);
  const [weights, moving, count] = [12, 24, 28].map((at) => head.getUint32(at, true));
  const places = 32 + 4 * weights;
  const particles = places + 48 * moving;
  return {
    number: head.getUint32(8, true),
    time: head.getFloat64(16, true),
    weights: new Float32Array(data, 32, weights),
    places: new Float32Array(data, places, 12 * moving),
    particles: new Float32Array(data, particles, 4 * count),
    layers: decodeLayers(data, particles + 16 * count),
  };
}

// What comes behind the particles for pages that see inside (layers.py): numbers by their kind.
function decodeLayers(data, at) {
  const head = new DataView(data), layers = {};
  for (; at + 8 <= data.byteLength; at += 8 + 4 * head.getUint32(at + 4, true))
    layers[head.getUint32(at, true)] = new Float32Array(data, at + 8, head.getUint32(at + 4, true));
  return layers;
}
