"""Duels: challenges, their seal, results with bad input, and the decisions of two games side by side."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from diamonds import deals, records
from diamonds.game import GAMES
from tests.support import node

pytestmark = pytest.mark.later

SCRIPT = """
globalThis.window = globalThis
globalThis.location = { origin: 'https://diamonds.example', pathname: '/' }
const duel = await import(process.argv[1])
const { commonLength, pairDecisions, decisionsOf } = await import(process.argv[2])
const isSet = (question) => question === 'pass'
const deeds = { ...duel, commonLength, compare: ([one, other], seat) => pairDecisions(decisionsOf(one, seat, isSet, null), decisionsOf(other, seat, isSet, null)) }
for (const [deed, ...values] of given) {
  try {
    console.log(JSON.stringify((await deeds[deed](...values)) ?? null))
  } catch (error) {
    if (error.name !== 'Error' || !error.reason) throw error
    console.log(JSON.stringify({ reason: error.reason }))
  }
}
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the modules of challenges and of their comparison, as JavaScript."""
    folder = tmp_path_factory.mktemp("duel")
    return [node.bundle(f"src/duel/{name}.ts", folder / f"{name}.mjs") for name in ("challenge", "alignment")]


def ask(scripts: list[Path], *requests: list[Any]) -> list[Any]:
    """Call functions of the modules; return their results in order, or the reasons for their failures."""
    return node.ask(SCRIPT, requests, *scripts)


def played_record(
    game_name: str = "fourteen", seats: int = 3, choice: int = 0, options: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the record of a finished game against bots, with the person in seat 1. Everyone makes the same choices."""
    game = GAMES[game_name]
    chosen = {"target": 20} if options is None else options
    names = ["Ada", "Ben", "Carl", "Dorothy"][:seats]
    played = records.start_game(game, seats, chosen, deals.seeded_secret(1), [b"", b"ab", *[b""] * (seats - 2)], names)
    played.seat_holders = ["bot:3", "person", *["bot:3"] * (seats - 2)]
    played.bots_version = "abc123"
    while not played.over:
        seat = game.to_act(played.state)[0]
        legal = game.legal(played.state, seat)
        played.answer(seat, legal[choice % len(legal)])
    record: dict[str, Any] = records.to_record(played, reveal=True)
    return record


def test_sealed_play_opens_with_the_finished_answer_only(scripts):
    record, answer = played_record(), played_record(choice=1)
    (challenge,) = ask(scripts, ["makeChallenge", record, "  Änn\u200b\u202e  B.  "])
    assert challenge["name"] == "Änn B."
    assert {key: challenge[key] for key in ("game", "seats", "options", "seated", "secret", "nonces")} == {
        key: record[key] for key in ("game", "seats", "options", "seated", "secret", "nonces")
    }
    assert not challenge.keys() & {"entries", "checksums", "result", "times", "players"}
    other_cards = {**answer, "secret": "11" * 32}
    other_nonces = {**answer, "nonces": ["", "", ""]}
    found = ask(
        scripts, ["readDuel", json.dumps(challenge)], ["openSeal", challenge, answer],
        ["openSeal", challenge, {**answer, "result": None}], ["openSeal", challenge, other_cards],
        ["openSeal", challenge, other_nonces],
    )  # fmt: skip
    misfit = {"reason": "misfit"}
    assert found == [challenge, record["entries"], {"reason": "unfinished"}, misfit, misfit]


def test_changed_challenge_does_not_open(scripts):
    record = played_record()
    (challenge,) = ask(scripts, ["makeChallenge", record, "Ann"])
    sealed = challenge["sealed"]
    changes: list[dict[str, Any]] = [
        {"sealed": sealed[:40] + ("A" if sealed[40] != "A" else "B") + sealed[41:]}, {"sealed": sealed[:20]},
        {"sealed": "AA"}, {"name": "Eve"}, {"options": challenge["options"] | {"target": 21}},
        {"seated": ["bot:5", "person", "bot:3"]},
    ]  # fmt: skip
    found = ask(scripts, *(["openSeal", {**challenge, **change}, record] for change in changes))
    assert found == [{"reason": "misfit"}] * len(changes)


