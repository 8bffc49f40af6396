"""How smooth skins stay in poses, in numbers: `python benchmarks/skin_smoothness.py [FOLDER OF MESHES]`.

Counted are the edges of each skin that are sharper than 60 degrees in a pose, and sharp neither at rest nor in the pose
as it was drawn: in the same formula applied to the vertices of the skin themselves. They are what the way from the
particles to the skin adds: cracks, spikes, wrinkles. Poses that physics has found at the particles only are compared
with the rest shape, or, where a row says "fine", with the same pose found on eight times as many particles. The meshes
of a folder are filled with particles, and bent by 90 and twisted by 180 degrees as surfaces; the particles follow.
`--held-out` takes poses of the meshes by which nothing was chosen: bent by 75 and 110, twisted by 150, bent by 40 and
then twisted by 60 degrees.

A row: the pose, edges, how many are sharp at rest and as drawn, how many are new, how many of these are sharper by more
than 10 degrees than both (the others were nearly sharp already), new ones in a thousand, and how many particles a
vertex rides on, on average: what a frame costs. Ends with code 1 if one edge in a thousand or more is new in a pose.
`--write docs/skin.md` writes the poses with new edges into a page, below its mark.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.files.whole import whole_file
from pliant.gallery import (
    balloon_nose,
    buckling_tube,
    car_crash,
    car_obstacles,
    coiling_rope,
    folding_sheet,
    four_cylinders,
    gummy_bear,
    gummy_bears,
    pressed_shoe,
    surprised_dinosaur,
    teddy_halves,
    three_cuboids,
    twist_bar,
)
from pliant.runtime.errors import SettingsError
from pliant.volume.filling.hinges import hinges

Array = NDArray[np.float64]
SHARP = 60.0  # degrees
MUCH = 10.0  # degrees
FINER = 8
MARK = "<!-- the table -->"
DRAWINGS: dict[str, Callable[[pliant.Body], Array]] = {
    "bend": lambda body: pliant.poses.bend(body, 90),
    "twist": lambda body: pliant.poses.twist(body, 180),
    **{
        name: getattr(pliant.poses, name)
        for name in ("buckle", "bulge", "s_curve", "shear", "squash", "stretch")
    },
}
HELD_OUT: dict[str, Callable[[pliant.Body], Array]] = {
    "bend 75": lambda body: pliant.poses.bend(body, 75),
    "bend 110": lambda body: pliant.poses.bend(body, 110),
    "twist 150": lambda body: pliant.poses.twist(body, 150),
    "bend 40 and twist 60": lambda body: pliant.poses.twist(
        pliant.Body(pliant.poses.bend(body, 40), triangles=body.triangles), 60
    ),
}


@dataclass(frozen=True, eq=False)
class Case:
    """A skin in a pose: its vertices there (N, 3), and as drawn, if that is known."""

    name: str
    skin: pliant.Skin
    posed: Array
    drawn: Array | None = None


@dataclass(frozen=True)
class Count:
    edges: int
    rest: int
    drawn: int
    new: int
    much: int


def count(case: Case) -> Count:
    """The edges of a skin that are sharp, and in what. Vertices in the same place count as one."""
    _, first, which = np.unique(case.skin.vertices, axis=0, return_index=True, return_inverse=True)
    faces = first[which.reshape(-1)][case.skin.faces]
    pairs, _ = hinges(faces)
    rest, posed = angles(case.skin.vertices, faces, pairs), angles(case.posed, faces, pairs)
    drawn = rest if case.drawn is None else angles(case.drawn, faces, pairs)
    before = np.maximum(rest, drawn)
    new = (posed > SHARP) & (before <= SHARP)
    much = new & (posed > before + MUCH)
    return Count(len(pairs), *(int(each.sum()) for each in (rest > SHARP, drawn > SHARP, new, much)))


def angles(vertices: Array, faces: NDArray[np.integer], pairs: NDArray[np.intp]) -> Array:
    """Degrees between the normals of each pair of faces."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    return np.degrees(np.arccos(np.clip(np.einsum("nx,nx->n", *normals[pairs].swapaxes(0, 1)), -1, 1)))


def surface(body: pliant.Body) -> pliant.Body:
    """A body whose particles are the vertices of the skin: what is drawn on it is drawn on the skin itself."""
    return pliant.Body(body.skin.vertices, triangles=body.skin.faces)


def shapes(names: Sequence[str] = pliant.shapes.__all__) -> Iterator[Case]:
    """Every shape of the library in every pose by formula that it can take."""
    for name in names:
        body = getattr(pliant.shapes, name)()
        for pose, drawing in DRAWINGS.items():
            try:
                moved = drawing(body)
            except SettingsError:  # such as a bend of a sheet's edge onto itself
                continue
            drawn = drawing(surface(body)) if body.kind != "rod" else None  # a tube round a line has no formula
            yield Case(f"{name} {pose}", body.skin, body.skin.deform(moved), drawn)


