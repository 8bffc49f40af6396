# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Pairs of bodies whose boxes overlap: sorted along x and swept, then in the order of their ranks.

The order in which pairs are solved hangs on nothing but where the bodies are and in which order they came: a world that
goes back to a snapshot gives the same bits as one that went on, and so does one that others have come to or left, which
gives bodies other numbers but leaves the order of their ranks."""

from pliant.collision.layout import AABB, BODY, OF_RANK, RANK, SELF
from pliant.runtime.jit import part


@part
def sort_along_x(boxes, order):
    """By insertion: bodies hardly change their order from one sub-step to the next."""
    for k in range(1, len(order)):
        body = order[k]
        low = boxes[AABB * body]
        j = k - 1
        while j >= 0 and boxes[AABB * order[j]] > low:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = body


@part
def find_pairs(shapes, boxes, order, pairs, most):
    """Pairs (a, b), the lower rank first, and (a, a) of those that meet themselves, sorted. Returns how many, or -1 if
    there is no room."""
    sort_along_x(boxes, order)
    count = 0
    for k in range(len(order)):
        a = order[k]
        i, rank = AABB * a, shapes.bodies[BODY * a + RANK]
        if shapes.bodies[BODY * a + SELF]:
            if count >= most:
                return -1
            pairs[2 * count], pairs[2 * count + 1] = rank, rank
            count += 1
        for m in range(k + 1, len(order)):
            b = order[m]
            j = AABB * b
            if boxes[j] > boxes[i + 3]:
                break
            if (
                boxes[j + 1] > boxes[i + 4]
                or boxes[i + 1] > boxes[j + 4]
                or boxes[j + 2] > boxes[i + 5]
                or boxes[i + 2] > boxes[j + 5]
            ):
                continue
            if count >= most:
                return -1
            other = shapes.bodies[BODY * b + RANK]
            pairs[2 * count], pairs[2 * count + 1] = min(rank, other), max(rank, other)
            count += 1
    sort_pairs(pairs, count)
    for k in range(2 * count):
        pairs[k] = shapes.bodies[BODY * pairs[k] + OF_RANK]
    return count


@part
def before(pairs, i, a, b):
    return pairs[2 * i] < a or (pairs[2 * i] == a and pairs[2 * i + 1] < b)


@part
def sort_pairs(pairs, count):
    """By both numbers; heap sort, which needs no room."""
    for start in range(count // 2 - 1, -1, -1):
        sift(pairs, start, count)
    for end in range(count - 1, 0, -1):
        a, b = pairs[0], pairs[1]
        pairs[0], pairs[1] = pairs[2 * end], pairs[2 * end + 1]
        pairs[2 * end], pairs[2 * end + 1] = a, b
        sift(pairs, 0, end)


@part
def sift(pairs, root, end):
    a, b = pairs[2 * root], pairs[2 * root + 1]
    while 2 * root + 1 < end:
        child = 2 * root + 1
        if child + 1 < end and before(pairs, child, pairs[2 * child + 2], pairs[2 * child + 3]):
            child += 1
        if not (a < pairs[2 * child] or (a == pairs[2 * child] and b < pairs[2 * child + 1])):
            break
        pairs[2 * root], pairs[2 * root + 1] = pairs[2 * child], pairs[2 * child + 1]
        root = child
    pairs[2 * root], pairs[2 * root + 1] = a, b
