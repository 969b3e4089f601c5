"""Find a Chromium for the browser tests, or install one if possible: ``python tests/browser/ensure_chromium.py``."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHELL_NAME = "chromium-headless-shell"  # the same engine without windows and menus, which needs a quarter less CPU time
MISSING_MESSAGE = (
    "The browser tests need a Chromium: on Debian, `apt-get install chromium` as root; elsewhere, "
    "`.venv/bin/playwright install --with-deps chromium`."
)


def find() -> str | None:
    """Return the path of the machine's Chromium, or of Playwright's."""
    for name in PROGRAM_NAMES:
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def find_shell() -> str | None:
    """Return the path of Chromium's headless shell, or of the complete Chromium if there is none."""
    return shutil.which(SHELL_NAME) or find()


def can_use_apt() -> bool:
    """Return whether Debian packages can be installed."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install_chromium() -> None:
    """Install Debian's packages if run as root, otherwise Playwright's Chromium."""
    if can_use_apt():
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        # Separate steps, so that Chromium is installed even if the headless shell has no package.
        steps = [["apt-get", "update", "-qq"], [*install, "chromium"], [*install, SHELL_NAME]]
    else:
        steps = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    for step in steps:
        subprocess.run(step, capture_output=True, check=False)


if __name__ == "__main__":
    if find() is None or (can_use_apt() and not shutil.which(SHELL_NAME)):
        sys.stdout.write("Fetching Chromium for the browser tests ...\n")
        sys.stdout.flush()
        install_chromium()
    if find() is None:
        sys.stdout.write(MISSING_MESSAGE + "\n")
