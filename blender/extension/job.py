# SPDX-License-Identifier: GPL-3.0-or-later
"""A piece of work for the solver, done a little at a time: the scene is sampled, sent, and what comes is put where it
belongs. There are no threads: whoever calls `tick` lends it some milliseconds."""

import os
import time
from pathlib import Path

import bpy
import numpy as np

from . import cache, motion, stack
from .sample import NotPossible, unit
from .solver import NoSolver, Solver, command_of
from .wire import SolverGone

TICK = 0.02  # s: of each moment that it is lent
CANCELLED = "stopped"
_solver = None


def preferences():
    """Of the extension; None where it was not installed as one."""
    addon = bpy.context.preferences.addons.get(__package__)
    return None if addon is None else addon.preferences


def end_solver():
    global _solver
    if _solver is not None:
        _solver.close()
        _solver = None


def solver_for(folder):
    """Steps until there is a solver that keeps its bakes in a folder, or anywhere if none is named; its value is that
    solver."""
    global _solver
    fits = _solver is not None and _solver.alive and (folder is None or _solver.folder == str(folder))
    if not fits:
        end_solver()
    if _solver is None:
        own = preferences()
        named, threads = ("", 1) if own is None else (own.solver, own.threads)
        folder = folder or (stack.folder() if bpy.data.filepath else None)  # a bake may be asked for next
        _solver = Solver(command_of(bpy.path.abspath(named) if named else ""), folder, threads)
        try:
            yield from _solver.starting()
        except BaseException:
            end_solver()
            raise
    return _solver


class Refused(NotPossible):
    """The solver says no; it waits for what comes next."""


