"""Draw the icons of the installed app from the page's icon; needs Chromium: ``python web/build-tools/icons.py``.

Maskable icons have a square background: systems cut them to their own shape, and the inner 80 % holds the whole crystal.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

WEB = Path(__file__).resolve().parents[1]
ROUND, SQUARE = 'rx="7"', 'rx="0"'  # corners of the background
ICONS = {  # size in pixels and corners, by file name
    "icon-192": (192, ROUND),
    "icon-512": (512, ROUND),
    "maskable-192": (192, SQUARE),
    "maskable-512": (512, SQUARE),
    "apple-touch-icon": (180, SQUARE),
}


def draw(chromium: str) -> None:
    """Draw all icons with this Chromium."""
    icon = (WEB / "src" / "icon.svg").read_text(encoding="utf-8")
    folder = WEB / "public" / "icons"
    folder.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        for name, (size, corners) in ICONS.items():
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{icon.replace(ROUND, corners)}"
            )
            page.screenshot(path=folder / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    sys.path.insert(0, str(WEB.parent / "tests" / "browser"))
    import chromium

    found = chromium.find()
    if found is None:
        sys.exit(chromium.MISSING)
    draw(found)
