// Normals that follow the deformed skin. Each vertex is given three points of its ring (or itself) that span the widest
// triangle. Its normal at rest is written in the frame of that triangle; the shader finds the triangle where it is now
// and reads the normal back. Exact at rest and for every rigid motion, and no pass over the faces is needed.

export function rings(vertices, faces, normals) {
  const count = vertices.length / 3;
  const neighbours = Array.from({ length: count }, (_, v) => [v]);
  const note = (v, other) => {
    if (!neighbours[v].includes(other)) neighbours[v].push(other);
  };
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [faces[f], faces[f + 1], faces[f + 2]];
    note(a, b), note(a, c), note(b, c), note(b, a), note(c, a), note(c, b);
  }
  const ring = new Float32Array(3 * count);
  const frame = new Float32Array(3 * count);
  for (let v = 0; v < count; v++) {
    const corners = widest(neighbours[v], vertices);
    ring.set(corners, 3 * v);
    frame.set(inFrame(corners, vertices, normals.subarray(3 * v, 3 * v + 3)), 3 * v);
  }
  return { ring, frame };
}

function widest(candidates, vertices) {
  const every = Math.ceil(candidates.length / 9); // a pole may have a hundred neighbours; nine span its ring as well
  const some = candidates.filter((_, i) => i % every === 0);
  let best = [some[0], some[0], some[0]];
  let area = -1;
  for (let i = 0; i < some.length; i++)
    for (let j = i + 1; j < some.length; j++)
      for (let k = j + 1; k < some.length; k++) {
        const n = cross(edge(vertices, some[i], some[j]), edge(vertices, some[i], some[k]));
        const size = dot(n, n);
        if (size > area) (area = size), (best = [some[i], some[j], some[k]]);
      }
  return best;
}

// Solves normal = x e1 + y e2 + z e3 for the unit edges e1, e2 and the unit normal e3 of the triangle.
function inFrame([a, b, c], vertices, normal) {
  const e1 = unit(edge(vertices, a, b));
  const e2 = unit(edge(vertices, a, c));
  const e3 = unit(cross(e1, e2));
  const together = dot(e1, e2);
  const apart = 1 - together * together;
  if (!(apart > 1e-6)) return [0, 0, 1];
  const [along1, along2] = [dot(normal, e1), dot(normal, e2)];
  return [(along1 - together * along2) / apart, (along2 - together * along1) / apart, dot(normal, e3)];
}

const edge = (x, a, b) => [x[3 * b] - x[3 * a], x[3 * b + 1] - x[3 * a + 1], x[3 * b + 2] - x[3 * a + 2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};