def test_seals_of_one_game_differ_and_hide_the_length_of_play(scripts):
    played = [played_record("crystals", choice=choice, options={}) for choice in (0, 0, 1)]
    first, again, other = ask(scripts, *(["makeChallenge", record, ""] for record in played))
    assert len({first["sealed"], again["sealed"], other["sealed"]}) == 3
    assert len(first["sealed"]) == len(again["sealed"]) == len(other["sealed"])


def test_challenges_and_results_name_the_version_of_the_bots(scripts):
    record = played_record()
    old_record = {key: value for key, value in record.items() if key != "bots"}
    new, old = ask(scripts, ["makeChallenge", record, "Ann"], ["makeChallenge", old_record, "Ann"])
    assert (new["bots"], "bots" in old) == ("abc123", False)
    sides = [{"name": "Ann", "bots": "abc123", "entries": []}, {"name": "Ben", "entries": []}]
    (result,) = ask(scripts, ["makeResult", new, sides])
    again = ask(scripts, *(["readDuel", json.dumps(one)] for one in (new, old, result)))
    assert again == [new, old, result]
    assert ask(scripts, ["openSeal", new, record], ["openSeal", old, record]) == [record["entries"]] * 2


def test_longest_games_can_be_read_again(scripts):
    record = played_record()
    rng = random.Random(1)
    cards = GAMES["fourteen"].card_names
    record["entries"] = [f"{rng.randrange(4)} play {rng.choice(cards)}" for _ in range(60_000)]
    (challenge,) = ask(scripts, ["makeChallenge", record, "Ann"])
    assert ask(scripts, ["readDuel", json.dumps(challenge)]) == [challenge]
    assert ask(scripts, ["openSeal", challenge, record]) == [record["entries"]]


def test_only_finished_games_of_one_person_with_unknown_cards_are_sent(scripts):
    record = played_record()
    entries = record["entries"]
    expected: list[tuple[dict[str, Any], str]] = [
        ({"result": None}, "unfinished"),
        ({"fork": {"commitment": record["commitment"], "n": 3}}, "played-on"),
        ({"seated": ["person", "person", "bot:3"]}, "people"),
        ({"seated": ["bot:3", "bot:3", "bot:3"]}, "people"),
        ({"seated": ["open", "person", "bot:3"]}, "people"),
        ({"seated": ["bot:random", "person", "bot:3"]}, "people"),
        ({"entries": [*entries[:-1], f"{entries[-1]} by simple"]}, "people"),
        ({"entries": ["0 seat person", *entries]}, "people"),
        ({"entries": ["1 timeout", *entries]}, "people"),
    ]
    found = ask(scripts, *(["makeChallenge", {**record, **change}, "Ann"] for change, _ in expected))
    assert found == [{"reason": reason} for _, reason in expected]


def test_bad_challenges_and_results_are_refused(scripts):
    record = played_record()
    (challenge,) = ask(scripts, ["makeChallenge", record, "Ann"])
    sides = [{"name": "Ann", "entries": record["entries"]}, {"name": "Ben", "entries": record["entries"]}]
    (result,) = ask(scripts, ["makeResult", challenge, sides])
    assert not result.keys() & {"sealed", "name"}
    bad: list[tuple[Any, str]] = [
        *((text, "damaged") for text in ("", "no", "null", "3", "[]", "{}", '{"format": "diamonds record 2"}')),
        ({**challenge, "format": "diamonds challenge 2"}, "newer"),
        ({**result, "format": "diamonds duel 7"}, "newer"),
        *(({**challenge, key: value}, "damaged") for key, value in (
            ("game", 3), ("rules_version", "1"), ("seats", 2), ("seats", 1), ("seats", 7), ("seats", None),
            ("options", None), ("options", []), ("secret", "ab"), ("secret", "g" * 64), ("secret", None),
            ("nonces", ["", ""]), ("nonces", ["", "a", ""]), ("nonces", ["", "00" * 65, ""]), ("nonces", None),
            ("seated", ["bot:3", "bot:3", "bot:3"]), ("seated", ["person", "person", "bot:3"]), ("seated", 3),
            ("name", 3), ("sealed", "a b"), ("sealed", 3), ("sealed", "A" * 3_000_000),
        )),
        ({**challenge, "seated": ["bot:9", "person", "bot:3"]}, "newer"),
        *(({**result, "sides": value}, "damaged") for value in (None, [], sides[:1], [3, 4], [sides[0], {"name": "Ben"}])),
        ({**result, "sides": [sides[0], {"name": "Ben", "entries": [3]}]}, "damaged"),
    ]  # fmt: skip
    texts = [one if isinstance(one, str) else json.dumps(one) for one, _ in bad]
    found = ask(scripts, *(["readDuel", text] for text in texts))
    wrong = [
        (text[:200], got) for (_, reason), text, got in zip(bad, texts, found, strict=True) if got != {"reason": reason}
    ]
    assert not wrong
    (read,) = ask(scripts, ["readDuel", json.dumps({**result, "sides": [{**sides[0], "name": "A" * 99}, sides[1]]})])
    assert read["sides"][0]["name"] == "A" * 40


