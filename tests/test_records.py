"""Records describe games completely (R4), and anyone can repeat their deals (R3)."""

import hashlib
import importlib.util
import json
import random
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from diamonds import deals, i18n, record_reader, records
from diamonds.entries import parse_entry
from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError
from diamonds.fields import NUMBER, PUBLIC, Field
from diamonds.game import GAMES, Game
from tests.support.random_positions import (
    Variant,
    play_random_answers,
    random_answer,
    random_entries,
    random_game,
    start_variant,
)

EXAMPLES = Path(__file__).parents[1] / "examples"
PAGE = (Path(__file__).parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "golden" / "deals.json").read_text(encoding="utf-8")
)


def finished_record(game: str = "mines", seats: int = 2, **options: Any) -> dict[str, Any]:
    """Return the record of a finished game, as data to be damaged."""
    chosen = GAMES[game].check_options(seats, options)
    return json.loads(records.write_record(random_game(Variant(GAMES[game], seats, chosen), 7)))


def read_error(data: Any) -> DiamondsError:
    """Return the error message of a rejected record."""
    with pytest.raises(DiamondsError) as caught:
        record_reader.load_record(json.dumps(data))
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith((".", ")"))
    return caught.value


# Round trips


def test_r3_record_shows_its_secret_only_after_the_game():
    played = start_variant(Variant(GAMES["fourteen"], 4, {}), 1)
    open_text = records.write_record(played)
    assert played.secret.hex() not in open_text, "the record of an unfinished game must not reveal its cards"
    assert json.loads(open_text)["secret"] is None
    assert "has no secret" in str(read_error(json.loads(open_text)))
    over = random_game(Variant(GAMES["fourteen"], 4, {}), 1)
    assert json.loads(records.write_record(over))["secret"] == over.secret.hex()


def test_answer_is_written_as_the_game_spells_it():
    played = start_variant(Variant(GAMES["crystals"], 4, {}), 1)
    seat = played.game.to_act(played.state)[0]
    played.answer(seat, "2")
    assert played.answers == [(seat, "count", 2)], "expected the number for the text “2”"


# History


@pytest.mark.parametrize(
    "variant", [Variant(GAMES[name], seats, GAMES[name].check_options(seats)) for name, seats in
                (("crystals", 4), ("fourteen", 3), ("mines", 2))], ids=str
)  # fmt: skip
def test_r4_record_has_the_whole_history_and_leads_to_its_state(variant):
    lines, states = random_entries(variant, 4)
    played = start_variant(variant, 4)
    record_reader.replay_entries(played, lines)
    assert played.state.tobytes() == states[-1], "the game differs after undos and changes of seats"
    text = records.write_record(played, reveal=True)
    assert json.loads(text)["entries"] == lines, "expected every entry in the record"
    again = record_reader.load_record(text)
    assert (again.answers, again.entries, again.checksums) == (played.answers, played.entries, played.checksums)
    assert again.at(again.n).state.tobytes() == states[-1], "expected the effective answers to lead to the end"
    for n in (0, 1, 40, 150):
        part = start_variant(variant, 4)
        record_reader.replay_entries(part, lines[:n])
        assert part.state.tobytes() == states[n], f"the table differs after {n} entries"


def test_undo_keeps_what_it_undoes_and_can_be_undone():
    played = start_variant(Variant(GAMES["fourteen"], 3, {}), 2)
    for _ in range(5):
        seat = played.game.to_act(played.state)[0]
        played.answer(seat, played.game.legal(played.state, seat)[0])
    five, answers = played.state.tobytes(), list(played.answers)
    played.undo(1, 2)
    assert played.state.tobytes() == played.at(2).state.tobytes() != five
    assert (played.answers, played.entry_positions) == (answers[:2], [0, 1])
    played.undo(0, 5)
    assert (played.state.tobytes(), played.answers) == (five, answers)
    assert played.entries[5:] == ["1 undo 2", "0 undo 5"]
    assert played.entry_positions == [0, 1, 2, 3, 4], "a later undo would return to another position"
    again = record_reader.load_record(records.write_record(played, reveal=True))
    assert (again.state.tobytes(), again.answers, again.entries) == (five, answers, played.entries)


