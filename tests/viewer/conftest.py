"""Servers of the small gallery, each in a process of its own, and the page that the tests of a file share."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page

from pliant.runtime.data_folder import DATA_VARIABLE
from viewer.exhibits import FORGET
from viewer.pages import FAILED

SPOILED = pytest.StashKey[bool]()  # of the session: the page has to be made anew
# Without a graphics card each picture costs a processor what many tests need: so pages draw some ten a second, without
# smooth edges, and each of their pixels stands for four.
COARSE = 0.5
CALM = """{
    const draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (task) => setTimeout(() => draw(task), 100);
    window.cancelAnimationFrame = (task) => clearTimeout(task);
    const open = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, options) {
        return open.call(this, kind, kind.startsWith("webgl") ? { ...options, antialias: false } : options);
    };
}"""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.config.stash[SPOILED] = True  # it is not known how it has left the page
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


class Kept:
    """One page for test after test: to load it takes seconds, to put it back a moment. Made anew after a failure. Pages
    of files that follow one another are made in one context, so that scripts are read and shaders compiled once."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.options: dict[str, Any] = {}
        self.context: BrowserContext | None = None
        self.page: Page | None = None

    def get(self, options: dict[str, Any]) -> Page:
        if options != self.options:
            self.close()
            self.options = options
        if self.context is None:
            self.context = self.browser.new_context(**options, device_scale_factor=COARSE)
            self.context.add_init_script(CALM)
        if self.page is None:
            self.page = self.context.new_page()
        return self.page

    def leave(self) -> None:
        """The page goes, and what it kept in the browser; whatever was done to the exhibit is soon forgotten."""
        page, self.page = self.page, None
        if page is not None:
            with suppress(Error):  # it may be gone already
                page.evaluate("() => { try { localStorage.clear(); sessionStorage.clear(); } catch {} }")
                page.context.clear_cookies()
                for each in page.context.pages:
                    each.close()

    def close(self) -> None:
        self.page = None
        context, self.context = self.context, None
        if context is not None:
            with suppress(Error):
                context.close()

    def discard(self) -> None:
        """And whatever was done to the exhibit on the server."""
        self.close()
        time.sleep(3 * FORGET)


@pytest.fixture(scope="session")
def kept(browser: Browser) -> Iterator[Kept]:
    kept = Kept(browser)
    yield kept
    kept.close()


@pytest.fixture(scope="module")
def _left(kept: Kept) -> Iterator[None]:
    """A file begins with a page of its own, and with an exhibit as it was."""
    yield
    kept.leave()
    time.sleep(2 * FORGET)


@pytest.fixture
def page(kept: Kept, _left: None, browser_context_args: dict[str, Any], request: pytest.FixtureRequest) -> Page:
    """In place of pytest-playwright's, which is a new one for each test."""
    if request.config.stash.get(SPOILED, False):
        request.config.stash[SPOILED] = False
        kept.discard()
    return kept.get(browser_context_args)


@contextmanager
def serving(*options: str, end: signal.Signals = signal.SIGTERM, data: Path | None = None) -> Iterator[str]:
    """The address of a server that ends with the block, by a signal; as it is printed if it carries a token. data:
    where it keeps what people make; a folder of its own if none is given."""
    if data is None:
        with TemporaryDirectory() as folder, serving(*options, end=end, data=Path(folder)) as address:
            yield address
        return
    environment = {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}
    environment[DATA_VARIABLE] = str(data)
    command = [sys.executable, str(Path(__file__).with_name("exhibits.py")), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"(http://127\.0\.0\.1:\d+)/(\S*)", line)
        assert found, f"the server said {line!r}"
        yield found.group() if "?" in found[2] else found[1]
    finally:
        process.send_signal(end)
        process.wait(60)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving("--forgetful") as address:
        yield address


@dataclass(frozen=True)
class Slow:
    """A server that compiles until it is told to finish."""

    address: str
    file: Path

    def finish(self) -> None:
        self.file.touch()


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Slow]:
    file = tmp_path / "compiled"
    with serving(f"--slow-until={file}") as address:
        yield Slow(address, file)
