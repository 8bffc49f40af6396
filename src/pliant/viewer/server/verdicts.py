"""What the report says of each pose, found in a thread of its own: it takes a moment."""

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pliant.body import Body
from pliant.body.report import report
from pliant.graph import Graph
from pliant.models.settings import Settings
from pliant.runtime.errors import PliantError
from pliant.viewer.simulation.mending import MENDABLE

log = logging.getLogger("pliant.viewer")

# In the order in which they are told: a pose may have several.
VERDICT_WORDS = {
    "inverted": ("bad", "inside out"), "mirrored": ("bad", "mirrored"), "crushed": ("bad", "crushed"),
    "rest-like": ("bad", "like rest"), "unseen": ("bad", "not seen"), "alike": ("poor", "like another"),
    "dependent": ("poor", "a blend"), "length-kept": ("poor", "keeps its length"),
    "ill-conditioned": ("poor", "too faint"), "unstretched": ("poor", "only bends"),
}  # fmt: skip
DELETABLE = ("rest-like", "alike", "dependent")
SHOWN_PLACES = 40  # that are shown of one pose


@dataclass(frozen=True)
class Verdict:
    """Of one pose. level: good, poor or bad.  words: two or three of them.  text: in full.  finding: its kind, empty if
    it is good.  remedy: what a button does about it, empty if nothing does.  places: the particles where it is."""

    level: str = "good"
    words: str = "good"
    text: str = "Nothing to mend: the model tells it from rest and from the other poses"
    finding: str = ""
    remedy: str = ""
    places: tuple[int, ...] = ()


class Verdicts:
    """`of` gives the verdict on each pose by its name, or None until it is found; ask again later."""

    def __init__(self) -> None:
        self._found: WeakKeyDictionary[Body, dict[str, Mapping[str, Verdict]]] = WeakKeyDictionary()
        self._wanted: dict[tuple[int, str], tuple[Body, Settings]] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def of(self, body: Body, settings: Settings) -> Mapping[str, Verdict] | None:
        if not body.poses:
            return {}
        key = _said(settings)
        with self._lock:
            found = self._found.get(body, {}).get(key)
            if found is None:
                self._wanted[id(body), key] = body, settings
                if self._thread is None:
                    self._thread = threading.Thread(target=self._find_all, name="pliant-verdicts", daemon=True)
                    self._thread.start()
        return found

    def _find_all(self) -> None:
        while True:
            with self._lock:
                if not self._wanted:
                    self._thread = None
                    return
                key = next(iter(self._wanted))
                body, settings = self._wanted.pop(key)
            try:
                verdicts = verdicts_on(body, settings)
            except Exception as error:
                if not isinstance(error, PliantError):
                    log.exception("the poses of %s were not looked at", body.name)
                verdicts = {}
            with self._lock:
                self._found.setdefault(body, {})[key[1]] = verdicts


def verdicts_on(body: Body, settings: Settings) -> dict[str, Verdict]:
    """By the names of the poses."""
    given = body.source if isinstance(body, Graph) and body.source is not None else body
    if set(given.poses) != set(body.poses):
        given = body  # the graph has poses of its own
    asked: Any = (settings,) if hasattr(settings, "sees") else ()
    told = report(given, asked, body)
    verdicts = {name: Verdict() for name in body.poses}
    for pose in told.poses:
        own = [each for each in told.findings if each.pose == pose.name and each.kind in VERDICT_WORDS]
        if not own:
            continue
        worst = min(own, key=lambda each: list(VERDICT_WORDS).index(each.kind))
        level, words = VERDICT_WORDS[worst.kind]
        elements = pose.inverted if worst.kind == "inverted" else pose.crushed if worst.kind == "crushed" else ()
        places = np.unique(given.elements[list(elements)]) if elements and given is body else np.empty(0, int)
        remedy = "Delete it" if worst.kind in DELETABLE else MENDABLE.get(worst.kind, "")
        text = "; ".join(f"It {each.text}: {each.advice}" for each in own)
        verdicts[pose.name] = Verdict(level, words, text, worst.kind, remedy, tuple(places[:SHOWN_PLACES].tolist()))
    return verdicts


def _said(settings: Settings) -> str:
    """What of the settings decides what a model sees: words and switches, and the kind."""
    told = {name: getattr(settings, name) for name in type(settings).model_fields if name not in ("examples", "forced")}
    return f"{type(settings).__name__} {[value for value in told.values() if isinstance(value, str | bool)]}"


VERDICTS = Verdicts()
