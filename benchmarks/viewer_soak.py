"""An hour with pages that stall: `python benchmarks/viewer_soak.py [--minutes 60] [--json] [--quick]`.

One page watches ten bars and takes every frame. Two others stall: one gives no credits, as a page in the background,
and one asks for frames all the time but never reads its socket, as a page whose browser hangs. The simulation must run
as fast as without them, and the server's memory must not grow. Memory is counted from when the recording of the last
minute is full; the rate with the two is compared with the rates before they came and after they left.

Ends with code 1 if memory grows or the simulation slows. --quick takes a few seconds, to see that it runs: then nothing
is judged.
"""

import argparse
import json
import socket
import statistics
import sys
import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np
from viewer_stage import FLAT, LivePage, Server, serving
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.uri import parse_uri

FILLING = 75.0  # seconds until the recording of the last minute is full, and some
AFTER = 45.0
EVERY = 5.0  # seconds between samples
DEAF = 120.0  # seconds after which the page that reads nothing is opened again, as somebody would who sees it hang
MOST_GROWTH = 16.0  # megabytes from the first tenth of the run to the last
QUICK = {"FILLING": 2.0, "AFTER": 1.0, "EVERY": 0.25}  # instead
LEAST_RATE = 0.95  # of the rate without the stalled pages


class Stalled(threading.Thread, ABC):
    """A page that stalls; it comes back when the server gives it up, as a page would."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.url, self.links = url, 0
        self.end = threading.Event()
        self.start()

    def run(self) -> None:
        while not self.end.is_set():
            try:
                self.links += 1
                self.stall()
            except (ConnectionClosed, OSError):
                self.end.wait(0.5)

    @abstractmethod
    def stall(self) -> None:
        """Be so until the end, or until the connection is lost."""


class NoCredits(Stalled):
    """Answers pings and reads, but never says that it can take more."""

    def stall(self) -> None:
        with connect(self.url, max_size=None) as link:
            while not self.end.is_set():
                try:
                    link.recv(timeout=1.0)
                except TimeoutError:
                    continue


class Deaf(Stalled):
    """Gives credits all the time and reads nothing: the buffers of the connection are soon full."""

    def stall(self) -> None:
        place = urlsplit(self.url)
        assert place.hostname and place.port
        protocol = ClientProtocol(parse_uri(self.url))
        with socket.create_connection((place.hostname, place.port), timeout=5) as link:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            protocol.send_request(protocol.connect())
            link.sendall(b"".join(protocol.data_to_send()))
            protocol.receive_data(link.recv(1024))  # the answer to the request, and no more
            begun = time.monotonic()
            while not self.end.wait(0.1) and time.monotonic() - begun < DEAF:
                protocol.send_text(b'{"do": "credit"}')
                link.sendall(b"".join(protocol.data_to_send()))


@dataclass
class Span:
    """A stretch of time, sampled."""

    page: LivePage
    server: Server
    clock: list[float] = field(default_factory=list)
    world: list[float] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def sample(self) -> None:
        self.clock.append(time.monotonic())
        self.world.append(self.page.time)
        self.frames.append(self.page.frames)
        self.megabytes.append(self.server.megabytes())

    def last(self, seconds: float) -> "Span":
        end = time.monotonic() + seconds
        self.sample()
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(EVERY, left))
            self.sample()
        return self

    @property
    def rate(self) -> float:
        """Seconds of the world in a second of the clock: the median over the samples, so that a computer which is
        put to sleep, or busy for a while, does not count."""
        return float(np.median(np.diff(self.world) / np.diff(self.clock)))

    @property
    def shown(self) -> float:
        """Frames a second that arrived."""
        return float(np.median(np.diff(self.frames) / np.diff(self.clock)))

    def memory(self) -> dict[str, float]:
        tenth = max(len(self.megabytes) // 10, 1)
        middle = len(self.megabytes) // 2
        hours = (np.array(self.clock) - self.clock[0]) / 3600
        return {
            "start": statistics.mean(self.megabytes[:tenth]),
            "middle": statistics.mean(self.megabytes[middle - tenth // 2 : middle + tenth // 2 + 1]),
            "end": statistics.mean(self.megabytes[-tenth:]),
            "highest": max(self.megabytes),
            "slope": float(np.polyfit(hours, self.megabytes, 1)[0]),
        }


def soak(minutes: float) -> dict[str, object]:
    with serving(FLAT) as server:
        page = LivePage(server.stream)
        page.wait_for_frame()
        before = Span(page, server).last(FILLING)
        stalled = [NoCredits(server.stream), Deaf(server.stream)]
        time.sleep(EVERY)
        during = Span(page, server).last(60 * minutes)
        links = [each.links for each in stalled]
        for each in stalled:
            each.end.set()
        after = Span(page, server).last(AFTER)
        page.close()
    memory = during.memory()
    alone = (before.rate + after.rate) / 2
    return {
        "minutes": minutes,
        "rate": {"before": before.rate, "with stalled pages": during.rate, "after": after.rate},
        "frames a second": {"before": before.shown, "with stalled pages": during.shown, "after": after.shown},
        "megabytes": memory,
        "links": {"no credits": links[0], "reads nothing": links[1], "live": page.links},
        "grows": memory["end"] - memory["start"] > MOST_GROWTH,
        "slows": during.rate < LEAST_RATE * alone,
    }


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--minutes", type=float, default=60.0)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--quick", action="store_true")
    given = arguments.parse_args()
    if given.quick:
        globals().update(QUICK)
        given.minutes = 0.05
    result = soak(given.minutes)
    if given.json:
        print(json.dumps(result, indent=2))
    else:
        report(result)
    return 1 if (result["grows"] or result["slows"]) and not given.quick else 0


def report(result: dict[str, object]) -> None:
    print(f"{result['minutes']:g} minutes with two stalled pages\n")
    print("| | before | with stalled pages | after |\n| --- | ---: | ---: | ---: |")
    for title, key in (("seconds of the world a second", "rate"), ("frames a second, live page", "frames a second")):
        row = result[key]
        assert isinstance(row, dict)
        print(f"| {title} | " + " | ".join(f"{value:.3g}" for value in row.values()) + " |")
    memory, links = result["megabytes"], result["links"]
    assert isinstance(memory, dict) and isinstance(links, dict)
    print("\n| memory of the server | MB |\n| --- | ---: |")
    for key in ("start", "middle", "end", "highest"):
        print(f"| {key} | {memory[key]:.1f} |")
    print(f"| slope, MB/h | {memory['slope']:+.1f} |\n")
    print("connections made: " + ", ".join(f"{name} {count}" for name, count in links.items()))
    verdicts = ("memory grows" if result["grows"] else "memory does not grow",
                "the simulation is slowed" if result["slows"] else "the simulation is not slowed")  # fmt: skip
    print(("FAIL: " if result["grows"] or result["slows"] else "OK: ") + ", ".join(verdicts))


if __name__ == "__main__":
    sys.exit(main())
