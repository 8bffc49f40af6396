"""One row: its measures, its files, wherever they go; and what several rows are shown as."""

import io
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from PIL import Image

import pliant
from films import pictures as decoded
from pliant.files.take import Take, Track
from pliant.scene import scene_from_text
from pliant.scene.show import show_of
from pliant.scene.targets import scene_for
from pliant.session.bake_folder import engine
from pliant.session.recording import record
from pliant.sweeps.assets import Assets, of_scene
from pliant.sweeps.contact import contact_sheet, film_sheet
from pliant.sweeps.films import FILM_COLUMNS, FILM_SIZE, FilmSpec, cut, sheet, stills_of
from pliant.sweeps.measures import measured, names_for
from pliant.sweeps.overlap import deepest_overlap, distances
from pliant.sweeps.place import Place
from pliant.sweeps.run import films_of
from pliant.sweeps.table import SweepTable
from pliant.sweeps.task import Job, run_row
from sweeps.scenes import contents, write_bar

TWO = """
bodies = [{ name = "a", shape = "ball", particles = 60, position = [0, 1, 0], poses = { flat = { type = "squash" } } },
          { name = "b", shape = "ball", particles = 60, position = [3, 1, 0], poses = { flat = { type = "squash" } } }]
"""


def packed(folder: Path) -> Assets:
    return of_scene(scene_for(write_bar(folder)), "bar")


def resting(seconds: float = 0.5) -> tuple[Take, "pliant.Body"]:
    """A ball that lies still for a second, moves by a metre, and lies still again."""
    body = pliant.shapes.ball(radius=0.5, particles=60).with_pose("flat", lambda x: x * [1.2, 0.6, 1.2])
    at = np.concatenate([np.zeros(10), np.linspace(0, 1, 11), np.ones(10)])
    places = body.rest[None] + at[:, None, None] * [1.0, 0.0, 0.0]
    weights = np.zeros((31, 1, 2))
    weights[:, 0, 1] = np.concatenate([np.linspace(0, 0.7, 16), np.linspace(0.6, 0, 15)])
    places[20] = body.poses["flat"] + [1.0, 0.0, 0.0]
    track = Track("ball", body, places.astype(np.float32), weights.astype(np.float32), ("all",))
    return Take("ball", 10.0, (track,)), body


def test_measures_of_a_take_that_is_known() -> None:
    take, body = resting()
    show = show_of(scene_from_text('[world]\ngravity = [0, 0, 0]\n[[bodies]]\nshape = "ball"'))
    found = measured(show, take)
    assert found["weight(flat)"] == pytest.approx(0.7) and found["when(flat)"] == pytest.approx(1.5)
    assert found["near(flat)"] == pytest.approx(0.0, abs=1e-4) and found["near_when(flat)"] == pytest.approx(2.0)
    assert found["rest_time"] == pytest.approx(2.2)  # the frame after it has its shape back
    assert found["energy_end"] == 0.0 and found["overlap"] == 0.0

    def first(frames: int) -> Take:
        (track,) = take.tracks
        return Take("ball", 10.0, (Track("ball", body, track.positions[:frames], track.weights[:frames], ("all",)),))

    assert measured(show, first(9))["rest_time"] == 0.0
    assert measured(show, first(16))["rest_time"] is None


def test_a_fall_has_the_energy_of_a_fall() -> None:
    show = show_of(scene_from_text('[[bodies]]\nshape = "ball"\nparticles = 60\ndensity = 100'), seconds=1.0)
    take = record(show)
    found = measured(show, take)
    mass = show.world.actors[0].body.mass
    assert found["energy"] == pytest.approx(0.5 * mass * 9.81**2, rel=0.03)
    # Nothing is lost, but that velocities are those between two frames.
    assert abs(found["energy_lost"] or 0.0) < 0.04 * (found["energy"] or 0.0)
    assert found["rest_time"] is None


@pytest.mark.parametrize(
    ("collider", "point", "distance"),
    [
        (pliant.Plane(point=(0, 1, 0)), (5, 0.5, 2), -0.5),
        (pliant.Sphere(centre=(1, 0, 0), radius=2), (1, 0, 0.5), -1.5),
        (pliant.Box(centre=(0, 1, 0), half_size=(1, 2, 3), rotation=(0, 0, 0.7071068, 0.7071068)), (1.9, 1, 0), -0.1),
        (pliant.Box(half_size=(1, 1, 1)), (4, 5, 0), 5.0),
        (pliant.Capsule(start=(0, 0, 0), end=(4, 0, 0), radius=0.5), (2, 0.2, 0), -0.3),
        (pliant.Capsule(start=(0, 0, 0), end=(4, 0, 0), radius=0.5), (6, 0, 0), 1.5),
    ],
)
def test_distances_from_obstacles(collider: pliant.Plane, point: tuple[float, ...], distance: float) -> None:
    assert distances(collider, np.array([point], float), 0.0)[0] == pytest.approx(distance, abs=1e-6)


