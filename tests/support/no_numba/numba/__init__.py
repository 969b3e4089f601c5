"""A stand-in for Numba during `make quick`: it notes the test or module that imports it, then refuses."""

import os

with open(os.environ["DIAMONDS_QUICK"], "a", encoding="utf-8") as notes:
    test = os.environ.get("PYTEST_CURRENT_TEST") or os.environ.get("DIAMONDS_COLLECTING", "a program")
    notes.write(test.partition(" (")[0] + "\n")
raise ImportError("`make quick` runs without Numba")
