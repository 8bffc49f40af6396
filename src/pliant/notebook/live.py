"""A world that is stepped as its view asks for frames, and pulled by hands on that view."""

import json
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from pliant.runtime.errors import PliantError
from pliant.scene.show import Show
from pliant.session.player.bars import bars_of
from pliant.session.player.setup import pack_setup
from pliant.session.render.stage import Stage
from pliant.session.render.view import View
from pliant.viewer.protocol.commands import Drag, Grab, Keep, Move, Release, Unpin, parse
from pliant.viewer.protocol.message import Message
from pliant.viewer.protocol.packing import Side, camera_for, numbers_of, pack_frame
from pliant.viewer.simulation.grip import Grip
from pliant.viewer.simulation.panel_state import PinMark
from pliant.viewer.simulation.towing import Tow, Towing

MOST_FRAMES_ASKED = 8  # in one message


class Advance(Message):
    """Go on by so many frames, and send them."""

    do: Literal["advance"] = "advance"
    frames: Annotated[int, Field(ge=1, le=MOST_FRAMES_ASKED)]


class LiveWorld:
    """`setup` and `frame` are what the view draws; `obey` does what it asks for."""

    def __init__(self, show: Show) -> None:
        if not show.world.actors:
            raise PliantError("show: there is no body in the world; put one into it with world.add(body, model)")
        self.show, self.world = show, show.world
        self.towing = Towing()
        self.held: dict[int, Grip | Tow] = {}
        self.pins: dict[int, tuple[PinMark, Grip]] = {}
        self.number = 0
        self.camera = camera_for(self.world, show.camera)
        self.look()

    def look(self) -> None:
        """Note which actors play, how they are drawn, and where to begin anew: a snapshot is of the same actors."""
        self.cast = self._cast()
        self.begun = self.world.snapshot()
        self.side = Side(self.world, self.world.actors, bars_of(self.world.actors))
        self.setup = pack_setup([self.side], self.camera, pictures=True)

    def _cast(self) -> tuple[Any, ...]:
        actors = [(id(actor.body), actor.name, actor.group_names) for actor in self.world.actors]
        return tuple(actors), len(self.world.colliders)

    def changed(self) -> bool:
        """Whether others play than before: a cell may have added an actor, or a pose."""
        return self._cast() != self.cast

    def frame(self) -> bytes:
        """The world as it is now."""
        self.number += 1
        now = self.world.frame()
        numbers = numbers_of([now], [self.side])
        return pack_frame([self.side], now.particle_rows, now.rotation_rows, 0, self.number, now.time, numbers)

    def view(self) -> View:
        """The world as it is now, for a picture."""
        return Stage.of(self.world).view(self.world.frame(), self.camera)

    def obey(self, said: Any) -> tuple[dict[str, Any], list[bytes]]:
        """What a view asks for; the answer, and frames. What is no command is passed over."""
        try:
            return self._obey(said)
        except PliantError as error:
            return {"answer": True, "problem": str(error)}, []

    def _obey(self, said: Any) -> tuple[dict[str, Any], list[bytes]]:
        if isinstance(said, dict) and said.get("do") == "advance":
            return {"answer": True}, self._advance(said)
        if isinstance(said, dict) and said.get("do") == "reset":
            return self._reset()
        match parse(json.dumps(said)):
            case Grab(handle=number, actor=name, vertex=vertex, target=target):
                self._release(number)
                grip = Grip(self.world[name], vertex)
                grip.move_to(target)
                self.held[number] = grip
            case Drag(handle=number, collider=collider, target=target):
                self._release(number)
                self.held[number] = self.towing.take(self.world, collider, target)
            case Move(handle=number, target=target):
                if number in self.held:
                    self.held[number].move_to(target)
            case Release(handle=number):
                self._release(number)
            case Keep(handle=number):
                return self._keep(number)
            case Unpin(pin=number):
                for each in list(self.pins) if number is None else [number]:
                    if each in self.pins:
                        self.pins.pop(each)[1].release()
                return self._pinned()
        return {}, []

    def _advance(self, said: dict[str, Any]) -> list[bytes]:
        try:
            count = Advance.model_validate(said).frames
        except ValidationError:
            return []
        frames = []
        for _ in range(count):
            self.towing.step(self.world.time, 1.0 / self.show.fps)
            self.show.step()
            frames.append(self.frame())
        return frames

    def _reset(self) -> tuple[dict[str, Any], list[bytes]]:
        """As it was when it was shown first."""
        self._release(None)
        for _, grip in self.pins.values():
            grip.release()
        self.pins.clear()
        self.towing.put_back()
        self.world.restore(self.begun)
        return {"pins": []}, [self.frame()]

    def _release(self, number: int | None) -> None:
        for each in list(self.held) if number is None else [number]:
            if each in self.held:
                self.held.pop(each).release()

    def _keep(self, number: int) -> tuple[dict[str, Any], list[bytes]]:
        """What a hand holds stays where it is."""
        grip = self.held.pop(number, None)
        if isinstance(grip, Grip):
            grip.firm()
            self.number += 1
            x, y, z = grip.target.tolist()
            self.pins[self.number] = PinMark(self.number, grip.actor.name, grip.vertex, (x, y, z)), grip
        return self._pinned()

    def _pinned(self) -> tuple[dict[str, Any], list[bytes]]:
        return {"pins": [asdict(mark) for mark, _ in self.pins.values()]}, []
