"""Files that are dropped on a page: taken in within limits, kept in a folder of their own, opened by the readers."""

import asyncio
import shutil
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PureWindowsPath
from tempfile import mkdtemp
from typing import Any
from urllib.parse import quote

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse

from pliant.files.fence import put_fence, remove_fence
from pliant.runtime.errors import FileError, PliantError
from pliant.viewer.server.sessions import Sessions
from pliant.viewer.server.unpacking import ZIP, unpack
from pliant.viewer.simulation.opened import SCENE, Opened

MOST_FILES = 100  # dropped together
MOST_ARRIVING = 32  # drops at once
MOST_READ = 2  # of them at once: that takes a processor each
MOST_DROPS = 20  # kept; then the oldest that no page watches is forgotten
ASSETS = (".glb", ".gltf", ".usd", ".usda", ".usdc", ".usdz", ".obj", ".ply", ".stl", ".npz")
BESIDE = (".mtl", ".bin", ".png", ".jpg", ".jpeg", ".webp")  # what assets need beside them
TAKEN = (*ASSETS, SCENE, *BESIDE, ZIP)
LONGEST_NAME = 100
RESERVED = {"con", "prn", "aux", "nul", *(f"{each}{n}" for each in ("com", "lpt") for n in range(1, 10))}


class Uploads:
    """Each drop lies in a folder of its own, inside one that `remove` takes away. Several arrive and are read at once:
    one that is slow, or stops half-way, keeps no other waiting."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        self._folder: Path | None = None
        self._drops: dict[str, Path] = {}  # name of the session: folder
        self._shapes: dict[str, Path] = {}  # files for the studio, by the name of their folder
        self._arriving = 0
        self._reading = asyncio.Semaphore(MOST_READ)
        self._changing = threading.Lock()  # folders and names

    async def take(self, request: Request) -> JSONResponse:
        """Answer a POST of files: the page to go to, or what is wrong with them in one line. Both are answers: a status
        of failure would put a line of its own on the browser's console."""
        if self._arriving >= MOST_ARRIVING:
            return JSONResponse({"problem": f"{self._arriving} others are being sent already; drop it again later"})
        self._arriving += 1
        try:
            async with request.form(max_files=MOST_FILES, max_fields=0) as form:
                files = [each for each in form.getlist("files") if isinstance(each, UploadFile)]
                async with self._reading:
                    if request.query_params.get("for") == "shape":
                        return JSONResponse({"shape": await asyncio.to_thread(self._take_shape, files)})
                    opened = await asyncio.to_thread(self._open, files)
        except PliantError as error:
            return JSONResponse({"problem": " ".join(str(error).split())})
        except Exception as error:  # a form that is none
            said = getattr(error, "detail", "") or "the files did not arrive whole; drop them again"
            return JSONResponse({"problem": str(said)})
        finally:
            self._arriving -= 1
        return JSONResponse({"page": f"/exhibit/{quote(opened.name)}"})

    def shape(self, name: str) -> Path | None:
        """A file that was taken in for the studio."""
        return self._shapes.get(name)

    def _take_shape(self, files: Sequence[Any]) -> str:
        """A file for the studio: kept until the server ends, or others have taken its place."""
        if len(files) != 1:
            raise PliantError("give one file")
        safe = safe_name(files[0].filename or "")
        with self._changing:
            if self._folder is None:
                self._folder = Path(mkdtemp(prefix="pliant-"))
            folder = Path(mkdtemp(dir=self._folder))
            put_fence(folder)
            with open(folder / safe, "xb") as out:
                shutil.copyfileobj(files[0].file, out)
            self._shapes[folder.name] = folder / safe
            while len(self._shapes) > MOST_DROPS:
                self._discard(self._shapes.pop(next(iter(self._shapes))).parent)
        return folder.name

    def remove(self) -> None:
        """Take all of it away."""
        if self._folder is not None:
            remove_fence(self._folder)
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _open(self, files: Sequence[Any]) -> Opened:
        names = [safe_name(file.filename or "") for file in files]
        packed = len(names) == 1 and names[0].lower().endswith(ZIP)
        main = names[0] if packed else chosen(names)
        with self._changing:
            folder = self._new_folder()
        try:
            for name, file in zip(names, files, strict=True):
                with open(folder / name, "xb") as out:
                    shutil.copyfileobj(file.file, out)
            if packed:
                main = chosen(unpack(folder / main, MOST_FILES, safe_name))
            opened = Opened(main, folder / main, enclosed=True).checked()
        except BaseException:
            self._discard(folder)
            raise
        with self._changing:
            opened = replace(opened, name=self._free(main))
            self.sessions.open(opened)
            self._drops[opened.name] = folder
        return opened

    def _new_folder(self) -> Path:
        if self._folder is None:
            self._folder = Path(mkdtemp(prefix="pliant-"))
        for name in list(self._drops):
            if len(self._drops) >= MOST_DROPS and self.sessions.close(name):
                self._discard(self._drops.pop(name))
        if len(self._drops) >= MOST_DROPS:
            raise PliantError(f"{MOST_DROPS} dropped files are open already; close some of their pages first")
        folder = Path(mkdtemp(dir=self._folder))
        put_fence(folder)
        return folder

    def _discard(self, folder: Path) -> None:
        remove_fence(folder)
        shutil.rmtree(folder, ignore_errors=True)

    def _free(self, name: str) -> str:
        """The name in addresses: that of the file, with a number if there is one already."""
        stem, ending = Path(name).stem, Path(name).suffix.lower()
        stem = "".join(c if c.isalnum() else "-" for c in stem).strip("-") or "file"
        number, free = 1, f"{stem}{ending}"
        while self.sessions.of(free) is not None:
            number += 1
            free = f"{stem}-{number}{ending}"
        return free


def safe_name(given: str) -> str:
    """A name that is a plain file in every folder of every machine.

    >>> safe_name("bear.glb"), safe_name("../../etc/cron.d/x.OBJ"), safe_name("C:\\\\windows\\\\con.obj")
    ('bear.glb', 'x.OBJ', '_con.obj')
    """
    name = unicodedata.normalize("NFC", PureWindowsPath(given.replace("\0", "")).name)
    name = "".join(c if c.isalnum() or c in " ._-+()" else "_" for c in name).strip(" .")
    ending = Path(name).suffix
    if ending.lower() not in TAKEN:
        shown = f"{name[:60]}: " if name else ""
        kinds = f"{', '.join(ASSETS)} or a scene ({SCENE}, {ZIP})"
        raise FileError(f"{shown}this kind of file is not taken here; drop {kinds}")
    stem = name[: -len(ending)][:LONGEST_NAME].rstrip(" .")
    return ("_" if stem.lower() in RESERVED else "") + stem + ending


def chosen(names: Sequence[str]) -> str:
    """Which of the files is to be opened; the others are what it needs."""
    lower = [name.lower() for name in names]
    for name in names:
        if lower.count(name.lower()) > 1:
            raise FileError(f"{name}: two files have this name; give each its own")
    scenes = [name for name in names if name.lower().endswith(SCENE)]
    assets = [name for name in names if name.lower().endswith(ASSETS)]
    for found, kind in ((scenes, "scenes"), (assets, "assets")):
        if len(found) > 1:
            raise FileError(f"{found[0]}, {found[1]}: these are several {kind}; drop one of them, or a scene with all")
        if found:
            return found[0]
    raise FileError(f"there is nothing to open; drop {', '.join(ASSETS)} or a scene ({SCENE}, {ZIP})")
