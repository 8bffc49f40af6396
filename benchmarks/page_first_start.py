"""The page's first start: `python benchmarks/page_first_start.py [--runs 1] [--json] [--quick]`.

A server begins with an empty cache of kernels. Chromium opens the gallery as soon as there is an address, goes to the
first exhibit as soon as its card is there, and the clock runs until a second frame of it is drawn whose particles are
elsewhere than in the first: it moves. Told are seconds since the command was given, at each of these, and since the
page was opened; then the same with what the first start has left in the cache. At most 15 s from the page to the
motion, on two cores that have nothing else to do; ends with code 1 if it is more. --quick takes the cache as it is, to
see that it runs: then nothing is judged.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from viewer_stage import START, server_of

MOST = 15.0  # seconds
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
CARD = ".card"
STAGES = ("address", "gallery", "card", "exhibit", "frame", "motion")
# How far the particles of the frame that is shown are from those of the first one.
MOVED = """() => {
    const view = document.querySelector('.viewport')?.view, now = view?.shown && view.skins?.particles;
    if (!now?.length) return false;
    window.first ??= Array.from(now);
    return Math.max(...window.first.map((x, i) => Math.abs(now[i] - x))) > 1e-3;
}"""


def opened(browser: Browser) -> dict[str, float]:
    """Seconds from the command to each stage."""
    begun = time.perf_counter()
    passed: dict[str, float] = {}

    def note(stage: str) -> None:
        passed[stage] = time.perf_counter() - begun

    command = [sys.executable, "-c", START, "view", "--no-browser", "--port", "0"]
    with server_of(command, "") as (server, _):
        note("address")
        page = browser.new_page(viewport={"width": 900, "height": 600})
        page.set_default_timeout(300_000)
        page.goto(server.address)
        note("gallery")
        card = page.locator(CARD).first
        card.wait_for()
        note("card")
        card.click()
        page.wait_for_selector(".viewport")
        note("exhibit")
        page.wait_for_function("document.querySelector('.viewport')?.view?.shown")
        note("frame")
        page.wait_for_function(MOVED)
        note("motion")
        page.close()
    return passed


def measure(runs: int, quick: bool) -> dict[str, Any]:
    """The fastest of some first starts, and of as many second ones."""
    found: dict[str, list[dict[str, float]]] = {"first": [], "second": []}
    installed = os.environ.get("PLIANT_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    options = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed, args=options)
        for _ in range(runs):
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                if not quick:
                    os.environ["PLIANT_CACHE"] = folder
                found["first"].append(opened(browser))
                if not quick:
                    found["second"].append(opened(browser))
        browser.close()
    return {name: min(each, key=lambda run: run["motion"] - run["address"]) for name, each in found.items() if each}


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--runs", type=int, default=1)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--quick", action="store_true")
    given = arguments.parse_args()
    result = measure(1 if given.quick else given.runs, given.quick)
    waited = result["first"]["motion"] - result["first"]["address"]
    if given.json:
        print(json.dumps(result, indent=2))
    else:
        print("seconds since the command\n\n| start |", " | ".join(STAGES), "| since the page was opened |")
        print("| --- |", " ---: |" * (len(STAGES) + 1))
        for name, passed in result.items():
            cells = [f"{passed[stage]:.1f}" for stage in STAGES]
            print(f"| {name} |", " | ".join(cells), f"| {passed['motion'] - passed['address']:.1f} |")
        if not given.quick:
            print("\nOK" if waited <= MOST else f"\nFAIL: more than {MOST:g} s")
    return 0 if given.quick or waited <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