def exhibits() -> Iterator[Case]:
    """The bodies of the gallery in their poses."""
    for name, body, poses in (
        ("car-crash", car_crash.car(), car_crash.poses),
        ("car-obstacles", pliant.shapes.car(), car_obstacles.poses),
        ("buckling-tube", buckling_tube.tube(), buckling_tube.poses),
        ("four-cylinders", four_cylinders.tube(), four_cylinders.poses),
        ("balloon-nose", balloon_nose.dog(), lambda body: {"swollen": balloon_nose.swollen(body)}),
        ("gummy-bear", gummy_bear.bear(), lambda body: {"proud": gummy_bear.proud(body)}),
    ):
        drawn = poses(surface(body))
        for pose, moved in poses(body).items():
            yield Case(f"{name} {pose}", body.skin, body.skin.deform(moved), drawn[pose])
    yield from _fine()
    for name, graph, drawing in (
        ("gummy-bears", gummy_bears.bear(), gummy_bears.flop),
        ("surprised-dinosaur", surprised_dinosaur.dinosaur("surprised"), surprised_dinosaur.surprised),
        ("folding-sheet", folding_sheet.sheet("fold"), folding_sheet.fold),
        ("coiling-rope", coiling_rope.rope("coil"), coiling_rope.coil),
    ):
        for pose in graph.poses:
            yield Case(f"{name} {pose}", graph.skin, graph.surface(pose), drawing(np.asarray(graph.skin.vertices)))
    for name, body in (
        ("teddy-halves", teddy_halves.bear()),
        ("twist-bar", twist_bar.bar()),
        ("three-cuboids", _with_poses(three_cuboids.bar(), three_cuboids.poses)),
    ):
        for pose in body.poses:
            yield Case(f"{name} {pose}", body.skin, body.surface(pose))


def _fine() -> Iterator[Case]:
    """Poses that were found by physics, beside those of finer bodies."""
    bear, finer = gummy_bear.bear(), pliant.shapes.teddy(particles=FINER * 340, density=gummy_bear.DENSITY)
    fine = finer.skin.deform(gummy_bear.protest(finer))
    yield Case("gummy-bear protest (fine)", bear.skin, bear.surface("protest"), fine)
    shoe, finer = pressed_shoe.posed(), pressed_shoe.posed(FINER * pressed_shoe.PARTICLES)
    for pose in shoe.poses:
        yield Case(f"pressed-shoe {pose} (fine)", shoe.skin, shoe.surface(pose), finer.surface(pose))


def _with_poses(body: pliant.Body, poses: Callable[[pliant.Body], dict[str, Array]]) -> pliant.Body:
    for name, pose in poses(body).items():
        body = body.with_pose(name, pose)
    return body


def meshes(folder: Path, drawings: dict[str, Callable[[pliant.Body], Array]]) -> Iterator[Case]:
    """The meshes of a folder as solids, drawn as surfaces."""
    from dataclasses import replace

    from pliant.files.reading import read_asset
    from pliant.volume import embody

    for path in sorted(each for each in folder.iterdir() if each.is_file()):
        asset = read_asset(path)
        drawn = pliant.Body(asset.vertices, triangles=asset.faces)
        poses = {}
        for name, drawing in drawings.items():
            try:
                poses[name] = drawing(drawn)
            except SettingsError as error:
                print(f"{path.stem} {name}: {error}")
        made = embody(replace(asset, poses=poses), cache=False)
        for name in made.body.poses:
            yield Case(f"{path.stem} {name}", made.body.skin, made.body.surface(name), poses[name])


def table(rows: Sequence[tuple[Case, Count]]) -> str:
    """The poses with new edges, in Markdown."""
    lines = ["| pose | edges | sharp at rest | as drawn | new | by 10 degrees and more | new in a thousand |"]
    lines.append("| --- |" + " ---: |" * 6)
    for case, found in rows:
        if found.new:
            cells = f"{found.edges:,} | {found.rest} | {found.drawn} | {found.new} | {found.much}"
            lines.append(f"| {case.name} | {cells} | {1000 * found.new / found.edges:.2f} |")
    edges, new, much = (sum(getattr(found, name) for _, found in rows) for name in ("edges", "new", "much"))
    lines.append(f"| all {len(rows)} poses | {edges:,} | | | {new} | {much} | {1000 * new / edges:.2f} |")
    return "\n".join(lines)


def main(folder: Path | None, quick: bool, held_out: bool, page: Path | None) -> int:
    print(f"{'pose':32} {'edges':>7} {'rest':>6} {'drawn':>6} {'new':>5} {'much':>5} {'per 1000':>9} {'terms':>6}")
    if held_out:
        cases = meshes(folder, HELD_OUT) if folder else iter(())
    else:
        some = {name: DRAWINGS[name] for name in ("bend", "twist")}
        cases = chain(shapes(), exhibits(), meshes(folder, some) if folder else ())
    rows, rough = [], 0
    for case in islice(cases, 3) if quick else cases:
        found = count(case)
        terms = float((case.skin.weights != 0).sum(axis=1).mean())
        mark = "*" if 1000 * found.new >= found.edges else " "
        rough += mark == "*"
        print(
            f"{case.name:32} {found.edges:7,} {found.rest:6} {found.drawn:6} {found.new:5} {found.much:5} "
            f"{1000 * found.new / found.edges:8.2f}{mark} {terms:6.1f}",
            flush=True,
        )
        rows.append((case, found))
    print(f"{rough} of {len(rows)} poses have one new edge in a thousand or more (wanted: none)")
    if page is not None:
        before = page.read_text(encoding="utf-8").split(MARK)[0]
        with whole_file(page) as draft:
            draft.write_text(f"{before}{MARK}\n\n{table(rows)}\n", encoding="utf-8")
    return int(rough > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", help="a folder of meshes to bend and twist, too")
    parser.add_argument("--quick", action="store_true", help="three poses only")
    parser.add_argument("--held-out", action="store_true", help="other poses, of the meshes only")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a page, such as docs/skin.md")
    said = parser.parse_args()
    if said.write is not None and (not said.write.is_file() or MARK not in said.write.read_text(encoding="utf-8")):
        parser.error(f"{said.write}: there is no such page, or no {MARK} in it")
    if said.held_out and said.folder is None:
        parser.error("--held-out needs a folder of meshes")
    sys.exit(main(said.folder, said.quick, said.held_out, said.write))
