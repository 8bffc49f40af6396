"""What every page waits for, done once in a thread of its own: exhibits are listed, kernels compiled.

The server answers meanwhile: importing takes seconds, and the first compilation on a machine a quarter of a minute.
Only what the first exhibit needs is waited for. The rest is compiled by another process, behind all others; an exhibit
that comes before its kernels compiles them itself.
"""

import gc
import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pliant.runtime.errors import PliantError

if TYPE_CHECKING:
    from pliant.gallery.exhibit import Exhibit

log = logging.getLogger("pliant.viewer")


@dataclass(frozen=True)
class Progress:
    """Kernels compiled so far, how many there are, and the one under way; zero when none is compiled."""

    done: int = 0
    total: int = 0
    kernel: str = ""

    @property
    def part(self) -> float:
        """0 to 1; half of the kernel under way counts, so that the bar is never empty."""
        return min((self.done + 0.5) / self.total, 1.0) if self.total else 0.0


class Preparation:
    """`listed` and `ready` are events; `exhibits`, `progress` and `problem` may be read at any time."""

    def __init__(self) -> None:
        self.exhibits: tuple[Exhibit, ...] = ()
        self.progress = Progress()
        self.problem = ""
        self.listed = threading.Event()
        self.ready = threading.Event()
        self._thread = threading.Thread(target=self._prepare, name="pliant-preparation", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def exhibit(self, name: str) -> "Exhibit | None":
        """By name, once they are listed."""
        return next((each for each in self.exhibits if each.name == name), None)

    def _prepare(self) -> None:
        try:
            from pliant.gallery.listing import list_exhibits

            self.exhibits = tuple(list_exhibits())
            self.listed.set()
            self._compile()
            # All that has been imported stays. The collector need not walk through it again and again: that would cost
            # as much as packing the frames.
            gc.collect()
            gc.freeze()
        except PliantError as error:
            self.problem = str(error)
        except Exception as error:
            log.exception("the viewer could not be prepared")
            self.problem = f"{type(error).__name__}: {error}"
        finally:
            self.listed.set()
            self.ready.set()

    def _compile(self) -> None:
        from pliant.models import models
        from pliant.runtime import jit

        jit.on_progress(self._note)
        models()  # importing them makes their kernels known
        from pliant.world.contact_system import kernels_of  # the same

        jit.make_ready("single", *kernels_of(meet=False), "pliant.models.shape_matching.")
        self.ready.set()
        jit.compile_in_background("single")

    def _note(self, done: int, total: int, kernel: str) -> None:
        self.progress = Progress(done, total, kernel) if done < total else Progress()
