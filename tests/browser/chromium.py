"""Find a Chromium for the browser tests, or fetch one where that is possible: ``python tests/browser/chromium.py``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The browser tests need a Chromium: on Debian, `apt-get install chromium` as root; elsewhere, "
    "`.venv/bin/playwright install --with-deps chromium`."
)


def find() -> str | None:
    """The path of a Chromium: the machine's own, or the one that Playwright fetched."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def fetch() -> None:
    """Debian's package when root, else Playwright's own."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        steps = [
            ["apt-get", "update", "-qq"],
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
        ]
    else:
        steps = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    for step in steps:
        subprocess.run(step, capture_output=True, check=False)


if __name__ == "__main__":
    if find() is None:
        sys.stdout.write("Fetching Chromium for the browser tests ...\n")
        sys.stdout.flush()
        fetch()
    if find() is None:
        sys.stdout.write(MISSING + "\n")
