"""A data folder of an earlier version: everything is there, and its owners can read it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from upgrade import program, seen
from upgrade.passkey import Passkey
from upgrade.program import Server
from upgrade.user import User
from upgrade.written import Written

pytestmark = pytest.mark.later

YEARS_S = 5 * 365 * 86_400


# Tables


def test_tables_are_as_everybody_saw_them(written: Written, opened: Server) -> None:
    written.check_tables(opened)


def test_tables_are_listed_for_their_people(written: Written, opened: Server) -> None:
    for name, about in written.people.items():
        if "tables" in about:
            listed = sorted(line["id"] for line in written.user(opened, name).tables())
            assert listed == about["tables"], f"{name} has other tables than before"


def test_finished_games_verify_and_have_the_same_record(written: Written, opened: Server) -> None:
    for label in written.labels("over"):
        user, about = written.players(opened, label)[0], written.tables[label]
        assert user.verify(about["id"]), f"“{label}” does not verify"
        record, before = user.record(about["id"]), {**about["record"]}
        del before["format"]  # a later one may have more keys
        assert {key: record.get(key) for key in before} == before, f"“{label}” has another record"


def test_finished_games_replay_with_their_undos(written: Written, opened: Server) -> None:
    for label in written.labels("over"):
        user, about = written.players(opened, label)[0], written.tables[label]
        assert seen.history(user.replay(about["id"])) == about["history"], f"“{label}” has another history"


def test_closed_table_stays_closed(written: Written, opened: Server) -> None:
    closed = {label: about for label, about in written.tables.items() if about.get("closed")}
    assert closed, "no fixture has a closed table"
    for label, about in closed.items():
        user = written.user(opened, about["people"][-1])
        told = seen.try_to_go_on(user, about["id"])
        assert user.status == 409, f"“{label}” is open again"
        assert about["closed"] in told["error"], f"“{label}” does not say why it is closed: {told['error']}"


def test_private_table_needs_its_invite(written: Written, opened: Server) -> None:
    table, invite = written.id("invited"), written.tables["invited"]["invite"]
    stranger = User(opened).come()
    stranger.sit(table, expect=403)
    stranger.sit(table, expect=403, invite=invite[::-1])
    with_invite = User(opened).come()
    with_invite.sit(table, invite=invite)
    assert with_invite.look(table)["seat"] == 1
    with_invite.do(table, "stand")  # other tests look at this table, too


# People


def test_cookies_and_tokens_identify_the_same_people(written: Written, opened: Server) -> None:
    for name, about in written.people.items():
        user = written.user(opened, name)
        assert user.name() == about["name"], f"{name} is called {user.name()}"
        assert user.me()["account"] == about["account"]
        if about["account"]:
            assert len(user.me()["passkeys"]) == len(about["passkeys"])
            assert user.me()["code"], f"the recovery code of {name} is gone"
    second = User(opened, written.people["Anna"]["second_cookie"])
    assert second.me()["name"] == "Anna", "her second device is not signed in any more"
    assert sum(device["here"] for device in second.me()["devices"]) == 1


def test_deleted_account_stays_deleted(written: Written, opened: Server) -> None:
    left = written.known["left"]
    user, newcomer = User(opened, left["cookie"]).come(), User(opened).come()
    assert not user.me()["account"]
    newcomer.sign_in_by_code(left["code"], expect=403)
    newcomer.sign_in_by_passkey(Passkey(left["passkeys"][0]).sign(newcomer.begin_passkey(), opened.address), expect=403)


def test_altered_cookie_identifies_nobody(written: Written, opened: Server) -> None:
    cookie = written.people["Anna"]["cookie"]
    user = User(opened, cookie[:-2] + ("AA" if cookie[-2:] != "AA" else "BB"))
    assert user.name() != "Anna"


def test_passkeys_sign_in(written: Written, opened: Server) -> None:
    for name in ("Anna", "Ben"):
        for key in written.passkeys(name):
            user = User(opened).come()
            user.sign_in_by_passkey(key.sign(user.begin_passkey(), opened.address))
            assert user.me()["name"] == name


def test_recovery_code_signs_in(written: Written, opened: Server) -> None:
    user = User(opened).come()
    user.sign_in_by_code(written.people["Cleo"]["code"])
    assert user.me()["name"] == "Cleo"
    user = User(opened).come()
    user.sign_in_by_code(written.people["Cleo"]["code"][:-4] + "0000", expect=403)


def test_relationships_are_the_same(written: Written, opened: Server) -> None:
    known = {name: about["relationships"] for name, about in written.people.items() if "relationships" in about}
    assert known["Anna"]["friends"] == ["Ben"]
    for name, before in known.items():
        assert seen.relationships(written.user(opened, name)) == before, f"{name} has other friends or blocks"


def test_name_of_an_account_stays_taken(written: Written, opened: Server) -> None:
    for name in ("Ben", "Bеn"):  # the second one has a Cyrillic letter
        User(opened).come().rename(name, expect=409)


# Order


def test_sanctions_hold(written: Written, opened: Server) -> None:
    for name, about in written.people.items():
        user = written.user(opened, name)
        assert seen.sanctions(user) == about["sanctions"], f"other sanctions of {name}"
        assert user.is_banned() == bool(about.get("banned")), f"{name} may enter, or may not"
    emil = written.user(opened, "Emil")
    emil.say(written.id("reported"), "I am not muted", expect=403)
    assert written.user(opened, "Fay").warning() == written.people["Fay"]["warned"]


def test_banned_account_stays_out_by_passkey_and_code(written: Written, opened: Server) -> None:
    [key] = written.passkeys("Dora")
    user = User(opened).come()
    told = user.sign_in_by_passkey(key.sign(user.begin_passkey(), opened.address), expect=403)
    assert written.people["Dora"]["banned"] in told["error"]
    told = user.sign_in_by_code(written.people["Dora"]["code"], expect=403)
    assert written.people["Dora"]["banned"] in told["error"]


def test_moderator_reads_the_audit_log_and_the_reports(written: Written, opened: Server) -> None:
    anna = written.user(opened, "Anna")
    assert seen.audit(anna)[-len(written.known["audit"]) :] == written.known["audit"]
    assert seen.reports(anna) == written.known["reports"]
    written.user(opened, "Ben").get(seen.AUDIT_LOG, expect=404)


def test_invitations_are_good_once(written: Written, opened: Server) -> None:
    for name, code in (("Nora", written.known["invitations"]["any"]), ("Ida", written.known["invitations"]["Ida"])):
        user = User(opened).come()
        _, passkey = Passkey.create(user.begin_account(name, code), opened.address)
        user.create_account(passkey)
        assert user.me()["name"] == name
        again = User(opened).come()
        again.begin_account(f"{name} II", code, expect=403)


def test_settings_file_is_read(written: Written, opened: Server) -> None:
    about = seen.about(written.user(opened, "Anna"))
    assert about == {**written.known["about"], "registration": "invitation", "moderator": True}


def test_settings_say_who_moderates(written: Written, opened: Server) -> None:
    assert not seen.about(written.user(opened, "Ben"))["moderator"]


# Notifications


def test_push_subscriptions_and_quiet_hours_are_the_same(written: Written, opened: Server) -> None:
    known = written.known["push"]
    for name, label in (("Ben", "Ben's phone"), ("Cleo", "Cleo's laptop")):
        found = written.user(opened, name).subscriptions()
        assert [one["label"] for one in found["browsers"]] == [label]
        assert found["key"] == known["server_key"], "browsers would have to subscribe anew"
        quiet = found["quiet"] and [name, *seen.quiet_hours(found)]
        assert quiet == (known["quiet"] if name == "Cleo" else None)


def test_subscription_of_a_browser_is_accepted(written: Written, opened: Server) -> None:
    user = written.user(opened, "Gus")
    user.subscribe(json.loads((written.folder / "push.json").read_text(encoding="utf-8")), "Firefox")
    assert [one["label"] for one in user.subscriptions()["browsers"]] == ["Firefox"]


# Commands, and time


def test_check_finds_every_game_sound(written: Written, tmp_path: Path) -> None:
    found = program.check(written.unpack(tmp_path / "data"))
    assert found == written.known["check"]


def test_years_without_a_server_take_no_time(written: Written, serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(written.unpack(tmp_path / "data"), written.known["written"] + YEARS_S)
    users = {name: User(server).come() for name in ("Anna", "Ben", "Cleo")}  # their devices were signed out long ago
    for name, user in users.items():
        user.sign_in_by_passkey(written.passkeys(name)[0].sign(user.begin_passkey(), server.address))
    timed = [label for label in written.labels("playing") if written.sight(label)["left"] is not None]
    assert {"running ranked", "running for two", "paused"} < set(timed)
    for label in timed:
        before, name = written.sight(label), written.tables[label]["people"][0]
        now = seen.summary(users[name].look(written.id(label)))
        assert now["timeouts"] == before["timeouts"], f"“{label}”: time ran out while no server ran"
        assert now["runs"] == before["runs"]
        for was, left in zip(before["left"], now["left"], strict=True):
            assert was is None or was - 60_000 < left <= was, f"“{label}”: {was - left} ms have gone by"
    User(server).come().sign_in_by_code(written.people["Dora"]["code"], expect=403)  # she is banned for ten years
