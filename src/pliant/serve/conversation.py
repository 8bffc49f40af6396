"""One connection: a thread reads what is asked, another does it, one thing after the other."""

import hmac
import queue
import socket
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any

from pliant import __version__
from pliant.files.reading import one_line
from pliant.models import models
from pliant.runtime.errors import Diverged, PliantError
from pliant.serve import answers, baking, schema
from pliant.serve.schema import read_request
from pliant.serve.staging import Staged, stage
from pliant.serve.wire import LONGEST_BLOCKS, PROTOCOL, Message, WireError, packed, receive
from pliant.session.stopping import Stop
from pliant.world import Frame
from pliant.world.snapshot import Snapshot

TO_SHAKE_HANDS = 10.0  # s: a peer that has not given the token by then is left
MOST_ASKED = 100  # requests that may wait
PROGRESS_EVERY = 0.1  # s


class Cancelled(PliantError):
    """The peer wants no more of it."""


class Conversation:
    """What is asked is answered in its order; `cancel` acts at once. What goes wrong ends the conversation at most."""

    def __init__(self, peer: socket.socket, token: str, folder: Path | None, threads: int) -> None:
        self._peer, self._token, self._folder, self._threads = peer, token, folder, threads
        self._asked: queue.Queue[tuple[Any, Message, Stop] | None] = queue.Queue(MOST_ASKED)
        self._sending = threading.Lock()
        self._stops: deque[Stop] = deque(maxlen=MOST_ASKED + 1)  # of what is being done and what waits
        self._stop = Stop()  # of what is being done
        self._staged: Staged | None = None
        self._begin: Snapshot | None = None

    def run(self) -> None:
        """Until either side has had enough."""
        try:
            self._peer.settimeout(TO_SHAKE_HANDS)
            if self._shake_hands():
                self._peer.settimeout(None)
                threading.Thread(target=self._read, daemon=True).start()
                self._work()
        except (OSError, EOFError):
            pass  # the peer has gone
        except WireError as error:
            self._say_goodbye(error)
        finally:
            self._cancel()
            _close(self._peer)

    def _cancel(self) -> None:
        """All that was asked so far."""
        for stop in tuple(self._stops):
            stop.asked = True

    # ---- reading -------------------------------------------------------------------------------------------

    def _shake_hands(self) -> bool:
        message = receive(self._exactly, most=0)
        if message is None:
            return False
        if message.head.get("do") != "hello":
            raise WireError("say hello first, with the protocol and the token")
        hello = read_request(message.head)
        if not hmac.compare_digest(hello.token.encode(), self._token.encode()):
            raise WireError("this is not the token; give the one that the server was started with")
        if hello.protocol != PROTOCOL:
            raise WireError(
                f"protocol {hello.protocol} is not spoken here: this is Pliant {__version__}, protocol {PROTOCOL}; "
                "update the older of the two"
            )
        settings = {name: list(model.settings.model_fields) for name, model in models().items()}
        self._send(Message({"is": "hello", "protocol": PROTOCOL, "version": __version__, "models": settings}))
        return True

    def _exactly(self, count: int) -> bytearray:
        """So many bytes, or none if the peer goes before."""
        data = bytearray()
        while len(data) < count:
            piece = self._peer.recv(min(count - len(data), 1 << 20))
            if not piece:
                return bytearray()
            data += piece
        return data

    def _read(self) -> None:
        """In a thread of its own, so that `cancel` is heard while something is computed."""
        try:
            while (message := receive(self._exactly, most=LONGEST_BLOCKS)) is not None:
                request = read_request(message.head)
                if isinstance(request, schema.Cancel):
                    self._cancel()
                elif isinstance(request, schema.Bye):
                    break
                else:
                    stop = Stop()
                    self._stops.append(stop)
                    self._asked.put_nowait((request, message, stop))
        except WireError as error:
            self._say_goodbye(error)
        except queue.Full:
            self._say_goodbye(WireError(f"{MOST_ASKED} requests wait already; wait for answers"))
        except (OSError, MemoryError):
            pass  # the peer has gone, or what it sends has no room
        finally:
            self._cancel()
            self._end()

    def _end(self) -> None:
        """Nothing more will be asked: what waits is forgotten."""
        with suppress(queue.Empty):
            while True:
                self._asked.get_nowait()
        self._asked.put_nowait(None)

    # ---- doing ---------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (asked := self._asked.get()) is not None:
            request, message, self._stop = asked
            try:
                self._do(request, message)
            except Cancelled:
                self._send(Message({"is": "done", "of": request.do, "stopped": True}))
            except Diverged as error:
                self._complain(request.do, "diverged", error)
            except PliantError as error:
                self._complain(request.do, "input", error)
            except MemoryError:
                full = PliantError("there is not enough memory for it; give fewer particles")
                self._complain(request.do, "input", full)
            with suppress(ValueError):
                self._stops.remove(self._stop)

    def _do(self, request: Any, message: Message) -> None:
        if isinstance(request, schema.Hello):
            raise PliantError("hello was said already")
        if isinstance(request, schema.SceneRequest):
            self._staged = self._begin = None
            self._staged = stage(request, message, self._threads, self._tell)
            self._begin = self._staged.show.world.snapshot()
            self._send(answers.ready_message(self._staged))
        elif isinstance(request, schema.Forget):
            self._send(Message({"is": "done", "of": "forget", "found": baking.forget(self._folder, request.name)}))
        elif isinstance(request, schema.Play):
            self._play(request)
        elif isinstance(request, schema.Bake):
            self._bake(request)
        elif isinstance(request, schema.ReportRequest):
            self._send(answers.report_message(self._ready()))
        else:
            self._send(answers.settled_message(self._ready(), request, message))

    def _ready(self) -> Staged:
        """The scene, at its beginning."""
        if self._staged is None or self._begin is None:
            raise PliantError("there is no scene yet; send one first")
        self._staged.show.world.restore(self._begin)
        return self._staged

    def _play(self, request: schema.Play) -> None:
        staged, done = self._ready(), 0
        for done, frame in enumerate(staged.show.play(request.frames), 1):
            self._send(answers.frame_message(staged, done - 1, frame, staged.show.world.contacts))
            if self._stop.asked:
                break
        self._send(Message({"is": "done", "of": "play", "frames": done, "stopped": done < request.frames}))

    def _bake(self, request: schema.Bake) -> None:
        staged, last = self._ready(), -1

        def begun(there: int, stale: bool) -> None:
            self._send(Message({"is": "begun", "have": there, "stale": stale}))

        def send(number: int, frame: Frame, computed: bool) -> None:
            nonlocal last
            last = number
            contacts = staged.show.world.contacts if computed else None
            self._send(answers.frame_message(staged, number, frame, contacts))

        stopped = baking.bake(
            staged, self._folder, request.name, request.frames, request.resume, self._stop, begun, send
        )
        self._send(Message({"is": "done", "of": "bake", "frames": last + 1, "stopped": stopped}))

    # ---- answering -----------------------------------------------------------------------------------------

    def _tell(self, what: str, done: int, total: int) -> None:
        if self._stop.asked:
            raise Cancelled("cancelled")
        self._send(Message({"is": "progress", "what": what, "done": done, "total": total}))

    def _send(self, message: Message) -> None:
        data = packed(message)
        with self._sending:
            self._peer.sendall(data)

    def _complain(self, do: str, kind: str, error: Exception) -> None:
        self._send(Message({"is": "error", "of": do, "kind": kind, "message": one_line(error)}))

    def _say_goodbye(self, error: WireError) -> None:
        """One line, and no more. A peer that does not read it does not keep it waiting."""
        with suppress(OSError):
            self._peer.settimeout(1.0)
            self._send(Message({"is": "error", "of": "", "kind": "wire", "message": one_line(error)}))
        _close(self._peer)


def _close(peer: socket.socket) -> None:
    """A reader that waits for more wakes up."""
    with suppress(OSError):
        peer.shutdown(socket.SHUT_RDWR)
    peer.close()
