"""Names with invisible characters: rejected wherever a name is given, and never confused with another person's."""

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from diamonds.errors import InvalidInputError
from diamonds.server.people.display_names import (
    clean_name,
    clean_text,
    disambiguate,
    guest_name,
    is_confusable,
    skeletons,
)
from diamonds.server.settings_file import ConfigError, TomlSettings, load_config
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.moderation import OPERATOR_ID
from diamonds.server.storage.table_data import TableChange
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import wait_until
from tests.server.support.live_server import LiveServer, full_table

pytestmark = pytest.mark.later

RECORDS = Path(__file__).parents[1] / "records" / "mines.jsonl"
FILLER_CHARACTERS = ("\u3164", "\u115f", "\u1160", "\uffa0")
INVISIBLE_CHARACTERS = (
    *FILLER_CHARACTERS, "\u00ad", "\u034f", "\u061c", "\u17b4", "\u180b", "\u180e", "\u200b", "\u200d", "\u2060", "\u2800", "\ufe0f", "\ufe00",
    "\ufeff", "\ufffc", "\U0001d159", "\U0001d173", "\U000e0041", "\U000e0100", "\U00016fe4",
)  # fmt: skip
BLANK_NAMES = (
    *INVISIBLE_CHARACTERS, "\u0301", "\u20e3", "\u0300\u0301", " ", "\u3000", "\u2800\u2800", "\u3164 \u3164",
)  # fmt: skip
FAMILY_EMOJI, HEART_ON_FIRE_EMOJI = "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f\u200d\U0001f525"


@pytest.fixture
def moderated_server(open_server: Callable[..., LiveServer]) -> LiveServer:
    """A server with a moderator whose name is reserved."""
    return open_server(server_config=TomlSettings(name="Club Caro", moderators=("Ann",)))


def code_points(text: str) -> str:
    return "+".join(f"{ord(c):X}" for c in text)


# Validation


@pytest.mark.parametrize("hidden", INVISIBLE_CHARACTERS, ids=code_points)
def test_name_with_an_invisible_character_is_rejected(hidden):
    for name in (f"Anna{hidden}", f"{hidden}Anna", f"An{hidden}na", f"Anna {hidden}", f"\U0001f642{hidden}Anna"):
        if name == "\U0001f642\ufe0fAnna":
            continue  # a variation selector after an emoji is dropped
        with pytest.raises(InvalidInputError, match="invisible character"):
            clean_name(name)


@pytest.mark.parametrize("name", [
    *BLANK_NAMES, "\u0308Anna", "Anna \u0308", "\U0001f469\u200d", "\u200d\U0001f469",
    "\U0001f469\u200d\u200d\U0001f467", "\U0001f469\u200dA", "^\u200d^",
], ids=code_points)  # fmt: skip
def test_name_without_a_visible_character_is_rejected(name):
    with pytest.raises(InvalidInputError):
        clean_name(name)


@pytest.mark.parametrize(("name", "kept"), [
    *((name, unicodedata.normalize("NFC", name)) for name in (
        "김민준", "이 서연", "Zoë", "Нина", "สมชาย", "राज", "عمر", "李", "O’Brien", "-", "⠁⠝⠝",
    )),
    ("\u2764\ufe0f", "\u2764"), ("\u2764", "\u2764"), ("1\ufe0f\u20e3", "1\u20e3"), ("\u2139\ufe0f", "\u2139"),
    (FAMILY_EMOJI, FAMILY_EMOJI), (HEART_ON_FIRE_EMOJI, "\u2764\u200d\U0001f525"),
    ("\U0001f44d\U0001f3fd", "\U0001f44d\U0001f3fd"),
    ("\U0001f469\U0001f3fd\u200d\U0001f680", "\U0001f469\U0001f3fd\u200d\U0001f680"),
    (f"Zoe {FAMILY_EMOJI}", f"Zoe {FAMILY_EMOJI}"),
])  # fmt: skip
def test_name_in_any_script_or_emoji_is_taken_without_variation_selectors(name, kept):
    assert clean_name(name) == kept


# Skeletons


@pytest.mark.parametrize("hidden", INVISIBLE_CHARACTERS, ids=code_points)
def test_skeleton_ignores_hidden_characters(hidden):
    for name in (f"Anna{hidden}", f"{hidden}Anna", f"An{hidden}na"):
        assert skeletons(name) == skeletons("Anna"), f"expected the skeleton of {name!r} to be that of Anna"
    assert skeletons(f"\u2605{hidden}") == skeletons("\u2605")


@pytest.mark.parametrize(("name", "other"), [
    (FAMILY_EMOJI, FAMILY_EMOJI.replace("\u200d", "")), (HEART_ON_FIRE_EMOJI, "\u2764\U0001f525"),
    ("\u2764\ufe0f", "\u2764\ufe0e"), ("\u2764\ufe0f", "\u2764"), ("\u2605 \u2605", "\u2605\u2605"),
    ("Zoe", f"Zoe {FAMILY_EMOJI}"),
])  # fmt: skip
def test_skeleton_is_equal_for_confusable_emoji(name, other):
    assert is_confusable(name, other)


