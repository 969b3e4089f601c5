"""Hints during a game and reviews after it, over the API: permissions, contents, and work in the background."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from diamonds import i18n
from diamonds.bots import kernels
from diamonds.server.tables import analysis
from diamonds.server.tables.core.entry_log import seat_of
from tests.server.support.client import Client, close_connections, wait_until
from tests.server.support.live_server import LiveServer, finish_game, full_table

pytestmark = pytest.mark.kernels


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    """One server for all tests, because each server loads its own kernels."""
    one = LiveServer()
    yield one
    one.close()
    close_connections()


def wait_for_hint(guest: Client, id: str):
    """Wait for a hint, however long the kernels take, and return it."""
    return wait_until(
        lambda: (found := guest.get(f"/api/tables/{id}/hint", expect=None)) and guest.status == 200 and found,
        "expected a hint",
    )


def finished_game(server: LiveServer, guest: Client, game: str, seats: int, **more) -> str:
    """Return a table whose game against bots is finished."""
    id = guest.create_table(game=game, seats=seats, **more)
    finish_game(server, id, guest)
    return id


@pytest.mark.parametrize(("game", "seats"), [("crystals", 3), ("fourteen", 3), ("mines", 2)])
def test_hint_uses_the_players_view_and_is_deterministic(guest, monkeypatch, game, seats):
    monkeypatch.setattr(analysis, "MAX_CACHED", 0)  # so that each hint is computed
    id = guest.create_table(game=game, seats=seats)
    message = guest.wait_for_turn(id)
    assert message["table"]["hints"] is True
    hint = wait_for_hint(guest, id)
    raw = guest.reply_body
    assert hint["n"] <= message["n"]
    assert (hint["seat"], hint["question"]) == (0, message["open_question"]["question"])
    for choice in hint["choices"]:
        assert set(choice["answers"]) <= set(message["open_question"]["legal"]) | set(message["view"]["hand"][0])
    wait_for_hint(guest, id)
    assert guest.reply_body == raw, "expected the same hint for the same question"


def test_r2_hint_is_only_for_the_person_to_act(server):
    guest, stranger = server.new_client(), server.new_client()
    id = guest.create_table(game="fourteen", seats=3, private=False)
    for who in (stranger, Client(server.port)):
        assert "no seat" in who.get(f"/api/tables/{id}/hint", expect=403)["error"]
    message = guest.wait_for_turn(id)
    guest.answer_first(id)
    table = server.app.tables.get(id)
    if 0 not in table.game.to_act(table.game_state.state):
        error = guest.get(f"/api/tables/{id}/hint", expect=None)
        assert guest.status == 409 or server.app.tables.get(id).n > message["n"] + 1, error
    guest.get("/api/tables/unknown/hint", expect=404)


def test_r2_hints_at_one_table_use_each_players_own_hand(server):
    id, guests = full_table(server, "crystals", 2, hints=True)
    dealer = next(seat for seat in range(2) if guests[seat].get_table(id)["open_question"])
    guests[1 - dealer].get(f"/api/tables/{id}/hint", expect=409)
    guests[dealer].answer(id, 0, "count 2")
    for seat in range(2):
        hint = wait_for_hint(guests[seat], id)
        hand = guests[seat].get_table(id)["view"]["hand"][seat]
        named = {card for choice in hint["choices"] for card in choice["answers"]}
        assert hint["seat"] == seat
        assert named <= set(hand), "expected a hint from the player's own hand"


def test_hints_among_people_need_the_hosts_permission(server):
    id, guests = full_table(server, "fourteen", 3)
    assert guests[0].get_table(id)["table"]["hints"] is False
    for guest in guests:
        assert "if the host allows them" in guest.get(f"/api/tables/{id}/hint", expect=409)["error"]
    alone = guests[0].create_table(game="fourteen", seats=3, hints=False)
    assert guests[0].get_table(alone)["table"]["hints"] is False
    allowed, guests = full_table(server, "fourteen", 3, hints=True)
    assert guests[1].get_table(allowed)["table"]["hints"] is True


def test_hints_are_disabled_when_a_second_person_sits_down(server):
    host, other = server.new_client(), server.new_client()
    id = host.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "bot:simple"])
    assert host.get_table(id)["table"]["hints"] is True
    other.sit(id, invite=host.invite)
    assert host.get_table(id)["table"]["hints"] is False


@pytest.mark.parametrize(("game", "seats", "options"), [("mines", 2, {}), ("fourteen", 3, {"target": 5})])
def test_review_runs_in_the_background_with_progress_and_is_stored(server, guest, monkeypatch, game, seats, options):
    id = guest.create_table(game=game, seats=seats, options=options)
    assert "when the game is over" in guest.get(f"/api/tables/{id}/review", expect=409)["error"]
    id = finished_game(server, guest, game, seats, options=options)
    pool, parts, go_on, told, noted = server.app.tables.workers, [], threading.Event(), [], []
    work_out = pool.run

    async def stop_halfway(*given):
        """Stop after the plan and one part, until the test has looked."""
        found = await work_out(*given)
        parts.append(found)
        while len(parts) == 3 and not go_on.is_set():
            await asyncio.sleep(0.01)
        return found

    def note(name):
        real = getattr(analysis.review, name)

        def noting(*given):
            noted.append(name)
            return real(*given)

        monkeypatch.setattr(analysis.review, name, noting)

    def ask():
        """Return the review, or nothing yet."""
        made = guest.get(f"/api/tables/{id}/review", expect=None)
        if guest.status == 200:
            return made
        assert guest.status == 202, made
        assert guest.reply_headers["retry-after"] == "1"
        told.append((made["done"], made["total"]))
        return None

    monkeypatch.setattr(pool, "run", stop_halfway)
    for name in ("plan", "judge", "forecast"):
        note(name)
    wait_until(lambda: ask() or 0 < told[-1][0] < told[-1][1], "expected the review to begin")
    assert guest.status == 202, "expected progress"
    guest.get("/api/health")
    go_on.set()
    made = wait_until(ask, "expected the review to finish")
    assert told == sorted(told), "expected progress not to decrease"
    assert not noted, f"expected no review work in the server process: {noted}"

    table = server.app.tables.get(id)
    assert [one["seat"] for one in made["results"]] == [0], "expected a review of people's seats"
    account = made["results"][0]
    parts = account["start"] + account["cards"] + account["luck"] + account["skill"]
    assert parts == pytest.approx(account["result"])
    assert {one["seat"] for one in made["decisions"]} == {0}
    for one in made["decisions"]:
        seat, question = (
            seat_of(table.log.effective_answers()[one["n"]][1]),
            table.log.question_name(table.log.effective_answers()[one["n"]][1]),
        )
        assert (seat, question) == (0, one["question"])
    for one in made["chances"]:
        assert sum(one["chances"]) == pytest.approx(1, abs=0.01)
    raw = guest.reply_body
    stranger = Client(server.port)
    assert stranger.send("GET", f"/api/tables/{id}/review") == (200, raw), "expected a public review"
    assert table.is_over


def test_missing_compiled_playouts_error_names_what_to_install(server, guest, monkeypatch):
    monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    id = guest.create_table(game="mines", seats=2)
    guest.wait_for_turn(id)
    sentence = f"Hints and reviews are not available here: {i18n.translate(*kernels.NUMBA_REQUIRED)}."
    assert guest.get(f"/api/tables/{id}/hint", expect=409)["error"] == sentence
    over = finished_game(server, guest, "mines", 2)
    assert guest.get(f"/api/tables/{over}/review", expect=409)["error"] == sentence


def test_failed_review_is_reported_and_can_be_retried(server, guest, monkeypatch):
    id = finished_game(server, guest, "fourteen", 3, options={"target": 5})
    sum_up = analysis.review.assemble_review

    def broken(*_):
        raise RuntimeError("on purpose")

    monkeypatch.setattr(analysis.review, "assemble_review", broken)
    wait_until(lambda: guest.get(f"/api/tables/{id}/review", expect=None) and guest.status == 409, "expected an error")
    assert "review failed" in guest.get(f"/api/tables/{id}/review", expect=None).get("error", "review failed")
    monkeypatch.setattr(analysis.review, "assemble_review", sum_up)
    wait_until(lambda: guest.get(f"/api/tables/{id}/review", expect=None) and guest.status == 200, "expected a review")