@pytest.mark.parametrize(
    ("place", "line", "sentence"),
    [
        (3, "0 undo 4", "Entry 3 (0 undo 4) goes back to a point that the game has not reached: only 3 entries come before it."),
        (3, "0 undo -1", "Entry 3 is '0 undo -1'; it should read like “0 play H7”, “2 undo 12” or “1 seat bot:5”."),
        (3, "2 seat open", "Entry 3 (2 seat open) names a seat that this table does not have."),
        (3, "2 timeout", "Entry 3 (2 timeout) names a seat that this table does not have."),
        (3, "٠ seat open", "Entry 3 is '٠ seat open'; it should"),
        (-1, "0 undo 1", " (0 undo 1) takes back an answer, but the game is over."),
    ],
)  # fmt: skip
def test_impossible_entry_is_named_at_its_place(place, line, sentence):
    data = finished_record()
    data["entries"].insert(place if place >= 0 else len(data["entries"]), line)
    assert sentence in str(read_error(data))


def test_undone_and_repeated_deal_is_verified_both_times():
    played = random_game(Variant(GAMES["fourteen"], 3, {}), 5)
    second = next(n for n in range(played.n) if len(played.at(n).checksums) == 2)
    again = played.at(second)
    again.undo(0, second - 1)
    again.answer(*played.answers[second - 1][::2])
    data = records.to_record(again, reveal=True)
    assert data["checksums"] == [*played.checksums[:2], played.checksums[1]]
    assert record_reader.load_record(json.dumps(data)).n == second
    data["checksums"][2] = "0" * 16
    assert f"diverges after entry {second + 1} " in str(read_error(data))


def test_times_are_stored_and_continue_with_the_game(monkeypatch):
    played = random_game(Variant(GAMES["mines"], 2, {}), 1, 3)
    assert "times" not in records.to_record(played), "expected no time without a clock"
    played.times = [5, 5, 2**52]
    again = record_reader.load_record(records.write_record(played, reveal=True))
    assert again.times == played.times
    again.answer(*random_answer(again, random.Random(1)))
    assert again.times == [5, 5, 2**52, 2**52], "expected increasing times after the clock was set back"
    assert played.times == [5, 5, 2**52]
    for wrong in ([5, 5], [5, 4, 6], [-1, 0, 1], [1, 2, 3.0], [1, 2, True], [1, 2, 2**53], ["1", 2, 3]):
        assert "ime" in str(read_error({**records.to_record(played, reveal=True), "times": wrong})), wrong


def test_longest_game_with_all_that_a_table_takes_fits_into_a_record():
    """The calculation behind `MAX_RECORD_BYTES`, entry by entry."""
    answers = [f"{name} {answer}" for game in GAMES.values() for asked in game.questions
               for name, answer in [(asked.name, answer) for answer in asked.answers]]  # fmt: skip
    words = [f"{longest} by {'l' * 12}" for longest in answers] + ["undo 1999999 agreed", f"seat bot:{'l' * 12}"]
    for line in words:
        parse_entry(line)
    entry = max(len(json.dumps(f"5 {line}") + ", ") + 1 for line in words)  # every tenth entry starts a line
    a_time = len("9007199254740991, ") - 3
    a_checksum = len('"0123456789abcdef", ')
    assert records.MAX_ENTRIES * (entry + a_time + a_checksum / 2) + 10_000 <= record_reader.MAX_RECORD_BYTES
    assert records.MAX_ENTRIES > records.MAX_ANSWERS


# Divergence


def test_r4_first_diverging_answer_is_named():
    data = finished_record("crystals", 4)
    data["checksums"][2] = "0" * 16
    sentence = str(read_error(data))
    played = record_reader.load_record(json.dumps(finished_record("crystals", 4)))
    last = next(n for n in range(played.n + 1) if len(played.at(n).checksums) == 3) - 1
    seat, question, answer = played.answers[last]
    assert f"after entry {last} ({seat} {question} {answer})" in sentence, sentence
    assert f"deal 2 has checksum {played.checksums[2]}" in sentence


