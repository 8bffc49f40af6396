"""weights.csv: how much of each example pose was in the bodies, for spreadsheets and for driving shape keys."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np

from pliant.files.take import Take
from pliant.files.whole import whole_file

FIRST_COLUMNS = ("time", "actor", "group", "rest")


def write(take: Take, path: Path, *, progress: Callable[[int, int], None] | None = None) -> None:
    """A row for each frame, actor and group: time (s), actor, group, the weight of the rest shape, and a column for
    each pose that any actor has, empty where this one has not. The weights of a row add up to 1."""
    poses = list(dict.fromkeys(name for track in take.tracks for name in track.body.pose_names))
    columns = [f"pose {name}" if name in FIRST_COLUMNS else name for name in poses]
    with whole_file(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow([*FIRST_COLUMNS, *columns])
        places = [[poses.index(name) for name in track.body.pose_names] for track in take.tracks]
        for frame, time in enumerate(take.times):
            for track, where in zip(take.tracks, places, strict=True):
                for group, weights in zip(track.groups, np.asarray(track.weights[frame]), strict=True):
                    cells = [""] * len(poses)
                    for place, weight in zip(where, weights[1:], strict=True):
                        cells[place] = f"{weight:.6g}"
                    rows.writerow([f"{time:.9g}", track.name, group, f"{weights[0]:.6g}", *cells])
            if progress:
                progress(frame + 1, take.frames)
