"""What the pages list is what is written: keys of .npz, the header of .pc2, columns, endings, limits; links lead on."""

import csv
import re
import struct
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import meshes
from docs.pages import DOCS, FENCE, PAGES, anchor, blocks, table, tables, text_of
from pliant.body import Body
from pliant.files import limits, reading
from pliant.files.gltf.meshes import MOST_PLACES
from pliant.files.take import Take, Track
from pliant.files.usd import reader as usd
from pliant.files.writing import WRITERS, write_take
from pliant.geometry.normals import unit
from pliant.geometry.turning import turned
from pliant.graph import Graph, graph_of
from pliant.session.outputs import HTML, MOVIE, PICTURE_FOLDER, Options
from pliant.session.player import page, scripts
from pliant.session.player.bars import MOST_BARS, SHOWN_GROUPS
from pliant.session.player.recorded import RECORDED_STEP
from pliant.session.render.movie import LARGEST_SIDE, SMALLEST_SIDE
from pliant.volume.embody import MOST_PARTICLES, PARTICLES
from pliant.volume.filling.fit import Verdict

FRAMES = 5


def take_of(body: Body, groups: tuple[str, ...] = ("all",)) -> Take:
    """The body rising and bending, with weights that add up to 1."""
    share = np.linspace(0, 1, FRAMES)
    lift = share[:, None, None] * (np.array([0, 0.2, 0]) + np.sin(body.rest)[None])
    weights = np.random.default_rng(3).dirichlet(np.ones(1 + len(body.poses)), (FRAMES, len(groups)))
    turns = None
    if isinstance(body, Graph):
        turned_by = share[:, None, None] * body.rest[None, :, ::-1]
        turns = Rotation.from_rotvec(turned_by.reshape(-1, 3)).as_quat().reshape(FRAMES, -1, 4).astype(np.float32)
    track = Track(body.name, body, (body.rest + lift).astype(np.float32), weights.astype(np.float32), groups, turns)
    return Take(body.name, 24.0, (track,))


def bodies() -> dict[str, Body]:
    solid = meshes.box(name="bear", poses={"squash": meshes.box_arrays()[0] * (1, 0.5, 1)})
    solid = solid.with_skin(replace(solid.skin, uv=solid.skin.vertices[:, :2]))
    shell = meshes.sheet(name="bear", poses={"wave": np.sin(meshes.sheet_arrays()[0])})
    hull = shell.skin
    stood_off = np.tile([0.0, 0.1, 0.0], (len(hull.vertices), 1))
    bound = type(hull).bind(hull.vertices + stood_off, hull.faces, shell.rest, shell.elements, "shell")
    rod = meshes.rope(name="bear")
    return {"solid": solid, "shell": shell.with_skin(bound), "rod": rod, "oriented": graph_of(solid, 8)}


@pytest.mark.parametrize("kind", ["solid", "shell", "rod", "oriented"])
def test_the_npz_page_lists_every_key_with_its_shape_and_type(kind, tmp_path):
    body = bodies()[kind]
    take = take_of(body, ("left", "right"))
    write_take(take, tmp_path / "bear.npz")
    found = np.load(tmp_path / "bear.npz")
    general, own = (rows[1:] for rows in tables("npz.md") if rows[0][0] == "key")
    listed = {row[0].strip("`"): row for row in general}
    listed |= {"bear/" + row[0].strip("`"): row for row in own}
    if body.skin.uv is None:
        del listed["bear/skin_uv"]
    if kind == "oriented":
        listed = {key: row for key, row in listed.items() if "not for oriented particles" not in row[3]}
        listed |= {"bear/" + row[0].strip("`"): row for row in table("npz.md", "its key")}
    assert set(found.files) == set(listed)
    letters = {
        "A": 1, "T": FRAMES, "V": len(body.rest), "G": 2, "P": len(body.poses), "E": len(body.elements),
        "N": len(body.skin.vertices), "M": len(body.skin.faces), "K": body.skin.weights.shape[1],
    }  # fmt: skip
    for key, (_, shape, dtype, _) in listed.items():
        possible = [eval(text, {}, letters) for text in re.findall(r"\([^)]*\)", shape)]
        assert found[key].shape in possible, key
        assert found[key].dtype.kind == "U" if dtype == "text" else found[key].dtype == dtype, key


@pytest.mark.parametrize("kind", ["solid", "shell", "rod", "oriented"])
def test_the_surface_is_found_as_the_npz_page_says(kind, tmp_path):
    body = bodies()[kind]
    take = take_of(body)
    write_take(take, tmp_path / "bear.npz")
    key = {name.removeprefix("bear/"): value for name, value in np.load(tmp_path / "bear.npz").items()}
    now = key["particles"][-1].astype(float)
    corners = now[key["skin_indices"]]
    surface = np.einsum("nk,nkx->nx", key["skin_weights"], corners)
    if kind == "oriented":
        (code,) = blocks("npz.md", "py")
        names = {"np": np, "Rotation": Rotation, "bear": key, "frame": -1, "where": now}
        exec(compile(code, "npz.md", "exec"), names)
        assert names["surface"] == pytest.approx(take.tracks[0].surface(FRAMES - 1), abs=1e-6)
        return
    axes, offsets = key["skin_axes"], key["skin_offsets"]
    if kind == "shell":
        normal = unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
        surface += (offsets * axes).sum(axis=1, keepdims=True) * normal
    elif kind == "rod":
        surface += turned(offsets, axes, unit(corners[:, 1] - corners[:, 0]))
    assert (np.abs(offsets).max() > 0.01) == (kind != "solid")
    assert surface == pytest.approx(take.tracks[0].surface(FRAMES - 1), abs=1e-9)


