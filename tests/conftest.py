"""What all tests share."""

import os
from typing import Any

import pytest
from hypothesis import settings

import browser

# Kernels compile when first called, which no deadline foresees; CI tries the same examples every time.
settings.register_profile("pliant", deadline=None, max_examples=50, derandomize="CI" in os.environ)
settings.load_profile("pliant")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """How pytest-playwright starts the browser: this machine's own, WebGL drawn by the processor."""
    options = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")  # Chromium's sandbox refuses to run for root
    path = browser.find()
    return {**browser_type_launch_args, "args": options, **({"executable_path": path} if path else {})}
