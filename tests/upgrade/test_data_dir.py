"""A data folder of an earlier version: everything is kept, and its owners can read it."""

import json

import pytest

from tests.upgrade import observations, program
from tests.upgrade.passkey import Passkey
from tests.upgrade.user import User

pytestmark = pytest.mark.later

YEARS_S = 5 * 365 * 86_400


# Tables


def test_tables_look_as_before_to_everyone(version_fixtures, upgraded_server):
    version_fixtures.assert_tables_unchanged(upgraded_server)


def test_tables_are_listed_for_their_people(version_fixtures, upgraded_server):
    for name, about in version_fixtures.people.items():
        if "tables" in about:
            listed = sorted(line["id"] for line in version_fixtures.user(upgraded_server, name).tables())
            assert listed == about["tables"], f"the tables of {name} differ"


def test_finished_games_verify_and_have_the_same_record(version_fixtures, upgraded_server):
    for label in version_fixtures.labels("over"):
        user, about = version_fixtures.players(upgraded_server, label)[0], version_fixtures.tables[label]
        assert user.verify(about["id"]), f"“{label}” does not verify"
        record, before = user.record(about["id"]), {**about["record"]}
        del before["format"]  # later versions may add keys
        assert {key: record.get(key) for key in before} == before, f"the record of “{label}” differs"


def test_finished_games_replay_with_their_undos(version_fixtures, upgraded_server):
    for label in version_fixtures.labels("over"):
        user, about = version_fixtures.players(upgraded_server, label)[0], version_fixtures.tables[label]
        assert observations.replay_history(user.replay(about["id"])) == about["history"], f"“{label}” differs"


def test_closed_table_stays_closed(version_fixtures, upgraded_server):
    closed = {label: about for label, about in version_fixtures.tables.items() if about.get("closed")}
    assert closed, "no fixture has a closed table"
    for label, about in closed.items():
        user = version_fixtures.user(upgraded_server, about["people"][-1])
        told = observations.error_of_action(user, about["id"])
        assert user.status == 409, f"“{label}” is open again"
        assert about["closed"] in told["error"], f"“{label}” gives no reason: {told['error']}"


def test_private_table_needs_its_invite(version_fixtures, upgraded_server):
    table, invite = version_fixtures.id("invited"), version_fixtures.tables["invited"]["invite"]
    stranger = User(upgraded_server).open_web_client()
    stranger.sit(table, expect=403)
    stranger.sit(table, expect=403, invite=invite[::-1])
    with_invite = User(upgraded_server).open_web_client()
    with_invite.sit(table, invite=invite)
    assert with_invite.get_table(table)["seat"] == 1
    with_invite.act_at_table(table, "stand")  # shared with other tests, so use a copy


# People


def test_cookies_and_tokens_identify_the_same_people(version_fixtures, upgraded_server):
    for name, about in version_fixtures.people.items():
        user = version_fixtures.user(upgraded_server, name)
        assert user.name() == about["name"], f"{name} has the name {user.name()}"
        assert user.me()["has_account"] == about["account"]
        if about["account"]:
            assert len(user.me()["passkeys"]) == len(about["passkeys"])
            assert user.me()["has_recovery_code"], f"the recovery code of {name} is missing"
    second = User(upgraded_server, version_fixtures.people["Anna"]["second_cookie"])
    assert second.me()["name"] == "Anna", "the second device is signed out"
    assert sum(device["current"] for device in second.me()["devices"]) == 1


def test_deleted_account_stays_deleted(version_fixtures, upgraded_server):
    left = version_fixtures.expected["left"]
    user, newcomer = User(upgraded_server, left["cookie"]).open_web_client(), User(upgraded_server).open_web_client()
    assert not user.me()["has_account"]
    newcomer.sign_in_by_code(left["code"], expect=403)
    newcomer.sign_in_by_passkey(
        Passkey.load(left["passkeys"][0]).sign(newcomer.begin_passkey(), upgraded_server.address),
        expect=403,
    )


def test_altered_cookie_identifies_nobody(version_fixtures, upgraded_server):
    cookie = version_fixtures.people["Anna"]["cookie"]
    user = User(upgraded_server, cookie[:-2] + ("AA" if cookie[-2:] != "AA" else "BB"))
    assert user.name() != "Anna"


def test_passkeys_sign_in(version_fixtures, upgraded_server):
    for name in ("Anna", "Ben"):
        for key in version_fixtures.passkeys(name):
            user = User(upgraded_server).open_web_client()
            user.sign_in_by_passkey(key.sign(user.begin_passkey(), upgraded_server.address))
            assert user.me()["name"] == name


def test_recovery_code_signs_in(version_fixtures, upgraded_server):
    user = User(upgraded_server).open_web_client()
    user.sign_in_by_code(version_fixtures.people["Cleo"]["code"])
    assert user.me()["name"] == "Cleo"
    user = User(upgraded_server).open_web_client()
    user.sign_in_by_code(version_fixtures.people["Cleo"]["code"][:-4] + "0000", expect=403)


def test_relationships_are_the_same(version_fixtures, upgraded_server):
    known = {
        name: about["relationships"] for name, about in version_fixtures.people.items() if "relationships" in about
    }
    assert known["Anna"]["friends"] == ["Ben"]
    for name, before in known.items():
        assert observations.relationships(version_fixtures.user(upgraded_server, name)) == before, f"{name} differs"


