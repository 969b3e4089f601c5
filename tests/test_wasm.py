"""Wasm modules for browsers play the same games as Python, to the last bit, and damaged modules never run."""

import gzip
import hashlib
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import diamonds
from diamonds import cards, views
from diamonds.cards import MAX_PACKET_NUMBERS
from diamonds.events import new_log
from diamonds.fields import MAX_SEATS
from diamonds.game import GAMES, Game
from diamonds.terminal import build_wasm
from diamonds.wasm import MANIFEST, PLAY, REASONS, REVIEW, SEARCH
from tests.support import artifacts, node
from tests.support.random_positions import Variant, all_variants
from tests.support.sample_sizes import short_or_long

pytestmark = pytest.mark.kernels

REPLAY = Path(__file__).parent / "node" / "replay.mjs"


def numbers(*values: Any) -> bytes:
    return np.array(values, np.int64).tobytes()


def step_digest(game: Game, state: np.void, said: list[bytes], log: np.ndarray) -> str:
    """Return the digest of everything observable in a step."""
    said += [state.tobytes(), log[: 1 + log[0, 0]].tobytes()]
    for seat in range(-1, int(state["seats"])):
        said += [views.view(game, state, seat, memory).tobytes() for memory in (False, True)]
    standing = np.zeros((3, MAX_SEATS), np.int64)
    for seat in range(int(state["seats"])):
        rules = game.rules
        standing[:, seat] = rules.score(state, seat), rules.seats_ahead(state, seat), rules.team(state, seat)
    said.append(standing.tobytes())
    if state["over"]:
        ending = [0] * (1 + MAX_SEATS)
        values = [0] * MAX_SEATS
        ending[0] = game.rules.ending(state, values)
        said.append(numbers(ending[0], *values))
        if hasattr(game.rules, "facts"):
            values = [0] * MAX_SEATS
            said.append(numbers(*game.rules.facts(state, values), *values))
    return hashlib.sha256(b"".join(said)).hexdigest()[:16]


def play_random_game(variant: Variant, seed: int, most_deals: int) -> dict[str, Any]:
    """Play a random game in Python; return its start and every step with its digest."""
    game, rng = variant.game, random.Random(seed)
    rules = game.rules
    cut = rng.sample(game.pack_for(variant.seats, variant.options), variant.seats)
    row = game.empty_state(variant.seats, variant.options)
    state = game.start(variant.seats, variant.options, cut)
    steps, digests, deals = [], [], 0
    while not state["over"]:
        log, said = new_log(), []
        log[0] = 0
        if game.needs_deal(state):
            if deals == most_deals:
                break
            deals += 1
            pack = game.pack(state)
            deck = rng.sample(pack, len(pack))
            said.append(numbers(rules.pack(state)))
            rules.deal(state, np.array(deck, np.int64), log)
            packets = [0] * MAX_PACKET_NUMBERS
            begins, size = rules.deal_packets(state, packets)
            said += [numbers(begins, size), numbers(*packets[: int(size)])]
            steps.append({"deck": deck})
        else:
            seat = rng.choice(game.to_act(state))
            legal = int(rules.legal(state, seat))
            illegal = [k for k in range(len(game.question(state).answers)) if not legal >> k & 1]
            illegal = rng.sample(illegal, min(2, len(illegal)))
            said += [numbers(legal), *(numbers(*rules.illegal_reason(state, seat, other)) for other in illegal)]
            answer = rng.choice(list(cards.iter_bits(legal)))
            rules.step(state, seat, answer, log)
            steps.append({"seat": seat, "answer": answer, "illegal": illegal})
        if state["over"]:
            steps[-1]["over"] = True
        digests.append(step_digest(game, state, said, log))
    flat = np.frombuffer(row.tobytes(), np.int64).tolist()
    return {
        "game": game.name, "variant": str(variant), "seed": seed, "row": flat, "cut": cut, "steps": steps, "digests": digests
    }  # fmt: skip


def random_games(name: str, each: int, most_deals: int, stride: int = 1) -> Iterator[str]:
    """Yield random games of every n-th variant, with at most ``most_deals`` deals; every sixteenth is played to its end."""
    for number, variant in enumerate(all_variants(name)[::stride]):
        for k in range(each):
            yield (
                json.dumps(play_random_game(variant, 1000 * number + k, 999 if (number + k) % 16 == 0 else most_deals))
                + "\n"
            )


SHORT_RUN = {"crystals": (1, 1, 4), "fourteen": (1, 1, 2), "mines": (2, 1, 1)}
LONG_RUN = {"crystals": (53, 999, 1), "fourteen": (320, 999, 1), "mines": (2600, 1, 1)}


