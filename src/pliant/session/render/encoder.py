"""Pictures into an .mp4, by the ffmpeg that imageio-ffmpeg brings along."""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import TracebackType

from pliant.files.whole import unwritable
from pliant.runtime.errors import FileError
from pliant.runtime.processes import apart
from pliant.session.render.picture import Picture

NO_ENCODER = "films need imageio-ffmpeg, which is not installed; run: pip install 'pliant[render]'"
NO_FFMPEG = (
    "films need ffmpeg, which does not start ({reason}); "
    "run: pip install --force-reinstall imageio-ffmpeg, or name another by IMAGEIO_FFMPEG_EXE"
)
COLOUR_OPTIONS = "out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int"
ENCODER_PATIENCE = 60.0  # seconds that ffmpeg may take over its last frames
# x264's name for its own effort, and its constant quality: lower is better, 18 cannot be seen.
EFFORTS = {"good": ("medium", 16), "draft": ("veryfast", 23)}


def rate(fps: float) -> Fraction:
    """Frames a second as a fraction. What is meant by 23.976 or 29.97 are thousandths of 1001.

    >>> rate(24), rate(23.976), rate(12.5)
    (Fraction(24, 1), Fraction(24000, 1001), Fraction(25, 2))
    """
    near = Fraction(round(fps * 1.001) * 1000, 1001)
    if round(fps) != fps and abs(float(near) - fps) < 1e-3:
        return near
    return Fraction(fps).limit_denominator(1000)


def even(size: tuple[int, int]) -> tuple[int, int]:
    """The size with odd numbers one larger: H.264 keeps colours for two by two pixels.

    >>> even((1281, 720))
    (1282, 720)
    """
    return size[0] + size[0] % 2, size[1] + size[1] % 2


def find_ffmpeg(path: Path) -> str:
    """The program; a FileError about `path` says what to do if there is none."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ImportError as error:
        raise FileError(f"{path}: {NO_ENCODER}") from error
    try:
        return str(get_ffmpeg_exe())
    except RuntimeError as error:
        raise FileError(f"{path}: {NO_FFMPEG.format(reason='it was not found')}") from error


class Encoder:
    """Writes H.264 with every picture that `add` is given; the file is whole after the `with` block.

    The same pictures give the same bytes: one thread (how x264 shares work out changes the result), no dates and no
    names of programs in the file. `about` is the path that errors name, `path` the one that is written.
    """

    def __init__(self, about: Path, path: Path, size: tuple[int, int], fps: float, quality: str = "good") -> None:
        self.about, self.size = about, size
        preset, crf = EFFORTS[quality]
        speed = rate(fps)
        command = [find_ffmpeg(about), "-y", "-nostdin", "-hide_banner", "-loglevel", "error"]
        command += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}"]
        command += ["-framerate", f"{speed.numerator}/{speed.denominator}", "-i", "pipe:0", "-an"]
        # Colours as players expect them of a film (BT.709), and said so in the file.
        command += ["-vf", f"scale={COLOUR_OPTIONS},format=yuv420p"]
        command += ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
        command += ["-c:v", "libx264", "-preset", preset, "-crf", str(crf), "-threads", "1", "-filter_threads", "1"]
        command += ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart"]
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process is)
        try:
            self._process = subprocess.Popen(
                [*command, "-f", "mp4", os.fspath(path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._said,
                **apart(),  # Ctrl-C is for us: we end it
            )
        except OSError as error:
            self._said.close()
            raise FileError(f"{about}: {NO_FFMPEG.format(reason=error.strerror or error)}") from error

    def add(self, picture: Picture) -> None:
        """One more frame."""
        height, width = picture.shape[:2]
        if (width, height) != self.size:
            raise FileError(f"{self.about}: a picture has {width} x {height} pixels, the film {self.size}")
        stream = self._process.stdin
        assert stream is not None
        try:
            stream.write(memoryview(picture.tobytes()))
        except OSError:  # it has ended before its time, and says why
            raise self._failure() from None

    def __enter__(self) -> Encoder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._stop()

    def _finish(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        try:
            stream.close()
            failed = self._process.wait(ENCODER_PATIENCE) != 0
        except OSError:
            raise self._failure() from None
        except subprocess.TimeoutExpired:
            raise FileError(f"{self.about}: cannot be written: ffmpeg does not end; try again") from None
        if failed:
            raise self._failure()

    def _stop(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        if self._process.stdin is not None:
            with suppress(OSError):  # what it would still have had to be told is of no use any more
                self._process.stdin.close()
        self._process.wait()
        self._said.close()

    def _failure(self) -> FileError:
        """What ffmpeg said last, in one line."""
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").split("\n")
        said = [" ".join(line.split()) for line in lines if line.strip()]
        if any("No space left" in line for line in said):
            return unwritable(self.about, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        reason = said[-1] if said else f"it ended with {self._process.returncode}"
        return FileError(f"{self.about}: cannot be written: ffmpeg failed ({reason}); try another size or folder")
