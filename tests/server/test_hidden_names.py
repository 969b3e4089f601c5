"""Names with characters that show nothing: no way into the server takes them, and nobody is mistaken for somebody else by one."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from authenticator import Browser
from guests import House, full_table, until

from diamonds import cli
from diamonds.game import Malformed
from diamonds.server.house import codes
from diamonds.server.order.settings import BadSettings, HouseSettings, read_settings
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.books import COMMAND
from diamonds.server.store.contract import Change
from diamonds.server.store.lines import Line
from diamonds.server.table.names import alike, clean_name, clean_text, guest_name, looks, tell_apart
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

pytestmark = pytest.mark.later

RECORDS = Path(__file__).parents[1] / "records" / "mines.jsonl"
FILLERS = ("\u3164", "\u115f", "\u1160", "\uffa0")
HIDDEN = (
    *FILLERS, "\u00ad", "\u034f", "\u061c", "\u17b4", "\u180b", "\u180e", "\u200b", "\u200d", "\u2060", "\u2800", "\ufe0f", "\ufe00",
    "\ufeff", "\ufffc", "\U0001d159", "\U0001d173", "\U000e0041", "\U000e0100", "\U00016fe4",
)  # fmt: skip
BLANK = (*HIDDEN, "\u0301", "\u20e3", "\u0300\u0301", " ", "\u3000", "\u2800\u2800", "\u3164 \u3164")
FAMILY, HEART_ON_FIRE = "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f\u200d\U0001f525"


@pytest.fixture(autouse=True)
def _recovery_codes_are_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "COST", 4)


@pytest.fixture
def club(open_house: Callable[..., House]) -> House:
    """A server with a moderator whose name is reserved."""
    return open_house(settings=Setup((0, 0), OFF, house=HouseSettings(name="Club Caro", hosts=("Ann",))))


def name_of(text: str) -> str:
    return "+".join(f"{ord(c):X}" for c in text)


# Spelling


@pytest.mark.parametrize("hidden", HIDDEN, ids=name_of)
def test_name_with_a_hidden_character_is_refused(hidden: str) -> None:
    for name in (f"Anna{hidden}", f"{hidden}Anna", f"An{hidden}na", f"Anna {hidden}", f"\U0001f642{hidden}Anna"):
        if name == "\U0001f642\ufe0fAnna":
            continue  # a variation selector after an emoji is dropped
        with pytest.raises(Malformed, match="cannot be seen"):
            clean_name(name)


@pytest.mark.parametrize("name", BLANK, ids=name_of)
def test_name_without_a_visible_character_is_refused(name: str) -> None:
    with pytest.raises(Malformed):
        clean_name(name)


def test_name_with_a_mark_that_stands_alone_is_refused() -> None:
    for name in ("\u0308Anna", "Anna \u0308"):
        with pytest.raises(Malformed, match="cannot be seen"):
            clean_name(name)


@pytest.mark.parametrize(
    "name", ["김민준", "이 서연", "Zoë", "Нина", "สมชาย", "राज", "عمر", "李", "O’Brien", "-", "⠁⠝⠝"]
)
def test_name_in_any_script_is_taken(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("\u2764\ufe0f", "\u2764"),
        ("\u2764", "\u2764"),
        ("1\ufe0f\u20e3", "1\u20e3"),
        ("\u2139\ufe0f", "\u2139"),
        (FAMILY, FAMILY),
        (HEART_ON_FIRE, "\u2764\u200d\U0001f525"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d\U0001f3fd"),
        ("\U0001f469\U0001f3fd\u200d\U0001f680", "\U0001f469\U0001f3fd\u200d\U0001f680"),
        (f"Zoe {FAMILY}", f"Zoe {FAMILY}"),
    ],
)
def test_name_of_emoji_is_taken_without_variation_selectors(name: str, kept: str) -> None:
    assert clean_name(name) == kept


@pytest.mark.parametrize(
    "name",
    ["\U0001f469\u200d", "\u200d\U0001f469", "\U0001f469\u200d\u200d\U0001f467", "\U0001f469\u200dA", "^\u200d^"],
)
def test_name_with_a_joiner_that_joins_no_emoji_is_refused(name: str) -> None:
    with pytest.raises(Malformed, match="cannot be seen"):
        clean_name(name)


# Skeletons


@pytest.mark.parametrize("hidden", HIDDEN, ids=name_of)
def test_skeleton_ignores_hidden_characters(hidden: str) -> None:
    for name in (f"Anna{hidden}", f"{hidden}Anna", f"An{hidden}na"):
        assert looks(name) == looks("Anna"), f"{name!r} is told apart from Anna"
    assert looks(f"\u2605{hidden}") == looks("\u2605")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        (FAMILY, FAMILY.replace("\u200d", "")),
        (HEART_ON_FIRE, "\u2764\U0001f525"),
        ("\u2764\ufe0f", "\u2764\ufe0e"),
        ("\u2764\ufe0f", "\u2764"),
        ("\u2605 \u2605", "\u2605\u2605"),
        ("Zoe", f"Zoe {FAMILY}"),
    ],
)
def test_skeleton_is_one_for_emoji_that_may_look_alike(name: str, other: str) -> None:
    assert alike(name, other)


def test_skeleton_tells_different_emoji_apart() -> None:
    assert not alike("\U0001f642", "\U0001f643")
    assert not alike(FAMILY, "\U0001f469\u200d\U0001f469\u200d\U0001f466")


def test_names_at_a_table_are_numbered_when_they_differ_by_hidden_characters() -> None:
    assert tell_apart(["Anna", "Anna\u3164", "Anna\u200b"], []) == ("Anna", "Anna\u3164 (2)", "Anna\u200b (3)")
    assert tell_apart([FAMILY, FAMILY.replace("\u200d", "")], [])[1].endswith(" (2)")


# Ways into the server


@pytest.mark.parametrize("filler", FILLERS, ids=name_of)
def test_guest_is_called_by_no_name_with_a_filler(house: House, filler: str) -> None:
    guest = house.guest()
    before = guest.get("/api/house")["name"]
    for name in (f"Anna{filler}", filler):
        assert guest.post("/api/me", {"name": name}, 400)["id"] == "server-name-unseen"
    assert guest.get("/api/house")["name"] == before


def test_account_gets_no_name_that_differs_from_another_by_hidden_characters(club: House) -> None:
    anna = Browser(club.port)
    anna.become("Anna")
    impostor = Browser(club.port)
    for name in ("Anna\u3164", "Ann\u3164", "\u2800"):
        assert impostor.post("/api/me/account/begin", {"name": name}, 400)["id"] == "server-name-unseen"
    impostor.become("Kim")
    for name in ("Anna\u3164", "Ann\u3164"):
        assert impostor.post("/api/me", {"name": name}, 400)["id"] == "server-name-unseen"
    other = Browser(club.port)
    other.become(FAMILY)
    late = Browser(club.port)
    alone = {"name": FAMILY.replace("\u200d", "")}
    assert late.post("/api/me/account/begin", alone, 409)["id"] == "account-name-taken"


def test_moderator_gives_no_name_with_a_filler(club: House) -> None:
    eve = Browser(club.port)
    eve.become("Eve")
    with pytest.raises(Malformed):
        club.wait_for(club.app.order.invite(COMMAND, 1, "Eva\u3164"))
    ann = Browser(club.port)
    code = club.wait_for(club.app.order.invite(COMMAND, 1, "Ann")).code
    asked = ann.post("/api/me/account/begin", {"name": "Ann", "invitation": code}, 200)
    ann.post("/api/me/account", {"passkey": ann.make_key(asked["options"])}, 201)
    deed = {"what": "rename", "name": "Eve", "called": "Eva\u3164"}
    assert ann.post("/api/order/acts", deed, 400)["id"] == "server-name-unseen"


@pytest.mark.parametrize(
    "line", ['name = "\\u3164"', 'name = "Club\\u200b"', 'hosts = ["Ann\\u3164"]', 'hosts = ["\\u2800"]']
)
def test_settings_take_no_name_with_a_hidden_character(tmp_path: Path, line: str) -> None:
    file = tmp_path / "house.toml"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(BadSettings):
        read_settings(file)


def test_record_shows_players_without_hidden_characters(house: House) -> None:
    for players, shown in (
        (["Anna", "Anna\u3164"], ["Anna", "Anna (2)"]),
        (["\u3164", f"{FAMILY}\u200b"], ["", FAMILY]),
    ):
        record = {**json.loads(RECORDS.read_text(encoding="utf-8").splitlines()[0]), "players": players}
        told = house.guest().post("/api/records", record, 200)
        assert [place["name"] for place in told["replay"]["table"]["places"]] == shown


def test_chat_takes_no_line_without_a_visible_character(house: House) -> None:
    for text in ("\u3164", "\u2800 \u2800", "\u200d", "\ufe0f", "\u115f\u1160"):
        with pytest.raises(Malformed):
            clean_text(text)
    assert clean_text(f"yes\u3164no {FAMILY} \u2764\ufe0f") == f"yes no {FAMILY} \u2764\ufe0f"
    table, (ann, _) = full_table(house, "mines", 2)
    blank = {"text": "\u3164", "key": "blank-line-1"}
    assert ann.post(f"/api/tables/{table}/chat", blank, 400)["id"] == "server-nothing-to-say"


# Stored names


@pytest.fixture
def lenient(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Writes a name and its skeletons as an earlier version did, which knew of no hidden characters."""

    def give(house: House, name: str, new: str, *skeletons: str) -> None:
        [known] = (one for one in house.wait_for(house.app.store.books.people("", 100)) if one.name == name)
        change = AccountChange(known.person, name=new, looks=skeletons or (new.casefold(),))
        house.wait_for(house.app.store.commit(change))

    return give


