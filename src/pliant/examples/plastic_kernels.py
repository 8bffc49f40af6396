# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Plasticity by example: kernels for blocks of 64 groups.

Every group keeps plastic weights w_p, at first rest. The strength beta pulls there instead of to rest, so that the
weights that are in force minimise

    (w - w_p)' G (w - w_p) (1 - beta) / beta  +  |what the body does - sum_k w_k D^k|^2,

which is the projection with  beta z + (1 - beta) U w_p  for  beta z: where no bound is met, w <- w_p + beta (w - w_p).
Weights beyond the yield point, d = |w - w_p| > yield, draw w_p after them,

    w_p <- w_p + (1 - exp(-creep h)) (1 - yield / d) / (1 + hardening) (w - w_p),    yield <- yield + hardening |dw_p|,

on a straight line between two convex sets of weights, so w_p is convex too; it ends where d meets the yield point that
has moved meanwhile. Since the first term of the energy only falls, the energy does. While a body is annealed nothing
flows. (Schumacher et al. 2012 have plastic examples for finite elements.)
"""

import math

from pliant.maths.polar import LANES
from pliant.maths.simplex import clear_rows, multiply_rows
from pliant.runtime.jit import part

# rows of a block of rules
YIELD_POINT, CREEP, MOST, HARDENING = range(4)
RULE_ROWS = 4
# rows of a block of what lasts, after the K plastic weights: how much has flowed in all, and for how long annealing
# goes on (s)
FLOWED, ANNEALING = 0, 1
LASTING_ROWS = 2


@part
def pull_to_plastic(u, strength, lasting, z, scratch, count):
    """z += (1 - beta) U w_p for a block."""
    one = z.dtype.type(1)
    clear_rows(scratch, count)
    multiply_rows(u, lasting, scratch, count, False, LANES)
    for j in range(count * LANES):
        z[j] += (one - strength[j & (LANES - 1)]) * scratch[j]


@part
def flow_plastic(weights, lasting, rules, count, h):
    """w_p of a block after a step of h (s) in which its groups had these weights."""
    for lane in range(LANES):
        flow_group(
            weights, lane, LANES, lasting, lane, float(rules[YIELD_POINT * LANES + lane]),
            float(rules[CREEP * LANES + lane]), float(rules[MOST * LANES + lane]),
            float(rules[HARDENING * LANES + lane]), count, h,
        )  # fmt: skip


@part
def flow_groups(weights, lasting, rules, groups, count, h):
    """The same for groups that stand one after the other, all under the same rules."""
    for group in range(groups):
        flow_group(
            weights, group * count, 1, lasting, group * (count + LASTING_ROWS), float(rules[YIELD_POINT]),
            float(rules[CREEP]), float(rules[MOST]), float(rules[HARDENING]), count, h,
        )  # fmt: skip


@part
def flow_group(weights, first, apart, lasting, place, yield_point, creep, most, hardening, count, h):
    """The same for one group: its weights begin at `first`, what lasts of it at `place`, each so far apart."""
    real = weights.dtype.type
    distance = 0.0
    total = 0.0
    stays = 0.0
    for k in range(count):
        w = float(weights[first + k * apart])
        p = float(lasting[place + k * apart])
        distance += (w - p) * (w - p)
        total += w
        stays += p
    distance = math.sqrt(distance)
    flowed = place + (count + FLOWED) * apart
    annealing = place + (count + ANNEALING) * apart
    limit = yield_point + hardening * float(lasting[flowed])
    left = float(lasting[annealing])
    if distance > limit and left == 0.0:
        share = (1.0 - math.exp(-creep * h)) * (1.0 - limit / distance) / (1.0 + hardening)
        if total > stays:
            share = min(share, max((most - stays) / (total - stays), 0.0))
        for k in range(count):
            p = float(lasting[place + k * apart])
            lasting[place + k * apart] = real(p + share * (float(weights[first + k * apart]) - p))
        lasting[flowed] = real(float(lasting[flowed]) + share * distance)
    if left > 0.0:
        keep = max(0.0, 1.0 - h / left)
        for k in range(count + 1):
            lasting[place + k * apart] = real(keep * float(lasting[place + k * apart]))
        lasting[annealing] = real(max(0.0, left - h))
