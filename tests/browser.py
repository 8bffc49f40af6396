"""The browser that the page tests drive: found on this machine, or installed by `python tests/browser.py`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON_A_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def find() -> str | None:
    """The path of a Chromium or Chrome that starts, or None."""
    candidates = [os.environ.get("PLIANT_BROWSER"), *map(shutil.which, NAMES), ON_A_MAC]
    # Some systems have a `chromium-browser` that only says where to get one: hence the try.
    return next((path for path in candidates if path and succeeds([path, "--version"])), None)


def find_or_install() -> bool:
    """Whether there is a browser in the end: one that is here, the system's package, or Playwright's own."""
    if find():
        return True
    print("Installing Chromium for the page tests.", flush=True)
    if install("chromium") and find():
        return True
    return succeeds([sys.executable, "-m", "playwright", "install", "chromium"])


def install(*packages: str) -> bool:
    """Whether the system's package manager could be asked, and did it."""
    if not shutil.which("apt-get"):
        return False
    become_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    apt = [*become_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    succeeds([*apt, "update"])
    return succeeds([*apt, "install", "--yes", "--no-install-recommends", *packages])


def succeeds(command: Sequence[str]) -> bool:
    try:
        run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError:
        return False
    return run.returncode == 0


if __name__ == "__main__" and not find_or_install():
    sys.exit("The page tests need a browser: install Chromium or Chrome, or set PLIANT_BROWSER to its path.")