def test_skeleton_distinguishes_different_emoji():
    assert not is_confusable("\U0001f642", "\U0001f643")
    assert not is_confusable(FAMILY_EMOJI, "\U0001f469\u200d\U0001f469\u200d\U0001f466")


def test_names_that_differ_by_invisible_characters_are_numbered():
    assert disambiguate(["Anna", "Anna\u3164", "Anna\u200b"], []) == ("Anna", "Anna\u3164 (2)", "Anna\u200b (3)")
    assert disambiguate([FAMILY_EMOJI, FAMILY_EMOJI.replace("\u200d", "")], [])[1].endswith(" (2)")


# Routes and files that take names


def test_account_name_must_differ_by_visible_characters(moderated_server):
    BrowserClient(moderated_server.port).with_account("Anna")
    impostor = BrowserClient(moderated_server.port)
    for name in ("Anna\u3164", "Ann\u3164", "\u2800"):
        assert impostor.post("/api/me/account/begin", {"name": name}, 400)["id"] == "server-name-unseen"
    impostor.create_account("Kim")
    for name in ("Anna\u3164", "Ann\u3164"):
        assert impostor.post("/api/me", {"name": name}, 400)["id"] == "server-name-unseen"
    BrowserClient(moderated_server.port).with_account(FAMILY_EMOJI)
    late = BrowserClient(moderated_server.port)
    alone = {"name": FAMILY_EMOJI.replace("\u200d", "")}
    assert late.post("/api/me/account/begin", alone, 409)["id"] == "account-name-taken"


def test_moderator_gives_no_name_with_a_filler(moderated_server):
    BrowserClient(moderated_server.port).with_account("Eve")
    with pytest.raises(InvalidInputError):
        moderated_server.wait_for(moderated_server.app.moderation.create_invitation(OPERATOR_ID, 1, "Eva\u3164"))
    ann = BrowserClient(moderated_server.port)
    code = moderated_server.wait_for(moderated_server.app.moderation.create_invitation(OPERATOR_ID, 1, "Ann")).code
    asked = ann.post("/api/me/account/begin", {"name": "Ann", "invitation": code}, 200)
    ann.post("/api/me/account", {"passkey": ann.create_passkey(asked["options"])}, 201)
    deed = {"action": "rename", "name": "Eve", "new_name": "Eva\u3164"}
    assert ann.post("/api/moderation/actions", deed, 400)["id"] == "server-name-unseen"


@pytest.mark.parametrize(
    "line", ['name = "\\u3164"', 'name = "Club\\u200b"', 'moderators = ["Ann\\u3164"]', 'moderators = ["\\u2800"]']
)
def test_settings_take_no_name_with_a_hidden_character(tmp_path, line):
    file = tmp_path / "server.toml"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(ConfigError):
        load_config(file)


def test_record_shows_players_without_hidden_characters(server):
    for players, shown in (
        (["Anna", "Anna\u3164"], ["Anna", "Anna (2)"]),
        (["\u3164", f"{FAMILY_EMOJI}\u200b"], ["", FAMILY_EMOJI]),
    ):
        record = {**json.loads(RECORDS.read_text(encoding="utf-8").splitlines()[0]), "players": players}
        told = server.new_client().post("/api/records", record, 200)
        assert [place["name"] for place in told["replay"]["table"]["seat_holders"]] == shown


def test_chat_message_needs_a_visible_character(server):
    for text in ("\u3164", "\u2800 \u2800", "\u200d", "\ufe0f", "\u115f\u1160"):
        with pytest.raises(InvalidInputError):
            clean_text(text)
    assert clean_text(f"yes\u3164no {FAMILY_EMOJI} \u2764\ufe0f") == f"yes no {FAMILY_EMOJI} \u2764\ufe0f"
    table, (ann, _) = full_table(server, "mines", 2)
    blank = {"text": "\u3164", "idempotency_key": "blank-line-1"}
    assert ann.post(f"/api/tables/{table}/chat", blank, 400)["id"] == "server-nothing-to-say"


# Stored names