@pytest.fixture
def run(capsys: Any, tmp_path: Path) -> Callable[..., str]:
    """Runs ``diamonds house`` on the server in this folder; its lines."""

    def run_it(*arguments: str) -> str:
        code = cli.main(["house", *arguments, "--data", str(tmp_path)])
        out, err = capsys.readouterr()
        assert code == 0, err
        return str(out)

    return run_it


def accounts(house: House, *names: str) -> list[Browser]:
    found = [Browser(house.port) for _ in names]
    for browser, name in zip(found, names, strict=True):
        browser.become(name)
    return found


def folder_house(open_house: Callable[..., House], folder: Path) -> House:
    return open_house(folder, settings=Setup((0, 0), OFF, folder=folder))


def test_account_with_a_hidden_character_is_shown_by_a_guests_name(
    open_house: Callable[..., House], tmp_path: Path, lenient: Callable[..., None]
) -> None:
    house = folder_house(open_house, tmp_path)
    anna, eve, kim = accounts(house, "Anna", "Eve", "Kim")
    lenient(house, "Eve", "Anna\u3164")
    lenient(house, "Kim", "\u2800")
    house.restart(anna, eve, kim)
    for browser in (eve, kim):
        assert browser.me()["name"].split()[0].isalpha(), "expected the name of a guest"
        assert not browser.me()["chosen"]
    table = eve.make(game="mines", seats=2, places=["me", "open"], private=False)
    kim.sit(table)
    names = [place["name"] for place in anna.look(table)["table"]["places"]]
    assert names == [eve.me()["name"], kim.me()["name"]]
    assert not any(alike(name, "Anna") for name in names)
    assert anna.me()["name"] == "Anna"


