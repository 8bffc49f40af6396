"""sweep.html in a real browser, from a file: sorted, plotted, filtered, and the film of the row under the mouse."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from pliant.sweeps.assets import Assets
from pliant.sweeps.best import best_of
from pliant.sweeps.films import FILM_SIZE, sheet
from pliant.sweeps.grid import grid_of
from pliant.sweeps.page import command_of, page_of
from pliant.sweeps.plan import Estimate, Plan
from pliant.sweeps.table import SweepTable
from pliant.sweeps.task import Job

SETTINGS = ["body.stiffness=1..3", "body.poses.low=on,off"]


def made() -> tuple[Plan, SweepTable, dict[str, bytes]]:
    """Six rows; the softer, the nearer. A film is as bright as its number; one row has failed."""
    grid = grid_of(SETTINGS)
    plan = Plan("bar.toml", Job("out", "engine"), Assets("bar", "", "", ".", {}, ""), grid, Estimate(9, 1.0, 1.0), ())
    results, films = [], {}
    for number, row in enumerate(grid):
        near = row["body.stiffness"] / 10 + (0.3 if row["body.poses.low"] == "off" else 0.0)
        result = {"row": number, "key": f"k{number}", "settings": row, "run": {"realtime": 2.0}, "error": "",
                  "measures": {"near(low)": near, "rest_time": 5.0 - number, "passed": number < 3}}  # fmt: skip
        if number == 5:
            result |= {"error": "<b>it diverged</b>", "measures": {}}
        else:
            films[f"k{number}"] = sheet([np.full((FILM_SIZE[1], FILM_SIZE[0], 3), 40 * number, np.uint8)] * 8)
            result["film"] = {"pictures": 8, "stills": [0, 7], "seconds": 0.8}
        results.append(result)
    return plan, SweepTable.of(grid.keys, results), films


def test_the_command_of_a_row_bakes_it_alone() -> None:
    plan, table, _ = made()
    wanted = "pliant bake bar.toml --set body.stiffness=2 --set body.poses.low=off -o row-3.glb"
    assert command_of(plan, table.rows[3]["settings"], 3) == wanted


def test_nothing_in_a_name_can_end_the_script() -> None:
    plan, table, films = made()
    text = page_of(plan, table, films, None).decode()
    assert "<b>it diverged" not in text and "</b>" not in text
    assert text == page_of(plan, table, films, None).decode()


@pytest.mark.browser
def test_a_page_of_rows(page: Page, tmp_path: Path) -> None:
    plan, table, films = made()
    best = best_of("near(low) < 0.35, rest_time")
    path = tmp_path / "sweep.html"
    path.write_bytes(page_of(plan, table.best(best), films, best))
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri())
    rows, film = page.locator("tbody tr"), page.locator("#film")

    def order() -> list[str]:
        return [row.get_attribute("data-row") or "" for row in rows.all()]

    expect(page.locator("#count")).to_have_text("6 rows, sorted by near(low) < 0.35, rest_time")
    assert order() == ["4", "2", "0", "3", "1", "5"]
    # Every column sorts, both ways; what is missing comes last.
    page.get_by_role("button", name="near(low)", exact=True).click()
    assert order() == ["0", "2", "4", "1", "3", "5"]
    page.get_by_role("button", name="near(low)", exact=True).click()
    assert order() == ["3", "1", "4", "2", "0", "5"]
    expect(page.locator("th[aria-sort=descending]")).to_have_text("near(low)")
    # The film of the row under the mouse plays, and is that one.
    for number in (3, 1):
        page.locator(f'tbody tr[data-row="{number}"]').hover()
        expect(page.locator("#caption")).to_have_text(f"{number}   stiffness {number // 2 + 1}   low off")
        expect(film).to_have_attribute("data-at", re.compile("[1-9]"))
        assert len(film.evaluate("each => getComputedStyle(each).backgroundImage")) > 100
        pixels = np.asarray(Image.open(io.BytesIO(film.screenshot())).convert("L"))
        assert abs(float(np.median(pixels)) - 40 * number) < 6
    expect(page.locator("code")).to_contain_text("--set body.stiffness=1 --set body.poses.low=off -o row-1.glb")
    # A click keeps it; the plot shows the same row.
    page.locator('tbody tr[data-row="2"]').click()
    expect(page.locator("tr.kept")).to_have_attribute("data-row", "2")
    expect(page.locator("circle.here")).to_have_attribute("data-row", "2")
    # Any measure over any setting.
    assert page.locator("circle").count() == 5
    page.locator("#up").select_option("rest_time")
    page.locator("#across").select_option("body.poses.low")
    page.locator("#colour").select_option("body.stiffness")
    places = {each.get_attribute("data-row"): each.get_attribute("cx") for each in page.locator("circle").all()}
    assert places["0"] == places["2"] == places["4"] != places["1"] == places["3"]
    page.locator('circle[data-row="4"]').hover()
    expect(page.locator("#caption")).to_have_text("4   stiffness 3   low on")
    page.locator("#filter").fill("low off")
    assert [row.get_attribute("data-row") for row in rows.all() if row.is_visible()] == ["3", "1", "5"]
    assert not said