@pytest.fixture
def store_unchecked_name(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that stores a name as earlier versions did, which allowed invisible characters."""

    def give(server: LiveServer, name: str, new: str, *skeletons: str) -> None:
        [known] = (
            one for one in server.wait_for(server.app.store.moderation.find_accounts("", 100)) if one.name == name
        )
        change = AccountChange(known.person, name=new, skeletons=skeletons or (new.casefold(),))
        server.wait_for(server.app.store.commit(change))

    return give


def accounts(server: LiveServer, *names: str) -> list[BrowserClient]:
    return [BrowserClient(server.port).with_account(name) for name in names]


def server_on_folder(open_server: Callable[..., LiveServer], folder: Path) -> LiveServer:
    return open_server(folder, data_dir=folder)


def test_account_with_a_hidden_character_is_shown_by_a_guests_name(open_server, tmp_path, store_unchecked_name):
    server = server_on_folder(open_server, tmp_path)
    anna, eve, kim = accounts(server, "Anna", "Eve", "Kim")
    store_unchecked_name(server, "Eve", "Anna\u3164")
    store_unchecked_name(server, "Kim", "\u2800")
    server.restart(anna, eve, kim)
    for browser in (eve, kim):
        assert browser.get_me()["name"].split()[0].isalpha(), "expected a guest's name"
        assert not browser.get_me()["has_chosen_name"]
    table = eve.create_open_table(private=False)
    kim.sit(table)
    names = tuple(place["name"] for place in anna.get_table(table)["table"]["seat_holders"])
    guest_names = [eve.get_me()["name"], kim.get_me()["name"]]  # may be the same: there are 144
    assert names == disambiguate(guest_names, ())
    assert not any(is_confusable(name, "Anna") for name in names)
    assert anna.get_me()["name"] == "Anna"


def test_names_command_lists_accounts_to_rename_and_renames_them(
    open_server, tmp_path, store_unchecked_name, run_admin_here, caplog
):
    server = server_on_folder(open_server, tmp_path)
    people = accounts(server, "Anna", "Eve", "Kim", "Ida", "Uli")
    assert "names are valid" in run_admin_here("names")
    store_unchecked_name(server, "Eve", "Anna\u3164")
    store_unchecked_name(server, "Kim", "\u2800")
    store_unchecked_name(server, "Ida", "\u2605 \u2605")
    store_unchecked_name(server, "Uli", "\u2605\u2605")
    server.restart(*people)
    wait_until(lambda: server.app.name_check_task.done(), "expected the stored names to be reviewed")
    [warning] = [record.getMessage() for record in caplog.records if "diamonds admin names" in record.getMessage()]
    assert ": 3." in warning
    assert "Anna" not in warning, "expected no name in the log"
    told = json.loads(run_admin_here("names", "--json"))["names"]
    assert sorted((one["name"], one["problem"], one["other"]) for one in told) == [
        ("Anna\\u3164", "refused", "Anna"),
        ("\\u2800", "refused", ""),
        ("\u2605 \u2605", "confusable", "\u2605\u2605"),
    ]
    assert "diamonds admin rename" in run_admin_here("names").splitlines()[-1]
    assert "Anna\\u3164" in run_admin_here("accounts", "Anna"), "expected no two accounts with one name in the list"
    run_admin_here("rename", "Anna\\u3164", "--to", "Eve")
    run_admin_here("rename", "\\u2800", "--to", "Kim")
    run_admin_here("rename", "\u2605 \u2605", "--to", "Ida")
    assert [browser.get_me()["name"] for browser in people] == ["Anna", "Eve", "Kim", "Ida", "\u2605\u2605"]
    assert "names are valid" in run_admin_here("names")
    server.close()
    assert "names are valid" in run_admin_here("names")


def test_renaming_an_invisible_name_frees_no_visible_name(open_server, tmp_path, store_unchecked_name, run_admin_here):
    server = server_on_folder(open_server, tmp_path)
    accounts(server, "Eve")
    store_unchecked_name(server, "Eve", "Max\u3164")
    run_admin_here("rename", "Max\\u3164", "--to", "Eve")
    accounts(server, "Max")


def test_chat_message_is_not_sent_under_an_invisible_name(open_server, tmp_path):
    server = server_on_folder(open_server, tmp_path)
    table, (ann, ben) = full_table(server, "mines", 2)
    line = ChatRecord("Anna\u3164", "hello", 1.0, "somebody")
    server.wait_for(server.app.store.commit(TableChange(table=table, chat_record=line)))
    server.restart(ann, ben)
    [told] = ann.get_table(table)["table"]["chat"]
    assert (told["name"], told["text"]) == (guest_name("somebody"), "hello")


def test_server_start_renews_the_skeletons_of_stored_names(open_server, tmp_path, store_unchecked_name):
    server = server_on_folder(open_server, tmp_path)
    people = accounts(server, "Eve")
    store_unchecked_name(server, "Eve", "\u2764\ufe0f")
    server.restart(*people)
    wait_until(lambda: server.app.name_check_task.done(), "expected the stored names to be reviewed")
    late = BrowserClient(server.port)
    assert late.post("/api/me/account/begin", {"name": "\u2764"}, 409)["id"] == "account-name-taken"
    assert people[0].get_me()["name"] == "\u2764\ufe0f"


def test_account_named_by_emoji_is_found_in_either_spelling(server):
    eve, kim = accounts(server, "\u2764\ufe0f", "Kim")
    assert eve.get_me()["name"] == "\u2764"
    kim.post("/api/friends", {"name": "\u2764\ufe0f"}, 200)
    eve.post("/api/friends", {"name": "Kim"}, 200)
    assert kim.get("/api/me/data")["friends"] == ["\u2764"]
    eve.post("/api/me/delete", {"name": "\u2764\ufe0f"}, 200)
