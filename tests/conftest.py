"""What all tests share."""

import os
from typing import Any

import pytest
from hypothesis import settings

import browser
from order import arranged

# Kernels compile when first called, which no deadline foresees; CI tries the same examples every time.
settings.register_profile("pliant", deadline=None, max_examples=50, derandomize="CI" in os.environ)
settings.load_profile("pliant")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        pages = [item for item in items if item.get_closest_marker("browser")]
        others = [item for item in items if not item.get_closest_marker("browser")]
        slow = [item for item in others if item.get_closest_marker("slow")]
        items[:] = arranged(pages, slow, [item for item in others if not item.get_closest_marker("slow")], workers)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """How pytest-playwright starts the browser: this machine's own, WebGL drawn by the processor. What is around it is
    drawn without WebGL, which takes a third of the time where there is no graphics card."""
    options = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"]
    options.append("--disable-background-networking")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")  # Chromium's sandbox refuses to run for root
    path = browser.find()
    return {**browser_type_launch_args, "args": options, **({"executable_path": path} if path else {})}