def test_names_command_lists_accounts_to_rename_and_renames_them(
    open_house: Callable[..., House], tmp_path: Path, lenient: Callable[..., None], run: Callable[..., str], caplog: Any
) -> None:
    house = folder_house(open_house, tmp_path)
    people = accounts(house, "Anna", "Eve", "Kim", "Ida", "Uli")
    assert "as they should be" in run("names")
    lenient(house, "Eve", "Anna\u3164")
    lenient(house, "Kim", "\u2800")
    lenient(house, "Ida", "\u2605 \u2605")
    lenient(house, "Uli", "\u2605\u2605")
    house.restart(*people)
    until(lambda: house.app._review.done(), "the names are not reviewed")
    [warning] = [record.getMessage() for record in caplog.records if "diamonds house names" in record.getMessage()]
    assert ": 3." in warning
    assert "Anna" not in warning, "a log has a name"
    told = json.loads(run("names", "--json"))["names"]
    assert sorted((one["name"], one["problem"], one["other"]) for one in told) == [
        ("Anna\\u3164", "refused", "Anna"),
        ("\\u2800", "refused", ""),
        ("\u2605 \u2605", "confusable", "\u2605\u2605"),
    ]
    assert "diamonds house rename" in run("names").splitlines()[-1]
    assert "Anna\\u3164" in run("people", "Anna"), "a list of accounts shows two of one name"
    run("rename", "Anna\\u3164", "--to", "Eve")
    run("rename", "\\u2800", "--to", "Kim")
    run("rename", "\u2605 \u2605", "--to", "Ida")
    assert [browser.me()["name"] for browser in people] == ["Anna", "Eve", "Kim", "Ida", "\u2605\u2605"]
    assert "as they should be" in run("names")
    house.close()
    assert "as they should be" in run("names")


