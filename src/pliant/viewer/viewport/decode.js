// Messages as the server packs them (setup.py, packing.py), each an ArrayBuffer that begins with its kind.

export function decodeSetup(data) {
  const length = new DataView(data).getUint32(4, true);
  const setup = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 8, length)));
  for (const each of [...(setup.skins ?? setup.bodies), ...(setup.colliders ?? [])]) {
    for (const [name, { type, start, count }] of Object.entries(each.arrays ?? {})) {
      const Kind = type === "u32" ? Uint32Array : Float32Array;
      each[name] = new Kind(data, 8 + length + start, count);
    }
  }
  for (const each of setup.pictures ?? []) // where no server has them
    each.url = URL.createObjectURL(new Blob([new Uint8Array(data, 8 + length + each.start, each.bytes)], { type: each.mime }));
  return setup;
}

// The numbers of the bars over the recording: [time, number, number, ...] for each moment.
export function decodeHistory(data) {
  const head = new DataView(data), columns = 1 + head.getUint32(8, true);
  const table = new Float32Array(data, 16);
  return Array.from({ length: head.getUint32(4, true) }, (_, i) => table.subarray(columns * i, columns * (i + 1)));
}

export function decodeFrame(data) {
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
