"""Where a browser test had waited that was tried once more: nothing else would say so, for the second time it passed."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show what ended each first try, as that of a test that failed."""
    if tried := terminalreporter.getreports("rerun"):
        terminalreporter.section("tried again")
    for report in tried:
        terminalreporter.section(report.nodeid, "-")
        terminalreporter.line(report.longreprtext)