def test_rename_of_a_hidden_name_takes_no_visible_name_away(
    open_house: Callable[..., House], tmp_path: Path, lenient: Callable[..., None], run: Callable[..., str]
) -> None:
    house = folder_house(open_house, tmp_path)
    accounts(house, "Eve")
    lenient(house, "Eve", "Max\u3164")
    run("rename", "Max\\u3164", "--to", "Eve")
    accounts(house, "Max")


def test_chat_line_is_not_told_under_a_hidden_name(open_house: Callable[..., House], tmp_path: Path) -> None:
    house = folder_house(open_house, tmp_path)
    table, (ann, ben) = full_table(house, "mines", 2)
    line = Line("Anna\u3164", "hello", 1.0, "somebody")
    house.wait_for(house.app.store.commit(Change(table=table, line=line)))
    house.restart(ann, ben)
    [told] = ann.look(table)["table"]["chat"]
    assert (told["name"], told["text"]) == (guest_name("somebody"), "hello")


def test_start_reserves_the_skeletons_of_today(
    open_house: Callable[..., House], tmp_path: Path, lenient: Callable[..., None]
) -> None:
    house = folder_house(open_house, tmp_path)
    people = accounts(house, "Eve")
    lenient(house, "Eve", "\u2764\ufe0f")
    house.restart(*people)
    until(lambda: house.app._review.done(), "the names are not reviewed")
    late = Browser(house.port)
    assert late.post("/api/me/account/begin", {"name": "\u2764"}, 409)["id"] == "account-name-taken"
    assert people[0].me()["name"] == "\u2764\ufe0f"


def test_account_named_by_emoji_is_found_in_either_spelling(house: House) -> None:
    eve, kim = accounts(house, "\u2764\ufe0f", "Kim")
    assert eve.me()["name"] == "\u2764"
    kim.post("/api/friends", {"name": "\u2764\ufe0f"}, 200)
    eve.post("/api/friends", {"name": "Kim"}, 200)
    assert kim.get("/api/me/data")["friends"] == ["\u2764"]
    eve.post("/api/me/delete", {"name": "\u2764\ufe0f"}, 200)
