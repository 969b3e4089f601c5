"""Deals of the day: the same cards for everyone, one attempt, and nothing that reveals another person's cards."""

import hashlib
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diamonds import daily_deals, record_reader
from diamonds.server.tables import daily as tables_daily
from diamonds.server.tables.core import daily
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import Client, first_legal, wait_until
from tests.server.support.live_server import LiveServer

DAYS = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]
TODAY, TOMORROW = DAYS[:2]
READS = ("record", "replay", "verify", "review")


@pytest.fixture
def set_day(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the first day, and return a function that sets another one. Bots draw their answers."""
    for module in (daily, daily_deals):
        monkeypatch.setattr(module, "BOT_LEVEL", "random")

    def change(day: str) -> None:
        monkeypatch.setattr(daily_deals, "current_day", lambda: day)

    change(TODAY)
    return change


@pytest.fixture
def server(open_server: Callable[..., LiveServer], tmp_path: Path, set_day: Any) -> LiveServer:
    return open_server(tmp_path)


def start(person: Client, game: str = "fourteen") -> str:
    """Create a person's table with today's deal; return its id."""
    id: str = person.post(f"/api/today/{game}", {}, 201)["id"]
    return id


def finish(person: Client, id: str, choice: int = 0) -> Any:
    """Play a game to its end; return the last update."""
    while (message := person.wait_for_turn_or_end(id))["table"]["phase"] != "over":
        question = message["open_question"]
        legal = question["legal"]
        person.answer(id, message["n"], f"{question['question']} {legal[choice % len(legal)]}")
    return message


def deal_of(person: Client, game: str = "fourteen") -> Any:
    """Return today's deal of a game as a person sees it."""
    (found,) = [deal for deal in person.get("/api/today")["deals"] if deal["game"] == game]
    return found


def is_listed_as_withheld(person: Client, id: str) -> bool:
    """Return whether a person's list says that others may still play a table's cards."""
    return {table["id"]: bool(table["withheld"]) for table in person.get("/api/tables")["your_tables"]}[id]


def check_table_is_unknown(table: str, *people: Client) -> None:
    """Check that people can neither see a table nor do anything at it; those without an identity only look."""
    bodies: dict[str, dict[str, Any]] = {
        "sit": {"nonce": "00"}, "stand": {}, "bot": {"seat": 0, "level": "random"}, "undo": {"n": 1, "to": 0},
        "fork": {"n": 0, "seat": 0, "level": "1"}, "rematch": {}, "chat": {"text": "hi"}, "fast-forward": {},
        "answers": {"n": 0, "answers": ["play D1"]}, "bot-speed": {"bot_speed": "quick"}, "nudge": {"seat": 0},
        "block": {"seat": 0}, "pause": {"on": True}, "substitute": {"seat": 0}, "proposal": {"proposal": 0, "accept": True},
        "plan": {"answers": []}, "chat-mode": {"chat_mode": "none"},
    }  # fmt: skip
    for person in people:
        for part in ("", "/stream", *(f"/{one}" for one in READS), "/hint", "/score-pad", "/plan"):
            assert person.send("GET", f"/api/tables/{table}{part}")[0] == 404, part
        for number, (part, body) in enumerate(bodies.items() if person.headers else ()):
            key = {} if part in ("fast-forward", "nudge", "block", "plan") else {"idempotency_key": f"key-{number:08}"}
            person.post(f"/api/tables/{table}/{part}", {**body, **key}, 404)


def test_deal_of_the_day_gives_everyone_the_same_cards_and_one_table(server):
    ann, ben = server.new_client(), server.new_client()
    ids = [start(ann), start(ben)]
    assert len(set(ids)) == 2
    assert start(ann) == ids[0], "expected one attempt for each person"
    tables = [server.app.tables.get(id) for id in ids]
    first, second = [one.wait_for_turn_or_end(id)["view"]["hand"] for one, id in zip((ann, ben), ids, strict=True)]
    assert first == second
    assert tables[0].game_state.secret == tables[1].game_state.secret
    assert tables[0].seating.nonces == ["", "", "", ""]
    assert deal_of(ann)["table"] == ids[0]
    assert start(ann, "mines") not in ids
    ann.post("/api/today/bridge", {}, 404)


def test_commitments_are_published_a_day_before_and_secrets_a_day_later(server, set_day):
    ann = server.new_client()
    day = ann.get("/api/today")
    assert (day["day"], day["ends_at"]) == (TODAY, 1772409600)
    promised = {deal["game"]: deal["next_commitment"] for deal in day["deals"]}
    ann.get(f"/api/days/{TODAY}/mines", 404)
    ann.get(f"/api/days/{TOMORROW}/mines", 404)
    for bad in ("2026-02-30", "yesterday", "20260228"):
        ann.get(f"/api/days/{bad}/mines", 404)
    set_day(TOMORROW)
    assert {deal["game"]: deal["commitment"] for deal in ann.get("/api/today")["deals"]} == promised
    assert len({*promised.values()}) == len(daily_deals.DAILY_GAMES)
    id = start(ann, "mines")
    assert ann.get_table(id)["table"]["commitment"] == promised["mines"]
    ann.get(f"/api/days/{TOMORROW}/mines", 404)
    set_day(DAYS[2])
    secret = ann.get(f"/api/days/{TOMORROW}/mines")["secret"]
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == promised["mines"]
    assert server.app.tables.get(id).game_state.secret.hex() == secret


def test_finished_deal_is_withheld_until_its_day_ends(server, set_day):
    ann = server.new_client()
    id = start(ann)
    message = finish(ann, id)
    secret = server.app.tables.get(id).game_state.secret.hex()
    assert is_listed_as_withheld(ann, id)
    fork = {"n": 0, "seat": 0, "level": "random"}
    for part in READS:
        assert ann.get(f"/api/tables/{id}/{part}", 409)["id"] == "table-daily-withheld"
    assert ann.post(f"/api/tables/{id}/fork", fork, 409)["id"] == "table-daily-withheld"
    assert ann.post(f"/api/tables/{id}/rematch", {}, 409)["id"] == "table-daily-once"
    replies = [message, ann.get_table(id), ann.get("/api/today"), ann.get("/api/tables"), ann.get("/api/me/data")]
    assert secret not in json.dumps(replies)
    set_day(TOMORROW)
    assert not is_listed_as_withheld(ann, id)
    wait_until(
        lambda: "secret" in (record := ann.get(f"/api/tables/{id}/record")) and record["secret"] == secret,
        "expected the record after the day",
    )
    record = record_reader.load_record(json.dumps(ann.get(f"/api/tables/{id}/record")).encode())
    assert record.over
    assert ann.get(f"/api/tables/{id}/verify")["ok"]
    ann.get(f"/api/tables/{id}/replay")
    forked = ann.post(f"/api/tables/{id}/fork", fork, 201)["id"]
    assert ann.get_table(forked)["table"]["daily"] is None


def test_nobody_else_sees_a_table_before_its_day_ends(server, set_day):
    ann, ben = server.new_client(), server.new_client()
    id = start(ann)
    ann.wait_for_turn_or_end(id)
    lobby = ben.open_lobby()
    check_table_is_unknown(id, ben, Client(server.port))
    assert id not in json.dumps([ben.get("/api/tables"), ben.get("/api/today"), lobby.events])
    set_day(TOMORROW)
    assert ben.get_table(id)["seat"] is None


def test_player_gets_neither_hints_nor_undo_nor_another_bot(server):
    ann = server.new_client()
    id = start(ann)
    message = ann.wait_for_turn_or_end(id)
    assert message["table"]["hints"] is False
    assert message["table"]["invite"] is None
    assert ann.get(f"/api/tables/{id}/hint", 409)["id"] == "hint-none-here"
    ann.answer(id, message["n"], first_legal(message))
    message = ann.wait_for_turn_or_end(id)
    assert (message["undo_min"], message["undo_last"]) == (None, None)
    for to in range(message["n"]):
        ann.post(f"/api/tables/{id}/undo", {"n": message["n"], "to": to, "idempotency_key": f"key-{to:08}"}, 409)
    ann.post(f"/api/tables/{id}/stand", {}, 200)
    ann.post(f"/api/tables/{id}/bot", {"seat": 0, "level": "random"}, 409)
    ann.post(f"/api/tables/{id}/bot", {"seat": 1, "level": None}, 409)
    ann.sit(id, seat=0)
    finish(ann, id)
    assert deal_of(ann)["result"], "expected the result to count after leaving the seat"


def test_results_are_shown_to_those_who_have_finished(server):
    people = [server.new_client() for _ in range(4)]
    results = []
    for choice, person in enumerate(people[:3]):
        id = start(person)
        assert deal_of(person)["results"] == [], "expected no results before the end of the own game"
        message = finish(person, id, choice)
        scores, winners = message["result"]["scores"], message["result"]["winners"]
        place = (
            1 if 0 in winners else 1 + sum(seat in winners or score > scores[0] for seat, score in enumerate(scores))
        )
        results.append((place, scores[0]))
        assert deal_of(person)["result"] == {"place": place, "points": scores[0]}
    ordered = sorted(results, key=lambda one: (one[0], -one[1]))
    counted = [(*result, len([*group])) for result, group in itertools.groupby(ordered)]
    for person in people[:3]:
        found = deal_of(person)["results"]
        assert [(one["place"], one["points"], one["number"]) for one in found] == counted
    start(people[3])
    assert deal_of(people[3])["results"] == []
    assert deal_of(Client(server.port))["results"] == [], "expected none for a stranger"


def test_game_that_ends_after_its_day_does_not_count(server, set_day):
    ann, ben = server.new_client(), server.new_client()
    id = start(ann)
    ann.wait_for_turn_or_end(id)
    set_day(TOMORROW)
    finish(ann, id)
    (game,) = ann.get("/api/today")["past"]
    assert game == {"day": TODAY, "game": "fourteen", "table": id, "finished": True, "result": None}
    assert ben.get(f"/api/days/{TODAY}/fourteen")["results"] == []


def test_streak_and_past_days_count_finished_deals(server, set_day):
    ann = server.new_client()
    for number, day in enumerate(DAYS[:3]):
        set_day(day)
        assert ann.get("/api/today")["streak"] == number
        finish(ann, start(ann))
        assert ann.get("/api/today")["streak"] == number + 1
    assert [game["day"] for game in ann.get("/api/today")["past"]] == [DAYS[1], DAYS[0]]
    set_day("2026-03-05")
    assert ann.get("/api/today")["streak"] == 0
    assert len(ann.get("/api/today")["past"]) == 3


def test_past_deal_shows_how_everyone_played(server, set_day):
    people = [server.new_client() for _ in range(3)]
    ids = [start(person) for person in people]
    for choice, (person, id) in enumerate(zip(people, ids, strict=True)):
        finish(person, id, choice)
    start(unfinished := server.new_client())
    unfinished.wait_for_turn_or_end(deal_of(unfinished)["table"])
    set_day(TOMORROW)
    found = people[1].get(f"/api/days/{TODAY}/fourteen")
    assert sum(one["number"] for one in found["results"]) == 3
    assert found["table"] == ids[1]
    record = people[1].get(f"/api/tables/{ids[1]}/record")
    own = [line.split(" ")[1:] for line in record["entries"] if line.startswith("0 ")]
    assert [[one["question"], one["yours"]] for one in found["decisions"]] == own
    for decision in found["decisions"]:
        assert 1 <= sum(one["number"] for one in decision["answers"]) <= 3
        assert decision["yours"] in [one["answer"] for one in decision["answers"]]
    others = Client(server.port).get(f"/api/days/{TODAY}/fourteen")
    assert {one["yours"] for one in others["decisions"]} == {None}
    assert (others["table"], others["result"]) == (None, None)


def archive(person: Client, game: str = "fourteen", month: str = "") -> Any:
    """Return a month of the archive, by default the newest."""
    return person.get(f"/api/days?game={game}" + (f"&month={month}" if month else ""))


def practise(person: Client, day: str = TODAY, game: str = "fourteen") -> str:
    """Create a person's practice table with an earlier deal; return its id."""
    id: str = person.post(f"/api/days/{day}/{game}", {}, 201)["id"]
    return id


def test_archive_lists_every_past_day_by_month(server, set_day):
    ann, ben = server.new_client(), server.new_client()
    finish(ann, start(ann))
    start(ann, "mines")
    set_day(TOMORROW)
    found = archive(ann)
    assert (found["month"], found["first_day"], found["last_day"]) == ("2026-03", daily_deals.FIRST_DAY, TODAY)
    (day,) = found["days"]
    assert (day["day"], day["players"], day["finished"], day["practice"]) == (TODAY, 1, True, None)
    assert day["result"] == ann.get(f"/api/days/{TODAY}/fourteen")["result"]
    (day,) = archive(ben)["days"]
    assert (day["players"], day["table"], day["finished"], day["result"]) == (1, None, False, None)
    (day,) = archive(ann, "mines")["days"]
    assert (day["players"], day["finished"], day["result"]) == (0, False, None)
    assert day["table"], "expected the unfinished game"
    days = [day["day"] for day in archive(ben, month="2026-02")["days"]]
    assert days == [f"2026-02-{date:02}" for date in range(28, 0, -1)]
    set_day("2028-09-27")
    found = archive(ann)
    assert (found["month"], len(found["days"])) == ("2028-09", 26)
    assert archive(ann, month="2026-03")["days"][-1]["players"] == 1


def test_archive_of_a_thousand_days_is_complete_and_repeats_no_day(server, set_day):
    ann = server.new_client()
    set_day("2028-09-27")
    months = [f"{year}-{month:02}" for year in (2026, 2027, 2028) for month in range(1, 13)][:33]
    days = [day["day"] for month in reversed(months) for day in archive(ann, "mines", month)["days"]]
    assert len(days) == 1000
    assert days == sorted({*days}, reverse=True)
    assert (days[-1], days[0]) == (daily_deals.FIRST_DAY, "2028-09-26")


def test_archive_is_empty_on_the_first_day(server, set_day):
    set_day(daily_deals.FIRST_DAY)
    found = archive(server.new_client())
    assert (found["month"], found["last_day"], found["days"]) == ("2026-01", None, [])


def test_archive_refuses_days_that_have_not_ended_and_bad_input(server):
    ann = server.new_client()
    for month in ("2026-04", "2025-12", "2026-13", "2026-3", "March", "0000-00", "9999-12", "2026-03-01", "%00"):
        assert ann.get(f"/api/days?game=mines&month={month}", 404)["id"] == "table-daily-no-month", month
    ann.get("/api/days?game=bridge", 404)
    ann.get("/api/days", 400)
    ann.get(f"/api/days?game=mines&month={'2' * 50}", 400)
    for day in (TODAY, TOMORROW, "2025-12-31", "2026-02-30", "20260228", "yesterday", "9999-12-31"):
        assert ann.post(f"/api/days/{day}/mines", {}, 404)["id"] == "table-daily-not-past", day
        ann.get(f"/api/days/{day}/mines", 404)
    ann.post("/api/days/2026-02-28/bridge", {}, 404)
    assert ann.get("/api/tables")["your_tables"] == []


def test_practice_has_the_cards_of_the_day_and_counts_for_nothing(server, set_day):
    ann, ben = server.new_client(), server.new_client()
    id = start(ann)
    first = ann.wait_for_turn_or_end(id)["view"]["hand"]
    finish(ann, id)
    set_day(TOMORROW)
    before = ann.get(f"/api/days/{TODAY}/fourteen")
    assert before["practice"] is None
    practice = practise(ben)
    assert practise(ben) == practice, "expected one practice table"
    assert ben.wait_for_turn_or_end(practice)["view"]["hand"] == first
    ben.post(f"/api/tables/{practice}/undo", {"n": 1, "to": 0, "idempotency_key": "key-00000001"}, 409)
    assert archive(ben)["days"][0]["practice"] == {"table": practice, "finished": False, "result": None}
    message = finish(ben, practice)
    assert practise(ben) == practice
    found = ben.get(f"/api/days/{TODAY}/fourteen")
    assert (found["table"], found["finished"], found["result"]) == (None, False, None)
    assert found["practice"]["result"]["points"] == message["result"]["scores"][0]
    assert archive(ben)["days"][0]["practice"] == found["practice"]
    record = ben.get(f"/api/tables/{practice}/record")
    assert record["secret"] == found["secret"]
    own = [line.split(" ")[1:] for line in record["entries"] if line.startswith("0 ")]
    assert [[one["question"], one["yours"]] for one in found["decisions"]] == own
    day = ben.get("/api/today")
    assert (day["streak"], day["past"]) == (0, [])
    assert archive(ben)["days"][0]["players"] == 1
    after = ann.get(f"/api/days/{TODAY}/fourteen")
    assert after == before, "expected another person's practice to change nothing"
    fork = ben.post(f"/api/tables/{practice}/fork", {"n": 0, "seat": 0, "level": "random"}, 201)["id"]
    finish(ben, fork)
    assert ben.get(f"/api/days/{TODAY}/fourteen") == found


def test_practice_after_a_counted_game_keeps_its_result(server, set_day):
    ann = server.new_client()
    id = start(ann)
    finish(ann, id)
    set_day(TOMORROW)
    counted = ann.get(f"/api/days/{TODAY}/fourteen")
    practice = practise(ann)
    assert practice != id
    finish(ann, practice, 1)
    found = ann.get(f"/api/days/{TODAY}/fourteen")
    assert found["practice"]["table"] == practice
    assert {**found, "practice": None} == counted
    assert ann.get("/api/today")["streak"] == 1


def test_practice_continues_a_game_that_was_begun_on_its_day(server, set_day):
    ann = server.new_client()
    id = start(ann)
    set_day(TOMORROW)
    assert practise(ann) == id
    finish(ann, id)
    assert practise(ann) != id


def test_practice_of_many_days_leaves_the_streak_alone(server, set_day, monkeypatch):
    monkeypatch.setattr(tables_daily, "MAX_GAMES", 2)
    ann = server.new_client()
    for day in DAYS[:2]:
        set_day(day)
        finish(ann, start(ann))
    for date in range(20, 24):
        finish(ann, practise(ann, f"2026-02-{date}"))
    day = ann.get("/api/today")
    assert day["streak"] == 2
    assert [one["day"] for one in day["past"]] == [TODAY]
    assert deal_of(ann)["result"]


def test_archive_tells_nothing_about_the_running_day(server, set_day):
    ann, ben = server.new_client(), server.new_client()
    id = start(ann)
    finish(ann, id)
    secret = server.app.tables.get(id).game_state.secret.hex()
    practise(ann, "2026-02-28")
    replies = [archive(person, month=month) for person in (ann, ben) for month in ("", "2026-02")]
    replies += [person.get("/api/days/2026-02-28/fourteen") for person in (ann, ben)]
    text = json.dumps(replies)
    assert TODAY not in text
    assert id not in text
    assert secret not in text


def test_signing_in_does_not_give_a_second_attempt(server):
    phone, laptop = BrowserClient(server.port).with_account("Ann"), BrowserClient(server.port)
    id = start(laptop)
    laptop.with_passkeys_of(phone).sign_in()
    assert start(laptop) == id
    assert start(phone) == id, "expected the guest's game to be the account's"
