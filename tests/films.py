"""Takes to film, and others' eyes on the films: ffprobe, or ffmpeg where there is none."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from unittest.mock import patch

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.files.take import Take, Track
from pliant.session import inspection
from pliant.session.render import film

Array = NDArray[np.float64]
SHEET = 96  # pixels


@contextmanager
def small_sheets() -> Iterator[None]:
    """Pictures of poses are small and drawn once, where what matters is that they are drawn: pixels cost time."""
    drawn_once = partial(film.pose_sheet, passes=1)
    with patch.object(inspection, "SHEET_HEIGHT", SHEET), patch.object(film, "pose_sheet", drawn_once):
        yield


def track(body: pliant.Body, name: str, where: Callable[[int], Array], frames: int) -> Track:
    """An actor at `where(frame)`: particles (V, 3)."""
    positions = np.stack([where(frame) for frame in range(frames)]).astype(np.float32)
    return Track(name, body, positions, np.ones((frames, 1, 1), np.float32), ("all",))


def moved(body: pliant.Body, path: Callable[[int], tuple[float, float, float]], frames: int, fps: float = 24.0) -> Take:
    """A stiff body on a path."""
    return Take("moved", fps, (track(body, "body", lambda frame: body.rest + np.asarray(path(frame)), frames),))


@dataclass(frozen=True)
class Facts:
    codec: str
    pixels: str
    size: tuple[int, int]
    fps: Fraction
    frames: int


def probe(path: Path) -> Facts:
    """What a film is, as others see it; its frames are decoded to be counted."""
    if not shutil.which("ffprobe"):
        return _read_by_ffmpeg(path)
    asked = ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_streams", "-of", "json"]
    (stream,) = json.loads(subprocess.run([*asked, str(path)], capture_output=True, check=True).stdout)["streams"]
    assert stream["r_frame_rate"] == stream["avg_frame_rate"], "as many frames in each second"
    size = stream["width"], stream["height"]
    frames = int(stream["nb_read_frames"])
    assert int(stream["nb_frames"]) == frames
    return Facts(stream["codec_name"], stream["pix_fmt"], size, Fraction(stream["avg_frame_rate"]), frames)


def _read_by_ffmpeg(path: Path) -> Facts:
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-f", "null", "-"]
    said = subprocess.run(command, capture_output=True, check=True).stderr.decode()
    found = re.search(r"Video: (\w+).*?, (yuv\w+)\(?.*?, (\d+)x(\d+).*?, ([\d.]+) fps", said)
    assert found, said
    codec, pixels, width, height, fps = found.groups()
    frames = int(re.findall(r"frame=\s*(\d+)", said)[-1])
    near = Fraction(round(float(fps) * 1.001) * 1000, 1001)
    whole = abs(float(near) - float(fps)) > 0.005 or float(fps).is_integer()
    return Facts(codec, pixels, (int(width), int(height)), Fraction(fps) if whole else near, frames)


def pictures(path: Path) -> NDArray[np.uint8]:
    """(T, H, W, 3): the frames of a film."""
    facts = probe(path)
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(path)]
    command += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    return np.frombuffer(data, np.uint8).reshape(facts.frames, facts.size[1], facts.size[0], 3)
