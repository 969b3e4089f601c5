"""The name of the test for which a shared worker process computes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def name() -> str:
    """Return pytest's id of the running test."""
    return os.environ.get("PYTEST_CURRENT_TEST", "")


def run_as_test(test: str, job: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Run a job in the name of a test, which the worker process keeps until the next job."""
    os.environ["PYTEST_CURRENT_TEST"] = test
    return job(*given, **named)
