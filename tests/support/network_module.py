"""A Wasm module with the answer of a game's network, and that answer in Node.

``python -m tests.support.network_module fourteen FILE`` builds it and prints its heap start. This takes a separate process,
because Numba needs other settings for such modules before it is imported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from diamonds.wasm import PORTABLE_CODEGEN_ENV
from tests.support import node

ANSWERS_SCRIPT = node.REPO_ROOT / "tests" / "node" / "answers.mjs"


def build_module(name: str, file: Path) -> str:
    """Write the module in a process of its own; return the first free address of its memory."""
    command = [sys.executable, "-m", "tests.support.network_module", name, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=node.REPO_ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def answers_in_node(file: Path, heap_start: str, weights: Any, cases: Iterable[tuple[Any, int]]) -> list[int]:
    """Return the network's answers to views, each with its luck, by a module in Node."""
    questions = [
        {"row": list(map(str, memoryview(view.row.tobytes()).cast("q"))), "seat": view.seat, "luck": str(luck)}
        for view, luck in cases
    ]
    text = json.dumps({"weights": list(map(str, weights.ravel().tolist())), "questions": questions})
    done = node.run_node(ANSWERS_SCRIPT, str(file), heap_start, stdin_text=text)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def write_module(name: str, file: Path) -> int:
    """Write the module; return the first free address of its memory."""
    os.environ.update(PORTABLE_CODEGEN_ENV)
    import numba
    from numba import carray, types

    from diamonds.bots.games import fourteen, mines
    from diamonds.bots.search.compiled_adapter import compiled_adapter
    from diamonds.game import GAMES
    from diamonds.wasm import linker
    from diamonds.wasm.exports import WasmExport

    game = GAMES[name]
    compiled_adapter(game)  # lets compiled code call what the network needs
    policy_network = {"fourteen": fourteen.policy_network, "mines": mines.policy_network}[name]
    network_answer, new_memory = policy_network.network_answer, policy_network.new_memory
    shape = policy_network.ROW_COUNT, policy_network.PACKED

    def answer_by_luck(row, seat, luck, weights, out):
        carray(out, 1)[0] = network_answer(carray(row, 1)[0], seat, luck, new_memory(carray(weights, shape)))

    def answer_without_luck(row, seat, luck, weights, out):
        carray(out, 1)[0] = network_answer(carray(row, 1)[0], seat, new_memory(carray(weights, shape)))

    answer = answer_by_luck if name == "fourteen" else answer_without_luck

    numbers = types.CPointer(types.int64)
    row_at = types.CPointer(numba.from_dtype(game.dtype))
    module = linker.link_module({"answer": WasmExport(answer, (row_at, types.int64, types.int64, numbers, numbers))})
    file.write_bytes(module.code)
    return module.heap_start


if __name__ == "__main__":
    sys.stdout.write(f"{write_module(sys.argv[1], Path(sys.argv[2]))}\n")
