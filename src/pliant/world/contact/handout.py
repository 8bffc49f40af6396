"""What threads do in a sub-step in which bodies meet, written down so that they can do it without Python."""

from collections.abc import Sequence
from itertools import chain
from operator import is_
from typing import Any

from pliant.calls import Call, Job
from pliant.maths.waiting import STOP
from pliant.threads import Crew
from pliant.world.contact.meet_kernels import meet_bodies
from pliant.world.kernels import set_out

Models = Sequence[Sequence[Job]]  # of each model the jobs of all threads


class Handout:
    """Calls of each thread: to set out, and to meet; and jobs of them, with what models do in between or without."""

    def __init__(self) -> None:
        self.starts: list[Call] = []
        self.ends: list[Call] = []
        self.jobs: list[Job] = []  # only to meet
        self.whole: list[Job] = []  # a whole sub-step
        self.models: tuple[Job, ...] = ()  # that are done in it
        self.arrays: tuple[Any, ...] = ()

    def write(self, start: tuple[Any, ...], arrays: tuple[Any, ...], pieces: int) -> None:
        """With which arrays `set_out` and `meet_bodies` are called; if these are the same tuple, the others are the
        same too."""
        if len(self.jobs) != pieces:
            self.starts = [Call(set_out, (*start, piece, pieces)) for piece in range(pieces)]
            self.ends = [Call(meet_bodies, (*arrays, piece, pieces)) for piece in range(pieces)]
            self.jobs = [Job(call) for call in self.ends]
            self.models = ()
        elif self.arrays is not arrays:
            for piece in range(pieces):
                self.starts[piece].write((*start, piece, pieces))
                self.ends[piece].write((*arrays, piece, pieces))
        self.arrays = arrays

    def meet(self, crew: Crew) -> tuple[int, int]:
        """Threads go through `meet_bodies`. Returns what it answers: the same for all threads, but that the last one
        sees to the sleepers."""
        crew.make(self.jobs)
        answer = self.ends[-1].results
        return int(answer[0]), int(answer[1])

    def go_through(self, crew: Crew, models: Models, times: int) -> tuple[int, int]:
        """Threads go through all of a sub-step, at most so many times. Returns the last answer of `meet_bodies`; or
        STOP, if it was not called because something has to be seen to before."""
        self.ends[-1].results[:] = STOP, 0, 0, 0
        crew.make(self._through(models), times)
        answer = self.ends[-1].results
        return int(answer[0]), int(answer[1])

    def _through(self, models: Models) -> list[Job]:
        """What each thread does in a whole sub-step."""
        jobs = tuple(chain.from_iterable(models))
        if len(jobs) != len(self.models) or not all(map(is_, jobs, self.models)):
            self.models = jobs
            self.whole = [
                Job(start, *chain.from_iterable(job.calls for job in between), end)
                for start, end, *between in zip(self.starts, self.ends, *models, strict=True)
            ]
        return self.whole
