"""docs/security.md names an existing test for each of its statements."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_tests_named_on_the_security_page_exist():
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    found = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(named) > 40, "expected tests in backticks on the page"
    assert named <= found, f"docs/security.md names tests that do not exist: {sorted(named - found)}"


def test_attacks_on_the_security_page_name_their_tests():
    section = PAGE.partition("\n## Attacks\n")[2].partition("\n## ")[0]
    items = re.findall(r"^- (.*(?:\n  .*)*)", section, re.MULTILINE)
    assert len(items) > 25, "expected an item for each attack"
    for item in items:
        assert "`test_" in item or "measured: `make bench" in item, f"no test covers this attack: {item}"


def test_security_page_is_linked_from_the_entry_pages():
    for path in ("README.md", "docs/hosting.md", "docs/architecture.md"):
        assert "security.md)" in (ROOT / path).read_text(encoding="utf-8"), f"{path} does not link to docs/security.md"
