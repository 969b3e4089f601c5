"""The name of the test for which a shared worker process computes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def name() -> str:
    """Return what pytest calls the test that runs now."""
    return os.environ.get("PYTEST_CURRENT_TEST", "")


def run_as_test(test: str, job: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Run a job for a test: what the process does next, it does in that test's name."""
    os.environ["PYTEST_CURRENT_TEST"] = test
    return job(*given, **named)
