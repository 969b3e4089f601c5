"""A Wasm module with the answer of fourteen's network.

``python -m tests.support.network_module FILE`` builds it and prints its heap start. This takes a separate process,
because Numba needs other settings for such modules before it is imported.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from diamonds.wasm import PORTABLE_CODEGEN_ENV


def write_module(file: Path) -> int:
    """Write the module; return the first free address of its memory."""
    os.environ.update(PORTABLE_CODEGEN_ENV)
    import numba
    from numba import carray, types

    from diamonds.bots.games.fourteen import policy_network
    from diamonds.bots.search.compiled_adapter import compiled_adapter
    from diamonds.game import GAMES
    from diamonds.wasm import linker
    from diamonds.wasm.exports import WasmExport

    game = GAMES["fourteen"]
    compiled_adapter(game)  # lets compiled code call what the network needs
    network_answer, new_memory = policy_network.network_answer, policy_network.new_memory
    shape = policy_network.ROW_COUNT, policy_network.PACKED

    def answer(row, seat, luck, weights, out):
        carray(out, 1)[0] = network_answer(carray(row, 1)[0], seat, luck, new_memory(carray(weights, shape)))

    numbers = types.CPointer(types.int64)
    row_at = types.CPointer(numba.from_dtype(game.dtype))
    module = linker.link_module({"answer": WasmExport(answer, (row_at, types.int64, types.int64, numbers, numbers))})
    file.write_bytes(module.code)
    return module.heap_start


if __name__ == "__main__":
    sys.stdout.write(f"{write_module(Path(sys.argv[1]))}\n")