@pytest.mark.parametrize("game", GAMES)
def test_r4_unplayable_answer_is_named_with_its_rule(game):
    data = finished_record(game, 4 if game != "mines" else 2)
    data["entries"].insert(5, data["entries"][4])
    n = next(n for n in range(len(data["entries"])) if not _is_playable(data, n))
    error = read_error(data)
    assert isinstance(error, NotAllowedError)
    assert str(error).startswith(f"Entry {n} ({data['entries'][n]}) cannot be played: ")


def _is_playable(data: dict[str, Any], n: int) -> bool:
    """Return whether the first n + 1 answers are legal."""
    played = records.start_game(GAMES[data["game"]], data["seats"], data["options"], bytes.fromhex(data["secret"]))
    try:
        for line in data["entries"][: n + 1]:
            seat, question, answer = line.split(" ")
            played.answer(int(seat), answer, question)
    except DiamondsError:
        return False
    return True


@pytest.mark.parametrize(("change", "sentence"), [
    (lambda data: data["checksums"].append("0" * 16), "has 2 deals, but its entries lead to 1"),
    (lambda data: data["entries"].append("0 turn go"), "The game is over"),
    (lambda data: data["entries"].pop(), "stop before the end of the game"),
    (lambda data: data.update(secret="00" * 32), "committed"),
    (lambda data: data.update(secret=data["secret"].upper()), "lower-case hexadecimal"),
    (lambda data: data.update(secret=f"{data['secret'][:2]} {data['secret'][2:]}"), "lower-case hexadecimal"),
    (lambda data: data["result"]["scores"].append(1), "result"),
])  # fmt: skip
def test_r3_r4_record_that_contradicts_itself_is_rejected(change, sentence):
    data = finished_record()
    change(data)
    assert sentence in str(read_error(data))


def test_ending_is_stored_as_data_not_text(monkeypatch):
    data = finished_record("fourteen", 4, target=5)
    points = max(data["result"]["scores"])
    assert {**data["result"], "scores": 0, "winners": 0} == (
        {"scores": 0, "winners": 0, "ended": "target", "points": points, "target": 5}
    )  # fmt: skip
    game = GAMES["fourteen"]
    assert game.ending_text(data["result"]) == f"{points} points, 5 needed"
    with monkeypatch.context() as mended:
        mended.setattr(i18n, "translate", lambda *_: "said otherwise")
        assert record_reader.load_record(json.dumps(data)).over, "expected no check of the message"
    data["result"]["ended"] = "last_hand"
    assert "result" in str(read_error(data))


@pytest.mark.parametrize("game", GAMES)
def test_records_page_names_every_ending(game):
    row = re.search(rf"^\| {game} \| (`.*)$", PAGE, re.M)
    assert set(GAMES[game].rules.ENDINGS) <= set(re.findall(r"`(\w+)`", row[1]))


@pytest.mark.parametrize("version", [0, -1, 2, 10**30])
def test_another_rules_version_is_never_misread(version):
    data = finished_record()
    data["rules_version"] = version
    assert f"rules version {version} of mines. This program plays version 1" in str(read_error(data))


# Records outlive the program


def copy_rules(game: str) -> ModuleType:
    """Return a copy of a game's rules module that tests can change."""
    found = importlib.util.find_spec(f"diamonds.rules.{game}")
    rules = importlib.util.module_from_spec(found)
    found.loader.exec_module(rules)
    return rules


@pytest.mark.parametrize("game", GAMES)
def test_new_field_keeps_old_records_valid(game, monkeypatch):
    seats = GAMES[game].seats[-1]
    text = json.dumps(finished_record(game, seats))
    rules = copy_rules(game)
    rules.FIELDS = (  # type: ignore[attr-defined]
        *rules.FIELDS[:-1], Field("wind", NUMBER, PUBLIC, "a novelty"), rules.FIELDS[-1]
    )  # fmt: skip
    monkeypatch.setitem(GAMES, game, Game(rules))
    again = record_reader.load_record(text)
    assert "wind" in (again.state.dtype.names or ()), "expected a changed state"
    assert again.game.result(again.state) == json.loads(text)["result"]


