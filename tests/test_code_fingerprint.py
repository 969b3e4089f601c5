"""Fingerprints of kernels: a kernel is recompiled if and only if its code changes."""

import os
import subprocess
import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any

import pytest

from diamonds import jit
from diamonds.bots.search import endgame, search
from diamonds.code_fingerprint import fingerprint
from diamonds.game import GAMES
from diamonds.rules import crystals, fourteen, mines

pytestmark = pytest.mark.kernels

SOURCE = """
    import collections
    import numpy as np
    TABLE = np.arange(5)
    LIMIT = 3
    UNUSED = 1
    Pair = collections.namedtuple("Pair", "one other")
    PAIR = Pair(1, 2)

    def helper(x):
        \"\"\"What it does.\"\"\"
        return TABLE[x] + LIMIT

    def unused(x):
        return x

    def kernel(x, pair: "Pair" = PAIR):
        \"\"\"What it is for.\"\"\"
        small = [helper(k) for k in range(x + pair.one)]
        return "few" if len(small) < 2 else "many"
"""


def source_fingerprint(*edits: tuple[str, str]) -> str:
    """Return the fingerprint of the kernel in the source after these edits."""
    text = textwrap.dedent(SOURCE)
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    module = types.ModuleType("tests.made_up")
    exec(compile(text, "made_up.py", "exec"), vars(module))
    return fingerprint([vars(module)["kernel"]])


@pytest.mark.parametrize(
    "edit",
    [
        ("def helper", "# a comment\n\n\ndef helper"), ("What it does.", "What it really does."),
        ("What it is for.", "What for."), ("UNUSED = 1", "UNUSED = 2"), ("return x\n", "return x + 1\n"),
    ],
    ids=[
        "a comment", "a docstring of what it calls", "its docstring", "a constant that it does not use",
        "a function that it does not call",
    ],
)  # fmt: skip
def test_unreachable_code_does_not_change_a_fingerprint(edit):
    assert source_fingerprint(edit) == source_fingerprint()


@pytest.mark.parametrize(
    "edit",
    [
        ("len(small) < 2", "len(small) < 3"), ("len(small) < 2", "len(small) <= 2"), ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = 3.0"), ("TABLE[x] + LIMIT", "TABLE[x] - LIMIT"), ("arange(5)", "arange(5) + 1"),
        ("arange(5)", "arange(5, dtype=np.int16)"), ('"few"', '"none"'), ("helper(k) for", "helper(k + 1) for"),
        ("one other", "other one"),
    ],
    ids=[
        "a number", "a comparison", "a constant elsewhere", "its kind", "what it calls", "a table", "a table's type",
        "a text", "a list", "the order of a named tuple",
    ],
)  # fmt: skip
def test_dependencies_change_a_fingerprint(edit):
    assert source_fingerprint(edit) != source_fingerprint()


def with_other_body(function: Callable[..., Any]) -> Any:
    return types.FunctionType((lambda *given: 0).__code__, vars(mines), function.__name__, None, None)


def kernel_fingerprints(game: str) -> list[str]:
    """Return the fingerprints of a game's most important kernels."""
    made = [*jit.game_kernels(GAMES[game]), search.compiled_decide(GAMES[game]), endgame.compiled_solve(GAMES[game])]
    return [fingerprint([one.py_func]) for one in made]


@pytest.mark.parametrize("changed", [crystals, fourteen, mines], ids=lambda rules: rules.NAME)
def test_changed_game_recompiles_only_its_own_kernels(changed, monkeypatch):
    before = {name: kernel_fingerprints(name) for name in GAMES}
    monkeypatch.setattr(changed, "ask_seat" if changed is mines else "win_trick", with_other_body(changed.step))
    for name in GAMES:
        same = [one == other for one, other in zip(kernel_fingerprints(name), before[name], strict=True)]
        if name == changed.NAME:
            assert 1 <= sum(same) <= 2, "expected all kernels to reach it, except those that list or deal"
        else:
            assert all(same), f"a change in {changed.NAME} recompiles {name}"


def test_fingerprint_is_equal_in_every_process():
    """Fingerprints contain paths, but must not depend on set order or memory addresses."""
    code = (
        "from diamonds.bots.search import search; from diamonds.code_fingerprint import fingerprint; "
        "from diamonds.game import GAMES; print(fingerprint([search.compiled_decide(GAMES['mines']).py_func]))"
    )
    found = set()
    for seed in ("1", "2"):
        seeded = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=seeded)
        found.add(done.stdout.strip())
    assert found == {fingerprint([search.compiled_decide(GAMES["mines"]).py_func])}
