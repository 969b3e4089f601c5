"""A stand-in for Numba during `make quick`: notes the importing test and code, then refuses."""

import os
import traceback

test = os.environ.get("PYTEST_CURRENT_TEST") or os.environ.get("DIAMONDS_COLLECTING", "a program")
callers = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_stack() if "/diamonds/" in frame.filename]
with open(os.environ["DIAMONDS_QUICK"], "a", encoding="utf-8") as notes:
    notes.write(f"{test.partition(' (')[0]}, in {' '.join(callers[-4:])},\n")
raise ImportError("`make quick` runs without Numba")