def test_the_pc2_page_tells_the_header(tmp_path):
    body = bodies()["solid"]
    write_take(take_of(body), tmp_path / "bear.pc2")
    assert sorted(path.name for path in tmp_path.iterdir()) == [row[0].strip("`") for row in table("pc2.md", "written")]
    data = (tmp_path / "bear.pc2").read_bytes()
    types = {"12 characters": "12s", "int32": "i", "float32": "f"}
    values = []
    for span, kind, _ in table("pc2.md", "bytes"):
        first, last = map(int, span.split(" to "))
        field = struct.Struct("<" + types[kind])
        assert last - first + 1 == field.size
        values += field.unpack_from(data, first)
    points = len(body.skin.vertices)
    assert values == [b"POINTCACHE2\0", 1, points, 0.0, 1.0, FRAMES]
    assert len(data) == 32 + 12 * points * FRAMES
    assert f"A header of {last + 1} bytes" in text_of("pc2.md")


def test_the_csv_page_tells_the_columns(tmp_path):
    rest = meshes.box_arrays()[0]
    body = meshes.box(name="bear", poses={"squash": rest * (1, 0.5, 1), "twist": rest[:, [2, 1, 0]] * (1, 1, -1)})
    take = take_of(body)
    take.tracks[0].weights[0] = (1, 0, 0)
    write_take(take, tmp_path / "weights.csv")
    written = (tmp_path / "weights.csv").read_text().splitlines()
    shown = re.findall(r"^    (.*)$", text_of("weights-csv.md"), re.MULTILINE)[:2]
    assert written[:2] == shown
    named = [row[0].strip("`") for row in table("weights-csv.md", "column")]
    assert next(csv.reader(written))[:4] == named[:4]


def test_the_index_names_all_endings_and_pages():
    rows = table("README.md", "ending")

    def endings(cell: str) -> list[str]:
        return [name if name.startswith(".") else name.strip("/") for name in re.findall(r"`([^`]+)`", cell)]

    read = {ending for cell, into, _, _ in rows if into for ending in endings(cell)}
    written = {ending for cell, _, out, _ in rows if out for ending in endings(cell)}
    assert read == set(reading.READ_ENDINGS)
    assert written == {*WRITERS, MOVIE, HTML, PICTURE_FOLDER}
    linked = {link for *_, cell in rows for link in re.findall(r"\((.*?)\)", cell)}
    assert linked == {path.name for path in (DOCS / "formats").glob("*.md")} - {"README.md"}


def test_the_limits_are_the_true_ones():
    told = {row[0]: row[1] for row in table("README.md", "")}
    numbers = {what: float(text.split()[0].replace(",", "")) for what, text in told.items()}
    assert numbers == {
        "a file": limits.MOST_BYTES / 1e9,
        "vertices": limits.MOST_VERTICES,
        "faces, tets or segments": limits.MOST_ELEMENTS,
        "poses": limits.MOST_POSES,
        "positions in all poses, of a .glb or .usd": MOST_PLACES,
        "a picture": limits.MOST_PICTURE_BYTES / 1e6,
        "particles made from a file": MOST_PARTICLES,
    }
    assert usd.MOST_PLACES == MOST_PLACES
    assert f"about {PARTICLES} particles" in text_of("README.md")
    films = text_of("movies-and-pictures.md")
    assert f"{SMALLEST_SIDE} to {LARGEST_SIDE}" in films
    assert "{}x{}".format(*Options().size) in films


def test_the_numbers_of_a_page():
    told = text_of("html.md")
    assert f"1/{1 / RECORDED_STEP:,.0f} of the body's diagonal" in told
    assert f"more than {page.LARGEST_RECORDING // 2**20} MB" in told
    assert f"| scripts | {len(scripts.packed_scripts(page.ENTRY)) / 1e6:.1f} MB" in told
    assert f"where there are up to {SHOWN_GROUPS}; the first {MOST_BARS} of such" in told


def test_every_verdict_is_explained():
    assert [row[0] for row in table("from-blender-and-back.md", "verdict")] == list(get_args(Verdict))


def test_the_page_tells_how_long_a_fall_takes():
    from pliant.scene.default import SCENE_SECONDS
    from pliant.scene.schema import SceneWorld

    fps = SceneWorld().fps
    page = text_of("from-blender-and-back.md")
    assert SCENE_SECONDS == 4 and "four seconds" in page
    assert f"{round(SCENE_SECONDS * fps) + 1} frames" in page and f"End {round(SCENE_SECONDS * fps)}" in page


@pytest.mark.parametrize("leaf", PAGES)
def test_links_lead_somewhere(leaf):
    text = FENCE.sub("", text_of(leaf))
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    for link in links:
        name, _, place = link.partition("#")
        target = (PAGES[leaf].parent / name).resolve() if name else PAGES[leaf]
        assert target.is_file(), link
        if place:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert place in map(anchor, headings), link


def test_pages_keep_their_width():
    """Prose is wrapped as everywhere; rows of tables and commands cannot be."""
    long = [
        f"{name}: {line}"
        for name, path in PAGES.items()
        for line in FENCE.sub("", path.read_text(encoding="utf-8")).splitlines()
        if len(line) > 125 and not line.startswith("|")
    ]
    assert not long
    assert all(len(line) <= 125 for name in PAGES for body in blocks(name, "sh") for line in body.splitlines())