class Job:
    """kind: "play", "bake", "report", "settle" or "check".

    text, part: what it does, and how much of it is done, 0 to 1.  done, error: how it ended; an error is one line."""

    def __init__(self, scene, kind, thing=None):
        self.scene, self.kind = scene, kind
        self.text, self.part, self.done, self.error, self.notes = "", 0.0, False, "", []
        self.stopping = self.stopped = False
        self.frames = self.wanted = 0
        self.result = None
        self._uid = None if thing is None else thing.session_uid
        self._writers = []
        self._latest, self._attached = None, False
        self._link = None
        self._steps = self._run(thing)

    def tick(self, seconds=TICK):
        """Go on for so long. True when there is nothing left to do."""
        until = time.monotonic() + seconds
        while not self.done and time.monotonic() < until:
            try:
                waits = next(self._steps)
            except StopIteration:
                self._end()
            except (NotPossible, NoSolver, SolverGone) as error:
                self._fail(error)
            except ReferenceError:
                self._fail(NotPossible("something it needs was deleted or undone meanwhile; start it again"))
            else:
                if waits:
                    break
        if not self.done:
            self._show_latest()
        return self.done

    def run(self):
        """To the end, where nothing else is to be done meanwhile."""
        while not self.tick(1.0):
            time.sleep(0.001)
        return self

    def cancel(self):
        """At once if the solver does not work yet; else it is asked to stop."""
        self.stopping = True
        if self._link is not None:
            self._link.post({"do": "cancel"})
        else:
            self._steps.close()
            self.stopped = True
            self._end()

    def abandon(self):
        """What it works on is about to go: nothing more is touched, and the solver with its answers ends."""
        self.done = True
        self._steps.close()
        for writer in self._writers:
            writer.close()
        end_solver()

    def _fail(self, error):
        self.error = " ".join(str(error).split())
        out_of_step = self._link is not None and not isinstance(error, Refused)
        if isinstance(error, SolverGone):
            words = _solver.last_words() if _solver is not None and not _solver.alive else self.error
            again = "Bake goes on where it was" if self.kind == "bake" else "press it again"
            self.error = f"the solver has ended ({words}); {again}"
        if out_of_step or isinstance(error, SolverGone):
            end_solver()  # what it still says would be taken for answers to the next job
        self._end()

    def _end(self):
        """Files are closed, and what there is can be played."""
        self.done = True
        for writer in self._writers:
            writer.close()
        self._steps.close()
        if self.kind in ("play", "bake") and self._writers:
            try:
                motion.busy = True
                self._settle_files()
                self._attached = True
                self._show_latest()
                motion.busy = True
                bpy.context.view_layer.update()
            finally:
                motion.busy = False

    # ---- the work -------------------------------------------------------------------------------------------

    def _run(self, thing):
        """Yields True when it waits for others, False when it could go on."""
        folder = stack.folder() if self.kind == "bake" else None
        only = [thing] if self.kind in ("report", "settle") else None
        self.text = "Sampling the scene"
        sampling = motion.inputs_of(self.scene, only, None if only is None else 1)
        inputs = yield from self._counted(sampling)
        self.inputs, self.notes = inputs, list(inputs.notes)
        if self.kind == "check":
            return
        blocks = inputs.blocks
        if self.kind == "settle":
            _without_poses(inputs)
            blocks = inputs.blocks
        self.text, self.part = "Starting the solver", 0.0
        solver = yield from _waiting(solver_for(folder))
        self._link = solver.link
        self._link.post(inputs.head, blocks)
        self.text = "Sending the scene"
        ready, _ = yield from self._answer("ready")
        for body in ready["bodies"]:
            self.notes += [f'{body["name"]}: {note}' for note in body["notes"]]
        self.bodies = ready["bodies"]
        if self.kind == "report":
            self._link.post({"do": "report"})
            self.result = yield from self._answer("report")
        elif self.kind == "settle":
            yield from self._settle(thing)
        else:
            yield from self._record(inputs, folder)
        self._link = None

    def _counted(self, sampling):
        """Steps of sampling; their value."""
        while True:
            try:
                done, total = next(sampling)
            except StopIteration as end:
                return end.value
            self.part = done / total
            yield False

    def _answer(self, wanted):
        """The next message of a kind; progress is shown, errors end the job."""
        while True:
            for head, blocks in (yield from self._messages()):
                if head["is"] == wanted:
                    return head, blocks
                if head["is"] == "done":  # cancelled before
                    self.stopped = True
                    raise Refused(CANCELLED)

    def _messages(self):
        """What has come; errors and progress are dealt with."""
        found = self._link.pump()
        kept = []
        for head, blocks in found:
            if head["is"] == "error":
                raise Refused(head["message"])
            if head["is"] == "progress":
                self.text, self.part = f'Filling {head["what"]}', head["done"] / max(head["total"], 1)
            else:
                kept.append((head, blocks))
        if not kept:
            yield True
        return kept

    def _settle(self, thing):
        vertices, places = self.held
        self._link.post({"do": "settle", "body": 0, "gravity": self.gravity}, {"vertices": vertices, "places": places})
        self.text = "Settling"
        _, blocks = yield from self._answer("settled")
        self.result = self.inputs.home(0, 0, blocks["surface"])

    def _record(self, inputs, folder):
        self.wanted = inputs.frames
        place = Path(bpy.app.tempdir or ".") if folder is None else folder
        names = _names(inputs.softs, folder is None)
        self._writers = [
            cache.CacheWriter(place / f"{name}.part.pc2", soft.vertices) for name, soft in zip(names, inputs.softs)
        ]
        self.weights = [[] for _ in inputs.softs]
        if self.kind == "play":
            self._link.post({"do": "play", "frames": inputs.frames})
        else:
            name = stack.plain(self.scene.name)
            self._link.post({"do": "bake", "name": name, "frames": inputs.frames, "resume": True})
        self.text = "Simulating"
        while True:
            for head, blocks in (yield from self._messages()):
                if head["is"] == "begun":
                    self.begun = head["have"]
                elif head["is"] == "frame":
                    self._take(inputs, head["number"], blocks)
                    yield False
                elif head["is"] == "done":
                    self.stopped = bool(head["stopped"])
                    if self.kind == "bake" and not self.stopped:
                        self._link.post({"do": "forget", "name": name})
                        yield from self._answer_of("forget")
                    return

    def _answer_of(self, do):
        while not any(head.get("of") == do for head, _ in (yield from self._messages())):
            pass

    def _take(self, inputs, number, blocks):
        for place, (soft, writer) in enumerate(zip(inputs.softs, self._writers)):
            surface = blocks[f"surface/{place}"]
            if len(surface) != soft.vertices:
                raise NotPossible(f"{soft.name}: {len(surface):,} vertices came for {soft.vertices:,}")
            writer.append(inputs.home(place, number, surface))
            self.weights[place].append(blocks[f"weights/{place}"])
        self.frames, self.part = number + 1, (number + 1) / self.wanted
        self._latest = inputs.first + number

    # ---- what is seen of it -----------------------------------------------------------------------------------

    def _show_latest(self):
        """While it plays the scene shows the newest frame."""
        if self.kind != "play" or self._latest is None:
            return
        frame, self._latest = self._latest, None
        motion.busy = True
        try:
            if self.frames and not self._attached:
                self._attached = True
                for soft, writer in zip(self.inputs.softs, self._writers):
                    if (thing := _still(soft)) is not None:
                        stack.attach(thing, writer.path, self.inputs.first)
            self.scene.frame_set(frame)
        finally:
            motion.busy = False

    def _settle_files(self):
        """What was recorded comes in place of what was there, unless that is whole and this is not."""
        whole = self.frames == self.wanted and not self.error
        for place, (soft, writer) in enumerate(zip(self.inputs.softs, self._writers)):
            thing = _still(soft)
            kept = Path(str(writer.path).replace(".part.pc2", ".pc2"))
            less = self.kind == "bake" and not whole and thing is not None and _is_more(thing, kept, writer)
            if thing is None or not writer.samples or less:
                writer.path.unlink(missing_ok=True)
                continue
            os.replace(writer.path, kept)
            body = self.bodies[place]
            matrices = soft.matrices[: writer.samples]
            record = cache.Record(body["poses"], body["groups"], np.array(self.weights[place], np.float32), matrices)
            cache.write_record(kept.with_suffix(".npz"), record)
            own = thing.pliant
            own.cache, own.first, own.baked = stack.shown_path(kept), self.inputs.first, writer.samples
            own.digest = self.inputs.digest if self.kind == "bake" else ""
            own.said = said_of(thing)
            own.state = "PREVIEW" if self.kind == "play" else "BAKED" if whole else "PART"
            changed.discard(soft.uid)
            stack.attach(thing, own.cache, self.inputs.first)


