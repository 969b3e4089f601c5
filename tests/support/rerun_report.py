"""Reports why a test failed on its first try, even if it passed on the second."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the failure of each first try."""
    if tried := terminalreporter.getreports("rerun"):
        terminalreporter.section("tried again")
    for report in tried:
        terminalreporter.section(report.nodeid, "-")
        terminalreporter.line(report.longreprtext)
