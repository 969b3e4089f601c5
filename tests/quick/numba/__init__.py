"""What stands in Numba's place in `make quick`: nobody there may want it, neither a test nor a program that a test starts."""

import os

with open(os.environ["DIAMONDS_QUICK"], "a", encoding="utf-8") as wanted:
    wanted.write(os.environ.get("PYTEST_CURRENT_TEST", "the collection of tests").partition(" (")[0] + "\n")
raise ImportError("make quick does without kernels")