# `each` is (games per variant, deals, stride). The long run plays over ten thousand whole games of each game.
@short_or_long("each", SHORT_RUN, LONG_RUN)
@pytest.mark.parametrize("name", GAMES)
def test_module_plays_every_variant_as_python_does_to_the_last_bit(name, each, engine):
    """Rows, events, legal answers, reasons, views of every seat and of a spectator, scores, places and endings agree."""
    done = node.run_node(REPLAY, str(engine), stdin_text="".join(random_games(name, *each[name])))
    assert done.returncode == 0, done.stdout + done.stderr
    games, _, stride = each[name]
    assert done.stdout == f"{len(all_variants(name)[::stride]) * games} games are the same\n"


def test_rule_that_is_changed_in_python_alone_is_changed_in_the_module(engine, tmp_path):
    package = Path(diamonds.__file__).parent
    source = tmp_path / "src"
    shutil.copytree(package, source / "diamonds", ignore=shutil.ignore_patterns("web", "engine", "__pycache__"))
    rules = source / "diamonds" / "rules" / "fourteen.py"
    text = rules.read_text(encoding="utf-8")
    assert "rank = 12 - card % RANKS" in text
    rules.write_text(text.replace("rank = 12 - card % RANKS", "rank = 11 - card % RANKS"), encoding="utf-8")
    was = json.loads((engine / MANIFEST).read_text(encoding="utf-8"))["games"]["fourteen"]
    artifacts.build_modules(tmp_path / "engine", "fourteen", PLAY, source=source)
    now = json.loads((tmp_path / "engine" / MANIFEST).read_text(encoding="utf-8"))["games"]["fourteen"]
    assert now[PLAY]["file"] != was[PLAY]["file"], "expected another module for another rule"
    assert now[PLAY]["made_from"] != was[PLAY]["made_from"]
    done = node.run_node(REPLAY, str(tmp_path / "engine"), stdin_text=next(random_games("fourteen", 1, 1)))
    assert done.returncode == 1, "the module still has the old rule"
    assert "comes out differently" in done.stdout


def test_modules_for_the_first_card_are_small(engine):
    games = json.loads((engine / MANIFEST).read_text(encoding="utf-8"))["games"]
    sizes = {name: len(gzip.compress((engine / games[name][PLAY]["file"]).read_bytes(), 9)) for name in GAMES}
    assert sum(sizes.values()) <= 20_000, f"rules modules have {sizes} bytes; 20,000 bytes are allowed in total"


def test_wasm_search_and_review_modules_are_small(engine):
    games = json.loads((engine / MANIFEST).read_text(encoding="utf-8"))["games"]
    for kind, most in ((SEARCH, 45_000), (REVIEW, 46_000), (REASONS, 7_000)):
        sizes = {name: len(gzip.compress((engine / games[name][kind]["file"]).read_bytes(), 9)) for name in GAMES}
        assert max(sizes.values()) <= most, f"modules for {kind} have {sizes} bytes; {most:,} bytes are allowed each"


def test_build_command_prints_the_size_of_each_module(run_cli, engine, tmp_path):
    code, out, err = run_cli("build-wasm", "fourteen", "--kind", "play", "--out", str(tmp_path / "engine"))
    size = json.loads((engine / MANIFEST).read_text(encoding="utf-8"))["games"]["fourteen"][PLAY]["bytes"]
    assert (code, out, err) == (0, f"Fourteen, play: {size:,} bytes\n", "")


def test_old_wasm_files_are_kept_for_open_clients_then_deleted(engine, tmp_path):
    """A page that has read the previous manifest still finds its files; files of earlier manifests are deleted, and no others."""
    folder = tmp_path / "engine"
    folder.mkdir()
    first, second = (f"fourteen-play-{number * 16}.wasm" for number in "12")
    others = {MANIFEST, ".written-by-another-process", "notes.txt", "other.wasm"}
    for name in (first, second, *others):
        (folder / name).touch()
    (folder / MANIFEST).write_text(f'{{"games": {{"fourteen": {{"play": {{"file": "{second}"}}}}}}}}', encoding="utf-8")
    artifacts.build_modules(folder, "fourteen", PLAY)
    own = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["games"]["fourteen"][PLAY]["file"]
    assert {file.name for file in folder.iterdir()} == {*others, second, own}
    artifacts.build_modules(folder, "fourteen", PLAY)
    assert {file.name for file in folder.iterdir()} == {*others, own}


def test_missing_numba_error_names_what_to_install(run_cli, tmp_path, monkeypatch):
    monkeypatch.setattr(build_wasm, "find_spec", lambda name: None)
    code, out, err = run_cli("build-wasm", "--out", str(tmp_path / "engine"))
    assert (code, out) == (2, "")
    assert err == "Modules are compiled with Numba. Install Diamonds with the extra “lab”.\n"
    code, _, err = run_cli("build-wasm", "--kind", "toast")
    assert (code, err) == (2, "There is no module kind “toast”. The kinds are play, thinking, review, reasons.\n")