def test_overlap_of_bodies_and_obstacles() -> None:
    ball = pliant.shapes.ball(radius=0.5, particles=200)
    size = float(np.linalg.norm(np.ptp(ball.rest, axis=0)))

    def take(*offsets: tuple[float, float, float]) -> Take:
        weights = np.ones((1, 1, 1), np.float32)
        tracks = [
            Track(f"{number}", ball, (ball.rest + offset)[None].astype(np.float32), weights, ("all",))
            for number, offset in enumerate(offsets)
        ]
        return Take("balls", 10.0, tuple(tracks))

    assert deepest_overlap(take((0, 0, 0), (1.1, 0, 0)), []) == 0.0
    assert deepest_overlap(take((0, 0, 0), (0.7, 0, 0)), []) * size == pytest.approx(0.3, abs=0.06)
    assert deepest_overlap(take((0, 0.4, 0)), [pliant.Plane()]) * size == pytest.approx(0.1, abs=0.03)


def test_names_are_short_where_they_can_be() -> None:
    show = show_of(scene_from_text(TWO))
    assert {"near(a.flat)", "near(b.flat)"} <= set(names_for(show))
    assert set(names_for(show)) == set(measured(show, record(show, 3)))
    three = 'name = "a", copies = { count = 3, spacing = [0, 2, 0] },'
    copies = show_of(scene_from_text(TWO.replace('name = "a",', three)))
    assert {"near(a.flat)", "near(b.flat)"} <= set(names_for(copies))
    one = show_of(scene_from_text(TWO.replace(', poses = { flat = { type = "squash" } } }]', "}]")))
    assert "near(flat)" in names_for(one)


def test_a_row_has_its_checks_and_a_measure_of_ones_own(tmp_path: Path) -> None:
    def lowest(take: Take) -> float:
        return float(take.tracks[0].positions[:, :, 1].min())

    job = Job(str(tmp_path / "out"), engine(), measure=lowest, measure_name="lowest", token="1")
    result = run_row(3, {"stiffness": 2, "seed": 5}, job, packed(tmp_path / "scene"), tmp_path)
    found = result["measures"]
    assert not result["error"]
    assert (found["check(comes near)"], found["check(never)"], found["passed"]) == (True, False, False)
    assert -0.05 < found["lowest"] < 0.06
    assert result["run"]["realtime"] > 0 and result["run"]["seconds"] > 0
    kept = json.loads((tmp_path / "out" / "rows" / result["key"] / "measures.json").read_text())
    assert kept["measures"] == found and kept["settings"] == {"stiffness": 2, "seed": 5}


def test_what_is_wrong_with_a_row_is_part_of_its_result(tmp_path: Path) -> None:
    assets, job = packed(tmp_path / "scene"), Job(str(tmp_path / "out"), engine())
    wrong = run_row(0, {"stiffness": 2000}, job, assets, tmp_path)
    assert "give a number from 0 to 100" in wrong["error"] and not wrong["measures"]
    other = run_row(0, {"stiffness": 2}, Job(str(tmp_path / "out"), "another"), assets, tmp_path)
    assert "this worker has another version" in other["error"]

    def broken(_: Take) -> float:
        raise KeyError("oops")

    failed = run_row(0, {"stiffness": 2}, Job(str(tmp_path / "out"), engine(), measure=broken), assets, tmp_path)
    assert failed["error"] == "KeyError: 'oops'"


def test_an_fsspec_address_gets_the_same_bytes(tmp_path: Path) -> None:
    assets = packed(tmp_path / "scene")
    here, far = tmp_path / "here", tmp_path / "far"
    for out in (str(here), f"file://{far}"):
        job = Job(out, engine(), keep=(".npz", "obj"))
        place = Place(out)
        place.check()
        assert not run_row(0, {"stiffness": 2}, job, assets, tmp_path)["error"]
        assert len(place.rows()) == 1
    assert contents(here) == contents(far)
    (row,) = (far / "rows").iterdir()
    assert {"take.npz", "obj", "run.json", "weights.csv", "measures.json"} == {path.name for path in row.iterdir()}
    with pytest.raises(pliant.FileError, match="nowhere://"):
        Place("nowhere://bucket/x").check()


