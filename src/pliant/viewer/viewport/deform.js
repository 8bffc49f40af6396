// The shader's arithmetic in plain JavaScript, for what must be known outside of the graphics card: where a vertex is,
// and which one is under the pointer.

export function vertexAt(skin, { first, rotations }, particles, v, out = [0, 0, 0]) {
  const s = skin.indices, w = skin.weights, k = 4 * v;
  if (skin.kind === "solid" || skin.kind === "oriented") {
    out.fill(0);
    for (let j = skin.slots * v; j < skin.slots * (v + 1); j++) {
      const at = 4 * (first + s[j]);
      for (let i = 0; i < 3; i++) out[i] += w[j] * particles[at + i];
      if (skin.kind === "solid") continue;
      const q = 4 * (rotations + s[j]);
      const arm = rotated(particles.subarray(q, q + 4), minus2(skin.offsets, k, skin.axes, 4 * s[j]));
      for (let i = 0; i < 3; i++) out[i] += w[j] * arm[i];
    }
    return out;
  }
  const slot = (j) => 4 * (first + s[k + j]);
  const [a, b, c, d] = [slot(0), slot(1), slot(2), slot(3)];
  for (let i = 0; i < 3; i++) {
    out[i] = w[k] * particles[a + i] + w[k + 1] * particles[b + i] + w[k + 2] * particles[c + i] + w[k + 3] * particles[d + i];
  }
  const e = minus(particles, b, a);
  if (skin.kind === "shell") {
    const n = unit(cross(e, minus(particles, c, a)));
    for (let i = 0; i < 3; i++) out[i] += skin.offsets[k + 3] * n[i];
  } else {
    const u = swung(skin.offsets.subarray(k, k + 3), skin.axes.subarray(k, k + 3), unit(e));
    for (let i = 0; i < 3; i++) out[i] += u[i];
  }
  return out;
}

export function surface(skin, actor, particles) {
  const count = skin.vertices.length / 3;
  const x = new Float32Array(3 * count);
  const point = [0, 0, 0];
  for (let v = 0; v < count; v++) x.set(vertexAt(skin, actor, particles, v, point), 3 * v);
  return x;
}

// The nearest triangle that a ray meets between two distances: { distance, vertex }, or null. (Moeller and Trumbore)
export function meet(origin, direction, x, faces, [near, far] = [0, Infinity]) {
  let nearest = null;
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    const e1x = x[b] - x[a], e1y = x[b + 1] - x[a + 1], e1z = x[b + 2] - x[a + 2];
    const e2x = x[c] - x[a], e2y = x[c + 1] - x[a + 1], e2z = x[c + 2] - x[a + 2];
    const px = direction.y * e2z - direction.z * e2y;
    const py = direction.z * e2x - direction.x * e2z;
    const pz = direction.x * e2y - direction.y * e2x;
    const det = e1x * px + e1y * py + e1z * pz;
    if (Math.abs(det) < 1e-20) continue;
    const tx = origin.x - x[a], ty = origin.y - x[a + 1], tz = origin.z - x[a + 2];
    const u = (tx * px + ty * py + tz * pz) / det;
    if (u < 0 || u > 1) continue;
    const qx = ty * e1z - tz * e1y, qy = tz * e1x - tx * e1z, qz = tx * e1y - ty * e1x;
    const v = (direction.x * qx + direction.y * qy + direction.z * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const distance = (e2x * qx + e2y * qy + e2z * qz) / det;
    if (distance <= near || distance > far || (nearest && distance >= nearest.distance)) continue;
    const shares = [1 - u - v, u, v];
    nearest = { distance, vertex: faces[f + shares.indexOf(Math.max(...shares))] };
  }
  return nearest;
}

const minus = (x, b, a) => [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
const minus2 = (x, b, y, a) => [x[b] - y[a], x[b + 1] - y[a + 1], x[b + 2] - y[a + 2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a) => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};

// A vector turned by a quaternion x, y, z, w.
function rotated(q, v) {
  const once = cross(q, v).map((each, i) => each + q[3] * v[i]);
  return cross(q, once).map((each, i) => v[i] + 2 * each);
}

// A vector u swung along as the unit vector start swings to end.
function swung(u, start, end) {
  const cosine = dot(start, end);
  if (cosine < -0.9999) return [0, 1, 2].map((i) => u[i] - 2 * dot(u, start) * start[i]);
  const k = cross(start, end), once = cross(k, u), twice = cross(k, once);
  return [0, 1, 2].map((i) => u[i] + once[i] + twice[i] / (1 + cosine));
}