def test_game_continues_by_the_rules_version_it_began_with(monkeypatch):
    """As CONTRIBUTING.md requires: a field with the version, which the changed rule reads."""
    old = json.dumps(finished_record("fourteen", 4))
    begun = random_game(Variant(GAMES["fourteen"], 4, GAMES["fourteen"].check_options(4, {})), 5, 20)
    rules = copy_rules("fourteen")
    start = rules.start

    def start_otherwise(s: Any, cut: Any) -> None:
        start(s, cut)
        if s["rules"] >= 2:
            s["dealer"] = (s["dealer"] + 1) % s["seats"]

    rules.VERSION = 2  # type: ignore[attr-defined]
    rules.FIELDS = (*rules.FIELDS, Field("rules", NUMBER, PUBLIC, "the version of the rules"))  # type: ignore[attr-defined]
    rules.start = start_otherwise  # type: ignore[attr-defined]
    monkeypatch.setitem(GAMES, "fourteen", Game(rules))

    again = record_reader.load_record(old)
    assert (again.version, again.over) == (1, True)
    assert records.to_record(again)["rules_version"] == 1
    on = record_reader.load_record(records.write_record(begun, reveal=True))
    play_random_answers(on, random.Random(1))
    assert record_reader.load_record(records.write_record(on)).version == 1, "expected its old rules"
    assert on.at(3).version == 1

    new = json.dumps(finished_record("fourteen", 4))
    assert record_reader.load_record(new).version == 2
    for text, version in ((old, 2), (new, 1)):
        assert "diverges" in str(read_error({**json.loads(text), "rules_version": version})), "expected different rules"


def test_checksum_is_computed_over_a_readable_line():
    played = records.start_game(GAMES["mines"], 2, secret=deals.seeded_secret(1))
    line = records.deal_text(played.game, played.state)
    assert line.startswith("deal 0; begins 1; ")
    assert line.endswith("; scores 0 0")
    assert sorted(line.split("; ")[2].replace(",", "").split()) == sorted(played.game.card_names), (
        "expected each card in one place"
    )
    assert played.checksums == [hashlib.sha256(line.encode("ascii")).hexdigest()[:16]]

    state = records.start_game(GAMES["crystals"], 3, secret=deals.seeded_secret(1)).state
    before = records.deal_text(GAMES["crystals"], state)
    for field, value in (("dealer", (state["dealer"] + 1) % 3), ("deals", 2)):
        spoilt = state.copy()
        spoilt[field] = value
        assert records.deal_text(GAMES["crystals"], spoilt) != before, f"{field} is not in the line"
    for field in ("hand", "showroom"):
        spoilt = state.copy()
        spoilt[field][1] += 1
        assert records.deal_text(GAMES["crystals"], spoilt) != before, f"{field} is not in the line"


# Malformed files


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "3", '"x"', "{}", '{"format": "diamonds record 2"}', "\ufeff{}", "[" * 100_000, "{" * 100_000,
     '{"a":' * 50_000, "NaN", "1" * 10_000, '{"format": "diamonds record 1"}', "\x00", b"\xff\xfe\xfa", b"\x80abc",
     b"\x89PNG\r\n\x1a\n" + bytes(100)],
    ids=lambda text: repr(text)[:20],
)  # fmt: skip
def test_non_record_is_malformed(text):
    with pytest.raises(InvalidInputError):
        record_reader.load_record(text)


