"""Deals of the day without a server: the same in a terminal and on the page."""

import pytest

from diamonds import daily_deals, record_reader
from diamonds.bots import answer_check
from diamonds.game import GAMES
from tests.support import node
from tests.support.terminal import random_typing

DAY = "2026-03-01"
MONTHS = ["2026-03", "2026-02", "2026-01", "2025-12", "2026-13", "2026-1", "March", "2026-02-01", "", "9999-12"]

SCRIPT = """
const { DAILY_GAMES, daysOfMonth, monthsBetween, endOf, dayOf, publicSecret, streak } = await import(process.argv[1])
const { dailyTableId, dailyDealOf, practiceTableId } = await import(process.argv[2])
const [day, days, bad, months] = given
const games = Object.keys(DAILY_GAMES)
console.log(JSON.stringify({
  next: dayOf(endOf(day)),
  secrets: games.map((game) => Buffer.from(publicSecret(day, game)).toString('hex')),
  ids: games.map((game) => dailyTableId(day, game)),
  deals: games.map((game) => dailyDealOf(dailyTableId(day, game))),
  practice: games.map((game) => dailyDealOf(practiceTableId(day, game))),
  months: months.map((month) => daysOfMonth(month, day)),
  between: monthsBetween('2025-11-07', day),
  others: bad.map(dailyDealOf),
  streaks: days.map((played) => streak(new Set(played), day)),
}))
"""


@pytest.mark.later
def test_page_has_the_same_deals_of_the_day_as_the_terminal(tmp_path):
    deals = node.bundle("src/engine/dailyDeals.ts", tmp_path / "dailyDeals.mjs")
    ids = node.bundle("src/local/dailyTableIds.ts", tmp_path / "dailyTableIds.mjs")
    days = [[], [DAY], ["2026-02-28"], ["2026-02-27", "2026-02-28", DAY], ["2026-02-27", DAY], ["2026-02-27"]]
    bad = ["own-" + "0" * 32, "own-duel" + "0" * 28, "own-day2026030", "abc"]
    (found,) = node.ask(SCRIPT, [DAY, days, bad, MONTHS], deals, ids)
    assert found["secrets"] == [daily_deals.public_secret(DAY, name).hex() for name in daily_deals.DAILY_GAMES]
    assert found["deals"] == [{"day": DAY, "game": name, "isPractice": False} for name in daily_deals.DAILY_GAMES]
    assert found["practice"] == [{**deal, "isPractice": True} for deal in found["deals"]]
    assert found["months"] == [daily_deals.days_of_month(month, DAY) for month in MONTHS]
    assert found["between"] == ["2026-03", "2026-02", "2026-01", "2025-12", "2025-11"]
    assert all(len(id) == len("own-") + 32 for id in found["ids"]), "expected ids as long as of other tables"
    assert found["others"] == [None] * len(bad)
    assert found["next"] == "2026-03-02"
    streaks = [daily_deals.streak(played.__contains__, DAY) for played in days]
    assert found["streaks"] == streaks == [0, 1, 1, 3, 1, 0]


def test_every_day_and_game_has_cards_of_its_own():
    days = [f"2026-11-{date:02}" for date in range(1, 31)]
    secrets = {daily_deals.public_secret(day, name) for day in days for name in daily_deals.DAILY_GAMES}
    assert len(secrets) == len(days) * len(daily_deals.DAILY_GAMES)


@pytest.mark.parametrize("name", daily_deals.DAILY_GAMES)
def test_deals_of_the_day_have_valid_options(name):
    seats, options = daily_deals.DAILY_GAMES[name]
    chosen = GAMES[name].check_options(seats, options)
    assert {key: chosen[key] for key in options} == options


@pytest.mark.kernels
def test_today_plays_the_deal_of_the_day_once(run_cli, home, monkeypatch):
    monkeypatch.setattr("diamonds.cli.current_day", lambda: DAY)
    assert "Fourteen: not played yet. Type diamonds today fourteen." in run_cli("today", "--plain")[1]
    assert run_cli("today", "fourteen", typed=iter(["1\n", "quit\n"]))[0] == 0
    assert "Fourteen: not finished yet." in run_cli("today")[1]
    out = run_cli.output("today", "fourteen", typed=random_typing(1))
    assert "Continuing after" in out
    file = home / "days" / DAY / "fourteen.json"
    played = record_reader.load_record(file.read_bytes())
    assert played.over
    assert played.secret == daily_deals.public_secret(DAY, "fourteen")
    assert answer_check.check_bot_answers(played).differences == [], "expected the bots to answer as on the page"
    before = file.read_bytes()
    points = played.game.result(played.state)["scores"][0]
    assert f"of 4, {points} point" in run_cli("today", "fourteen", typed=random_typing(1))[1]
    assert file.read_bytes() == before, "expected one attempt a day"
    listed = run_cli("today")[1]
    assert "You have played 1 day in a row." in listed
    assert "Crystals: not played yet." in listed
    monkeypatch.setattr("diamonds.cli.current_day", lambda: "2026-03-02")
    listed = run_cli("today")[1]
    assert "Fourteen: not played yet." in listed
    assert "You have played 1 day in a row." in listed, "expected the streak to last until today's end"


@pytest.mark.kernels
def test_earlier_day_is_practice_and_counts_for_no_streak(run_cli, home, monkeypatch):
    monkeypatch.setattr("diamonds.cli.current_day", lambda: "2026-03-02")
    listed = run_cli("today", "--day", DAY)[1]
    assert f"Fourteen: not played yet. Type diamonds today fourteen --day {DAY}." in listed
    assert "in a row" not in listed
    assert run_cli("today", "fourteen", "--day", DAY, typed=random_typing(1))[0] == 0
    played = record_reader.load_record((home / "practice" / DAY / "fourteen.json").read_bytes())
    assert played.over
    assert played.secret == daily_deals.public_secret(DAY, "fourteen")
    points = played.game.result(played.state)["scores"][0]
    assert f"of 4, {points} point" in run_cli("today", "--day", DAY)[1]
    assert f"of 4, {points} point" in run_cli("today", "fourteen", "--day", DAY, typed=random_typing(1))[1]
    listed = run_cli("today", "--day", "2026-03-02")[1]
    assert listed == run_cli("today")[1]
    assert "Finish one deal a day to start a streak." in listed
    assert not (home / "days").exists()


@pytest.mark.parametrize("day", ["2026-03-02", "2025-12-31", "2026-02-30", "20260228", "yesterday", "", "9999-12-31"])
def test_future_or_invalid_day_is_refused(run_cli, home, monkeypatch, day):
    monkeypatch.setattr("diamonds.cli.current_day", lambda: DAY)
    for arguments in ([], ["mines"]):
        assert "is not a past day" in run_cli.error("today", *arguments, "--day", day)


def test_month_of_the_archive_has_the_days_that_have_ended():
    days = daily_deals.days_of_month
    assert days("2026-03", "2026-03-03") == ["2026-03-02", "2026-03-01"]
    assert (len(days("2026-02", DAY)), len(days("2028-02", "2028-03-01"))) == (28, 29)
    for month in ("2026-04", "2025-12", "2026-13", "2026-1", "March", "2026-03-01", "", "9999-12"):
        assert days(month, DAY) == [], month


def test_today_names_the_games_that_have_a_deal(run_cli, home):
    assert "crystals" in run_cli.error("today", "bridge")