changed = set()  # numbers of the objects of which something was changed after their bake


def said_of(thing):
    """The settings of an object and its scene, as a text to compare."""
    own, scene = thing.pliant, bpy.context.scene
    names = ("model", "material", "kind", "particles", "young", "density", "thickness", "damping", "friction", "bounce",
             "self_contact", "fixed_strength", "strength", "by_groups", "pin_group", "stiffness_group",
             "stiffness_times")  # fmt: skip
    wide = scene.pliant
    said = [getattr(own, name) for name in names]
    said += [wide.floor, wide.floor_friction, wide.contact, wide.substeps, wide.precise]
    said += [scene.frame_start, scene.frame_end, scene.render.fps, scene.use_gravity, *scene.gravity, unit(scene)]
    return repr([round(each, 6) if isinstance(each, float) else each for each in said])


def _is_more(thing, path, writer):
    """Whether what is there is a whole bake, or more of one than came now."""
    own = thing.pliant
    longer = own.state == "BAKED" or (own.state == "PART" and own.baked > writer.samples)
    return longer and cache.read_cache(path) is not None


def _still(soft):
    """The object, if it is there and as it was; it may have another name."""
    thing = stack.find(soft.uid)
    return thing if thing is not None and len(thing.data.vertices) == soft.vertices else None


def _names(softs, preview):
    """A file name for each object, unlike all others."""
    found = []
    for soft in softs:
        name = f"preview {stack.plain(soft.name)}" if preview else stack.plain(soft.name)
        while name.lower() in (each.lower() for each in found):
            name += "_"
        found.append(name)
    return found


def _waiting(steps):
    """A generator that has nothing to do but wait, as part of a job."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
        yield True


def _without_poses(inputs):
    """Statics needs the rest shape alone."""
    for body in inputs.head["bodies"]:
        body["poses"], body["forced"] = [], []
    inputs.blocks = {
        name: block for name, block in inputs.blocks.items() if "/poses/" not in name and "/forced/" not in name
    }