def test_files_far_from_the_scene_come_along(tmp_path: Path) -> None:
    scene = write_bar(tmp_path / "a")
    text = scene.read_text().replace('"shapes/bar.obj"', f'"{tmp_path / "a" / "shapes" / "bar.obj"}"')
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "b" / "c" / "scene.toml").write_text(text)
    assets = of_scene(scene_for(tmp_path / "b" / "c" / "scene.toml"), "scene")
    assert str(tmp_path) not in assets.text
    assert set(assets.files) == {"a/shapes/bar.obj", "a/shapes/bar.mtl"}
    folder = assets.unpacked(tmp_path / "worker")
    assert (folder / assets.scene(folder).bodies[0].file).resolve().read_bytes()  # type: ignore[operator]
    moved = of_scene(scene_for(write_bar(tmp_path / "z")), "x"), of_scene(scene_for(scene), "y")
    assert moved[0].digest == moved[1].digest  # by content, not by place or name


def table_of(*values: float) -> SweepTable:
    rows = [
        {"row": number, "key": f"k{number}", "settings": {"k": number, "way": "on"}, "run": {"realtime": 2.0},
         "measures": {"near(low)": value, "rest_time": None if number == 1 else 5.0 - number, "ok": value < 0.3}}
        for number, value in enumerate(values)
    ]  # fmt: skip
    return SweepTable.of(["k", "way"], rows[::-1])


def test_the_best_come_first_and_tables_can_be_read() -> None:
    table = table_of(0.1, 0.2, 0.9, 0.25)
    assert table["row"].tolist() == [0, 1, 2, 3]
    assert table.best("near(low) < 0.3, rest_time")["row"].tolist() == [3, 0, 1, 2]
    assert table.best("-near(low)")["row"].tolist() == [2, 3, 1, 0]
    assert np.isnan(table["rest_time"][1]) and table["way"].tolist() == ["on"] * 4
    read = pyarrow.parquet.read_table(io.BytesIO(table.parquet())).to_pydict()
    assert read["near(low)"] == [0.1, 0.2, 0.9, 0.25] and read["rest_time"][1] is None and read["ok"][2] is False
    lines = table.csv().splitlines()
    assert lines[0].startswith("row,k,way,near(low),rest_time,ok,realtime")
    assert lines[2].startswith("1,1,on,0.2,,true,2.0")
    assert "<td>0.25</td>" in table._repr_html_()
    with pytest.raises(pliant.PliantError, match='no column "x"'):
        table["x"]


@pytest.mark.slow
def test_films_are_drawn_and_laid_side_by_side(tmp_path: Path) -> None:
    assets = packed(tmp_path / "scene")
    spec = FilmSpec(((2.0, 1.5, 3.0), (0.0, 0.5, 0.0), 28.0), pictures=4)
    job = Job(str(tmp_path / "out"), engine(), film=spec)
    colours = ("#ff0000", "#0000ff")
    results = [run_row(n, {"bodies.bar.colour": each}, job, assets, tmp_path) for n, each in enumerate(colours)]
    assert [result["film"]["pictures"] for result in results] == [4, 4], results[0]["error"]
    films = films_of(Place(job.out), results)
    pictures = [cut(films[result["key"]], 4)[-1].astype(int) for result in results]
    assert (pictures[0] - pictures[1])[..., 0].max() > 100 and (pictures[1] - pictures[0])[..., 2].max() > 100
    table = SweepTable.of(["bodies.bar.colour"], results)
    picture = contact_sheet(table, results, films)
    assert picture.shape[1] >= 5 * FILM_SIZE[0] and picture.shape[0] > 2 * FILM_SIZE[1]
    film_sheet(table, results, films, tmp_path / "contact.mp4")
    assert len(decoded(tmp_path / "contact.mp4")) == 4


def test_a_sheet_is_cut_as_it_was_joined() -> None:
    pictures = [np.full((FILM_SIZE[1], FILM_SIZE[0], 3), 20 * number, np.uint8) for number in range(FILM_COLUMNS + 2)]
    again = cut(sheet(pictures), len(pictures))
    assert [int(np.median(each)) for each in again] == pytest.approx([20 * n for n in range(FILM_COLUMNS + 2)], abs=2)
    assert Image.open(io.BytesIO(sheet(pictures))).size == (FILM_COLUMNS * FILM_SIZE[0], 2 * FILM_SIZE[1])
    take, _ = resting()
    assert stills_of(take, 31)[0] == 0 and stills_of(take, 31)[-1] == 30 and 10 < stills_of(take, 31)[2] < 22
