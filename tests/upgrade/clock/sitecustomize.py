"""Sets the clock of a program that a test starts: Python imports this module before the program.

`UPGRADE_CLOCK` is the offset from the machine's clock, in seconds.
"""

from __future__ import annotations

import os
import time

OFFSET = float(os.environ.get("UPGRADE_CLOCK", "0"))
OFFSET_NS = int(OFFSET * 1e9)

_time, _time_ns = time.time, time.time_ns
time.time = lambda: _time() + OFFSET
time.time_ns = lambda: _time_ns() + OFFSET_NS