def test_challenge_must_fit_this_versions_rules_and_options(scripts):
    (challenge,) = ask(scripts, ["makeChallenge", played_record(), "Ann"])
    option = {"name": "target", "values": [20, 40], "default": 40, "rule": "F8", "seats": [], "needs": None}
    option["default_by"] = None
    info = {"version": challenge["rules_version"], "options": [option], "seats": [3, 4, 5, 6], "title": "Fourteen"}
    shared = {**challenge, "options": {"target": 20}}
    found = ask(
        scripts,
        ["checkPlayable", shared, {"games": {}}],
        ["checkPlayable", {**shared, "rules_version": 99}, {"games": {"fourteen": info}}],
        ["checkPlayable", {**shared, "options": {"jokers": True}}, {"games": {"fourteen": info}}],
        ["checkPlayable", {**shared, "options": {"target": "many"}}, {"games": {"fourteen": info}}],
    )
    reasons = ["newer", "rules-differ", "options", "options"]
    assert found == [{"reason": reason} for reason in reasons]


def steps(*answers: str) -> list[dict[str, Any]]:
    """Return the steps of a replay: answers, each with the number of the deal before it (`1: 0 play H7`)."""
    lines = [line.split(": ") for line in answers]
    views = [{"view": {"deals": int(deal)}} for deal, _ in lines]
    return [{"answer": None, **views[0]}] + [
        {"answer": answer, **(views[k + 1] if k + 1 < len(views) else {"view": {"deals": 9}})}
        for k, (_, answer) in enumerate(lines)
    ]


def test_decisions_are_paired_by_deal_question_and_order(scripts):
    one = steps(
        "1: 0 pass D2", "1: 1 pass H1", "1: 0 pass D3", "1: 0 play H7", "1: 1 play H8", "1: 0 victim 1", "2: 0 play S1"
    )
    other = steps(
        "1: 0 pass D2", "1: 0 pass D4", "1: 1 pass H1", "1: 1 play H8", "1: 0 play H7", "2: 0 play S1", "2: 0 victim 1"
    )
    (pairs,) = ask(scripts, ["compare", [one, other], 0])

    def short(side: Any) -> Any:
        return side and (side["question"], side["answers"], side["n"])

    told = [(pair["deal"], *map(short, pair["sides"]), pair["isEqual"]) for pair in pairs]
    assert told == [
        (1, ("pass", ["D2", "D3"], 0), ("pass", ["D2", "D4"], 0), False),
        (1, ("play", ["H7"], 3), ("play", ["H7"], 4), True),
        (1, ("victim", ["1"], 5), None, False),
        (2, ("play", ["S1"], 6), ("play", ["S1"], 5), True),
        (2, None, ("victim", ["1"], 6), False),
    ]


def test_games_are_alike_until_any_player_answers_differently(scripts):
    one = steps("1: 0 play H7", "1: 1 play H8", "1: 0 play S1")
    other = steps("1: 0 play H7", "1: 1 play H9", "1: 0 play S1")
    games = [[one, other], [one, one], [one, one[:2]], [one[:1], one], [other, steps("1: 0 play H8")]]
    assert ask(scripts, *(["commonLength", *pair] for pair in games)) == [1, 3, 1, 0, 0]


def test_every_decision_appears_once_in_a_comparison(scripts):
    one = steps(*(f"1: 0 {question} {k}" for k, question in enumerate("abacbca")))
    other = steps(*(f"1: 0 {question} {k}" for k, question in enumerate("bcadab")))
    (pairs,) = ask(scripts, ["compare", [one, copy.deepcopy(other)], 0])
    for k, game in enumerate((one, other)):
        numbers = [pair["sides"][k]["n"] for pair in pairs if pair["sides"][k]]
        assert sorted(numbers) == list(range(len(game) - 1)), "expected each decision once"
