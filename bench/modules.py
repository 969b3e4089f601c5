"""Size and speed of the browser modules: random playouts and decisions of level 5 in Node, and as native kernels.

Both are measured by CPU time, in one run, one after the other. The answers and their numbers must be equal. Chromium
runs modules with the same engine as Node.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

GAMES, MODULE_KINDS = ("crystals", "fourteen", "mines"), ("play", "thinking", "review", "reasons")
PLAYOUT_COUNTS = {"crystals": 2_000, "fourteen": 2_000, "mines": 10_000}


def link_playouts(folder: Path) -> None:
    """Build a module of each game's random playouts, in a process that has not yet imported Numba."""
    from diamonds.wasm import PORTABLE_CODEGEN_ENV

    os.environ.update(PORTABLE_CODEGEN_ENV)
    import numba
    import numpy as np
    from numba import carray, types  # type: ignore[attr-defined]
    from numba.extending import register_jitable

    from diamonds import jit
    from diamonds.fields import MAX_SEATS
    from diamonds.game import find_game
    from diamonds.wasm import linker
    from diamonds.wasm.exports import INT64, INT64_PTR, WasmExport

    def offered(game: Any) -> dict[str, WasmExport]:
        playouts_of: Any = register_jitable(jit.game_kernels(game).playouts.py_func)  # type: ignore[attr-defined]

        def playouts(row, games, bits, scores, out):  # type: ignore[no-untyped-def]
            rng = np.array([np.uint64(bits)])
            carray(out, 1)[0] = playouts_of(carray(row, 1), games, rng, 1_000_000, carray(scores, MAX_SEATS))

        row_at = types.CPointer(numba.from_dtype(game.dtype))  # type: ignore[no-untyped-call]
        return {"playouts": WasmExport(playouts, (row_at, INT64, INT64, INT64_PTR, INT64_PTR))}

    for name in GAMES:
        module = linker.link_module(offered(find_game(name)))
        (folder / f"{name}.wasm").write_bytes(module.code)
        (folder / f"{name}.free").write_text(str(module.heap_start))


def random_decisions(name: str, number: int) -> list[Any]:
    """Return positions with a choice, from random games with the default number of seats."""
    import random

    from tests.support.random_positions import Variant, random_answer, start_variant

    from diamonds.bots.bot import bot_view
    from diamonds.game import find_game

    game, found = find_game(name), []
    for seed in range(number):
        variant = Variant(game, game.default_seats, game.check_options(game.default_seats))
        rng, played = random.Random(seed), start_variant(variant, seed)
        for _ in range(rng.randrange(60)):
            played.answer(*random_answer(played, rng))
            if played.over:
                break
        while not played.over:
            seat, answer = random_answer(played, rng)
            if len(game.legal(played.state, seat)) > 1:
                found.append(bot_view(game, played.state, seat))
                break
            played.answer(seat, answer)
    return found


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="diamonds bench modules", description="Measure modules for browsers.")
    parser.add_argument("--decisions", type=int, default=100, help="decisions of level 5, a game")
    parser.add_argument("--link", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.link:
        link_playouts(given.link)
        return 0
    import numpy as np
    from tests.support import artifacts, node

    from diamonds import jit
    from diamonds.bots.levels import BOTS
    from diamonds.bots.search import search
    from diamonds.fields import MAX_SEATS
    from diamonds.game import find_game

    engine = artifacts.built_modules()
    manifest = json.loads((engine / "manifest.json").read_text(encoding="utf-8"))["games"]
    print("Bytes, gzipped                 play   thinking     review    learned\n")
    for name in GAMES:
        files = [manifest[name][kind]["file"] for kind in MODULE_KINDS]
        learned = manifest[name]["thinking"]["learned"]
        sizes = [
            len(gzip.compress((engine / file).read_bytes(), 9))
            for file in [*files, *([learned["file"]] if learned else [])]
        ]
        print(f"  {name:24}" + "".join(f"{size:11,}" for size in sizes))
    print("\nBy CPU time                             native      module    module beside native\n")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, __file__, "--link", folder], check=True)
        for name in GAMES:
            game, rng = find_game(name), np.random.default_rng(1)
            start = jit.random_start(game, game.default_seats, {}, rng)
            games, kernel = PLAYOUT_COUNTS[name], jit.game_kernels(game).playouts
            kernel(jit.as_row_array(start), 100, jit.new_rng(1), 1_000_000, np.zeros(MAX_SEATS, np.int64))
            before = time.process_time()
            plies = int(
                kernel(jit.as_row_array(start), games, jit.new_rng(1), 1_000_000, np.zeros(MAX_SEATS, np.int64))
            )
            native = plies / (time.process_time() - before) / 1e6
            path = Path(folder) / f"{name}.wasm"
            task = {
                "task": "playouts", "module": {"path": str(path), "free": int(path.with_suffix(".free").read_text())},
                "row": [str(each) for each in np.frombuffer(start.tobytes(), np.int64).tolist()], "games": games, "warm": 100,
                "bits": str(jit.new_rng(1)[0]),
            }  # fmt: skip
            found = run_task(node, task)
            if found["plies"] != plies:
                raise SystemExit(f"{name}: the module played {found['plies']} answers, and native kernels {plies}.")
            there = plies / found["seconds"] / 1e6
            print(f"  {name + ', million plies a second':34} {native:9.1f} {there:11.1f} {there / native:12.2f}")
    print("\nLevel 5, milliseconds of CPU             p50     p95  native p50     p95    native beside module\n")
    for name in GAMES:
        game, effort = find_game(name), BOTS["5"].search_params(find_game(name))  # type: ignore[attr-defined]
        info, views = manifest[name]["thinking"], random_decisions(name, given.decisions)
        questions, here, answers = [], [], []
        search.warm_up(game)
        for seed, view in enumerate(views):
            before = time.process_time()
            answers.append(search.decide_view(game, view.row, view.seat, effort, seed)[1])
            here.append(time.process_time() - before)
            row = [str(each) for each in np.frombuffer(view.row.tobytes(), np.int64).tolist()]
            questions.append({"row": row, "seat": view.seat, "bits": str(jit.new_rng(seed)[0])})
        learned = info["learned"]
        task = {
            "task": "decisions", "module": {"path": str(engine / info["file"]), "free": info["free"]},
            "learned": learned and str(engine / learned["file"]), "effort": info["efforts"]["5"],
            "candidates": info["candidates"], "questions": questions,
        }  # fmt: skip
        found = run_task(node, task)
        if [each["answer"] for each in found] != answers:
            raise SystemExit(f"{name}: the module's answers differ from those of native kernels.")
        there = [each["cpu"] for each in found]
        shown = [f"{1000 * value:8.0f}" for value in (*p50_p95(there), *p50_p95(here))]
        print(f"  {name:34}{''.join(shown)} {sum(here) / sum(there):16.2f}")
    return 0


def p50_p95(values: list[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    return statistics.median(values), statistics.quantiles(values, n=20)[-1]


def run_task(nodes: Any, task: dict[str, Any]) -> Any:
    """Run a task in Node; return its measurements."""
    done = nodes.run_node(Path(__file__).with_suffix(".mjs"), stdin_text=json.dumps(task))
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