RECORD_CHANGES: list[tuple[str, Any]] = [
    ("game", "chess"), ("game", 3), ("game", None), ("game", ["mines"]), ("seats", 3), ("seats", "2"), ("seats", True),
    ("seats", 2.0), ("seats", -1), ("seats", 10**30), ("rules_version", "1"), ("options", []), ("options", {"x": 1}),
    ("options", {"defence": 1}), ("options", {"defence": ["any"]}), ("options", {"defence": None}), ("secret", 3),
    ("secret", "00"), ("secret", "zz" * 32), ("secret", "é" * 64), ("secret", " " + "0" * 63), ("secret", "AB" * 32),
    ("commitment", None), ("commitment", 5), ("nonces", "ab"), ("nonces", []), ("nonces", ["", 3]), ("nonces", ["", "0"]),
    ("nonces", ["", "00" * 65]), ("nonces", ["", "GG"]), ("players", ["a"]), ("players", [1, 2]), ("players", {}),
    ("entries", "x"), ("entries", [3]), ("entries", [None]), ("entries", [""]), ("entries", ["0"]), ("entries", ["0 turn"]),
    ("entries", ["0 turn go now"]), ("entries", ["x turn go"]), ("entries", ["-1 turn go"]), ("entries", ["²  go"]),
    ("entries", ["999999999999999999999 turn go"]), ("entries", ["9" * 5000 + " turn go"]), ("entries", ["0 turn fly"]), ("entries", ["9 turn go"]),
    ("entries", ["0 turn go"] * 2_001), ("checksums", None), ("checksums", []), ("checksums", [7]),
    ("checksums", ["0" * 16, "0" * 16]), ("seated", []), ("seated", ["person"] * 3), ("seated", ["person", "king"]),
    ("seated", ["person", "bot:"]), ("seated", ["person", "bot:\x1b"]), ("seated", ["person", 5]), ("times", 3), ("times", [1]),
    ("result", "won"), ("result", {}), ("result", [[[]]]),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), RECORD_CHANGES, ids=lambda value: repr(value)[:24])
def test_record_with_one_invalid_field_gets_an_error(key, value):
    read_error({**finished_record(), key: value})


@pytest.mark.parametrize("key", sorted(set(finished_record()) - {"result"}))
def test_missing_key_of_a_record_is_named(key):
    data = finished_record()
    del data[key]
    assert key in str(read_error(data))


def test_record_above_the_size_limit_is_rejected_unread(monkeypatch):
    monkeypatch.setattr(record_reader, "MAX_RECORD_BYTES", 400_000)
    text = records.write_record(random_game(Variant(GAMES["mines"], 2, {}), 1))
    padded = text + " " * (record_reader.MAX_RECORD_BYTES - len(text))
    assert record_reader.load_record(padded).over, "expected a record of exactly the limit to be accepted"
    with pytest.raises(InvalidInputError, match="larger than 400,000 bytes"):
        record_reader.load_record(padded + " ")


@pytest.mark.parametrize("line", ["0 turn \ud800\x1b", "9 turn \udfff", "0 \ud800 \u202e"])
def test_error_about_a_record_is_always_printable(line):
    error = str(read_error({**finished_record(), "entries": [line]}))
    assert error.encode()
    assert error.isprintable(), "control characters of a record reach the terminal of `diamonds verify`"


def test_reader_can_limit_the_entries_of_a_record():
    text = json.dumps(finished_record())
    entries = len(json.loads(text)["entries"])
    assert record_reader.load_record(text, entries).over
    assert len(record_reader.load_unverified(text, entries).entries) == entries
    for read in (record_reader.load_record, record_reader.load_unverified):
        with pytest.raises(InvalidInputError, match=f"more than {entries - 1} entries"):
            read(text, entries - 1)


def test_name_longer_than_the_limit_is_cut():
    data = finished_record()
    data["players"] = ["n" * 500, ""]
    assert record_reader.load_record(json.dumps(data)).players == ["n" * 40, ""]


# Fair deals


