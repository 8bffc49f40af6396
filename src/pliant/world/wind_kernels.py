# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""What moving air does to surfaces: drag along it and lift across it, on each triangle by itself. Double precision."""

import math

import numpy as np

from pliant.runtime.jit import kernel, part

# Waves of a gust: direction (3), length in sizes of a gust, which way they push (3). Lengths and directions that have
# no common measure, so that nothing repeats soon.
WAVES = np.array([
    [0.84, 0.21, 0.50, 1.0, 0.62, 0.23, 0.75],
    [0.37, -0.52, 0.77, 0.618, -0.41, 0.86, 0.30],
    [-0.29, 0.88, 0.37, 0.382, 0.71, -0.10, -0.70],
    [0.66, 0.45, -0.60, 0.271, 0.25, 0.64, 0.73],
]).reshape(-1)  # fmt: skip
WAVE = 7


@part
def _gust(air, size, time, p0, p1, p2, u):
    """Frozen turbulence: a pattern that goes along with the wind [Taylor 1938]. Adds to u, in units of the wind."""
    q0, q1, q2 = p0 - air[0] * time, p1 - air[1] * time, p2 - air[2] * time
    for w in range(len(WAVES) // WAVE):
        a = WAVE * w
        phase = (WAVES[a] * q0 + WAVES[a + 1] * q1 + WAVES[a + 2] * q2) / (WAVES[a + 3] * size)
        s = math.sin(2.0 * math.pi * phase + w)
        for i in range(3):
            u[i] += s * WAVES[a + 4 + i]


@kernel("d[] d[] i[] i d[] d d[] d[]")
def blow(x, v, faces, sides, wind, time, force, rate):
    """Adds to the forces (3 P, N) on points that stand at x and move with v (3 P), and to how fast these fall as a
    point takes up speed (P, N s/m). faces (3 F): triangles; a segment of a rod has -1 for its third corner.

        F = 1/2 rho A |u|^2 cos (C_d u^ + C_l (n - cos u^)),     u from the triangle to the air, n turned along u

    sides: 2 if the air gets at both of them, 1 if only at the outer one. wind (9): velocity of the air, its density,
    C_d, C_l, gusts as a part of the velocity, their size, thickness of a rod."""
    rho, drag, lift, gusts, size, thick = wind[3], wind[4], wind[5], wind[6], wind[7], wind[8]
    strength = gusts * math.sqrt(wind[0] * wind[0] + wind[1] * wind[1] + wind[2] * wind[2])
    turbulent = np.zeros(3)
    f = np.zeros(3)
    for t in range(len(faces) // 3):
        a, b, c = 3 * faces[3 * t], 3 * faces[3 * t + 1], 3 * faces[3 * t + 2]
        corners = 2 if c < 0 else 3
        if c < 0:
            c = b
        per = 1.0 / corners
        w0 = wind[0] - (v[a] + v[b] + (v[c] if corners == 3 else 0.0)) * per
        w1 = wind[1] - (v[a + 1] + v[b + 1] + (v[c + 1] if corners == 3 else 0.0)) * per
        w2 = wind[2] - (v[a + 2] + v[b + 2] + (v[c + 2] if corners == 3 else 0.0)) * per
        if strength > 0.0:
            turbulent[:] = 0.0
            _gust(
                wind, size, time,
                (x[a] + x[b] + x[c]) / 3.0, (x[a + 1] + x[b + 1] + x[c + 1]) / 3.0,
                (x[a + 2] + x[b + 2] + x[c + 2]) / 3.0, turbulent,
            )  # fmt: skip
            w0 += strength * turbulent[0]
            w1 += strength * turbulent[1]
            w2 += strength * turbulent[2]
        e0, e1, e2 = x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]
        if corners == 2:  # across a round bar: what goes along it does nothing
            length = math.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
            along = (w0 * e0 + w1 * e1 + w2 * e2) / max(length * length, 1e-300)
            w0, w1, w2 = w0 - along * e0, w1 - along * e1, w2 - along * e2
            speed = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
            much = 0.5 * rho * drag * thick * length * speed
            f[0], f[1], f[2] = much * w0, much * w1, much * w2
            slope = 2.0 * much
        else:
            g0, g1, g2 = x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]
            n0, n1, n2 = e1 * g2 - e2 * g1, e2 * g0 - e0 * g2, e0 * g1 - e1 * g0
            double = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
            speed = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
            if double == 0.0 or speed == 0.0:
                continue
            cosine = (n0 * w0 + n1 * w1 + n2 * w2) / (double * speed)
            if sides == 1 and cosine >= 0.0:
                continue  # the outer side is in the lee
            turn = -1.0 if cosine < 0.0 else 1.0
            cosine *= turn
            much = 0.25 * rho * double * speed * speed * cosine
            aslant = (drag - lift * cosine) / speed
            up = turn * lift / double
            f[0] = much * (aslant * w0 + up * n0)
            f[1] = much * (aslant * w1 + up * n1)
            f[2] = much * (aslant * w2 + up * n2)
            slope = 0.5 * rho * double * speed * (drag + lift)
        for k in range(corners):
            p = a if k == 0 else (b if k == 1 else c)
            rate[p // 3] += slope * per
            for i in range(3):
                force[p + i] += f[i] * per
