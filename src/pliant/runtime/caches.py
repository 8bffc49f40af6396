"""Where to keep what can be made anew: compiled kernels, and volumes of files that were loaded before.

Kernels are code: a user who can write where they are kept can run anything as the one who loads them. So a cache is a
folder that belongs to this user and that no other may enter, on a way that no other can turn elsewhere. Where the
chosen place is not like that it is left alone, and a private folder among the temporary ones takes its place.
"""

import atexit
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

VARIABLE = "PLIANT_CACHE"
OPEN_TO_WRITE = stat.S_IWGRP | stat.S_IWOTH
OPEN = stat.S_IRWXG | stat.S_IRWXO
PRIVATE = 0o700
MOST_LINKS = 40  # that one path may go through, as the system itself counts


class Unsafe(OSError):
    """A place that another user could change; the message is a reason that follows "because it"."""


def cache_folder(*names: str) -> Path | None:
    """A private, writable folder `names` deep in `$PLIANT_CACHE`, or in the place where this system keeps caches; in a
    temporary folder where neither will do. None where nothing can be written at all."""
    chosen, first = _chosen()
    if chosen is not None:
        try:
            return _private(chosen, (*first, *names))
        except Unsafe as reason:
            _warn(f"{chosen} is not used as a cache, because it {reason}; `chmod 700` it, or set {VARIABLE}")
        except OSError as error:  # not there and not to be made, read-only, full
            why = error.strerror or "it may not be written"
            _warn(f"{chosen} is not used as a cache ({why}), a temporary folder is; make it writable or set {VARIABLE}")
    with suppress(OSError):
        shared = Path(tempfile.gettempdir())
        user = os.getuid() if hasattr(os, "getuid") else 0
        with suppress(Unsafe):  # taken by another user
            return _private(shared, (f"pliant-{user}", *names))
        _check_way(shared)
        return _private(_fresh(), names)
    return None


def _chosen() -> tuple[Path | None, tuple[str, ...]]:
    """The folder that the user or the system names, and ours within it. No home is asked for where one is named: a
    process in a container may have none."""
    if named := os.environ.get(VARIABLE):
        return Path(named).absolute(), ()
    if sys.platform == "win32":
        named = os.environ.get("LOCALAPPDATA")
        return (Path(named) if named else _home("AppData", "Local")), ("pliant",)
    if sys.platform == "darwin":
        return _home("Library", "Caches"), ("pliant",)
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if os.path.isabs(named) else _home(".cache")), ("pliant",)


def _home(*names: str) -> Path | None:
    try:
        return Path.home().joinpath(*names)
    except RuntimeError:  # no HOME, and the system does not know this user
        return None


def _private(base: Path, names: tuple[str, ...]) -> Path:
    """The folder `names` deep in `base`, made where it is missing; each of `names` belongs to this user alone."""
    for folder in (*reversed(base.parents), base):
        with suppress(FileExistsError, PermissionError):
            if not folder.exists():
                folder.mkdir(mode=PRIVATE)
    has_owners = hasattr(os, "getuid")  # elsewhere a user's folders are the user's by the rights they inherit
    if has_owners:
        _check_way(base)
        _check_base(base)
    folder = base
    for name in names:
        folder = folder / name
        with suppress(FileExistsError):
            folder.mkdir(mode=PRIVATE)
        if has_owners:
            _make_private(folder)
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} may not be written")
    return folder


def _check_base(base: Path) -> None:
    """The folder in which ours lie: the user's own, not for a group that was invited to it, or a sticky one."""
    found = base.stat()
    if found.st_mode & stat.S_ISVTX and found.st_uid in _trusted():
        return
    if found.st_uid != os.getuid():
        raise Unsafe("belongs to another user")
    named = os.environ.get(VARIABLE) or os.environ.get("XDG_CACHE_HOME")
    if found.st_mode & OPEN_TO_WRITE if named else _others_write(found):
        raise Unsafe("can be written by other users")


def _check_way(folder: Path) -> None:
    """No other user can turn the way to a folder: on it this user alone may write, or it is sticky there and the next
    step belongs to this user or the system; and so do links."""
    trusted = _trusted()
    for place in _steps(folder):
        found, above = os.lstat(place), os.lstat(place.parent)
        foreign = found.st_uid not in trusted
        if place != place.parent and _others_write(above):
            if above.st_uid not in trusted or not above.st_mode & stat.S_ISVTX:
                raise Unsafe(f"lies in {place.parent}, which other users can write")
            if foreign:
                raise Unsafe(f"lies in {place}, which belongs to another user")
        if stat.S_ISLNK(found.st_mode) and foreign:
            raise Unsafe(f"lies behind {place}, a link of another user")


def _trusted() -> set[int]:
    """This user and the system, which in a namespace may have another number: that of the uppermost folder."""
    return {os.getuid(), 0, os.lstat("/").st_uid}


def _steps(folder: Path) -> Iterator[Path]:
    """Every folder and every link that the system goes through on the way to a folder; none lies below a link."""
    ahead = list(reversed(folder.absolute().parts))
    here, links = Path("/"), 0
    while ahead:
        name = ahead.pop()
        if name == "..":
            here = here.parent
            continue
        place = here / name  # the uppermost one if the name is that
        yield place
        if not place.is_symlink():
            here = place
            continue
        links += 1
        if links > MOST_LINKS:
            raise Unsafe("lies behind too many links")
        ahead += reversed(Path(os.readlink(place)).parts)


def _others_write(found: os.stat_result) -> bool:
    """Many systems give each user a group of the same number, and let it write to all that the user makes."""
    mode = found.st_mode
    if mode & stat.S_IWOTH:
        return True
    return bool(mode & stat.S_IWGRP) and not (found.st_gid == found.st_uid == os.getuid() and _is_alone(found.st_gid))


def _is_alone(group: int) -> bool:
    import grp

    try:
        return len(grp.getgrgid(group).gr_mem) <= 1
    except KeyError:  # a group that the system does not know has no members
        return True


def _make_private(folder: Path) -> None:
    """One of our own folders: a user's old version may have left it open to others. What they could have written is
    thrown away."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise Unsafe(f"holds {folder.name}, which is a link or belongs to another user")
    if found.st_mode & OPEN:
        os.chmod(folder, PRIVATE)
    if found.st_mode & OPEN_TO_WRITE:
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)


def _fresh() -> Path:
    """A private folder that lasts as long as this process, and that processes it starts use too."""
    folder, maker = tempfile.mkdtemp(prefix="pliant-"), os.getpid()

    def remove() -> None:
        if os.getpid() == maker:  # not in a copy of this process
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    os.environ[VARIABLE] = folder
    return Path(folder)


@lru_cache(maxsize=64)
def _warn(message: str) -> None:
    """Told once."""
    print(f"pliant: {message}", file=sys.stderr, flush=True)
