"""The same body in the same size is one body: actors that share it are prepared and computed together."""

from weakref import WeakKeyDictionary, WeakValueDictionary

from pliant.body.body import Body

_sizes: WeakKeyDictionary[Body, WeakValueDictionary[float, Body]] = WeakKeyDictionary()


def scaled(body: Body, factor: float) -> Body:
    """`body.scaled(factor)`, made once for as long as it is in use."""
    if factor == 1.0:
        return body
    known = _sizes.setdefault(body, WeakValueDictionary())
    made = known.get(factor)
    if made is None:
        made = known[factor] = body.scaled(factor)
    return made
