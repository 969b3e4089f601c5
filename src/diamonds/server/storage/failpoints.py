"""Failpoints: places where a test can kill the server or make it fail on purpose.

`DIAMONDS_FAILPOINT=committed:7` kills the process, like `kill -9`, the seventh time it reaches the point `committed`.
`DIAMONDS_FAILPOINT=unwritten:3` makes the third commit fail. Without the variable, a point costs only one comparison.
"""

from __future__ import annotations

import os
import signal

_name, _, _count = os.environ.get("DIAMONDS_FAILPOINT", "").partition(":")
_left = int(_count or 1)


def arm(setting: str) -> None:
    """Set the failpoint of this process."""
    global _name, _left
    _name, _, count = setting.partition(":")
    _left = int(count or 1)


def reach(name: str) -> None:
    """Kill the process if the test has requested it."""
    if should_fail(name):
        os.kill(os.getpid(), signal.SIGKILL)


def should_fail(name: str) -> bool:
    """Return whether the test has requested a failure here and now."""
    global _left
    if _name != name:
        return False
    _left -= 1
    return _left == 0
