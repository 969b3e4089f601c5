"""Games begun under an earlier version continue to their end."""

import pytest

from tests.upgrade import observations
from tests.upgrade.user import User, play_to_end

pytestmark = pytest.mark.later


def test_running_games_are_played_to_their_end(version_fixtures, start_server, tmp_path):
    server = start_server(version_fixtures.unpack(tmp_path / "data"), version_fixtures.an_hour_later)
    for label in version_fixtures.labels("playing"):
        about = version_fixtures.tables[label]
        if about.get("stuck"):
            continue
        users, table = version_fixtures.players(server, label), about["id"]
        observations.resume_table(table, users)
        assert play_to_end(table, users)["result"] is not None
        seats = {seat: name for name, seen in about["seen"].items() if (seat := seen["seat"]) is not None}
        record = users[0].record(table)
        assert users[0].verify(table), f"“{label}” does not verify"
        assert record["commitment"] == about["seen"][about["people"][0]]["commitment"]
        assert len(record["entries"]) > max(seen["n"] for seen in about["seen"].values()), f"{seats} gave no answer"


def test_waiting_tables_begin_once_they_are_full(version_fixtures, start_server, tmp_path):
    server = start_server(version_fixtures.unpack(tmp_path / "data"), version_fixtures.an_hour_later)
    for label in version_fixtures.labels("waiting"):
        about, users = version_fixtures.tables[label], version_fixtures.players(server, label)
        seated = [user for user in users if user.get_table(about["id"])["seat"] is not None]
        for user in users:
            if user not in seated:  # the seat is reserved
                user.sit(about["id"])
        while observations.table_summary(users[0].get_table(about["id"]))["phase"] == "waiting":
            newcomer = User(server).open_web_client()
            newcomer.sit(about["id"], invite=about["invite"])
            users.append(newcomer)
        now = observations.table_summary(users[0].get_table(about["id"]))
        assert (now["phase"], now["commitment"]) == ("playing", about["seen"][about["people"][0]]["commitment"])


def test_rematch_and_fork_follow_a_finished_game(version_fixtures, upgraded_server):
    ben = version_fixtures.user(upgraded_server, "Ben")
    assert observations.rematch(ben, version_fixtures.id("crystals for two")) == version_fixtures.id("again")
    anna = version_fixtures.user(upgraded_server, "Anna")
    fork = observations.fork(anna, version_fixtures.id("crystals alone"), n=4)
    assert observations.table_summary(anna.get_table(fork))["fork"] == 4