def reference_deal(vector: dict[str, Any], n: int, label: bytes, pack: list[str]) -> tuple[str, list[str]]:
    """Compute key and shuffle from docs/records.md alone."""
    parts = bytes.fromhex(vector["secret"])
    for nonce in map(bytes.fromhex, vector["nonces"]):
        parts += bytes([len(nonce)]) + nonce
    key = hashlib.sha256(parts + bytes([n >> 24, n >> 16 & 255, n >> 8 & 255, n & 255])).digest()
    stream = list(hashlib.shake_256(key + label).digest(8192))
    for k in reversed(range(1, len(pack))):
        while stream[0] >= 256 - 256 % (k + 1):
            stream.pop(0)
        place = stream.pop(0) % (k + 1)
        pack[k], pack[place] = pack[place], pack[k]
    return key.hex(), pack


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['game']} {v['seats']}")
def test_r3_deals_match_the_golden_vectors_and_the_records_page(vector):
    game = GAMES[vector["game"]]
    ranks = {"crystals": 15, "fourteen": 13, "mines": 13}[vector["game"]]
    names = {13: [*"A23456789", "10", *"JQK"], 15: [str(rank) for rank in range(1, 16)]}[ranks]
    whole = [suit + rank for suit in "DHSC" for rank in names]
    in_play = [card for card in whole if not vector["options"].get("perfect") or int(card[1:]) <= 9]
    secret, nonces = bytes.fromhex(vector["secret"]), [bytes.fromhex(nonce) for nonce in vector["nonces"]]
    assert deals.commit(secret) == vector["commitment"] == hashlib.sha256(secret).hexdigest()
    _, cut = reference_deal(vector, 0, b"cut", list(in_play))
    assert cut[: vector["seats"]] == vector["cut"]
    played = records.start_game(game, vector["seats"], vector["options"], secret, nonces)
    assert [game.card_names[card] for card in played.cut] == vector["cut"]
    assert int(played.state["first" if game.name == "mines" else "dealer"]) == vector["first"]
    for deal in vector["deals"]:
        key, deck = reference_deal(vector, deal["n"], b"deck", list(in_play))
        assert (key, deck) == (deal["key"], deal["deck"].split())
        assert deals.deal_key(secret, nonces, deal["n"]).hex() == key
        mine = deals.deck(secret, nonces, deal["n"], game.pack(played.state))
        assert [game.card_names[card] for card in mine] == deck


def test_r3_records_page_shows_the_first_golden_vector():
    vector = VECTORS[0]
    for text in (vector["secret"], vector["commitment"], vector["deals"][0]["key"], " ".join(vector["cut"])):
        assert text in PAGE, f"docs/records.md lacks {text}"
    for deal in vector["deals"]:
        assert " ".join(deal["deck"].split()[:8]) in PAGE


@pytest.mark.later
@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['game']} {v['seats']}")
def test_r3_javascript_example_deals_the_same_cards(vector, tmp_path):
    node = shutil.which("node")
    if not node:
        pytest.skip("Node is missing")
    (tmp_path / "game.json").write_text(json.dumps(vector), encoding="utf-8")
    numbers = [str(deal["n"]) for deal in vector["deals"]]
    program = [node, str(EXAMPLES / "fair_deals.mjs"), str(tmp_path / "game.json"), *numbers]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    expected = ["commitment kept", f"cut {' '.join(vector['cut'])}"]
    for deal in vector["deals"]:
        expected += [f"key {deal['key']}", f"deck {deal['deck']}"]
    assert done.stdout.splitlines() == expected


def test_example_on_the_records_page_is_a_valid_record():
    text = re.search(r"```json\n(.*?)```", PAGE, re.S)
    played = record_reader.load_record(text[1])
    assert (played.n, len(played.entries)) == (3, 6)
    played.fork = records.RecordForkOrigin(played.commitment, 1)  # optional keys
    played.times, played.bots_version = [0] * 6, "abc123"
    keys = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M))
    assert keys == set(records.to_record(played)), "the keys of a record differ from the page's table"
    assert played.secret == deals.seeded_secret(1), "expected the secret of seed 1, as the page says"


@pytest.mark.later
def test_r3_shuffle_favours_no_place():
    """Chi-square test of the first card's place: sixty places, 6,000 shuffles."""
    places = [0] * 60
    for n in range(6000):
        places[deals.deck(b"s" * 32, [], n, range(60)).index(0)] += 1
    chi = sum((seen - 100) ** 2 / 100 for seen in places)
    assert chi < 103, f"chi-square {chi:.0f} with 59 degrees of freedom happens by chance once in 3,000"


def test_r3_two_new_secrets_differ_and_have_thirty_two_bytes():
    first, second = deals.new_secret(), deals.new_secret()
    assert first != second
    assert len(first) == len(second) == 32
