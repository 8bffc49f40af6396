"""`pliant bake -o shot.html`, opened as a file, without any network: it draws, plays and is scrubbed."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from pliant import cli
from pliant.session.player.page import read_recording
from pliant.session.player.unpacked import Unpacked
from viewer.pages import no_complaints as no_complaints
from viewer.pages import wait_until
from viewer.player.players import Player, differ

pytestmark = pytest.mark.browser
FRAMES = 90


@pytest.fixture(scope="module")
def baked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("baked") / "shot.html"
    assert cli.main(["bake", "gallery:twist-bar", "--frames", str(FRAMES), "-o", str(path), "--quiet"]) == 0
    return path


@pytest.fixture
def player(page: Page, baked: Path) -> Iterator[Player]:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    page.goto(baked.as_uri())
    yield Player(page)
    page.context.set_offline(False)
    assert {url.partition(":")[0] for url in asked} == {"file", "blob"}


def test_it_draws_plays_and_is_scrubbed(player: Player, page: Page, baked: Path) -> None:
    recorded = Unpacked(read_recording(baked))
    assert page.title() == "A bar that twists when it lands"
    assert player.ask("view.reel.playing")
    begun = player.time
    player.until(f"view.shown.time > {begun} + 0.05 || view.shown.time < {begun}")  # it plays, again and again

    player.seek(0.0)
    falling = player.photograph()
    assert differ(falling, np.broadcast_to(falling[3, 3], falling.shape)) > 0.05  # something is drawn
    box = player.find(".timeline-track").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
    player.until("!view.reel.playing && !view.stale && !view.dirty")
    middle = (FRAMES - 1) / recorded.fps / 2
    assert abs(player.time - middle) < 0.02
    assert differ(player.photograph(), falling) > 0.01

    for number in (0, 45, 60):
        player.seek(number / recorded.fps)
        np.testing.assert_allclose(player.weights(), recorded.numbers[number], atol=0.006)
        ((positions, _),) = recorded.moment(number)
        shown = np.array(player.ask("Array.from(view.skins.particles)")).reshape(-1, 4)
        np.testing.assert_allclose(shown[:, :3], positions, atol=1e-6)
    between = 45.5 / recorded.fps  # slow motion glides
    player.seek(between)
    mean = (recorded.moment(45)[0][0] + recorded.moment(46)[0][0]) / 2
    shown = np.array(player.ask("Array.from(view.skins.particles)")).reshape(-1, 4)
    np.testing.assert_allclose(shown[:, :3], mean, atol=1e-5)


def test_hands_keys_and_themes(player: Player, page: Page) -> None:
    player.seek(0.7)
    still = player.photograph()
    x, y = player.middle()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 120, y + 20, steps=4)
    page.mouse.up()
    wait_until(lambda: differ(player.photograph(), still) > 0.01, "another view")
    page.mouse.move(1, 1)

    player.find(".timeline-button").click()
    player.until("view.reel.playing")
    page.keyboard.press("Space")
    player.until("!view.reel.playing")
    player.tell(do="seek", time=0.0)
    page.keyboard.press("ArrowRight")
    player.until("Math.abs(view.shown.time - 1 / 60) < 1e-6")
    player.find(".pliant-speed").select_option("0.125")
    assert player.ask("view.reel.speed") == 0.125

    page.emulate_media(color_scheme="dark")
    player.until("view.root.classList.contains('dark') && !view.dirty")
    assert player.photograph()[3, 3].max() < 80
    page.emulate_media(color_scheme="light")
    player.until("!view.root.classList.contains('dark') && !view.dirty")
    assert player.photograph()[3, 3].min() > 180