def test_name_of_an_account_stays_taken(version_fixtures, upgraded_server):
    for name in ("Ben", "Bеn"):  # the second name has a Cyrillic letter
        User(upgraded_server).open_web_client().rename(name, expect=409)


# Moderation


def test_sanctions_hold(version_fixtures, upgraded_server):
    for name, about in version_fixtures.people.items():
        user = version_fixtures.user(upgraded_server, name)
        assert observations.sanctions(user) == about["sanctions"], f"the sanctions of {name} differ"
        assert user.is_banned() == bool(about.get("banned")), f"the access of {name} differs"
    emil = version_fixtures.user(upgraded_server, "Emil")
    emil.send_chat(version_fixtures.id("reported"), "I am not muted", expect=403)
    assert version_fixtures.user(upgraded_server, "Fay").warning() == version_fixtures.people["Fay"]["warned"]


def test_banned_account_stays_out_by_passkey_and_code(version_fixtures, upgraded_server):
    [key] = version_fixtures.passkeys("Dora")
    user = User(upgraded_server).open_web_client()
    told = user.sign_in_by_passkey(key.sign(user.begin_passkey(), upgraded_server.address), expect=403)
    assert version_fixtures.people["Dora"]["banned"] in told["error"]
    told = user.sign_in_by_code(version_fixtures.people["Dora"]["code"], expect=403)
    assert version_fixtures.people["Dora"]["banned"] in told["error"]


def test_moderator_reads_the_audit_log_and_the_reports(version_fixtures, upgraded_server):
    anna = version_fixtures.user(upgraded_server, "Anna")
    assert (
        observations.audit_log(anna)[-len(version_fixtures.expected["audit"]) :] == version_fixtures.expected["audit"]
    )
    assert observations.reports(anna) == version_fixtures.expected["reports"]
    version_fixtures.user(upgraded_server, "Ben").get(observations.AUDIT_LOG, expect=404)


def test_invitations_work_once(version_fixtures, upgraded_server):
    for name, code in (
        ("Nora", version_fixtures.expected["invitations"]["any"]),
        ("Ida", version_fixtures.expected["invitations"]["Ida"]),
    ):
        user = User(upgraded_server).open_web_client()
        options = user.begin_account(name, code)
        passkey = Passkey(options).register(options, upgraded_server.address)
        user.create_account(passkey)
        assert user.me()["name"] == name
        again = User(upgraded_server).open_web_client()
        again.begin_account(f"{name} II", code, expect=403)


def test_settings_file_is_read(version_fixtures, upgraded_server):
    about = observations.about_server(version_fixtures.user(upgraded_server, "Anna"))
    assert about == {**version_fixtures.expected["about"], "registration": "invitation", "moderator": True}


def test_settings_name_the_moderators(version_fixtures, upgraded_server):
    assert not observations.about_server(version_fixtures.user(upgraded_server, "Ben"))["moderator"]


# Notifications


def test_push_subscriptions_and_quiet_hours_are_the_same(version_fixtures, upgraded_server):
    known = version_fixtures.expected["push"]
    for name, label in (("Ben", "Ben's phone"), ("Cleo", "Cleo's laptop")):
        found = version_fixtures.user(upgraded_server, name).subscriptions()
        assert [one["label"] for one in found["subscriptions"]] == [label]
        assert found["key"] == known["server_key"], "expected the same key, or browsers must subscribe again"
        quiet = found["quiet_hours"] and [name, *observations.quiet_hours(found)]
        assert quiet == (known["quiet"] if name == "Cleo" else None)


def test_subscription_of_a_browser_is_accepted(version_fixtures, upgraded_server):
    user = version_fixtures.user(upgraded_server, "Gus")
    user.subscribe(json.loads((version_fixtures.folder / "push.json").read_text(encoding="utf-8")), "Firefox")
    assert [one["label"] for one in user.subscriptions()["subscriptions"]] == ["Firefox"]


# Commands and clocks


def test_check_finds_every_game_sound(version_fixtures, tmp_path):
    found = program.check(version_fixtures.unpack(tmp_path / "data"))
    assert found == version_fixtures.expected["check"]


def test_clocks_stand_still_for_years_without_a_server(version_fixtures, start_server, tmp_path):
    server = start_server(version_fixtures.unpack(tmp_path / "data"), version_fixtures.expected["written"] + YEARS_S)
    users = {name: User(server).open_web_client() for name in ("Anna", "Ben", "Cleo")}  # devices are signed out by then
    for name, user in users.items():
        user.sign_in_by_passkey(version_fixtures.passkeys(name)[0].sign(user.begin_passkey(), server.address))
    timed = [
        label
        for label in version_fixtures.labels("playing")
        if version_fixtures.first_observation(label)["left"] is not None
    ]
    assert {"running ranked", "running for two", "paused"} < set(timed)
    for label in timed:
        before, name = version_fixtures.first_observation(label), version_fixtures.tables[label]["people"][0]
        now = observations.table_summary(users[name].get_table(version_fixtures.id(label)))
        assert now["timeouts"] == before["timeouts"], f"“{label}”: a clock ran out while no server ran"
        assert now["runs"] == before["runs"]
        for was, left in zip(before["left"], now["left"], strict=True):
            assert was is None or was - 60_000 < left <= was, f"“{label}”: {was - left} ms were lost"
    User(server).open_web_client().sign_in_by_code(
        version_fixtures.people["Dora"]["code"], expect=403
    )  # her ban lasts ten years
