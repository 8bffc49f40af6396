"""Servers of the small gallery, each in a process of its own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

# Without a graphics card each picture costs a processor what many tests need: so pages draw some twenty a second.
CALM = """{
    const draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (task) => setTimeout(() => draw(task), 35);
    window.cancelAnimationFrame = (task) => clearTimeout(task);
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A page that did not get its turn on a busy machine is given a second chance; one that is wrong fails again."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError"]))


@pytest.fixture
def context(context: BrowserContext) -> BrowserContext:
    context.add_init_script(CALM)
    return context


@contextmanager
def serving(*options: str, end: signal.Signals = signal.SIGTERM) -> Iterator[str]:
    """The address of a server that ends with the block, by a signal."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}
    command = [sys.executable, str(Path(__file__).with_name("exhibits.py")), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, f"the server said {line!r}"
        yield found.group()
    finally:
        process.send_signal(end)
        process.wait(60)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def slow_address() -> Iterator[str]:
    """A server that takes seconds to compile."""
    with serving("--slow") as address:
        yield address
