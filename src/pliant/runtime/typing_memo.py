"""What `a + b` gives, asked once.

A third of what Numba does with a kernel is to find out what its operators and functions make of their arguments: it
tries one rule after the other, from scratch for every `+` in the text. The answer depends on the function, the types of
the arguments and the options of the compilation alone. So while kernels are compiled it is remembered."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction

_known: dict[Any, Any] = {}
_last: list[Any] = [None, ""]  # options, and the same as text
_ask = BaseFunction.get_call_type


def _remembered(self: Any, context: Any, args: Any, kws: Any) -> Any:
    key = self, context, args, tuple(kws.items()), _options()
    found = _known.get(key)
    if found is None:
        found = _known[key] = _ask(self, context, args, kws)
    return found


def _options() -> str:
    """The options of what is being compiled, which its inner functions inherit."""
    flags = ConfigStack.top_or_none()
    if flags is None:
        return ""
    if flags is not _last[0]:
        _last[:] = flags, str(sorted((name, str(value)) for name, value in flags.values().items()))
    return str(_last[1])


@contextmanager
def typing_memo() -> Iterator[None]:
    """While kernels are compiled."""
    BaseFunction.get_call_type = _remembered  # type: ignore[method-assign]
    try:
        yield
    finally:
        BaseFunction.get_call_type = _ask  # type: ignore[method-assign]
