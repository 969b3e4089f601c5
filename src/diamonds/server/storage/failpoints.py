"""Places where a test may kill the server, or make it work in a wrong order on purpose.

``DIAMONDS_FAILPOINT=committed:7`` ends the process, as ``kill -9`` does, the seventh time it comes to the point
``committed``. ``DIAMONDS_FAILPOINT=publish_first`` turns the order round (told, then written), to show that the test would
notice. ``DIAMONDS_FAILPOINT=unwritten:3`` lets the third commit fail. Unset, as it always is outside tests, a point costs one look at a global.
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
    """Die here, if the test asked for it."""
    if should_fail(name):
        os.kill(os.getpid(), signal.SIGKILL)


def should_fail(name: str) -> bool:
    """Whether the test asked for a failure, here and now."""
    global _left
    if _name != name:
        return False
    _left -= 1
    return _left == 0


def has_mistake(name: str) -> bool:
    """Whether the test asked for this mistake."""
    return _name == name
