"""Lessons, run in Node on the page's engine: every course can be completed, and every wrong answer is tried."""

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diamonds import i18n
from diamonds.game import GAMES
from tests.support import artifacts, node
from tests.test_i18n import catalog_messages

pytestmark = pytest.mark.kernels

DRIVER = Path(__file__).parent / "node" / "lessons.mjs"
COURSES = sorted((node.REPO_ROOT / "web" / "src" / "lessons" / "courses").glob("*.json"))
NAMES = [path.stem for path in COURSES]
MAX_SENTENCE_LENGTH = 170  # characters that fit on a phone


def course_of(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(COURSES[NAMES.index(name)].read_text(encoding="utf-8"))
    return read


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return node.bundle("src/lessons/nodeEntry.ts", tmp_path_factory.mktemp("lessons") / "lessons.mjs")


@pytest.fixture(scope="module")
def course_runs(script: Path) -> dict[str, list[dict[str, Any]]]:
    """Return what happened in each course: the wrong answers tried at its tables, and its steps."""
    found = {}
    for name, file in zip(NAMES, COURSES, strict=True):
        done = node.run_node(DRIVER, script.as_uri(), str(artifacts.built_modules()), str(file))
        assert done.returncode == 0, done.stderr
        found[name] = [json.loads(line) for line in done.stdout.splitlines()]
    return found


def steps(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if "name" in line]


def course_sentences(lines: list[dict[str, Any]]) -> Iterator[str]:
    """Yield every sentence of a course, keyed by the end of its id."""
    for step in steps(lines):
        yield from (stage["id"] for stage in step["stages"])
        yield from (f"{step['name']}-{turn['why']}" for turn in step["turns"] if turn["how"] == "wrong")


def test_every_game_has_a_course():
    assert set(NAMES) == set(GAMES)


@pytest.mark.parametrize("name", NAMES)
def test_course_is_done_from_its_first_step_to_its_last_on_the_engine(name, course_runs):
    done, course = steps(course_runs[name]), course_of(name)
    assert [step["name"] for step in done] == [step["name"] for step in course["steps"]]
    assert 10 <= len(done) <= 15, f"{name} has {len(done)} steps."
    for step in done:
        second = next(one.get("secondTaskAfter") for one in course["steps"] if one["name"] == step["name"])
        told = [("asks", step["name"]), *([("asks", f"{step['name']}-then")] if second else [])]
        told.append(("right", f"{step['name']}-right"))
        assert [(stage["how"], stage["id"]) for stage in step["stages"]] == told
        assert step["after"], f"{name}, {step['name']}: expected no further answer after the step."


@pytest.mark.parametrize("name", NAMES)
def test_wrong_answer_in_a_lesson_changes_nothing_and_gets_a_reply(name, course_runs):
    tried = [line for line in course_runs[name] if "wrong" in line]
    assert tried
    for line in tried:
        assert line["refused"], f"{name}: {line['wrong']} was accepted."
        assert not line["moved"], f"{name}: {line['wrong']} changed the table."
        assert line["said"]["how"] == "wrong"
        assert line["said"]["id"].endswith(f"-{line['why']}")
    for step in steps(course_runs[name]):
        hows = {turn["how"] for turn in step["turns"]}
        assert "done" in hows, f"{name}, {step['name']} has no right answer."
        assert "wrong" in hows, f"{name}, {step['name']} teaches nothing: every answer is right."


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", i18n.languages())
def test_course_sentences_exist_are_short_and_used(name, language, course_runs):
    begin = f"page-lesson-{name}-"
    there = {id: values for id, values in catalog_messages(language).items() if id.startswith(begin)}
    wanted = {begin + one for one in course_sentences(course_runs[name])}
    assert wanted == set(there), f"Missing or unused: {sorted(wanted ^ set(there))}"
    assert not any(there.values()), "Expected sentences without values."
    text = (Path(i18n.__file__).parent / f"{language}.ftl").read_text(encoding="utf-8")
    long = [line for line in re.findall(rf"^{begin}.*? = (.*)$", text, re.MULTILINE) if len(line) > MAX_SENTENCE_LENGTH]
    assert not long, "\n".join(long)


# The events that each reply to a wrong answer predicts, and those that it rules out. `other` is any other seat. Replies
# that predict nothing are left out.
CLAIMS: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "crystals-lead-low": ([{"event": "trick", "seat": "other"}], []),
    "crystals-heart-low": ([{"event": "heart", "seat": "other"}], []),
    "crystals-heart-wrong": ([], [{"event": "heart", "seat": 0}]),
    "crystals-spade-low": ([{"event": "trick", "seat": "other"}], []),
    "crystals-spade-wrong": ([], [{"event": "spade", "seat": 0}]),
    "crystals-club-low": ([{"event": "trick", "seat": "other"}], []),
    "crystals-club-wrong": ([], [{"event": "club", "seat": 0}]),
    "crystals-follow-wrong": ([{"event": "trick", "seat": 1}], []),
    "crystals-void-heart": ([{"event": "heart", "seat": 0}], [{"event": "diamond", "seat": 0}]),
    "crystals-void-club": ([], [{"event": "diamond", "seat": 0}]),
    "crystals-void-wrong": ([{"event": "diamond", "seat": 0}], []),
    "crystals-rob-wrong": ([], [{"event": "club", "seat": 0}]),
    "crystals-empty-wrong": ([{"event": "nothing", "seat": 0}], []),
    "crystals-use-wrong": ([], [{"event": "diamond", "seat": 0}]),
    "crystals-most-wrong": ([{"event": "trick", "seat": "other"}], []),
    "crystals-none-wrong": ([{"event": "trick", "seat": 0}], []),
    "crystals-pairs-wrong": ([{"event": "trick", "seat": 0}], []),
    "fourteen-follow-wrong": ([{"event": "trick", "seat": 1}], []),
    "fourteen-make-wrong": ([], [{"event": "turned", "seat": 0}]),
    "fourteen-win-give": ([{"event": "turned", "seat": 0}, {"event": "trick", "seat": 2}], []),
    "fourteen-win-wrong": ([{"event": "trick", "seat": 1}], [{"event": "turned", "seat": 0}]),
    "fourteen-ace-wrong": ([{"event": "trick", "seat": 3}], [{"event": "turned", "seat": 0}]),
    "fourteen-jack-wrong": ([{"event": "trick", "seat": 3}], [{"event": "turned", "seat": 0}]),
    "fourteen-again-wrong": ([{"event": "trick", "seat": 3}], []),
    "fourteen-late-back": ([{"event": "turned", "seat": 0}, {"event": "trick", "seat": 1}], []),
    "fourteen-late-wrong": ([{"event": "trick", "seat": 3}], []),
    "fourteen-void-gift": ([{"event": "trick", "seat": 1, "diamonds": 1}], [{"event": "trick", "seat": 0}]),
    "fourteen-end-wrong": ([{"event": "trick", "seat": 2}], [{"event": "turned", "seat": 0}]),
    "fourteen-kept-wrong": ([{"event": "trick", "seat": 1, "diamonds": 1}], []),
}
NO_CLAIM = "That is allowed, but not now."  # replies that only repeat the task
PLAYERS = {"en": ["you", "Blaise", "Carl", "Dorothy"], "de": ["du", "Blaise", "Carl", "Dorothy"]}
SUIT_SIGNS = dict(zip("♦♥♠♣", "DHSC", strict=True))
NUMBER_WORDS = {
    "en": ["no", "one", "two", "three", "four", "five", "six", "seven"],
    "de": ["kein", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben"],
}
SUPERSEDED = {  # cards that a text may mention although nobody has played them, because a higher card may be out
    "crystals-club": {"C15"}
}


def text_of(language: str, game: str, id: str) -> str:
    text = (Path(i18n.__file__).parent / f"{language}.ftl").read_text(encoding="utf-8")
    found = re.search(rf"^page-lesson-{game}-{id} = (.*)$", text, re.MULTILINE)
    assert found, f"expected a message {game}-{id}"
    return found[1]


def cards_in(text: str) -> set[str]:
    return {SUIT_SIGNS[suit] + rank for suit, rank in re.findall(r"([♦♥♠♣])(\d+|[AJQK](?![a-z]))", text)}


def happens(events: list[dict[str, Any]], wanted: dict[str, Any]) -> bool:
    def fits(event: dict[str, Any]) -> bool:
        return all(
            event.get(key) not in (0, None) if value == "other" else event.get(key) == value
            for key, value in wanted.items()
        )

    return any(map(fits, events))


@pytest.mark.parametrize("name", NAMES)
def test_replies_to_wrong_answers_tell_what_would_follow(name, course_runs):
    """Play every refused answer: the events claimed by its reply must occur, but the step must not be achieved."""
    for step, plan in zip(steps(course_runs[name]), course_of(name)["steps"], strict=True):
        for turn in step["turns"]:
            if turn["how"] != "wrong":
                continue
            id = f"{name}-{step['name']}-{turn['why']}"
            come, stay_away = CLAIMS.get(id, ([], []))
            events = turn["events"]
            missing = [one for one in come if not happens(events, one)]
            false = [one for one in stay_away if happens(events, one)]
            assert not missing, f"{id}: {turn['answer']} brings {events} and not {missing}."
            assert not false, f"{id}: {turn['answer']} brings {false}."
            reached = plan.get("brings") and all(happens(events, one) for one in plan["brings"])
            assert not reached or id in {"crystals-void-wrong"}, f"{id}: {turn['answer']} does what the step asks for."


def stage_texts(
    name: str, language: str, lines: list[dict[str, Any]]
) -> Iterator[tuple[str, str, dict[str, Any], list[dict[str, Any]]]]:
    """Return the id and text of every task and success, with its stage and all events of its table so far."""
    past: list[dict[str, Any]] = []
    for step in steps(lines):
        past = [] if step["new"] else past
        for stage in step["stages"]:
            past = past + stage["events"]
            yield f"{name}-{stage['id']}", text_of(language, name, stage["id"]), stage, past


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", i18n.languages())
def test_cards_and_players_in_lesson_texts_are_those_of_the_table(name, language, course_runs):
    players = PLAYERS[language]
    for id, text, stage, past in stage_texts(name, language, course_runs[name]):
        data = stage["data"]
        seen = {card for event in past for key, card in event.items() if key == "card"} | set(data.get("trick") or [])
        seen |= {card for row in data.get("played") or [] for card in row} | set(data.get("last_trick") or [])
        seen |= set(data["hand"][0]) | {card for row in data.get("received") or [] for card in row}
        seen |= {data["attack"]} if data.get("attack") else set()
        unseen = cards_in(text) - seen - SUPERSEDED.get(id, set())
        unseen -= {card for row in data["hand"] for card in row} if stage["how"] == "right" else set()
        assert not unseen, f"{id} ({language}): {unseen} are not on the table."
        for player, suit, rank in re.findall(r"\b(Blaise|Carl|Dorothy)(?:’s|s) ([♦♥♠♣])(\d+|[AJQK](?![a-z]))", text):
            seat, card = players.index(player), SUIT_SIGNS[suit] + rank
            known = [event for event in past if event.get("card") == card and event["event"] in {"played", "defended"}]
            known += [{"seat": seat}] if card in data["hand"][seat] or (data.get("played") or {seat: []})[seat] else []
            assert any(event["seat"] == seat for event in known), f"{id} ({language}): {card} is not {player}’s."
        if stage["how"] != "right" and not stage["id"].endswith("-then"):
            continue
        won = {event["seat"] for event in stage["events"] if event["event"] == "trick"}
        pattern = {
            "en": r"\b(Blaise|Carl|Dorothy|[Yy]ou)(?:’s [♦♥♠♣]\w+)? (?:wins?|won) the trick",
            "de": r"(?:[Mm]achte? (Blaise|Carl|Dorothy) den Stich|\b(?:machte|macht|Den Stich machte) (Blaise|Carl|Dorothy))",
        }[language]
        for found in re.finditer(pattern, text):
            player = next(filter(None, found.groups())).lower().capitalize()
            seat = 0 if player in {"You", "Du"} else players.index(player)
            assert seat in won, f"{id} ({language}): the trick went to {won}."


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", i18n.languages())
def test_numbers_in_lesson_texts_are_those_of_the_table(name, language, course_runs):
    words = NUMBER_WORDS[language]

    def value(word: str) -> int:
        word = word.lower()
        return int(word) if word.isdigit() else words.index(word)

    number = rf"(\d+|{'|'.join(words[1:])})"
    for id, text, stage, past in stage_texts(name, language, course_runs[name]):
        data, before, after = stage["data"], stage["before"], stage["tally"]
        bare = re.sub(r"([♦♥♠♣])(?:\d+|[AJQK])(?![a-z])", r"\1x", text)
        mine = [after[0]["counts"], (before or after)[0]["counts"]]
        here = f"{id} ({language}): {text}"
        for one, other in re.findall(r"(\d+) \+ (\d+) = 14", bare):
            ranks = [{"A": 1, "J": 11, "Q": 12, "K": 13}.get(card[1:]) or int(card[1:]) for card in played(past)]
            assert (int(one), int(other)) in itertools.pairwise(ranks), here
        several = rf"(\d+|{'|'.join(words[2:])})"  # “ein” is also an article
        for found in re.findall(rf"\b{several}\b (?:high )?♦(?!x|-| actions)", bare, re.IGNORECASE):
            if name == "mines":
                fits = {mine[0]["diamonds"], 7}
            else:
                taken = [row[0] if isinstance(row, list) else row for row in data["taken"]]
                fits = {taken[0], mine[0].get("diamonds", 0) - mine[1].get("diamonds", 0)}
                fits |= {sum(card[0] == "D" for card in data["hand"][0])}
                assert "Blaise" not in text or "je drei" not in text or taken[0] == taken[1] == 3, here
            assert value(found) in fits, here
        for found in re.findall(rf"\b(?:bid|hast) {number}\b(?! ?♦)(?: angesagt| and)", bare):
            assert value(found) == data["bid"][0], here
        points = several if stage["how"] == "asks" else number
        for found in re.findall(rf"\b{points} (?:points?|Punkte?n?)\b", bare, re.IGNORECASE):
            counts = [value for row in after for value in row["counts"].values()]
            changed = [
                one["counts"].get(key, 0) - value
                for one, row in zip(after, before or after, strict=True)
                for key, value in row["counts"].items()
            ]
            of_the_rules = {1 * (id == "fourteen-win"), 4 * (id == "crystals-none")}
            of_the_step = {data.get("target"), data.get("bid", [0])[0]}
            assert value(found) in {*counts, *changed} | of_the_rules | of_the_step, here
        for found in re.findall(rf"\b{number} (?:crystals|Kristalle)\b", bare, re.IGNORECASE):
            assert value(found) in data["showroom"], here
        for found in re.findall(r"\b(?:pile|Stapel) (\d+)", bare):
            assert data["owner"][int(found) - 1] is not None or id == "mines-grow", here
        # The end of a round: every bonus is listed, and the list adds up.
        if name == "crystals" and any(event["event"] in {"most", "no_trick"} for event in stage["events"]):
            gains = dict.fromkeys(PLAYERS[language][:3], 0)
            you = PLAYERS[language][0]
            for player, plus, victim in re.findall(r"(\w+) \+(\d)(?:, (?:from|von) (\w+))?", bare):
                gains[player] += int(plus)
                if victim:
                    gains[you if victim in {"you", "dir"} else victim] -= 1
            deltas = [one["counts"]["points"] - row["counts"]["points"] for one, row in zip(after, before, strict=True)]
            assert list(gains.values()) == deltas, here
        if data["over"]:
            assert re.search(r"\bwins?\b|\bwon\b|gewonnen|gewinnt", text), f"{here}: who won?"
        assert not re.search(r"[Ss]ame hand|[Aa]nother (?:round|game)|[Dd]ieselbe Runde|andere Runde", text), here


def played(events: list[dict[str, Any]]) -> list[str]:
    return [event["card"] for event in events if event["event"] == "played"]


@pytest.mark.parametrize("name", NAMES)
def test_courses_cite_existing_rules(name):
    told = (node.REPO_ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    numbers: set[str] = set()
    for first, last in re.findall(r"\b([CFM]\d+)(?:–([CFM]\d+))?", told):
        numbers |= {f"{first[0]}{k}" for k in range(int(first[1:]), int((last or first)[1:]) + 1)}
    for step in course_of(name)["steps"]:
        assert step["rules"], f"{step['name']} cites no rule."
        assert set(step["rules"]) <= numbers, f"{step['name']} cites rules that {name} lacks: {step['rules']}"


@pytest.mark.parametrize("name", NAMES)
def test_lesson_answers_are_legal_in_python_too(name):
    """The answers before each step are legal, and a table's cards are from one pack, each only once."""
    course, game = course_of(name), GAMES[name]
    cards = next(one for one in game.questions if one.name in {"play", "give"}).answers
    for step in course["steps"]:
        if "at" not in step:
            continue
        table = course["tables"][step["at"]["table"]]
        seats, laid = len(table["cut"]), [card for packet in table["cards"] for card in packet]
        assert len(set(laid)) == len(laid), f"{step['name']}: a card is in two places."
        state = game.start(
            seats, game.check_options(seats, table["options"]), [cards.index(one) for one in table["cut"]]
        )
        game.rules.deal(state, deck_for_packets(game, state, table["cards"], cards), None)
        for line in step["at"]["played"]:
            seat, question, answer = line.split()
            number = game.parse_answer(state, int(seat), question, answer)  # raises if the answer is illegal
            game.rules.step(state, int(seat), number, None)
        assert table["me"] in game.to_act(state), f"{step['name']}: the learner is not to act."


def deck_for_packets(game: Any, state: Any, packets: list[list[str]], cards: Any) -> list[int]:
    """Return a deck that gives each seat or pile its cards; unnamed cards go anywhere."""
    copy, pack = state.copy(), game.pack(state)
    game.rules.deal(copy, pack, None)
    where = [0] * (64 * len(packets))
    _, size = game.rules.deal_packets(copy, where)
    found: list[int | None] = [None] * len(pack)
    packet, place = 0, 0
    for number in where[:size]:
        if number < 0:
            packet, place = packet + 1, 0
            continue
        if place < len(packets[packet]):
            found[pack.index(number)] = cards.index(packets[packet][place])
        place += 1
    rest = [card for card in pack if card not in set(found)]
    return [rest.pop(0) if one is None else one for one in found]
